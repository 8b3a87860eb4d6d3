/** The search box, the three filters with their counts, and what is chosen. A plain form: the script only makes it quicker. */

import { STATUSES } from '../listings/listing.ts';
import { asksAnything, FILTERS, type Filter, LONGEST_Q } from '../search/parameters.ts';
import { type Markup, markup } from './markup.ts';
import { asking, type Shown, withChosen } from './shown.ts';

export function searchForm(shown: Shown): Markup {
  const { dress, question } = shown;
  const { say } = dress.speech;
  return markup`<form class="search" role="search" method="get" action="/" id="search">
<label for="q">${say('search.label')}</label>
<div class="row"><input id="q" type="search" name="q" value="${question.q}" maxlength="${LONGEST_Q}" autocomplete="off" autocapitalize="none" spellcheck="false"><button>${say('search.button')}</button></div>
<div class="filters" id="filters" data-live>${FILTERS.map((filter) => select(shown, filter))}
<button class="quiet apply">${say('filter.apply')}</button></div>
</form>`;
}

function select({ dress, question, facets }: Shown, filter: Filter): Markup {
  const { say, number } = dress.speech;
  const [first, ...others] = question[filter];
  const options = withChosen(facets[filter], question[filter]).map(({ value, count }) => {
    const label = filter === 'status' ? statusWord(say, value) : value;
    return markup`<option value="${value}"${value === first && { html: ' selected' }}>${label} (${number(count)})</option>`;
  });
  const kept = others.map((value) => markup`<input type="hidden" name="${filter}" value="${value}">`);
  return markup`<label>${say(`filter.${filter}`)} <select id="filter-${filter}" name="${filter}"><option value="">${say('filter.any')}</option>${options}</select></label>${kept}`;
}

/** What is chosen, each a link that lets it go. */
export function chips({ dress, question }: Shown): Markup {
  const { say } = dress.speech;
  const chosen: { label: string; href: string }[] = FILTERS.flatMap((filter) =>
    question[filter].map((value) => ({
      label: filter === 'status' ? statusWord(say, value) : value,
      href: asking(question, { [filter]: question[filter].filter((one) => one !== value) }),
    })),
  );
  if (question.q !== '') chosen.unshift({ label: `“${question.q}”`, href: asking(question, { q: '' }) });
  if (chosen.length === 0) return markup``;
  const all = chosen.map(
    ({ label, href }) =>
      markup`<li><a href="${href}" rel="nofollow" aria-label="${say('filter.remove', { value: label })}">${label} <span aria-hidden="true">×</span></a></li>`,
  );
  const clear =
    asksAnything(question) && chosen.length > 1
      ? markup`<li><a class="clear" href="/">${say('filter.clear')}</a></li>`
      : undefined;
  return markup`<ul class="chips">${all}${clear}</ul>`;
}

/** A status in the page's words. */
export function statusWord(say: Shown['dress']['speech']['say'], status: string): string {
  const known = STATUSES.find((one) => one === status);
  return known === undefined ? status : say(`status.${known}`);
}

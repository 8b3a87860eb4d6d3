/** The search box, the three filters with their counts, and what is chosen. A plain form: the script only makes it quicker. */

import { STATUSES } from '../listings/listing.ts';
import { asksAnything, FILTERS, type Filter, LONGEST_Q } from '../search/parameters.ts';
import { addChosen, type CityPageView, changePageAddress } from './city-page-view.ts';
import { type Markup, markup } from './markup.ts';

export function renderSearchForm(view: CityPageView): Markup {
  const { layout, question } = view;
  const { say } = layout.localization;
  return markup`<form class="search" role="search" method="get" action="/" id="search">
<label for="q">${say('search.label')}</label>
<div class="row"><input id="q" type="search" name="q" value="${question.q}" maxlength="${LONGEST_Q}" autocomplete="off" autocapitalize="none" spellcheck="false"><button>${say('search.button')}</button></div>
<div class="filters" id="filters" data-live>${FILTERS.map((filter) => select(view, filter))}
<button class="quiet apply">${say('filter.apply')}</button></div>
</form>`;
}

function select({ layout, question, facets }: CityPageView, filter: Filter): Markup {
  const { say, number } = layout.localization;
  const [first, ...others] = question[filter];
  const options = addChosen(facets[filter], question[filter]).map(({ value, count }) => {
    const label = filter === 'status' ? formatStatus(say, value) : value;
    return markup`<option value="${value}"${value === first && { html: ' selected' }}>${label} (${number(count)})</option>`;
  });
  const kept = others.map((value) => markup`<input type="hidden" name="${filter}" value="${value}">`);
  return markup`<label>${say(`filter.${filter}`)} <select id="filter-${filter}" name="${filter}"><option value="">${say('filter.any')}</option>${options}</select></label>${kept}`;
}

/** What is chosen, each a link that lets it go. */
export function renderChips({ layout, question }: CityPageView): Markup {
  const { say } = layout.localization;
  const chosen: { label: string; href: string }[] = FILTERS.flatMap((filter) =>
    question[filter].map((value) => ({
      label: filter === 'status' ? formatStatus(say, value) : value,
      href: changePageAddress(question, { [filter]: question[filter].filter((one) => one !== value) }),
    })),
  );
  if (question.q !== '')
    chosen.unshift({ label: `“${question.q}”`, href: changePageAddress(question, { q: '' }) });
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
export function formatStatus(say: CityPageView['layout']['localization']['say'], status: string): string {
  const known = STATUSES.find((one) => one === status);
  return known === undefined ? status : say(`status.${known}`);
}

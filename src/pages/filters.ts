/** The search box, the three filters with their counts, and the selected values. A plain form: the script only makes it faster. */

import { STATUSES } from '../listings/listing.ts';
import {
  asksAnything,
  LONGEST_Q,
  NARROWING,
  type NarrowingName,
  type Question,
  type ValueFilter,
} from '../search/parameters.ts';
import { addChosen, type CityPageView, changePageAddress } from './city-page-view.ts';
import { type Markup, markup } from './markup.ts';

export function renderSearchForm(view: CityPageView): Markup {
  const { layout, question } = view;
  const { say } = layout.localization;
  return markup`<form class="search" role="search" method="get" action="/" id="search">
<label for="q">${say('search.label')}</label>
<div class="row"><input id="q" type="search" name="q" value="${question.q}" maxlength="${LONGEST_Q}" autocomplete="off" autocapitalize="none" spellcheck="false"><button>${say('search.button')}</button></div>
<div class="filters" id="filters" data-live>${Object.values(CONTROLS).map((render) => render(view))}
<button class="quiet apply">${say('filter.apply')}</button></div>
</form>`;
}

/** The control of each parameter that narrows; `q` has the search box above. */
const CONTROLS: Record<Exclude<NarrowingName, 'q'>, (view: CityPageView) => Markup> = {
  category: (view) => renderSelect(view, 'category'),
  neighborhood: (view) => renderSelect(view, 'neighborhood'),
  status: (view) => renderSelect(view, 'status'),
  filed_from: (view) => renderDay(view, 'filed_from'),
  filed_to: (view) => renderDay(view, 'filed_to'),
};

function renderDay({ layout, question }: CityPageView, name: 'filed_from' | 'filed_to'): Markup {
  return markup`<label>${layout.localization.say(`filter.${name}`)} <input type="date" id="filter-${name}" name="${name}" value="${question[name]}"></label>`;
}

function renderSelect({ layout, question, facets }: CityPageView, filter: ValueFilter): Markup {
  const { say, number } = layout.localization;
  const [first, ...others] = question[filter];
  const options = addChosen(facets[filter], question[filter]).map(({ value, count }) => {
    const label = filter === 'status' ? formatStatus(say, value) : value;
    return markup`<option value="${value}"${value === first && { html: ' selected' }}>${label} (${number(count)})</option>`;
  });
  const kept = others.map((value) => markup`<input type="hidden" name="${filter}" value="${value}">`);
  return markup`<label>${say(`filter.${filter}`)} <select id="filter-${filter}" name="${filter}"><option value="">${say('filter.any')}</option>${options}</select></label>${kept}`;
}

/** One thing that was asked for: how it reads, and the question without it. */
export type Chip = { label: string; without: Partial<Question> };

const CHIPS: Record<NarrowingName, (view: CityPageView) => readonly Chip[]> = {
  q: ({ question: { q } }) => (q === '' ? [] : [{ label: `“${q}”`, without: { q: '' } }]),
  category: (view) => listChosenValues(view, 'category'),
  neighborhood: (view) => listChosenValues(view, 'neighborhood'),
  status: (view) => listChosenValues(view, 'status'),
  filed_from: (view) => listChosenDay(view, 'filed_from'),
  filed_to: (view) => listChosenDay(view, 'filed_to'),
};

/** Everything that was asked for, in the order of the parameters. */
export function listChips(view: CityPageView): readonly Chip[] {
  return NARROWING.flatMap((name) => CHIPS[name](view));
}

function listChosenValues({ layout, question }: CityPageView, filter: ValueFilter): readonly Chip[] {
  return question[filter].map((value) => ({
    label: filter === 'status' ? formatStatus(layout.localization.say, value) : value,
    without: { [filter]: question[filter].filter((one) => one !== value) },
  }));
}

function listChosenDay({ layout, question }: CityPageView, name: 'filed_from' | 'filed_to'): readonly Chip[] {
  const { say, day } = layout.localization;
  if (question[name] === '') return [];
  return [{ label: say(`chip.${name}`, { day: day(question[name]) }), without: { [name]: '' } }];
}

/** What was asked for, each a link that removes it. */
export function renderChips(view: CityPageView): Markup {
  const { layout, question } = view;
  const { say } = layout.localization;
  const chosen = listChips(view);
  if (chosen.length === 0) return markup``;
  const all = chosen.map(
    ({ label, without }) =>
      markup`<li><a href="${changePageAddress(question, without)}" rel="nofollow" aria-label="${say('filter.remove', { value: label })}">${label} <span aria-hidden="true">×</span></a></li>`,
  );
  const clear =
    asksAnything(question) && chosen.length > 1
      ? markup`<li><a class="clear" href="/">${say('filter.clear')}</a></li>`
      : undefined;
  return markup`<ul class="chips">${all}${clear}</ul>`;
}

/** A status in the language of the page. */
export function formatStatus(say: CityPageView['layout']['localization']['say'], status: string): string {
  const known = STATUSES.find((one) => one === status);
  return known === undefined ? status : say(`status.${known}`);
}

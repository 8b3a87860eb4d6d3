/** The search box, the filters with their counts, and the selected values. A plain form: the script only makes it faster. */

import { STATUSES } from '../../listings/listing.ts';
import {
  asksAnything,
  LONGEST_Q,
  NARROWING,
  type NarrowingName,
  type Question,
  type ValueFilter,
} from '../../search/parameters.ts';
import { addChosen, type CityPageView, changePageAddress, type Searched } from './city-page-view.ts';
import { type Markup, markup } from './markup.ts';

export function renderSearchForm(view: CityPageView): Markup {
  const { layout, question } = view;
  const { say } = layout.localization;
  return markup`<form class="search" role="search" method="get" action="/#results" id="search">
<label for="q">${say('search.label')}</label>
<div class="row"><input id="q" type="search" name="q" value="${question.q}" maxlength="${LONGEST_Q}" autocomplete="off" autocapitalize="none" spellcheck="false"><button>${say('search.button')}</button></div>
<div class="filters" id="filters" data-live>${Object.values(CONTROLS).map((render) => render(view))}
<button class="quiet apply">${say('filter.apply')}</button></div>
</form>`;
}

/** The control of each parameter that narrows; `q` has the search box above. */
const CONTROLS: Record<Exclude<NarrowingName, 'q'>, (view: CityPageView) => Markup> = {
  category: (view) => renderCombo(view, 'category'),
  neighborhood: (view) => renderCombo(view, 'neighborhood'),
  status: (view) => renderSelect(view, 'status'),
  filed_from: (view) => renderDay(view, 'filed_from'),
  filed_to: (view) => renderDay(view, 'filed_to'),
};

function renderDay({ layout, question }: CityPageView, name: 'filed_from' | 'filed_to'): Markup {
  return markup`<label>${layout.localization.say(`filter.${name}`)} <input type="date" id="filter-${name}" name="${name}" value="${question[name]}"></label>`;
}

/** A filter with few values. */
function renderSelect({ layout, question, facets }: CityPageView, filter: ValueFilter): Markup {
  const { say } = layout.localization;
  const [first, ...others] = question[filter];
  const options = addChosen(facets[filter], question[filter]).map(({ value, count }) => {
    const label = say('filter.value', {
      value: filter === 'status' ? formatStatus(say, value) : value,
      n: count,
    });
    return markup`<option value="${value}"${value === first && { html: ' selected' }}>${label}</option>`;
  });
  return markup`<label>${say(`filter.${filter}`)} <select id="filter-${filter}" name="${filter}"><option value="">${say('filter.any')}</option>${options}</select></label>${keepValues(filter, others)}`;
}

/** A filter with many values: they can be typed, and the browser lists those that match. */
function renderCombo({ layout, question, facets }: CityPageView, filter: ValueFilter): Markup {
  const { say } = layout.localization;
  const [first, ...others] = question[filter];
  const options = addChosen(facets[filter], question[filter]).map(
    ({ value, count }) =>
      markup`<option value="${value}">${say('filter.value', { value, n: count })}</option>`,
  );
  return markup`<label>${say(`filter.${filter}`)} <input id="filter-${filter}" type="search" name="${filter}" value="${first}" list="values-${filter}" placeholder="${say('filter.any')}" autocomplete="off" autocapitalize="none" spellcheck="false"></label><datalist id="values-${filter}">${options}</datalist>${keepValues(filter, others)}`;
}

/** Further values of a filter, which stay when its first one is changed. */
function keepValues(filter: ValueFilter, values: readonly string[]): readonly Markup[] {
  return values.map((value) => markup`<input type="hidden" name="${filter}" value="${value}">`);
}

/** One thing that was asked for: how it reads, and the question without it. */
export type Chip = { label: string; without: Partial<Question> };

const CHIPS: Record<NarrowingName, (view: Searched) => readonly Chip[]> = {
  q: ({ question: { q } }) => (q === '' ? [] : [{ label: `“${q}”`, without: { q: '' } }]),
  category: (view) => listChosenValues(view, 'category'),
  neighborhood: (view) => listChosenValues(view, 'neighborhood'),
  status: (view) => listChosenValues(view, 'status'),
  filed_from: (view) => listChosenDay(view, 'filed_from'),
  filed_to: (view) => listChosenDay(view, 'filed_to'),
};

/** Everything that was asked for, in the order of the parameters. */
export function listChips(view: Searched): readonly Chip[] {
  return NARROWING.flatMap((name) => CHIPS[name](view));
}

function listChosenValues({ layout, question }: Searched, filter: ValueFilter): readonly Chip[] {
  return question[filter].map((value) => ({
    label: filter === 'status' ? formatStatus(layout.localization.say, value) : value,
    without: { [filter]: question[filter].filter((one) => one !== value) },
  }));
}

function listChosenDay({ layout, question }: Searched, name: 'filed_from' | 'filed_to'): readonly Chip[] {
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
export function formatStatus(say: Searched['layout']['localization']['say'], status: string): string {
  const known = STATUSES.find((one) => one === status);
  return known === undefined ? status : say(`status.${known}`);
}

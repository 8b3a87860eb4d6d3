/** The filters of a search: their controls, and the chosen values as chips. */

import { STATUSES } from '../../listings/listing.ts';
import { NARROWING, type NarrowingName, type Question, type ValueFilter } from '../../search/parameters.ts';
import { type Markup, markup } from './markup.ts';
import { addChosen, type Searched, type SearchView } from './search-view.ts';

/** Renders all controls, in the order of the parameters. */
export function renderControls(view: SearchView): readonly Markup[] {
  return Object.values(CONTROLS).map((render) => render(view));
}

/** The control of each parameter that narrows a search, except `q`, which has the search box. */
const CONTROLS: Record<Exclude<NarrowingName, 'q'>, (view: SearchView) => Markup> = {
  category: (view) => renderCombo(view, 'category'),
  neighborhood: (view) => renderCombo(view, 'neighborhood'),
  status: (view) => renderSelect(view, 'status'),
  filed_from: (view) => renderDay(view, 'filed_from'),
  filed_to: (view) => renderDay(view, 'filed_to'),
};

function renderDay({ layout, question }: SearchView, name: 'filed_from' | 'filed_to'): Markup {
  return markup`<label>${layout.localization.say(`filter.${name}`)} <input type="date" max="9999-12-31" id="filter-${name}" name="${name}" value="${question[name]}"></label>`;
}

/** Renders a filter with few values. */
function renderSelect({ layout, question, facets }: SearchView, filter: ValueFilter): Markup {
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

/** Renders a filter with many values. People type one, and the browser lists those that match. */
function renderCombo({ layout, question, facets }: SearchView, filter: ValueFilter): Markup {
  const { say } = layout.localization;
  const [first, ...others] = question[filter];
  const options = addChosen(facets[filter], question[filter]).map(
    ({ value }) => markup`<option value="${value}"></option>`,
  );
  return markup`<label>${say(`filter.${filter}`)} <input id="filter-${filter}" type="search" name="${filter}" value="${first}" list="values-${filter}" placeholder="${say('filter.any')}" autocomplete="off" autocapitalize="none" spellcheck="false"></label><datalist id="values-${filter}">${options}</datalist>${keepValues(filter, others)}`;
}

/** Renders the filter's other chosen values as hidden fields, so that changing the first keeps them. */
function keepValues(filter: ValueFilter, values: readonly string[]): readonly Markup[] {
  return values.map((value) => markup`<input type="hidden" name="${filter}" value="${value}">`);
}

/** A part of the search: its label, and the search without it. */
export type Chip = { label: string; without: Partial<Question> };

const CHIPS: Record<NarrowingName, (view: Searched) => readonly Chip[]> = {
  q: ({ layout, question: { q } }) =>
    q === '' ? [] : [{ label: layout.localization.say('chip.q', { q }), without: { q: '' } }],
  category: (view) => listChosenValues(view, 'category'),
  neighborhood: (view) => listChosenValues(view, 'neighborhood'),
  status: (view) => listChosenValues(view, 'status'),
  filed_from: (view) => listChosenDay(view, 'filed_from'),
  filed_to: (view) => listChosenDay(view, 'filed_to'),
};

/** Lists all parts of the search, in the order of the parameters. */
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

/** Returns a status in the language of the page. */
export function formatStatus(say: Searched['layout']['localization']['say'], status: string): string {
  const known = STATUSES.find((one) => one === status);
  return known === undefined ? status : say(`status.${known}`);
}

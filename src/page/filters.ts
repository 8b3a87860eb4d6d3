/** Renders the filters of a search: their controls, and the chosen values as chips. */

import type { Localization } from '../shared/city/localization.ts';
import { type Counts, type NamedFilter, STATUSES, type Status } from '../shared/listing.ts';
import { ALL_TIME } from '../shared/periods.ts';
import {
  includeValue,
  isExcluded,
  isNarrowedBy,
  NARROWING,
  type NarrowingName,
  type Question,
} from '../shared/question.ts';
import { findGroup } from './kinds/kinds.ts';
import { type Markup, markup } from './markup.ts';
import type { PageLayout } from './page-layout.ts';
import type { Searched, SearchView } from './search-view.ts';

type ControlView = Pick<SearchView, 'layout' | 'question' | 'typed' | 'facets' | 'stats'>;

/** Says the words of a search: `“coffee” or “tea” without “starbucks”`. */
export function sayWords({ say, list, either }: Localization, q: string): string {
  const pieces = q.match(/-?"[^"]*"|\S+/g) ?? [];
  const [excluded, kept] = [true, false].map((is) => pieces.filter((one) => is === /^-./.test(one)));
  const words = excluded!.map((one) => say('chip.q', { q: one.replaceAll(/[-"]+/g, ' ').trim() }));
  // one phrase needs no second pair of quotation marks
  const said = kept!.length === 1 ? kept![0]!.replaceAll('"', '') : kept!.join(' ');
  const sought = said.split(/ OR (?=(?:[^"]*"[^"]*")*[^"]*$)/); // not within quotation marks
  return [
    ...(kept!.length > 0
      ? [either(sought.map((q) => say('chip.q', { q: sought.length > 1 ? q.replaceAll('-', ' ') : q })))]
      : []),
    ...(words.length > 0 ? [say('chip.without', { words: list(words) })] : []),
  ].join(' ');
}

/** Renders the controls of a form that holds a search. `q` has the search box instead. */
export function renderControls(view: ControlView): readonly Markup[] {
  const held = view.typed ?? view.question;
  return [
    renderCombo(view, 'category', held),
    renderCombo(view, 'neighborhood', held),
    renderStatus(view, held),
    renderDay(view, 'filed_from', held),
    renderDay(view, 'filed_to', held),
    // links of feeds and programs have this day, and people do not choose it
    ...keepValues('added_from', held.added_from === '' ? [] : [held.added_from]),
  ];
}

function renderDay({ layout }: ControlView, name: 'filed_from' | 'filed_to', held: Question): Markup {
  const label = layout.localization.say(`filter.${name}`);
  return markup`<label>${label} <input type="date" max="9999-12-31" id="filter-${name}" name="${name}"
 value="${held[name]}"></label>`;
}

/** Renders the statuses. A choice is added to the values chosen before, which are shown above as chips. */
function renderStatus({ layout, question, facets }: ControlView, held: Question): Markup {
  const { say } = layout.localization;
  const options = facets.status.map(({ value, count }) => {
    const label = say('filter.value', { value: formatStatus(layout, value), n: count });
    return markup`<option value="${value}">${label}</option>`;
  });
  const none = markup`<option value="">${sayEmpty(layout, question.status)}</option>`;
  return markup`<label>${say('filter.status')} <select id="filter-status" name="status">${none}${options}</select></label>${keepValues('status', held.status)}`;
}

const optionsOf = new WeakMap<Counts, Markup>();

function renderOptions(counts: Counts): Markup {
  return markup`${counts.map(({ value }) => markup`<option value="${value}"></option>`)}`;
}

/** Renders a filter with many values. People type another value, and the browser lists those of the city that match. */
function renderCombo({ layout, question, stats }: ControlView, filter: NamedFilter, held: Question): Markup {
  const options = optionsOf.getOrInsertComputed(stats.by[filter], renderOptions);
  const label = layout.localization.say(`filter.${filter}`);
  return markup`<label>${label} <input id="filter-${filter}" type="search" name="${filter}" list="values-${filter}"
 placeholder="${sayEmpty(layout, question[filter])}" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<datalist id="values-${filter}">${options}</datalist>${keepValues(filter, held[filter])}`;
}

function sayEmpty({ localization }: PageLayout, chosen: readonly string[]): string {
  return localization.say(chosen.length === 0 ? 'filter.any' : 'filter.more');
}

/** Renders values as hidden fields, so that sending the form keeps them. */
export function keepValues(name: string, values: readonly string[]): readonly Markup[] {
  return values.map((value) => markup`<input type="hidden" name="${name}" value="${value}">`);
}

/** A part of the search: its label, and the change that removes it. */
type Chip = { label: string; without: Partial<Question> };

const CHIPS: Record<NarrowingName, (view: Searched) => readonly Chip[]> = {
  q: ({ layout: { localization }, question: { q } }) => [
    { label: sayWords(localization, q), without: { q: '' } },
  ],
  category: (view) => listChosenGroup(view) ?? listChosenValues(view, 'category'),
  neighborhood: (view) => listChosenValues(view, 'neighborhood'),
  status: listChosenStatus,
  filed_from: (view) => listChosenDay(view, 'filed_from'),
  filed_to: (view) => listChosenDay(view, 'filed_to'),
  added_from: ({ layout: { localization }, question: { added_from } }) => {
    const label = localization.say('chip.added_from', { day: localization.day(added_from.slice(0, 10)) });
    return [{ label, without: { added_from: '' } }];
  },
};

/** Lists all parts of the search, in the order of the parameters. */
export function listChips(view: Searched): readonly Chip[] {
  return NARROWING.flatMap((name) => (isNarrowedBy(view.question, name) ? CHIPS[name](view) : []));
}

/** Lists one chip for all categories of a group. */
function listChosenGroup({ layout, question: { category } }: Searched): readonly Chip[] | undefined {
  const group = findGroup(layout.city, category);
  return group && [{ label: layout.localization.say(`group.${group}`), without: { category: [] } }];
}

function listChosenValues({ layout, question }: Searched, filter: NamedFilter): readonly Chip[] {
  return question[filter].map((value) => ({
    label: nameValue(layout, filter, value),
    without: { [filter]: question[filter].filter((one) => one !== value) },
  }));
}

/** Lists one chip for all chosen statuses, such as `closed or abandoned`, because the word `closed` means both `closed` and `abandoned`. */
function listChosenStatus(view: Searched): readonly Chip[] {
  const { layout, question } = view;
  const { say, either } = layout.localization;
  const excluded = question.status.filter(isExcluded);
  const chosen = question.status.filter((one) => !isExcluded(one));
  const name = (statuses: readonly string[]) =>
    either(statuses.map((status) => formatStatus(layout, includeValue(status))));
  return [
    { label: name(chosen), without: { status: excluded } },
    {
      label: excluded.length > 0 ? say('chip.not', { value: name(excluded) }) : '',
      without: { status: chosen },
    },
  ].filter(({ label }) => label !== '');
}

/** Lists one chip for two dates, as a period. */
function listChosenDay({ layout, question }: Searched, name: 'filed_from' | 'filed_to'): readonly Chip[] {
  const { say, day, period } = layout.localization;
  const { filed_from, filed_to } = question;
  if (filed_from === '' || filed_from > filed_to)
    return [{ label: say(`chip.${name}`, { day: day(question[name]) }), without: { [name]: '' } }];
  return name === 'filed_from' ? [{ label: period(filed_from, filed_to), without: ALL_TIME }] : [];
}

/** Returns a value as people read it: one that is excluded as `not Downtown`. */
export function nameValue({ localization }: PageLayout, filter: NamedFilter, value: string): string {
  const name = localization.nameValue(filter, includeValue(value));
  return isExcluded(value) ? localization.say('chip.not', { value: name }) : name;
}

/** Returns a status in the language of the page. If no closings are recorded, that none is filed says nothing. */
export function formatStatus({ localization, recordsClosings }: PageLayout, status: string): string {
  if (status === 'open' && !recordsClosings()) return localization.say('status.registered');
  const known = STATUSES.find((one) => one === status);
  return known === undefined ? status : localization.say(`status.${known}`);
}

/** Explains what a status says, and what it does not. */
export function explainStatus(
  { localization: { say }, recordsClosings }: PageLayout,
  status: Status,
): string {
  return say(status === 'open' && !recordsClosings() ? 'nothing.closings' : `status.${status}.text`);
}

/** Explains a status of businesses that may or may not have closed, or returns `''`. */
export function sayMeaning({ say }: Localization, [status, ...others]: readonly string[]): string {
  const isUnclear = others.length === 0 && (status === 'expired' || status === 'abandoned');
  return isUnclear ? say(`status.${status}.text`) : '';
}

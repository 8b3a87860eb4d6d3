/** Describes a search in words: its subject and its period. */

import { isUnknown } from '../shared/city/value-names.ts';
import { type Day, monthOf } from '../shared/day.ts';
import type { NamedFilter } from '../shared/listing.ts';
import {
  ALL_TIME,
  findOldest,
  isPartly,
  isSameDays,
  spanMonths,
  spanYear,
  yearOf,
} from '../shared/periods.ts';
import { EVERYTHING, isExcluded, type Question } from '../shared/question.ts';
import type { Undecided } from '../shared/undecided.ts';
import { countDistinctWords } from '../shared/words.ts';
import { listChips, sayWords } from './filters.ts';
import { findGroup, nounFor } from './kinds/kinds.ts';
import type { PageLayout } from './page-layout.ts';
import type { Searched, SearchView } from './search-view.ts';

/** Writes the clause for rows that a status leaves out of both sides of a comparison, or `''`. */
export function describeUndecided(
  { layout, undecided }: { layout: PageLayout; undecided?: Undecided | undefined },
  of: 'changes' | 'compare' | 'rank',
): string {
  const { say, count } = layout.localization;
  if (undecided === undefined) return '';
  return of === 'changes'
    ? count('changes.undecided', undecided.now, { before: undecided.before })
    : say(`${of}.undecided`, undecided);
}

/** Says how new the data is. */
export function describeDataEnd({ localization: { say, day }, hasNews }: PageLayout, dataEnd: Day): string {
  return say(hasNews() ? 'embed.asof' : 'note.ended', { day: day(dataEnd) });
}

/** Describes the search, without its period unless asked for: `“coffee”, Restaurants, Downtown`. */
export function describeSubject({ layout, question }: Searched, hasPeriod = false): string {
  const asked = hasPeriod ? question : { ...question, ...ALL_TIME };
  const labels = listChips({ layout, question: asked }).map(({ label }) => label);
  return labels.length > 0 ? labels.join(', ') : layout.localization.say('chart.all');
}

/**
 * Returns the search as a title: `“coffee” in Old Town`, `“coffee”, Restaurants in Old Town, closed` or `New businesses
 * in Long Beach`.
 */
export function describeSearch({ layout, question }: Searched): string {
  const { say, list } = layout.localization;
  const { neighborhood, q } = question;
  const words = q === '' ? [] : [sayWords(layout.localization, q)];
  const [kinds, places] = [listKindsOf(layout, question), listChosen(neighborhood)];
  const title = say('search.title', {
    what: kinds.length > 0 ? nameKinds(layout, kinds) : (words.pop() ?? say('chart.all')),
    place: places.length > 0 ? list(places) : layout.city.name,
  });
  const others = listFoundLabels({ layout, question: { ...question, q: '', ...keepUnnamed(question) } });
  return [...words, title, ...others].join(', ');
}

/** Describes the results, such as `271 businesses matching “coffee” in Downtown in 2016: Restaurants, open`. */
export function describeFound({ layout, question }: Searched, total: number): string {
  const { say, count } = layout.localization;
  const { q } = question;
  const [category, neighborhood] = [listKindsOf(layout, question), listChosen(question.neighborhood)];
  const noun = nounFor(layout.city, category, total || 1); // no café or bakery
  const isNothing = total === 0 && noun === undefined;
  const counted = isNothing ? say('results.none') : count('results.count', total);
  const nouns = total === 0 ? 'results.none.noun' : 'results.nouns';
  const all = noun === undefined ? counted : say(nouns, { n: total, noun });
  const words = listFoundLabels({ layout, question: { ...EVERYTHING, q } }).join();
  const isExcluding = /^(?:-\S+\s*)+$/.test(q);
  const matching = isNothing ? 'results.for' : 'results.matching';
  const number =
    countDistinctWords(q) === 0
      ? all
      : isExcluding
        ? `${all} ${words}`
        : say(matching, { what: all, details: words });
  const what = addPeriod({ layout, question }, placeIn(layout, neighborhood, number));
  const others = listDetails({ layout, question });
  const hasNoun = noun !== undefined || category.length === 0;
  const kinds = hasNoun ? [] : listKinds(layout, category);
  const details = [...kinds, ...others].join(', ');
  return details === '' ? what : say('results.detail', { what, details });
}

/** Says that businesses registered: `18 restaurants registered in Downtown in 2015`, to where the data ends within the period. */
export function describeRegistered({ layout, question }: Searched, total: number, dataEnd?: Day): string {
  const { say, monthDay } = layout.localization;
  const [category, neighborhood] = [listChosen(question.category), listChosen(question.neighborhood)];
  const isListed = category.length > 1 && findGroup(layout.city, category) === undefined;
  if (isListed || listDetails({ layout, question }).length > 0)
    return describeFound({ layout, question }, total);
  const found = describeFound({ layout, question: { ...EVERYTHING, q: question.q, category } }, total);
  const registered = say('answer.registered', { what: found });
  const what = addPeriod({ layout, question }, placeIn(layout, neighborhood, registered));
  return dataEnd !== undefined && isPartly(question, dataEnd)
    ? say('answer.until', { what, day: monthDay(dataEnd, 'long', yearOf(question.filed_to)) })
    : what;
}

function placeIn({ localization: { say, list } }: PageLayout, places: readonly string[], what: string) {
  return places.length === 0 ? what : say('search.title', { what, place: list(places) });
}

/** Says that businesses registered and, without days, since when: a number of a century would be read as today's. */
export function describeEver(view: SearchView, total: number): string {
  const { question, layout, stats, dataEnd } = view;
  const what = describeRegistered(view, total, dataEnd);
  const isEver = isSameDays(question, ALL_TIME) && what !== describeFound(view, total);
  const year = yearOf(findOldest(stats.byMonth) ?? dataEnd);
  return isEver ? layout.localization.say('answer.since', { what, year }) : what;
}

/** Lists categories, or names the group that they are. */
function nameKinds({ city, localization: { say, list } }: PageLayout, kinds: readonly string[]): string {
  const group = findGroup(city, kinds);
  return group === undefined ? list(kinds) : say(`group.${group}`);
}

/** Lists what businesses of several categories are called, or names the category or the group that they are. */
function listKinds(layout: PageLayout, kinds: readonly string[]): string[] {
  if (kinds.length < 2 || findGroup(layout.city, kinds) !== undefined) return [nameKinds(layout, kinds)];
  return kinds.map((one) => nounFor(layout.city, [one], 2) ?? one);
}

/** Lists the kinds that a sentence names. */
function listKindsOf(layout: PageLayout, { q, category }: Question): string[] {
  const chosen = listChosen(category);
  return isNarrowedGroup(layout, q, chosen) ? [] : chosen;
}

/** Returns whether words narrow a group of kinds, as of `bars`. Sentences then name the words alone. */
export function isNarrowedGroup({ city }: PageLayout, q: string, kinds: readonly string[]): boolean {
  return q !== '' && findGroup(city, kinds) !== undefined;
}

/** Lists the values that name a kind or a place. */
function listChosen(values: readonly string[]): string[] {
  return values.filter(isNamed);
}

function isNamed(value: string): boolean {
  return !isExcluded(value) && !isUnknown(value);
}

/** Keeps the values that name no kind or place, which are details. */
function keepUnnamed({ category, neighborhood }: Pick<Question, NamedFilter>) {
  const keep = (values: readonly string[]) => values.filter((value) => !isNamed(value));
  return { category: keep(category), neighborhood: keep(neighborhood) };
}

/** Lists what a sentence about a search says last: all but its words, its days, and the kinds and places with a name. */
function listDetails({ layout, question }: Searched): string[] {
  return listFoundLabels({ layout, question: { ...question, ...ALL_TIME, ...keepUnnamed(question), q: '' } });
}

/** Adds the period of a search to a text: `in 2016`, `since June 1, 2016` or `(June 1 – 15, 2016)`. */
export function addPeriod({ layout, question }: Searched, what: string): string {
  const { filed_from, filed_to } = question;
  const period = listFoundLabels({ layout, question: { ...EVERYTHING, filed_from, filed_to } }).join(' ');
  if (period === '') return what;
  if (filed_from === '' || filed_to === '') return `${what} ${period}`;
  const spans = [spanYear(yearOf(filed_from)), spanMonths(monthOf(filed_from))];
  const isOne = spans.some((span) => isSameDays(span, question));
  return isOne ? layout.localization.say('search.period', { what, period }) : `${what} (${period})`;
}

/** Lists the labels of all parts of the search. */
export function listFoundLabels(view: Searched): string[] {
  return listChips(view).map(({ label }) => label);
}

type ClosingsView = Pick<SearchView, 'layout' | 'question' | 'closings'>;

/** Describes how many of the businesses that registered in these days have the status, if the search is for one. */
export function describeClosings({ layout, question, closings }: ClosingsView): string | undefined {
  if (closings === undefined) return undefined;
  const { say, count } = layout.localization;
  const search = describeSearch({ layout, question: { ...question, status: [], ...ALL_TIME } });
  const subject = isSameDays(question, ALL_TIME)
    ? search
    : addPeriod({ layout, question }, say('closings.registered', { search }));
  const status = nameStatus({ layout, question });
  return count('closings', closings.n, { subject, of: closings.of, status });
}

/** Returns the statuses of the search, such as `closed or name given up`. */
export function nameStatus({ layout, question: { status } }: Omit<ClosingsView, 'closings'>): string {
  return listFoundLabels({ layout, question: { ...EVERYTHING, status } }).join();
}

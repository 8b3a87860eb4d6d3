/** Computes what a page offers: similar searches where nothing is found, and examples of questions. */

import { nounFor } from '../../../page/kinds/kinds.ts';
import type { PageLayout } from '../../../page/page-layout.ts';
import type { SimilarSearch } from '../../../page/search/search-page-view.ts';
import type { SearchView } from '../../../page/search-view.ts';
import { kindOf } from '../../../register/profile/categories/kind.ts';
import type { ListingIndex } from '../../../service/search/index/open.ts';
import { rankRows } from '../../../service/search/rankings.ts';
import { listQuestionWords } from '../../../service/search/reading/language.ts';
import type { Facets } from '../../../shared/answers.ts';
import { isUnknown, openValueNames } from '../../../shared/city/value-names.ts';
import { monthOf } from '../../../shared/day.ts';
import type { Counts, NamedFilter } from '../../../shared/listing.ts';
import { ALL_TIME, type Period, spanMonths, spanYear, yearOf } from '../../../shared/periods.ts';
import { EVERYTHING, isExcluded, isNarrowedBy, NARROWING, type Question } from '../../../shared/question.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import { splitWords } from '../../../shared/words.ts';

const NEAREST_SHOWN = 6;
const SHORTEST_WORD = 3;

/** Returns what a search excludes, which is never offered. */
export function listExcluded(q: string): string {
  return (q.match(/(?<=^|\s)-\S+/g) ?? []).join(' ');
}

/**
 * Lists a few searches that find something: with a status of `marks`, without one filter, with swapped days, of the newest
 * days, or for one of the words.
 */
export function listSimilar(
  index: ListingIndex,
  { layout, question, dataEnd }: Pick<SearchView, 'layout' | 'question' | 'dataEnd'>,
  marks: readonly string[],
): SimilarSearch[] {
  const { city } = layout;
  const kind = openValueNames(city).nameOf('category', kindOf({ name: question.q }));
  const { filed_from, filed_to } = question;
  const newest = filed_from > dataEnd ? [spanMonths(monthOf(dataEnd)), spanYear(yearOf(dataEnd))] : [];
  const ways: Partial<Question>[] = [
    ...newest,
    ...marks.map((status) => ({ status: [status] })),
    filed_from > filed_to && filed_to !== '' ? { filed_from: filed_to, filed_to: filed_from } : ALL_TIME,
    { neighborhood: question.neighborhood.filter(isExcluded) },
    { status: question.status.filter(isExcluded) },
    { category: question.category.filter(isExcluded) },
    ...(isUnknown(kind) || question.category.length > 0
      ? []
      : [{ q: listExcluded(question.q), category: [kind] }]),
    ...listWords(question.q, city.language ?? 'en').map((q) => ({ ...EVERYTHING, q })),
    { q: listExcluded(question.q) },
  ];
  return ways
    .map((other) => ({ ...question, offset: 0, ...other }))
    .filter((other) => isLooser(other, question))
    .map((similar) => ({ question: similar, count: index.count(similar) }))
    .filter(({ count }) => count > 0)
    .slice(0, NEAREST_SHOWN);
}

/** Lists the words of a search for several, without those that it excludes and those of questions. */
function listWords(q: string, language: string): string[] {
  const words = q.split(/\s+/).filter((word) => word.length >= SHORTEST_WORD && !isExcluded(word));
  const known = listQuestionWords(language);
  return words.length > 1 ? words.filter((word) => !known.has(splitWords(word).join(' '))) : [];
}

/** Returns whether `other` is a different search and still has a filter. */
function isLooser(other: Question, question: Question): boolean {
  const isChanged = NARROWING.some((name) => String(other[name]) !== String(question[name]));
  return isChanged && NARROWING.some((name) => isNarrowedBy(other, name));
}

/** How many kinds and neighborhoods to try, the largest first. */
const TRIED = 4;
/** A longer question does not fit beside what grew on a phone, which does not show a third one. */
const LONGEST = 24;
const FEWEST_FOUND = 5;

/** Lists a kind in a neighborhood, what grew, and a kind in two years: the first of each that is read as it is meant. */
export function listExamples(
  { city, localization: { say } }: PageLayout,
  index: ListingIndex,
  { facets, period }: { facets: Pick<Facets, NamedFilter>; period: Period },
): string[] {
  const kinds = pickLargest(facets.category).flatMap((kind) => nounFor(city, [kind], 2) ?? []);
  const places = pickLargest(facets.neighborhood);
  const [now, before] = [yearOf(period.now.filed_to), yearOf(period.before.filed_to)];
  const placed = kinds
    .flatMap((kind) => places.map((place) => say('example.place', { kind, place })))
    .filter(({ length }) => length <= LONGEST);
  const years = kinds.map((kind) => say('example.years', { kind, now, before }));
  const isKnown = answered.getOrInsertComputed(index, () => rememberTexts((q) => isAnswered(index, q)));
  const compared = period.caveat === 'begins' ? [] : [[say('example.grew')], years];
  return [placed, ...compared].flatMap((some) => some.find(isKnown) ?? []);
}

function pickLargest(counts: Counts): string[] {
  return counts
    .filter(({ value }) => !isUnknown(value))
    .slice(0, TRIED)
    .map(({ value }) => value);
}

/** What an index says to examples, which all its pages without results try. */
const answered = new WeakMap<ListingIndex, (q: string) => boolean>();

/** Returns whether a question is read without words of names, and has an answer that says something. */
function isAnswered(index: ListingIndex, q: string): boolean {
  const reading = index.read({ ...EVERYTHING, q });
  const { search, against = search, rank, words } = reading;
  const [first] = rankRows(index, reading)?.rows ?? [];
  const counts = first
    ? [first.count - (first.before ?? 0)]
    : [search, against].map((one) => index.count(one));
  const isMeant = rank !== undefined || against !== search || search.neighborhood.length === 1;
  const isRead = search.q === '' && words.every(({ why }) => why === undefined);
  return isMeant && isRead && counts.every((n) => n >= FEWEST_FOUND);
}

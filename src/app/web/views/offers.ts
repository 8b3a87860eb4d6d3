/** Computes what a page offers: similar searches where nothing is found, and examples of questions. */

import { nounFor } from '../../../page/kinds/kinds.ts';
import type { PageLayout } from '../../../page/page-layout.ts';
import type { SimilarSearch } from '../../../page/search/search-page-view.ts';
import type { SearchView } from '../../../page/search-view.ts';
import { kindOf } from '../../../register/profile/categories/kind.ts';
import type { ListingIndex } from '../../../service/search/index/open.ts';
import { listQuestionWords } from '../../../service/search/reading/language.ts';
import type { Facets } from '../../../shared/answers.ts';
import { isUnknown, openValueNames } from '../../../shared/city/value-names.ts';
import { monthOf } from '../../../shared/day.ts';
import type { Counts, NamedFilter } from '../../../shared/listing.ts';
import { ALL_TIME, type Period, spanMonths, spanYear, yearOf } from '../../../shared/periods.ts';
import { EVERYTHING, isExcluded, isNarrowedBy, NARROWING, type Question } from '../../../shared/question.ts';
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

/** Lists a kind in a neighborhood, what grew, and a kind in two years, of the largest ones. */
export function listExamples(
  { city, localization: { say } }: PageLayout,
  { facets, period }: { facets: Pick<Facets, NamedFilter>; period: Period },
): string[] {
  const kinds = pickLargest(facets.category).flatMap((kind) => nounFor(city, [kind], 2) ?? []);
  const [first] = kinds;
  if (first === undefined) return [];
  const placed = kinds
    .flatMap((kind) => pickLargest(facets.neighborhood).map((place) => say('example.place', { kind, place })))
    .find(({ length }) => length <= LONGEST);
  const [now, before] = [yearOf(period.now.filed_to), yearOf(period.before.filed_to)];
  const grew = kinds.length > 1 ? [say('example.grew')] : [];
  const compared = [...grew, say('example.years', { kind: first, now, before })];
  return [...(placed === undefined ? [] : [placed]), ...(period.caveat === 'begins' ? [] : compared)];
}

function pickLargest(counts: Counts): string[] {
  return counts
    .filter(({ value, count }) => !isUnknown(value) && count >= FEWEST_FOUND)
    .slice(0, TRIED)
    .map(({ value }) => value);
}

/** Computes the data of the page at `/`: the listings of a search or, without results, similar searches. */

import { kindOf } from '../../register/profile/categories/kind.ts';
import type { Facets, Interpretation, ListingIndex, Stats } from '../../service/search/listing-index.ts';
import { type SearchResult, searchListings } from '../../service/search/search.ts';
import { findSimilarWords, type NameWord, toPhraseKey } from '../../service/search/words/synonyms.ts';
import { toSingular } from '../../service/search/words/word-forms.ts';
import type { CityFacts } from '../../shared/city/city-facts.ts';
import { isUnknown, openValueNames } from '../../shared/city/value-names.ts';
import { monthOf } from '../../shared/day.ts';
import { isException, type Listing } from '../../shared/listing.ts';
import { ALL_TIME, isSameDays, spanMonths, spanYear, yearOf } from '../../shared/periods.ts';
import {
  EVERYTHING,
  isNarrowedBy,
  NARROWING,
  type Question,
  type ReadQuestion,
  type Warning,
  type WarningCode,
} from '../../shared/question.ts';
import type { LeftOut } from '../../shared/report.ts';
import { splitIndexWords, splitWords } from '../../shared/words.ts';
import { listListingPeriods, type PeriodChip } from '../changes/period-chips.ts';
import {
  type Doubt,
  type SearchView,
  type ShownWarning,
  type Surroundings,
  viewQuestion,
} from '../search-view.ts';

export type SearchPageView = SearchView & {
  total: number;
  /** Words that no name has, and the categories that the search is for instead. Without any, it found `similar`. */
  unnamed: { q: string; categories: readonly string[] } | undefined;
  /** The counts of the search. */
  found: Pick<Stats, 'total' | 'byMonth'>;
  listings: readonly Listing[];
  /** The identities of these listings (`SearchAnswer`). */
  names: Uint32Array;
  doubts: readonly Doubt[];
  periods: readonly PeriodChip[];
  /** The statuses of the search that the register never records. */
  unrecorded: readonly string[];
  /** Synonyms of the words in these listings: other words in names, in quotation marks, and whole categories. */
  similar: readonly string[];
  /** For a search without results: similar searches that have some, the smallest change first. */
  nearest: readonly NearSearch[];
  /** For a search without results: the counts of a similar search without its words or its place. */
  near: Facets & { question: Question };
  /** What the newest kept runs left out of the register, if known. */
  leftOut: LeftOut | undefined;
};

/** A similar search with fewer filters. */
export type NearSearch = { question: Question; count: number };

const NEAREST_SHOWN = 4;

/** The kinds of business that are most like what registers leave out. */
const NEAREST_KINDS = new Map([['landlord', 'Real Estate']]);

const NO_NOTES: Meaning = { notes: { newest: '', dates: '', unused: '', near: '' } };

/** A search as a page reads it. `isTyped`: search for the words as typed. `isCut`: `q` was too long. */
export type TypedQuestion = ReadQuestion & { isTyped: boolean; isCut: boolean };

/** Computes the data of the page. Applies the probable meaning of the words if it is certain or nothing is found. */
export function viewSearch(
  city: CityFacts,
  index: ListingIndex,
  {
    asked,
    surroundings,
  }: { asked: TypedQuestion; surroundings: Surroundings & Pick<SearchPageView, 'leftOut'> },
): SearchPageView {
  const literal = search(index, asked);
  const found = asked.isTyped ? undefined : findMeaning(index, asked.question, literal);
  const standIn = findStandIn(index, found?.meant ?? asked.question);
  const meaning = standIn ? { ...(found ?? NO_NOTES), meant: standIn.meant } : found;
  const meant = meaning?.meant;
  const answered =
    meant === undefined ? asked : { ...asked, question: { ...meant, limit: asked.question.limit } };
  const first = meant === undefined ? literal : search(index, answered);
  const similar = listSimilar(index, surroundings.layout, { question: answered.question, result: first });
  const hasOthers = similar.length > 0 && first.warnings.some(({ code }) => code === 'other-words');
  const named =
    hasOthers && meaning?.asked === undefined
      ? findNamed(index, answered.question, { similar, total: first.total })
      : undefined;
  const shown = named === undefined ? answered : { ...answered, question: named };
  const result = named === undefined ? first : search(index, shown);
  const view = viewQuestion(city, index, { asked: shown.question, surroundings });
  const { question } = view;
  const listings = index.readListings(result.rows);
  const isOther = (warning: Warning) => meaning?.asked === 'status' && hasShort(warning);
  const doubts = listDoubts(
    index,
    result.warnings.filter((one) => !isOther(one)),
  );
  const elsewhere = doubts.find(({ code }) => code === 'unknown-place')?.meant?.question;
  const near = elsewhere ?? { ...question, q: '', offset: 0 };
  const kinds = similar.filter((one) => view.facets.category.some(({ value }) => value === one));
  const words = similar.filter((one) => !kinds.includes(one));
  const instead = hasOthers ? { words, kinds } : undefined;
  const unnamed = hasOthers
    ? { q: answered.question.q, categories: words.length > 0 ? [] : kinds }
    : undefined;
  const marks = listMarks(index);
  const unrecorded = question.status.filter((one) => isException(one) && !marks.includes(one));
  return {
    ...view,
    shown: { path: '/' },
    typed: (meaning ?? named) && asked.question,
    typedTotal: standIn || named ? 0 : literal.total,
    unnamed: standIn ? { q: standIn.words, categories: standIn.meant.category } : unnamed,
    instead,
    corrected: meaning?.corrected,
    notes: named ? (meaning ?? NO_NOTES).notes : meaning?.notes,
    asked: meaning?.asked,
    total: result.total,
    found: isSameDays(question, ALL_TIME) ? view.anyTime : index.stats(question),
    listings,
    names: result.names,
    doubts: [...doubts, ...(asked.isCut ? [{ code: 'long' } as const] : [])],
    periods: listListingPeriods(view, index),
    unrecorded,
    similar,
    nearest:
      result.total > 0 || elsewhere !== undefined
        ? []
        : listNearest(city, index, { view, marks: unrecorded.length > 0 ? marks : [] }),
    near: { ...(result.total > 0 ? view.facets : index.facets(near)), question: near },
    leftOut: surroundings.leftOut,
  };
}

function search(index: ListingIndex, asked: ReadQuestion): SearchResult {
  const result = searchListings(index, asked);
  if ('tooFar' in result) throw new Error('a page reaches no further than the first 1,000');
  return result;
}

type Meaning = Partial<Interpretation> & Pick<SearchView, 'corrected'>;

/** Words of at most this many letters are never corrected without asking, and names in questions never. */
const SHORT = 4;

/** Returns what to show instead of the words: their meaning or, if they or a name in them find nothing, another spelling. */
function findMeaning(
  index: ListingIndex,
  question: Question,
  { total, warnings }: SearchResult,
): Meaning | undefined {
  const read = index.interpret(question, total);
  if (read === undefined)
    return total === 0 ? applyWarning(warnings, ['filter-words', 'misspelled'], question) : undefined;
  if (read.asked !== 'status' || index.search({ ...read.meant, limit: 0 }).total > 0) return read;
  const spelled = applyWarning(index.suggest(read.meant, 0), ['misspelled'], read.meant);
  return spelled ? { ...spelled, asked: 'status' } : read;
}

function hasShort({ respelled = [] }: Warning): boolean {
  return respelled.some((word) => word.length <= SHORT);
}

function applyWarning(
  warnings: readonly Warning[],
  codes: readonly Warning['code'][],
  { q }: Question,
): Meaning | undefined {
  const found = warnings.find((one) => one.meant !== undefined && codes.includes(one.code) && !hasShort(one));
  return found?.meant && { meant: found.meant, notes: found.notes, corrected: found.respelled && q };
}

/** Finds the category that stands for words that no name has, if it has listings with the rest of the search. */
function findStandIn(index: ListingIndex, question: Question) {
  const standIn = index.findStandIn(question);
  return standIn && index.search({ ...standIn.meant, limit: 0 }).total > 0 ? standIn : undefined;
}

/**
 * Returns the search for the only word that stands in for those asked for, if it finds about as much. What people take
 * along, such as a picture, then has the word that it shows.
 */
function findNamed(
  index: ListingIndex,
  question: Question,
  { similar: [only = '', ...more], total }: { similar: readonly string[]; total: number },
): Question | undefined {
  const isKind = index.stats(EVERYTHING).byCategory.some(({ value }) => value === only);
  const named = { ...question, q: splitWords(only).join(' ') };
  const isOnly = more.length === 0 && !isKind;
  return isOnly && index.search({ ...named, limit: 0 }).total < 2 * total ? named : undefined;
}

/** Lists the warnings that a page shows, each with the number of listings that its suggestion finds. */
function listDoubts(index: ListingIndex, warnings: readonly Warning[]): Doubt[] {
  return warnings.flatMap(({ code, word, didYouMean, meant }) => {
    if (!isShown(code)) return [];
    if (didYouMean === undefined) return { code, word };
    const count = meant === undefined ? 0 : index.search({ ...meant, limit: 0 }).total;
    if (meant === undefined || count === 0) return [];
    return {
      code,
      word,
      meant: { value: didYouMean, question: meant, count, isWhole: code !== 'unknown-value' },
    };
  });
}

/** Returns whether a page shows the warning. `instead` says that the listings have other words. */
function isShown(code: WarningCode): code is ShownWarning {
  return !['other-words', 'limit-lowered', 'paging-ends', 'data-changed'].includes(code);
}

/** Maximum words that `listSimilar` returns. */
const MOST_NAMED = 2;

/** Lists what these listings have instead of the words, most frequent first: `“cafe”` and `“espresso”` for `coffee`. */
function listSimilar(
  index: ListingIndex,
  { localization }: SearchView['layout'],
  { question: { q }, result }: { question: Question; result: SearchResult },
): string[] {
  const asked = splitWords(q).map(toSingular);
  const hasWords = (text: string) => {
    const known = new Set(splitIndexWords(text).map(toSingular));
    return asked.every((word) => known.has(word));
  };
  const unnamed = index
    .readListings(result.rows)
    .filter(({ name, neighborhood }) => !hasWords(`${name} ${neighborhood}`));
  const others = unnamed.filter(
    ({ name, category, neighborhood }) => !hasWords(`${name} ${category} ${neighborhood}`),
  );
  const byKind = unnamed.filter((one) => !others.includes(one));
  const kinds = new Set(byKind.map(({ category }) => category));
  if (others.length === 0) return [...kinds];
  const { byCategory } = index.stats(EVERYTHING);
  const { phrases, categories } = findSimilarWords(q, new Set(byCategory.map(({ value }) => value)));
  const found = others.flatMap(({ name }) => {
    const words = splitIndexWords(name);
    return phrases.map((phrase) => phrase.map((one) => words.find((word) => isNameWord(one, word)) ?? ''));
  });
  // of several words, a name may have one
  const isNew = (word: string) =>
    asked.length > 1 || !asked.some((one) => word.startsWith(one) || one.startsWith(word));
  const named = found.filter((words) => !words.includes('') && words.some(isNew));
  const alike = [...Map.groupBy(named, (words) => toPhraseKey(words)).values()];
  const most = alike.sort((a, b) => b.length - a.length).slice(0, MOST_NAMED);
  return [
    ...most.map(([words]) => localization.say('chip.q', { q: words!.join(' ') })),
    ...new Set([...categories, ...kinds]),
  ];
}

function isNameWord({ word, isBeginning }: NameWord, inName: string): boolean {
  return isBeginning ? inName.startsWith(word) : toSingular(inName) === toSingular(word);
}

/**
 * Lists at most four searches that find something: with a status of `marks`, without one filter, with swapped days, or of
 * the newest days.
 */
function listNearest(
  city: CityFacts,
  index: ListingIndex,
  {
    view: { question, dataEnd },
    marks,
  }: { view: Pick<SearchView, 'question' | 'dataEnd'>; marks: readonly string[] },
): NearSearch[] {
  const asked = toPhraseKey(splitWords(question.q));
  const kind = openValueNames(city).nameOf(
    'category',
    NEAREST_KINDS.get(asked) ?? kindOf({ name: question.q }),
  );
  const { filed_from, filed_to } = question;
  const newest = filed_from > dataEnd ? [spanMonths(monthOf(dataEnd)), spanYear(yearOf(dataEnd))] : [];
  const ways: Partial<Question>[] = [
    ...newest,
    ...marks.map((status) => ({ status: [status] })),
    filed_from > filed_to && filed_to !== '' ? { filed_from: filed_to, filed_to: filed_from } : ALL_TIME,
    { neighborhood: [] },
    { status: [] },
    { category: [] },
    ...(isUnknown(kind) ? [] : [{ q: '', category: [kind] }]),
    { q: '' },
  ];
  return ways
    .map((other) => ({ ...question, offset: 0, ...other }))
    .filter((other) => isLooser(other, question))
    .map((near) => ({ question: near, count: index.search({ ...near, limit: 0 }).total }))
    .filter(({ count }) => count > 0)
    .slice(0, NEAREST_SHOWN);
}

/** Lists the statuses of closed or lapsed businesses that the register records, most frequent first. */
function listMarks(index: ListingIndex): string[] {
  return index.facets(EVERYTHING).status.flatMap(({ value }) => (isException(value) ? value : []));
}

/** Returns whether `other` is a different search and still has a filter. */
function isLooser(other: Question, question: Question): boolean {
  const isChanged = NARROWING.some((name) => String(other[name]) !== String(question[name]));
  return isChanged && NARROWING.some((name) => isNarrowedBy(other, name));
}

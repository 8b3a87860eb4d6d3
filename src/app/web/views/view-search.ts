/** Computes the data of the page at `/`: the listings of a search or, without results, similar searches. */

import { findGroup } from '../../../page/kinds/kinds.ts';
import { isSameButDays } from '../../../page/search/answer-parts.ts';
import { isCorner } from '../../../page/search/headline.ts';
import type { SearchPageView, SimilarSearch, TypedQuestion } from '../../../page/search/search-page-view.ts';
import type { Doubt, SearchView, ShownWarning, Surroundings } from '../../../page/search-view.ts';
import { countNewestWeek } from '../../../service/search/index/data-end.ts';
import type { ListingIndex } from '../../../service/search/index/open.ts';
import { compareSides, rankRows } from '../../../service/search/rankings.ts';
import type { Day } from '../../../shared/day.ts';
import { isException, type Listing } from '../../../shared/listing.ts';
import {
  ALL_TIME,
  clipDays,
  compareCounts,
  type Days,
  findDaysBefore,
  findYearTo,
  hasLaterFilings,
  isBeforeData,
  isFirstYear,
  isOneYear,
} from '../../../shared/periods.ts';
import {
  asksAnything,
  EVERYTHING,
  formatQuestion,
  isExcluded,
  PAGE_LIMIT,
  type Question,
  type Warning,
} from '../../../shared/question.ts';
import { hasMoved, isTime, type Ranking, type Reading } from '../../../shared/reading.ts';
import { findUndecided } from '../../../shared/undecided.ts';
import { splitWords } from '../../../shared/words.ts';
import { listExamples, listExcluded, listSimilar } from './offers.ts';
import { viewQuestion } from './view-question.ts';

/** Returns the two newest years of the data, if a ranking of periods has any of them. */
function findNewestYears(dataEnd: Day, { filed_to }: Days): { now: Days; before: Days } | undefined {
  const now = findYearTo(dataEnd);
  return filed_to === '' || filed_to >= now.filed_from ? { now, before: findDaysBefore(now) } : undefined;
}

/** They depend on the data alone. */
const newestWeeks = new WeakMap<ListingIndex, ReturnType<typeof countNewestWeek>>();

type Given = {
  asked: TypedQuestion;
  surroundings: Surroundings & Pick<SearchPageView, 'leftOut'>;
};

/** Computes the data of the page: of what the words mean, if that is certain. */
export function viewSearch(index: ListingIndex, given: Given): SearchPageView {
  const { asked, surroundings } = given;
  const { typed, reading, ranking, ...chosen } = chooseSearch(index, asked);
  const view = viewQuestion(index, { asked: chosen.listed, surroundings });
  const { question } = view;
  // filings that take effect later are no news yet: a note leads to them
  const first = { ...question, offset: 0 };
  const isNews = !asksAnything({ ...first, category: [], neighborhood: [] });
  const isCut =
    isNews && (reading?.answer ?? 'list') === 'list' && hasLaterFilings(index.latestFiling, index.dataEnd);
  const counted = countYears(index, view, reading);
  // the list is of the days of the number above it
  const isNewest =
    isCorner(question) && reading?.untold === undefined && counted !== undefined && counted.now.count > 0;
  const listed = isNewest ? counted.now.days : undefined;
  const shown = { ...question, ...(isCut && { filed_to: index.dataEnd }), ...listed };
  const { total, warnings, ...found } = findListings(index, shown, reading?.isOldest === true);
  const isRead = reading !== undefined && formatQuestion(reading.search) !== formatQuestion(typed);
  const widened = { ...question, q: listExcluded(question.q), offset: 0 };
  // the closed or lapsed statuses that the register records, most frequent first
  const marks = view.stats.by.status.flatMap(({ value }) => (isException(value) ? value : []));
  const unrecorded = question.status.filter((one) => isException(one) && !marks.includes(one));
  const years = total > 0 ? counted : undefined;
  const isFirst = !asksAnything(question) && !reading?.words.length;
  const comparison = reading && compareSides(index, reading);
  const week =
    isFirst && view.layout.hasNews() ? newestWeeks.getOrInsertComputed(index, countNewestWeek) : undefined;
  return {
    ...view,
    ...found,
    shown: { path: '/' },
    reading,
    typed: isRead ? { ...typed, q: asked.whole } : undefined,
    typedTotal: isRead ? index.count(typed) : total,
    total,
    doubts: [
      ...(asked.undated ?? []).map((word) => ({ code: 'invalid-date', word }) as const),
      ...listDoubts(index, question, warnings),
      ...offer(index, reading?.offer),
      ...(reading?.isCut || (asked.isTyped && asked.whole !== typed.q) ? [{ code: 'long' } as const] : []),
    ],
    unrecorded,
    comparison,
    ages: reading?.ages?.map((side) => findEarliest(index, side)),
    difference: reading && findDifference(index, { ...question, offset: 0 }, { reading, ranking }),
    ranking,
    undecided: findBias(index, { given, reading, ranking, years }),
    sides: total > 0 ? countSides(index, view, { reading, comparison }) : undefined,
    listed,
    similar:
      total > 0 ? listParts(index, reading) : listSimilar(index, view, unrecorded.length > 0 ? marks : []),
    widened: { ...(total > 0 ? view.facets : index.facets(widened)), question: widened },
    week,
    examples: isFirst ? listExamples(view.layout, { facets: view.stats.by, period: view.period }) : [],
    years,
    beside: countBeside(index, { view, week, isFirst, reading }),
    leftOut: surroundings.leftOut,
  };
}

/** Chooses the search of the list: as typed, as read, or for what a ranking names first. */
function chooseSearch(index: ListingIndex, { question: typed, whole, isTyped }: TypedQuestion) {
  const reading = isTyped ? undefined : index.read({ ...typed, q: whole });
  const ranking = reading && rankRows(index, reading);
  const listed = (reading && ranking && narrowToFirst(index, reading, ranking)) ?? reading?.search ?? typed;
  return { typed, reading, ranking, listed };
}

/** Lists the searches for each of the words of a list or a number that no listing has together, the rarest first. */
function listParts(index: ListingIndex, reading: Reading | undefined): SimilarSearch[] {
  const apart = reading?.words.filter(({ why }) => why === 'together') ?? [];
  const isPlain = reading?.answer === 'list' || reading?.answer === 'count';
  if (reading === undefined || !isPlain || apart.length === 0 || reading.search.q === '') return [];
  return [...apart.map(({ text }) => ({ ...reading.search, q: text })), reading.search]
    .map((question) => ({ question, count: index.count(question) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
}

const MOST_SIDES = 3;

/** Counts the months of both sides of a comparison, or of each kind of a search for a few. */
function countSides(
  index: ListingIndex,
  { layout, question }: Pick<SearchView, 'layout' | 'question'>,
  { reading, comparison }: Pick<SearchPageView, 'reading' | 'comparison'>,
): SearchPageView['sides'] {
  const { category } = question;
  const isKinds =
    category.length > 1 &&
    category.length <= MOST_SIDES &&
    !category.some(isExcluded) &&
    findGroup(layout.city, category) === undefined;
  const { search, against } = reading ?? {};
  const isOfDays = search && against && isSameButDays(search, against);
  const sides =
    search && against
      ? [search, against]
      : isKinds
        ? category.map((kind) => ({ ...question, category: [kind] }))
        : [];
  const isTold = sides.every(({ status }) => status.length === 0); // newer filings have had less time to close
  if (sides.length === 0 || isOfDays || !isTold) return undefined;
  const counts = comparison ? [comparison.count, comparison.against] : sides.map((side) => index.count(side));
  return sides.map((side, i) => {
    const { byMonth } = index.months({ ...side, ...ALL_TIME });
    return { question: side, byMonth, n: counts[i]! };
  });
}

/** Finds a page of listings, newest first. The first page of the oldest ones is the last one, turned around. */
function findListings(index: ListingIndex, question: Question, isOldest: boolean) {
  const newest = index.search(question);
  const { total, warnings } = newest;
  if (!isOldest || question.offset > 0) {
    const { rows, identities } = newest;
    return { total, warnings, identities, listings: index.readListings(rows) };
  }
  const { rows, identities } = index.search({ ...question, offset: Math.max(0, total - question.limit) });
  return { total, warnings, identities, listings: index.readListings(rows.toReversed()) };
}

/** Finds the earliest business of some words: of the oldest ones, the first whose name begins with them. */
function findEarliest(index: ListingIndex, side: Question): Listing | undefined {
  const { listings } = findListings(index, side, true);
  const words = splitWords(side.q).join(' ');
  return listings.find(({ name }) => splitWords(name).join(' ').startsWith(words)) ?? listings[0];
}

/** Finds what biases the periods that the page compares. */
function findBias(
  index: ListingIndex,
  {
    given,
    reading,
    ranking,
    years,
  }: Pick<SearchPageView, 'reading' | 'ranking' | 'years'> & { given: Given },
): SearchPageView['undecided'] {
  const { undecided } = given.surroundings.leftOut ?? {};
  const countAll = ({ filed_from, filed_to }: Days) => index.count({ ...EVERYTHING, filed_from, filed_to });
  const sides =
    ranking?.days && ranking.before
      ? { now: ranking.days, before: ranking.before }
      : reading?.against
        ? { now: reading.search, before: reading.against }
        : isTime(ranking?.by)
          ? findNewestYears(index.dataEnd, reading!.search)
          : years?.before && { now: years.now.days, before: years.before.days };
  return undecided && sides && findUndecided(undecided, sides, countAll);
}

/** Counts what stands beside the list of a search with no words: its recent days, as a century says little about a place. */
function countBeside(
  index: ListingIndex,
  {
    view: { question, period },
    week,
    isFirst,
    reading,
  }: Pick<SearchPageView, 'week' | 'reading'> & {
    view: Pick<SearchView, 'question' | 'period'>;
    isFirst: boolean;
  },
): SearchPageView['beside'] {
  if (!(isFirst || isCorner(question)) || (reading !== undefined && reading.answer !== 'list'))
    return undefined;
  const days = week !== undefined && week.n >= PAGE_LIMIT ? week.days : period.now;
  return { days, question, facets: index.facets({ ...question, ...days }) };
}

/** Returns the search for what grew or fell most, which the list and the map below the answer show. */
function narrowToFirst(
  index: ListingIndex,
  { search, rank }: Reading,
  { by, rows: [first], days, before }: Ranking,
): Question | undefined {
  if (before && isBeforeData(before, index.stats(EVERYTHING).byMonth)) return undefined;
  if (isTime(by) || days === undefined || rank === undefined || first === undefined) return undefined;
  if (first.count === 0 || !hasMoved(rank.order, first)) return undefined;
  return { ...search, ...days, [by]: [first.value] };
}

/** Counts the neighborhoods of both sides that an answer compares. */
function findDifference(
  index: ListingIndex,
  question: Question,
  { reading, ranking }: { reading: Reading; ranking: Ranking | undefined },
): SearchPageView['difference'] {
  const now = { ...question, ...ranking?.days };
  const other = reading.rank?.than ?? (reading.isUnion ? undefined : reading.against);
  const before = ranking?.before ? { ...question, ...ranking.before } : other;
  if (before === undefined || String(before.neighborhood) !== String(now.neighborhood)) return undefined;
  if ([now, before].some(({ filed_from }) => filed_from > index.dataEnd)) return undefined;
  if (isBeforeData(before, index.stats(EVERYTHING).byMonth)) return undefined;
  const [counts, others] = [now, before].map((side) => index.facets(side).neighborhood);
  return { now, before, rows: compareCounts(counts!, others!) };
}

/**
 * Counts the newest year of a neighborhood, or the days of a question for a number, and the same days of the year before,
 * unless the register begins after them.
 */
function countYears(
  index: ListingIndex,
  { layout, question, period, dataEnd, closings, stats }: Omit<SearchView, 'shown'>,
  reading: Reading | undefined,
): SearchPageView['years'] {
  const isNumber = reading?.answer === 'count' && question.filed_from !== '' && isOneYear(question);
  const isWhole = !layout.hasNews() && !asksAnything(question) && !reading?.words.length;
  // the number of all time in a neighborhood is not that of its year
  const isPlace = isCorner(question) && (reading?.answer ?? 'list') === 'list';
  if (closings !== undefined || !(isNumber || isWhole || isPlace)) return undefined;
  const days = isNumber ? clipDays(question, dataEnd) : period.now; // which the map beside it counts
  const daysBefore = findDaysBefore(days);
  const isAlone = isBeforeData(daysBefore, stats.byMonth);
  const [now, before] = index.countDays(question, [days, daysBefore]);
  const [all, earlier] = index.countDays(EVERYTHING, [days, daysBefore]);
  return {
    now: { days, count: now! },
    before: isAlone ? undefined : { days: daysBefore, count: before! },
    ...(isPlace &&
      !isFirstYear(daysBefore, stats.byMonth) &&
      earlier! > 0 && { cityChange: all! / earlier! - 1 }),
  };
}

/** Offers what the words may mean instead. */
function offer(index: ListingIndex, offered: Reading['offer']): Doubt[] {
  if (offered === undefined) return [];
  const { word, search } = offered;
  const count = index.count(search);
  const meant = { value: search.q, question: search, count, isWhole: true };
  return count === 0 ? [] : [{ code: 'misspelled', word, meant }];
}

/** Lists the warnings, each with the number of listings that its suggestion finds. */
function listDoubts(index: ListingIndex, question: Question, doubts: readonly Warning[]): Doubt[] {
  return doubts.flatMap((doubt) => {
    const { word, parameter, didYouMean } = doubt;
    const code = doubt.code as ShownWarning;
    if (didYouMean === undefined) return { code, word };
    const other = { ...question, offset: 0, [parameter]: [didYouMean] };
    const count = index.count(other);
    return count === 0
      ? []
      : [{ code, word, meant: { value: didYouMean, question: other, count, isWhole: false } }];
  });
}

/** Computes the data of the page at `/`: the listings of a search or, without results, similar searches. */

import { nounFor } from '../../../page/kinds/kinds.ts';
import type { PageLayout } from '../../../page/page-layout.ts';
import { isCorner, isHome } from '../../../page/search/headline.ts';
import type { NearSearch, SearchPageView, TypedQuestion } from '../../../page/search/search-page-view.ts';
import { isOwnPage } from '../../../page/search-head.ts';
import type { Doubt, SearchView, ShownWarning, Surroundings } from '../../../page/search-view.ts';
import { kindOf } from '../../../register/profile/categories/kind.ts';
import { countNewestWeek, isAhead } from '../../../service/search/index/data-end.ts';
import type { ListingIndex } from '../../../service/search/index/open.ts';
import { compareSides, rankRows } from '../../../service/search/rankings.ts';
import { listQuestionWords } from '../../../service/search/reading/language.ts';
import type { Facets } from '../../../shared/answers.ts';
import type { CityFacts } from '../../../shared/city/city-facts.ts';
import { isUnknown, openValueNames } from '../../../shared/city/value-names.ts';
import { type Day, monthOf } from '../../../shared/day.ts';
import { type Counts, isException, type NamedFilter } from '../../../shared/listing.ts';
import {
  ALL_TIME,
  clipDays,
  compareCounts,
  type Days,
  findDaysBefore,
  findOldest,
  findYearTo,
  findYearToDate,
  isOneYear,
  type Period,
  spanMonths,
  spanYear,
  yearOf,
} from '../../../shared/periods.ts';
import {
  EVERYTHING,
  formatQuestion,
  isExcluded,
  isNarrowedBy,
  NARROWING,
  PAGE_LIMIT,
  type Question,
  type Warning,
} from '../../../shared/question.ts';
import { hasMoved, isTime, type Ranking, type Reading } from '../../../shared/reading.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import { findUndecided } from '../../../shared/undecided.ts';
import { splitWords } from '../../../shared/words.ts';
import { viewQuestion } from './view-question.ts';

const NEAREST_SHOWN = 6;
const SHORTEST_WORD = 3;

/** Returns the two newest years of the data, if a ranking of periods has any of them. */
function findNewestYears(dataEnd: Day, { filed_to }: Days): { now: Days; before: Days } | undefined {
  const now = findYearTo(dataEnd);
  return filed_to === '' || filed_to >= now.filed_from ? { now, before: findDaysBefore(now) } : undefined;
}

/** Computes the data of the page: of what the words mean, if that is certain. */
export function viewSearch(
  city: CityFacts,
  index: ListingIndex,
  {
    asked,
    surroundings,
  }: { asked: TypedQuestion; surroundings: Surroundings & Pick<SearchPageView, 'leftOut'> },
): SearchPageView {
  const typed = asked.question;
  const reading = asked.isTyped ? undefined : index.read({ ...typed, q: asked.whole });
  const ranking = reading && rankRows(index, reading);
  const listed = (reading && ranking && narrowToFirst(reading, ranking)) ?? reading?.search ?? typed;
  const view = viewQuestion(city, index, { asked: listed, surroundings });
  const { question } = view;
  const isFirst = isHome(question) && !reading?.words.length;
  // filings that take effect later are no news yet: a note leads to them
  const found =
    isHome({ ...question, offset: 0 }) && isAhead(index)
      ? { ...question, filed_to: index.dataEnd }
      : question;
  const { total, warnings, ...newest } = index.search(found);
  const last = { ...question, offset: Math.max(0, total - question.limit) };
  const isOldest = reading?.isOldest === true && question.offset === 0;
  const { rows, identities } = isOldest ? index.search(last) : newest;
  const isRead = reading !== undefined && formatQuestion(reading.search) !== formatQuestion(typed);
  const near = { ...question, q: listExcluded(question.q), offset: 0 };
  // the closed or lapsed statuses that the register records, most frequent first
  const marks = view.stats.by.status.flatMap(({ value }) => (isException(value) ? value : []));
  const unrecorded = question.status.filter((one) => isException(one) && !marks.includes(one));
  const years = total > 0 ? countYears(index, view, reading) : undefined;
  const sides =
    ranking?.days && ranking.before
      ? { now: ranking.days, before: ranking.before }
      : reading?.against
        ? { now: reading.search, before: reading.against }
        : isTime(ranking?.by)
          ? findNewestYears(view.dataEnd, reading!.search)
          : years && { now: years.now.days, before: years.before.days };
  const countAll = ({ filed_from, filed_to }: Days) => index.count({ ...EVERYTHING, filed_from, filed_to });
  const week = isFirst && !view.isArchive ? countNewestWeek(index) : undefined;
  const isBusy = week !== undefined && week.n >= PAGE_LIMIT;
  const isList = reading === undefined || reading.answer === 'list';
  // counts of a century say little about a place; a list of all days has counts of all days beside it
  const days = isBusy ? week.days : view.period.now;
  const isRecent = (isFirst || isCorner(question)) && isList;
  const { undecided } = surroundings.leftOut ?? {};
  const listings = index.readListings(isOldest ? rows.toReversed() : rows);
  const only = isOwnPage({ total, question }) ? listings[0] : undefined;
  const own = only && { ...EVERYTHING, category: [only.category], neighborhood: [only.neighborhood] };
  return {
    ...view,
    shown: { path: '/' },
    reading,
    typed: isRead ? { ...typed, q: asked.whole } : undefined,
    typedTotal: isRead ? index.count(typed) : total,
    total,
    listings,
    identities,
    doubts: [
      ...(asked.undated ?? []).map((word) => ({ code: 'invalid-date', word }) as const),
      ...listDoubts(index, question, warnings),
      ...offer(index, reading?.offer),
      ...(reading?.isCut || (asked.isTyped && asked.whole !== typed.q) ? [{ code: 'long' } as const] : []),
    ],
    unrecorded,
    comparison: reading && compareSides(index, reading),
    difference: reading && findDifference(index, { ...question, offset: 0 }, { reading, ranking }),
    ranking,
    undecided: undecided && sides && findUndecided(undecided, sides, countAll),
    nearest: total > 0 ? [] : listNearest(city, index, { view, marks: unrecorded.length > 0 ? marks : [] }),
    near: { ...(total > 0 ? view.facets : index.facets(near)), question: near },
    week,
    examples:
      isFirst || total === 0
        ? listExamples(view.layout, index, { facets: view.stats.by, period: view.period })
        : [],
    years,
    beside: own
      ? { question: own, facets: index.facets(own) }
      : isRecent
        ? { days, question, facets: index.facets({ ...question, ...days }) }
        : undefined,
    leftOut: surroundings.leftOut,
  };
}

/** Returns the search for what grew or fell most, which the list and the map below the answer show. */
function narrowToFirst(
  { search, rank }: Reading,
  { by, rows: [first], days }: Ranking,
): Question | undefined {
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
  const [counts, others] = [now, before].map((side) => index.facets(side).neighborhood);
  return { now, before, rows: compareCounts(counts!, others!) };
}

/**
 * Counts the year to the newest filing of a neighborhood, or the days of a question for a number, and the same days of the
 * year before, unless the register begins after them.
 */
function countYears(
  index: ListingIndex,
  { question, dataEnd, closings, stats, isArchive }: Omit<SearchView, 'shown'>,
  reading: Reading | undefined,
): SearchPageView['years'] {
  const isNumber = reading?.answer === 'count' && question.filed_from !== '' && isOneYear(question);
  const isWhole = isArchive && isHome(question) && !reading?.words.length;
  if (closings !== undefined || !(isNumber || isWhole || isCorner(question))) return undefined;
  const days = isNumber ? clipDays(question, dataEnd) : findYearToDate(dataEnd);
  const daysBefore = findDaysBefore(days);
  if (!isCorner(question) && monthOf(daysBefore.filed_from) < (findOldest(stats.byMonth) ?? ''))
    return undefined;
  const [now, before] = index.countDays(question, [days, daysBefore]);
  const [all, earlier] = index.countDays(EVERYTHING, [days, daysBefore]);
  return {
    now: { days, count: now! },
    before: { days: daysBefore, count: before! },
    ...(isCorner(question) && earlier! > 0 && { cityChange: all! / earlier! - 1 }),
  };
}

/** Returns what a search excludes, which is never offered. */
function listExcluded(q: string): string {
  return (q.match(/(?<=^|\s)-\S+/g) ?? []).join(' ');
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

/**
 * Lists a few searches that find something: with a status of `marks`, without one filter, with swapped days, of the newest
 * days, or for one of the words.
 */
function listNearest(
  city: CityFacts,
  index: ListingIndex,
  {
    view: { question, dataEnd },
    marks,
  }: { view: Pick<SearchView, 'question' | 'dataEnd'>; marks: readonly string[] },
): NearSearch[] {
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
    .map((near) => ({ question: near, count: index.count(near) }))
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
function listExamples(
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
  return [placed, [say('example.grew')], years].flatMap((some) => some.find(isKnown) ?? []);
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

/** What the city's page shows of a search, and the addresses of its links. */

import type { City } from '../../city/define.ts';
import type { Outline } from '../../city/places/outline.ts';
import { hasRegisterEnded } from '../../listings/archive.ts';
import { addDays, type Day, type Instant, monthOf } from '../../listings/day.ts';
import type { Listing } from '../../listings/listing.ts';
import type {
  Counts,
  Facets,
  ListingIndex,
  SearchWarning,
  Stats,
  WarningCause,
} from '../../search/listing-index.ts';
import {
  asksAnything,
  EVERYTHING,
  formatQuestion,
  PAGE_LIMIT,
  type Question,
  type ReadQuestion,
  type ValueFilter,
} from '../../search/parameters.ts';
import { countWithoutFilters, parseListings, searchListings, spellValues } from '../../search/search.ts';
import { ALL_TIME, findDataEnd, findSameDays, type MonthCounts } from './chart/chart-months.ts';
import type { Markup } from './markup.ts';
import type { PageLayout } from './page-layout.ts';

export type CityPageView = {
  layout: PageLayout;
  /** The filters with values as the listings write them; `limit` is 25. */
  question: Question;
  total: number;
  listings: readonly Listing[];
  doubts: readonly Doubt[];
  facets: Facets;
  /** The counts of the whole city. */
  stats: Stats;
  months: MonthCounts;
  /** Whether the register has ended: then nothing is new. */
  isArchive: boolean;
  /** The number of new listings, and the first few of them. */
  week: { total: number; listings: readonly Listing[] };
  /** The last day of "this week". */
  today: Day;
  asOf: Instant | null;
  outline: Outline | undefined;
  /** The signup form, if there is one. */
  signup: Markup | undefined;
  /** What the last kept runs left out of the register, if that is known. */
  leftOut: LeftOut | undefined;
  /** How many results there would be without one of the filters; for a search without results. */
  without: Partial<Record<string, number>>;
};

/** Rows of the register and, of those that are not served, the numbers by reason. */
export type LeftOut = {
  read: number;
  skipped: ReadonlyMap<string, number>;
  /** Damaged rows. */
  rejected: number;
};

/** A search with the layout of its city, to describe it in words. */
export type Searched = Pick<CityPageView, 'layout' | 'question'>;

/** Why the search may not find what was meant, with another search that finds `count` listings. */
export type Doubt = {
  cause: WarningCause | 'long';
  word?: string | undefined;
  meant?: { value: string; question: Question; count: number } | undefined;
};

/** The address of the page that shows this search. */
export function formatPageAddress(question: Question): string {
  const query = formatQuestion({ ...question, limit: PAGE_LIMIT });
  return query === '' ? '/' : `/?${query}`;
}

/** The same search with other filters, starting at its first page. */
export function changePageAddress(question: Question, other: Partial<Question>): string {
  return formatPageAddress({ ...question, offset: 0, ...other });
}

/** The link of a value to its results: selects only this value, or removes it if it is selected. */
export function toggleFilterAddress(question: Question, filter: ValueFilter, value: string): string {
  const address = changePageAddress(question, {
    [filter]: question[filter].includes(value) ? [] : [value],
  });
  return `${address}#results`;
}

/** Values with their counts. Selected values that do not occur have no count. */
export function addChosen(counts: Counts, chosen: readonly string[]): Counts {
  const missing = chosen.filter((one) => !counts.some(({ value }) => value === one));
  return [...missing.map((value) => ({ value, count: 0 })), ...counts];
}

const FIRST_NEWS = 5;
/** A filing that is published later than this is not news. */
const NEW_FOR_DAYS = 31;

/** What the page has besides, from the city and the service. */
type Surroundings = 'layout' | 'asOf' | 'outline' | 'signup' | 'leftOut';

/** What the page shows of a search. */
export function viewSearch(
  city: City,
  index: ListingIndex,
  asked: ReadQuestion,
): Omit<CityPageView, Surroundings> {
  const { question } = asked;
  const facets = index.facets(question);
  const result = searchListings(index, asked);
  if ('tooFar' in result) throw new Error('a page reaches no further than the first 1,000');
  const stats = index.stats(EVERYTHING);
  const hasEnded = hasRegisterEnded(city, stats.latestFiling, index.day);
  return {
    question: spellValues(question, facets.chosen, result.doubts),
    total: result.total,
    listings: parseListings(result),
    doubts: [
      ...listDoubts(index, question, result.doubts),
      ...asked.warnings.map(() => ({ cause: 'long' }) as const),
    ],
    facets,
    stats,
    months: countMonths(index, question, {
      lastMonth: monthOf((hasEnded && stats.latestFiling) || index.day),
      dataEnd: findDataEnd(stats.latestFiling, index.day),
    }),
    isArchive: hasEnded,
    week: weekOf(index, city.asOf !== undefined, asksAnything(question) ? 0 : FIRST_NEWS),
    today: index.day,
    without: result.total > 0 ? {} : countWithoutFilters(index, question),
  };
}

function countMonths(
  index: ListingIndex,
  question: Question,
  known: Pick<MonthCounts, 'lastMonth' | 'dataEnd'>,
): MonthCounts {
  const asked = index.stats(question).byMonth;
  const anyTime = { ...question, ...ALL_TIME };
  const { from: filed_from, to: filed_to } = findSameDays(known.dataEnd);
  return {
    asked,
    anyTime: formatQuestion(anyTime) === formatQuestion(question) ? asked : index.stats(anyTime).byMonth,
    sameDaysBefore: index.search({ ...question, filed_from, filed_to, limit: 0 }).total,
    ...known,
  };
}

/** Each with the number of listings that the suggestion finds. */
function listDoubts(index: ListingIndex, question: Question, doubts: readonly SearchWarning[]): Doubt[] {
  return doubts.map(({ cause, word, parameter, didYouMean, meant }) => {
    if (didYouMean === undefined) return { cause, word };
    const other = meant ?? { ...question, offset: 0, [parameter]: [didYouMean] };
    const count = index.search({ ...other, limit: 0 }).total;
    return { cause, word, meant: { value: didYouMean, question: other, count } };
  });
}

/**
 * The listings first seen in the last seven days, as in the weekly email, without old filings that were published late. An archive is
 * imported all at once, so it uses the filing dates. Its first listings are in the results anyway.
 */
function weekOf(index: ListingIndex, isReadAtOnce: boolean, first: number): CityPageView['week'] {
  if (isReadAtOnce) return { total: index.filedSince(addDays(index.day, -6)).total, listings: [] };
  const news = index.seenSince(`${addDays(index.day, -7)}T00:00:00.000Z`, addDays(index.day, -NEW_FOR_DAYS));
  return { total: news.total, listings: first === 0 ? [] : news.listings(0, first) };
}

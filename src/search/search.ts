/** Searches listings. The API, the page, the feed, the MCP tools and the email render the results. */

import type { Listing } from '../listings/listing.ts';
import type { Counts, ListingIndex, SearchWarning, Stats } from './listing-index.ts';
import {
  FURTHEST,
  formatQuestion,
  isNarrowedBy,
  NARROWING,
  type ParameterFault,
  type Question,
  type ReadQuestion,
} from './parameters.ts';

export type SearchResult = Exclude<ReturnType<typeof searchListings>, TooFar>;

export type ListingCounts = Stats & {
  /** The number of listings before the first month of `byMonth`. */
  earlier: number;
  warnings: readonly ParameterFault[];
};

/** The result of a query beyond the limit of paging: a sentence that explains how to narrow the query. */
export type TooFar = { tooFar: string };

/** Finds the requested page of listings. Returns `tooFar` for pages after the first 1,000 of a larger result. */
export function searchListings(index: ListingIndex, { question, warnings }: ReadQuestion) {
  const { limit, offset } = question;
  const { total, count, page, warnings: found } = index.search(question);
  if (offset + limit > FURTHEST && total > FURTHEST && offset < total) {
    const far: TooFar = { tooFar: narrowing(question) };
    return far;
  }
  const end = offset + count;
  const hasNext = limit > 0 && count > 0 && end < total && end < FURTHEST;
  const doubts = [...found, ...index.suggest(question, total)];
  const all: ParameterFault[] = [...doubts.map(toParameterFault), ...warnings];
  if (!hasNext && count > 0 && end < total) all.push({ parameter: 'offset', detail: narrowing(question) });
  return {
    total,
    limit,
    offset,
    count,
    /** The listings of the page, as JSON objects joined by commas. */
    listingsJson: page.toString(),
    warnings: all,
    doubts,
    /** The offset of the next page, or `null` on the last one. */
    nextOffset: hasNext ? end : null,
    /** Maximum listings on the next page. Lower for the last page, so that paging ends at 1,000 listings. */
    nextLimit: Math.min(limit, FURTHEST - end),
    /** The most recent filing date of the whole city, regardless of the query. */
    latestFiling: index.latestFiling,
  };
}

export function toParameterFault({ parameter, detail, didYouMean, meant }: SearchWarning): ParameterFault {
  const fault = { parameter, detail, did_you_mean: didYouMean };
  return meant === undefined ? fault : { ...fault, href: `/api/search?${formatQuestion(meant)}` };
}

export function parseListings({ listingsJson }: Pick<SearchResult, 'listingsJson'>): Listing[] {
  return JSON.parse(`[${listingsJson}]`);
}

export function countListings(index: ListingIndex, { question, warnings }: ReadQuestion): ListingCounts {
  const { warnings: found, ...stats } = index.stats(question);
  const isDated = question.filed_from !== '' || question.filed_to !== '';
  const months = isDated ? stats.byMonth : takeBusyMonths(stats.byMonth);
  return {
    ...stats,
    byMonth: months,
    earlier: sumCounts(stats.byMonth) - sumCounts(months),
    warnings: [...found.map(toParameterFault), ...warnings],
  };
}

/** The oldest month shown has at least this share of the busiest month. Some registers have a few very old filings. */
export const BUSY_SHARE = 0.01;

/** Returns the months, newest first, without the sparse oldest ones. */
function takeBusyMonths(byMonth: Counts): Counts {
  const least = Math.max(0, ...byMonth.map(({ count }) => count)) * BUSY_SHARE;
  return byMonth.slice(0, byMonth.findLastIndex(({ count }) => count >= least) + 1);
}

function sumCounts(counts: Counts): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function narrowing(question: Question): string {
  const unused = NARROWING.filter((name) => !isNarrowedBy(question, name));
  const narrower = unused.length === 0 ? 'fewer values of a filter' : unused.join(', ');
  return `You can page through the first ${FURTHEST} listings of a query. Narrow it with ${narrower}.`;
}

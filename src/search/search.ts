/** Answers to a question as plain values. The API, the page, the feed, the tools for agents and the weekly email each render them. */

import type { Listing } from '../listings/listing.ts';
import type { ListingIndex, Stats } from './listing-index.ts';
import {
  EVERYTHING,
  FURTHEST,
  isNarrowedBy,
  NARROWING,
  type ParameterFault,
  type Question,
  type ReadQuestion,
} from './parameters.ts';

export type SearchResult = {
  /** All listings that match, exact. */
  total: number;
  limit: number;
  offset: number;
  /** How many listings are on this page. */
  count: number;
  /** The listings of this page as JSON objects joined by commas, put together from what was rendered when the index was built. */
  listingsJson: string;
  warnings: readonly ParameterFault[];
  /** Where the next page begins; `null` on the last one. */
  nextOffset: number | null;
  /** How many listings that page has at most, so that paging ends at the first 1,000. */
  nextLimit: number;
};

/** A query that reaches past the listings that can be paged to, with a sentence on what would narrow it. */
export type TooFar = { tooFar: string };

/** The page of listings that a question asks for. `tooFar` where it lies past the first 1,000 of more. */
export function searchListings(
  index: ListingIndex,
  { question, warnings }: ReadQuestion,
): SearchResult | TooFar {
  const { limit, offset } = question;
  const { total, count, page, warnings: found } = index.search(question);
  if (offset + limit > FURTHEST && total > FURTHEST && offset < total) return { tooFar: narrowing(question) };
  const end = offset + count;
  const hasNext = limit > 0 && count > 0 && end < total && end < FURTHEST;
  const all: ParameterFault[] = found.map(({ parameter, detail, didYouMean }) => ({
    parameter,
    detail,
    did_you_mean: didYouMean,
  }));
  all.push(...warnings);
  if (!hasNext && count > 0 && end < total) all.push({ parameter: 'offset', detail: narrowing(question) });
  return {
    ...{ total, limit, offset, count },
    ...{ listingsJson: page.toString(), warnings: all },
    nextOffset: hasNext ? end : null,
    nextLimit: Math.min(limit, FURTHEST - end),
  };
}

/** The listings of a page as objects. */
export function parseListings({ listingsJson }: Pick<SearchResult, 'listingsJson'>): Listing[] {
  return JSON.parse(`[${listingsJson}]`);
}

/** How the listings of the whole city spread over months, kinds and neighborhoods. */
export function countListings(index: ListingIndex): Stats {
  return index.stats();
}

/** How many listings there would be without one of the things asked for. */
export function countWithoutFilters(
  index: ListingIndex,
  question: Question,
): Partial<Record<string, number>> {
  const totals: Partial<Record<string, number>> = {};
  for (const name of NARROWING) {
    if (!isNarrowedBy(question, name)) continue;
    const left = { ...question, [name]: EVERYTHING[name], limit: 0 };
    totals[name] = index.search(left).total;
  }
  return totals;
}

function narrowing(question: Question): string {
  const unused = NARROWING.filter((name) => !isNarrowedBy(question, name));
  const narrower = unused.length === 0 ? 'fewer values of a filter' : unused.join(', ');
  return `You can page through the first ${FURTHEST} listings of a query. Narrow it with ${narrower}.`;
}

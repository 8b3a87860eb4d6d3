/** Search results as plain values. The API, the page, the feed, the MCP tools and the weekly email each render them. */

import type { Day } from '../listings/day.ts';
import type { Listing } from '../listings/listing.ts';
import type { Facets, ListingIndex, SearchWarning, Stats } from './listing-index.ts';
import {
  EVERYTHING,
  FURTHEST,
  formatQuestion,
  isNarrowedBy,
  NARROWING,
  type ParameterFault,
  type Question,
  type ReadQuestion,
  VALUE_FILTERS,
} from './parameters.ts';

export type SearchResult = {
  /** The exact number of matching listings. */
  total: number;
  limit: number;
  offset: number;
  /** The number of listings on this page. */
  count: number;
  /** The listings of this page as JSON objects joined by commas, assembled from text that was rendered when the index was built. */
  listingsJson: string;
  warnings: readonly ParameterFault[];
  /** The warnings that come from the index, with their cause. */
  doubts: readonly SearchWarning[];
  /** The offset of the next page; `null` on the last one. */
  nextOffset: number | null;
  /** The largest number of listings on the next page, so that paging ends at the first 1,000. */
  nextLimit: number;
  /** The most recent filing date of the city, whatever was asked. */
  latestFiling: Day | null;
};

export type ListingCounts = Stats & { warnings: readonly ParameterFault[] };

/** The query is past the listings that can be paged to; a sentence says how to narrow it. */
export type TooFar = { tooFar: string };

/** The requested page of listings. `tooFar` if it is past the first 1,000 and there are more. */
export function searchListings(
  index: ListingIndex,
  { question, warnings }: ReadQuestion,
): SearchResult | TooFar {
  const { limit, offset } = question;
  const { total, count, page, warnings: found } = index.search(question);
  if (offset + limit > FURTHEST && total > FURTHEST && offset < total) return { tooFar: narrowing(question) };
  const end = offset + count;
  const hasNext = limit > 0 && count > 0 && end < total && end < FURTHEST;
  const doubts = [...found, ...index.suggest(question, total)];
  const all: ParameterFault[] = [...doubts.map(toParameterFault), ...warnings];
  if (!hasNext && count > 0 && end < total) all.push({ parameter: 'offset', detail: narrowing(question) });
  return {
    ...{ total, limit, offset, count },
    ...{ listingsJson: page.toString(), warnings: all, doubts },
    nextOffset: hasNext ? end : null,
    nextLimit: Math.min(limit, FURTHEST - end),
    latestFiling: index.latestFiling,
  };
}

function toParameterFault({ parameter, detail, didYouMean, meant }: SearchWarning): ParameterFault {
  const fault = { parameter, detail, did_you_mean: didYouMean };
  return meant === undefined ? fault : { ...fault, href: `/api/search?${formatQuestion(meant)}` };
}

/** The listings of a page as objects. */
export function parseListings({ listingsJson }: Pick<SearchResult, 'listingsJson'>): Listing[] {
  return JSON.parse(`[${listingsJson}]`);
}

/** The number of listings that match by month, category and neighborhood. */
export function countListings(index: ListingIndex, { question, warnings }: ReadQuestion): ListingCounts {
  const { warnings: found, ...stats } = index.stats(question);
  return { ...stats, warnings: [...found.map(toParameterFault), ...warnings] };
}

/** The question with its values as the listings spell them (`chosen`). Values that no listing has stay as they were asked for. */
export function spellValues(
  question: Question,
  chosen: Facets['chosen'],
  doubts: readonly SearchWarning[],
): Question {
  const spelled = VALUE_FILTERS.map((filter) => {
    const unknown = doubts.filter(({ cause, parameter }) => cause === 'value' && parameter === filter);
    return [filter, [...chosen[filter], ...unknown.map(({ word = '' }) => word)]];
  });
  return { ...question, ...Object.fromEntries(spelled) };
}

/** The question with its values as the listings spell them, where nothing else of the facets is needed. */
export function spellQuestion(
  index: ListingIndex,
  question: Question,
  doubts: readonly SearchWarning[],
): Question {
  const { category, neighborhood, status } = question;
  return spellValues(
    question,
    index.facets({ ...EVERYTHING, category, neighborhood, status }).chosen,
    doubts,
  );
}

function narrowing(question: Question): string {
  const unused = NARROWING.filter((name) => !isNarrowedBy(question, name));
  const narrower = unused.length === 0 ? 'fewer values of a filter' : unused.join(', ');
  return `You can page through the first ${FURTHEST} listings of a query. Narrow it with ${narrower}.`;
}

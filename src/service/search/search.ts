/** Searches listings. The API, the page, the feed, the MCP tools and the email render the results. */

import {
  FURTHEST,
  isNarrowedBy,
  NARROWING,
  type Question,
  type ReadQuestion,
} from '../../shared/question.ts';
import type { ListingIndex } from './index/open.ts';
import { completeWarnings } from './warnings.ts';

export type SearchResult = Exclude<ReturnType<typeof searchListings>, TooFar>;

/** The result of a query beyond the limit of paging: a sentence that explains how to narrow the query. */
export type TooFar = { tooFar: string };

/** Finds the requested page of listings. Returns `tooFar` for pages after the first 1,000 of a larger result. */
export function searchListings(index: ListingIndex, { question, warnings }: ReadQuestion) {
  const { limit, offset } = question;
  const { total, rows, identities, warnings: found } = index.search(question);
  const count = rows.length;
  if (offset + limit > FURTHEST && total > FURTHEST && offset < total) {
    const far: TooFar = { tooFar: narrowing(question) };
    return far;
  }
  const end = offset + count;
  const hasNext = limit > 0 && count > 0 && end < total && end < FURTHEST;
  const all = [...completeWarnings(index, question, { found, total }), ...warnings];
  // at once if all that is new is asked for, because it is then best to ask in parts
  const wantsAll = question.added_from !== '' && offset === 0;
  if (count > 0 && total > FURTHEST && (wantsAll || !hasNext))
    all.push({ code: 'paging-ends', parameter: 'offset', detail: narrowing(question) });
  return {
    total,
    limit,
    offset,
    /** The listings of the page, for `readListings` of the index. */
    rows,
    identities,
    warnings: all,
    /** The offset of the next page, or `null` on the last one. */
    nextOffset: hasNext ? end : null,
    /** Maximum listings on the next page. Lower for the last page, so that paging ends at 1,000 listings. */
    nextLimit: Math.min(limit, FURTHEST - end),
    /** The most recent filing date of the whole city, regardless of the query. */
    latestFiling: index.latestFiling,
  };
}

function narrowing(question: Question): string {
  const unused = NARROWING.filter((name) => !isNarrowedBy(question, name));
  const narrower = unused.length === 0 ? 'fewer values of a filter' : unused.join(', ');
  return `You can page through the first ${FURTHEST} listings of a query. Narrow it with ${narrower}.`;
}

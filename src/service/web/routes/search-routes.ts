/** Adds GET /api/search: a page of matching listings, most recent first, with only five fields each. */

import type { FastifyInstance } from 'fastify';
import {
  type Asked,
  FURTHEST,
  formatQuestion,
  type Paging,
  pagingParameters,
  type Question,
  type ReadQuestion,
} from '../../../shared/question.ts';
import { type SearchResult, searchListings } from '../../search/search.ts';
import { formatWarnings } from '../../search/warnings.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { priceOf } from '../limits/charge.ts';
import { tooFarProblem } from '../problems.ts';
import { addQuestionRoute } from './route-kinds.ts';

export function searchRoute(app: FastifyInstance, context: ServerContext): void {
  addQuestionRoute<Paging>(app, context, {
    path: '/api/search',
    config: { isCrossOrigin: true },
    others: pagingParameters,
    cacheControl: 'private, max-age=60',
    answer(data, asked) {
      const { question } = asked;
      const result = searchListings(data.index, warnOfChange(asked, data));
      if ('tooFar' in result) return tooFarProblem(result.tooFar);
      const { next, headers } = linksOf(question, result, data.listingsVersion);
      return {
        price: priceOf(data, 'search', question, result),
        headers,
        render: () => formatSearchBody(data, result, next),
      };
    },
  });
}

/** Formats a result as JSON, a `SearchResult` of the API document. */
function formatSearchBody(
  { index, dataAsOf }: ServedData,
  { total, limit, offset, rows, latestFiling, warnings }: SearchResult,
  next: string | null,
): string {
  return JSON.stringify({
    ...{ total, limit, offset, next },
    listings: index.readListings(rows),
    data_as_of: dataAsOf,
    latest_filing: latestFiling,
    ...(warnings.length > 0 && { warnings: formatWarnings(warnings, '/api/search') }),
  });
}

/** Adds a warning if the listings have changed since the previous page. */
export function warnOfChange(asked: Asked<Paging>, { listingsVersion }: ServedData): ReadQuestion {
  const { data } = asked.others;
  if (data === '' || data === listingsVersion) return asked;
  const detail =
    'The data has changed since the page before: listings may come twice or be missing. Begin again with the first page for all of them.';
  return { ...asked, warnings: [...asked.warnings, { code: 'data-changed', parameter: 'data', detail }] };
}

type PageLinks = { next: string | null; headers: Record<string, string> };

/** Returns links to other pages. Shortens the last page, so that any `limit` reaches exactly 1,000 listings. */
function linksOf(question: Question, result: SearchResult, data: string): PageLinks {
  const { total, limit, offset, nextOffset, nextLimit } = result;
  if (limit === 0) return { next: null, headers: {} };
  const link = (limit: number, offset: number): string => {
    const query = formatQuestion({ ...question, limit, offset });
    return `/api/search?${query}${query && '&'}data=${data}`;
  };
  const next = nextOffset === null ? null : link(nextLimit, nextOffset);
  const end = Math.min(offset, total, FURTHEST);
  const previous = end > 0 && link(Math.min(limit, end), Math.max(0, end - limit));
  const links = [next && `<${next}>; rel="next"`, previous && `<${previous}>; rel="prev"`].filter(Boolean);
  return { next, headers: links.length > 0 ? { link: links.join(', ') } : {} };
}

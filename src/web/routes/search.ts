/** GET /api/search: a page of matching listings, most recent first, with only five fields each. */

import type { FastifyInstance } from 'fastify';
import { FURTHEST, formatQuestion, PAGE_LIMIT, type Question } from '../../search/parameters.ts';
import { parseListings, type SearchResult, searchListings } from '../../search/search.ts';
import { JSON_TYPE, TERMS_LINK } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { costOfSearch } from '../limits/charge.ts';
import { tooFarProblem } from '../problems.ts';
import { CHARGED_HEADERS, describeResponse } from '../responses.ts';
import { addQuestionRoute } from './question-route.ts';

export function searchRoute(app: FastifyInstance, context: ServerContext): void {
  addQuestionRoute(app, context, {
    path: '/api/search',
    config: { isOpen: true },
    operationId: 'searchListings',
    tag: 'Listings',
    summary: 'The listings that match, most recent filing first',
    response: describeResponse(`At most ${PAGE_LIMIT} listings`, { id: 'Search', headers: CHARGED_HEADERS }),
    cacheControl: 'private, max-age=60',
    answer({ index, asOf }, asked) {
      const { question } = asked;
      const result = searchListings(index, asked);
      if ('tooFar' in result) return tooFarProblem(result.tooFar);
      const { next, header } = linksOf(question, result);
      return {
        rows: costOfSearch(question, result.count),
        headers: { 'content-type': JSON_TYPE, link: header },
        render: () => formatSearchBody(result, next, asOf),
      };
    },
  });
}

/** A result as JSON. The text of the listings was rendered when the index was built; a test compares it with SearchSchema. */
function formatSearchBody(result: SearchResult, next: string | null, asOf: string | null): string {
  const { total, limit, offset, listingsJson, latestFiling, warnings } = result;
  const link = next === null ? 'null' : `"${next}"`;
  const head = `{"total":${total},"limit":${limit},"offset":${offset},"next":${link},"listings":[`;
  const fresh = `"data_as_of":${asOf && `"${asOf}"`},"latest_filing":${latestFiling && `"${latestFiling}"`}`;
  const tail = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`;
  return `${head}${listingsJson}],${fresh}${tail}}`;
}

/** The same as a value of SearchSchema. */
export function toSearchBody(result: SearchResult, question: Question, asOf: string | null) {
  const { total, limit, offset, latestFiling, warnings } = result;
  return {
    total,
    limit,
    offset,
    next: linksOf(question, result).next,
    listings: parseListings(result),
    data_as_of: asOf,
    latest_filing: latestFiling,
    ...(warnings.length > 0 && { warnings }),
  };
}

/** A client that follows `next` reaches the first 1,000 listings with any limit: the last page is shortened to fit. */
function linksOf(question: Question, result: SearchResult): { next: string | null; header: string } {
  const { total, limit, offset, nextOffset, nextLimit } = result;
  if (limit === 0) return { next: null, header: TERMS_LINK };
  const next = nextOffset === null ? null : searchLink(question, nextLimit, nextOffset);
  const end = Math.min(offset, total, FURTHEST);
  const previous = end > 0 && searchLink(question, Math.min(limit, end), Math.max(0, end - limit));
  const links = [TERMS_LINK];
  if (next !== null) links.push(`<${next}>; rel="next"`);
  if (previous) links.push(`<${previous}>; rel="prev"`);
  return { next, header: links.join(', ') };
}

function searchLink(question: Question, limit: number, offset: number): string {
  const query = formatQuestion({ ...question, limit, offset });
  return query === '' ? '/api/search' : `/api/search?${query}`;
}

/** GET /api/search: up to 25 matching listings, most recent first, with only five fields each. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ListingIndex } from '../../search/listing-index.ts';
import { FURTHEST, formatQuestion, type Question } from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { parseListings, type SearchResult, searchListings } from '../../search/search.ts';
import { formatDataState, formatInstant, JSON_TYPE, TERMS_LINK } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { chargeRows, costOfSearch } from '../limits/charge.ts';
import { ETAG_SEEDS, hash64, makeEtag, matchesEtag } from '../limits/hash.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { invalidParametersProblem, notReadyProblem, tooFarProblem } from '../problems.ts';
import {
  CHARGED_HEADERS,
  describeJsonResponse,
  describeNotModified,
  describeProblems,
} from '../responses.ts';
import { buildQuerySchema } from '../schemas.ts';

const SEARCH_CACHE_CONTROL = 'private, max-age=60';
/** The state of the data: the index, how fresh it is as a part of an answer, and the seeds of its ETags. */
type Data = { index: ListingIndex; freshness: string; seeds: readonly [number, number] };

export function searchRoute(app: FastifyInstance, context: ServerContext): void {
  const dataNow = dataReader(context);
  app.get(
    '/api/search',
    {
      config: { isOpen: true, isForPrograms: true },
      schema: {
        operationId: 'searchListings',
        tags: ['Listings'],
        summary: 'The listings that match, most recent filing first',
        querystring: buildQuerySchema(),
        response: {
          200: describeJsonResponse('At most 25 listings', 'Search', { headers: CHARGED_HEADERS }),
          304: describeNotModified(CHARGED_HEADERS),
          ...describeProblems('invalid-parameter', 'too-far', 'not-ready'),
        },
      },
    },
    (request, reply) => {
      const data = dataNow();
      return data === undefined
        ? reply.problem(notReadyProblem())
        : answerSearch(context, data, request, reply);
    },
  );
}

/** Reads the state of the data. Computes what follows from it only when it has changed. */
function dataReader(context: ServerContext): () => Data | undefined {
  let state = '';
  let seeds: Data['seeds'] = ETAG_SEEDS;
  let freshness = '';
  return () => {
    const index = context.index();
    if (index === undefined) return undefined;
    const asOf = formatInstant(context.dataAsOf());
    const current = formatDataState(context, index, asOf);
    if (current !== state) {
      state = current;
      seeds = hash64(state, ETAG_SEEDS);
      freshness = `"data_as_of":${JSON.stringify(asOf)},"latest_filing":${JSON.stringify(index.latestFiling)}`;
    }
    return { index, freshness, seeds };
  };
}

function answerSearch(
  context: ServerContext,
  { index, freshness, seeds }: Data,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const asked = parseSearchQuery(readQuery(request.raw));
  if (asked.faults.length > 0) return reply.problem(invalidParametersProblem(asked.faults));
  const { question } = asked;
  const spelling = formatQuestion(question);
  const etag = makeEtag(asked.warnings.length > 0 ? `${spelling} capped` : spelling, seeds);
  const known = request.headers['if-none-match'];
  if (known !== undefined && known !== '*' && matchesEtag(known, etag))
    return notModified(context, reply, etag);
  const result = searchListings(index, asked);
  if ('tooFar' in result) return reply.problem(tooFarProblem(result.tooFar));
  if (known === '*') return notModified(context, reply, etag);
  const refusal = chargeRows(context, request.client, costOfSearch(question, result.count));
  if (refusal !== undefined) return reply.problem(refusal);
  const { next, header } = linksOf(question, result);
  reply.headers({ 'content-type': JSON_TYPE, link: header, 'cache-control': SEARCH_CACHE_CONTROL, etag });
  reply.headers(context.limiter.headers(request.client));
  return reply.send(searchJson(result, next, freshness)); // the text was rendered when the index was built; a test compares it with SearchSchema
}

function notModified(context: ServerContext, reply: FastifyReply, etag: string): FastifyReply {
  reply.headers({
    link: TERMS_LINK,
    'cache-control': SEARCH_CACHE_CONTROL,
    etag,
    ...context.limiter.headers(reply.request.client),
  });
  return reply.code(304).send();
}

/** A result as JSON. The listings are inserted as they were rendered. */
function searchJson(result: SearchResult, next: string | null, freshness: string): string {
  const { total, limit, offset, listingsJson, warnings } = result;
  const link = next === null ? 'null' : `"${next}"`;
  const head = `{"total":${total},"limit":${limit},"offset":${offset},"next":${link},"listings":[`;
  const tail = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`;
  return `${head}${listingsJson}],${freshness}${tail}}`;
}

/** The same as a value of SearchSchema. */
export function toSearchBody(result: SearchResult, question: Question, asOf: string | null) {
  const { total, limit, offset, latestFiling, warnings } = result;
  return {
    ...{ total, limit, offset },
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

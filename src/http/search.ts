/** GET /api/search: the right 25 listings, most recent first. Never more than five facts of each. */

import type { Catalogue } from '../catalogue/catalogue.ts';
import { FURTHEST, formatQuestion, type ParameterFault, type Question } from '../catalogue/parameters.ts';
import { parseSearchQuery } from '../catalogue/query.ts';
import { listingsOf, type SearchResult, searchListings } from '../catalogue/search.ts';
import type { Door } from './door.ts';
import { ETAG_SEEDS, etagOf, lanes, namesEtag } from './fingerprint.ts';
import { JSON_HEADERS, notReady, servedAt, stateOf } from './json.ts';
import { type ProblemReply, problemReply } from './problem.ts';
import { quotaExceeded } from './quota.ts';
import type { Ask, Reply } from './reply.ts';

const HEADERS = [...JSON_HEADERS, 'Cache-Control', 'private, max-age=60'];

type Seeds = readonly [number, number];

/** What answers GET /api/search. */
export function searchReply(door: Door): (ask: Ask) => Reply {
  let state = '';
  let seeds: Seeds = ETAG_SEEDS;
  return (ask) => {
    const catalogue = door.catalogue();
    if (catalogue === undefined) return notReady(door);
    const asOf = servedAt(door.dataAsOf());
    const current = stateOf(door, catalogue, asOf);
    if (current !== state) {
      state = current;
      seeds = lanes(state, ETAG_SEEDS);
    }
    return search(door, { catalogue, asOf, seeds }, ask);
  };
}

function search(
  door: Door,
  data: { catalogue: Catalogue; asOf: string | null; seeds: Seeds },
  ask: Ask,
): Reply {
  const asked = parseSearchQuery(ask.query);
  if (asked.faults.length > 0) return invalidParameter(door, asked.faults);
  const spelling = formatQuestion(asked.question);
  const etag = etagOf(asked.warnings.length > 0 ? `${spelling} capped` : spelling, data.seeds);
  const known = ask.headers['if-none-match'];
  if (known !== undefined && known !== '*' && namesEtag(known, etag)) return unchanged(door, ask, etag);
  const result = searchListings(data.catalogue, asked);
  if ('tooFar' in result) return tooFar(door, result.tooFar);
  if (known === '*') return unchanged(door, ask, etag);
  if (ask.method !== 'HEAD' && !door.limiter.charge(ask.client, result.count))
    return quotaExceeded(door, ask.client, result.count);
  const { next, header } = linksOf(asked.question, result);
  const headers = [...HEADERS, 'ETag', etag, ...limitHeaders(door, ask)];
  if (header !== '') headers.push('Link', header);
  return { status: 200, headers, body: Buffer.from(searchJson(result, next, data.asOf)) };
}

function unchanged(door: Door, ask: Ask, etag: string): Reply {
  return {
    status: 304,
    headers: [...HEADERS.slice(2), 'ETag', etag, ...limitHeaders(door, ask)],
    body: null,
  };
}

export function limitHeaders(door: Door, ask: Pick<Ask, 'client'>): string[] {
  const { policy } = door.limiter;
  return policy === '' ? [] : ['RateLimit-Policy', policy, 'RateLimit', door.limiter.standing(ask.client)];
}

/** A result as the API answers it; the listings are put in as they were rendered. */
function searchJson(result: SearchResult, next: string | null, asOf: string | null): string {
  const { total, limit, offset, listingsJson, warnings } = result;
  const link = next === null ? 'null' : `"${next}"`;
  const head = `{"total":${total},"limit":${limit},"offset":${offset},"next":${link},"listings":[`;
  const told = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`;
  return `${head}${listingsJson}],"data_as_of":${asOf === null ? 'null' : `"${asOf}"`}${told}}`;
}

/** The same as a value. */
export function searchBody(result: SearchResult, question: Question, asOf: string | null) {
  const { total, limit, offset, warnings } = result;
  return {
    ...{ total, limit, offset },
    next: linksOf(question, result).next,
    listings: listingsOf(result),
    data_as_of: asOf,
    ...(warnings.length > 0 && { warnings }),
  };
}

/** The first 1,000 are reached by following `next` whatever the limit: the last page is cut to fit. */
function linksOf(question: Question, result: SearchResult): { next: string | null; header: string } {
  const { limit, offset, nextOffset, nextLimit } = result;
  if (limit === 0) return { next: null, header: '' };
  const next = nextOffset === null ? null : searchLink(question, nextLimit, nextOffset);
  const links = next === null ? [] : [`<${next}>; rel="next"`];
  const end = Math.min(offset, result.total, FURTHEST);
  if (end > 0)
    links.push(`<${searchLink(question, Math.min(limit, end), Math.max(0, end - limit))}>; rel="prev"`);
  return { next, header: links.join(', ') };
}

function searchLink(question: Question, limit: number, offset: number): string {
  const query = formatQuestion({ ...question, limit, offset });
  return query === '' ? '/api/search' : `/api/search?${query}`;
}

export function invalidParameter(door: Door, errors: readonly ParameterFault[]): ProblemReply {
  const detail = errors.map((fault) => `${fault.parameter}: ${fault.detail}`).join(' ');
  return problemReply(door.publicUrl, { code: 'invalid-parameter', detail, errors });
}

export function tooFar(door: Door, detail: string): ProblemReply {
  return problemReply(door.publicUrl, { code: 'too-far', detail, errors: [{ parameter: 'offset', detail }] });
}

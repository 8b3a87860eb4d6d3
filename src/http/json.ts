/** What all JSON answers share: their headers, the moment of the data, and the answer before there is any. */

import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Instant } from '../listings/day.ts';
import type { Door } from './door.ts';
import { namesEtag } from './fingerprint.ts';
import { type ProblemReply, problemReply } from './problem.ts';
import { type Ask, BARE, type Reply } from './reply.ts';

/** On every answer of the API, and on the page. */
export const TERMS: readonly string[] = ['Link', '</#terms>; rel="terms-of-service"'];

/** Content-Type first: an answer without a body leaves it out. */
export const JSON_HEADERS: readonly string[] = [
  'Content-Type',
  'application/json; charset=utf-8',
  ...BARE,
  'X-Robots-Tag',
  'noindex',
  ...TERMS,
];

/** An instant as it is served: to the second. */
export function servedAt(instant: Instant | null): string | null {
  return instant === null ? null : `${instant.slice(0, 19)}Z`;
}

/** What every answer depends on beside its question, for ETags: the data, its day and moment, and who renders it. */
export function stateOf({ version }: Door, catalogue: Catalogue, asOf: string | null): string {
  return `${version} ${catalogue.version} ${catalogue.day} ${asOf}`;
}

/** An answer that is the same for everybody until its ETag changes; without its body for whoever has it. */
export function forEverybody(ask: Ask, etag: string, body: Buffer): Reply {
  const headers = [...JSON_HEADERS, 'Cache-Control', 'public, max-age=300', 'ETag', etag];
  if (namesEtag(ask.headers['if-none-match'], etag))
    return { status: 304, headers: headers.slice(2), body: null };
  return { status: 200, headers, body };
}

export function notReady(
  door: Door,
  detail = 'The first filings have not been read yet; ask again soon.',
): ProblemReply {
  return problemReply(door.publicUrl, { code: 'not-ready', detail, headers: ['Retry-After', '5'] });
}

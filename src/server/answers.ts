/** What JSON responses share: the time of the data, ETags, and conditional requests. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Instant } from '../listings/day.ts';
import type { ListingIndex } from '../search/listing-index.ts';
import type { ServerContext } from './context.ts';
import { matchesEtag } from './limits/hash.ts';

/** The `Link` header of every API response and of the page. */
export const TERMS_LINK = '</#terms>; rel="terms-of-service"';
export const JSON_TYPE = 'application/json; charset=utf-8';

/** An instant as it is served: in seconds. */
export function formatInstant(instant: Instant | null): string | null {
  return instant === null ? null : `${instant.slice(0, 19)}Z`;
}

/** What every response depends on besides its query, for ETags: the program, the data, its local day and its time. */
export function formatDataState(
  { version }: ServerContext,
  index: ListingIndex,
  asOf: string | null,
): string {
  return `${version} ${index.version} ${index.day} ${asOf}`;
}

/** Sends text that is the same for every client until its ETag changes. Sends 304 if the client has it. */
export function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, text, type = JSON_TYPE }: { etag: string; text: string; type?: string },
): FastifyReply {
  reply.headers({ link: TERMS_LINK, 'cache-control': 'public, max-age=300', etag });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.header('content-type', type).send(text);
}

/** The state of a client's budgets, for the RateLimit headers of the IETF draft. */
export function makeLimitHeaders(
  { limiter }: ServerContext,
  { client }: FastifyRequest,
): Record<string, string> {
  const { policy } = limiter;
  return policy === '' ? {} : { 'ratelimit-policy': policy, ratelimit: limiter.standing(client) };
}

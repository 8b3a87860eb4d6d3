/** What JSON responses share: the time of the data, ETags, and conditional requests. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Instant } from '../listings/day.ts';
import type { ListingIndex } from '../search/listing-index.ts';
import type { ServerContext } from './context.ts';
import { chargeRows } from './limits/charge.ts';
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

type Cacheable = { etag: string; type?: string; headers?: Record<string, string>; render(): string };

/** Sends text that is the same for every client until its ETag changes. Sends 304 if the client has it. */
export function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, type = JSON_TYPE, headers, render }: Cacheable,
): FastifyReply {
  reply.headers({ link: TERMS_LINK, 'cache-control': 'public, max-age=300', etag, ...headers });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.header('content-type', type).send(render());
}

/** The same for text that costs its client listings, so that no shared cache may keep it. A 304 is free. */
export function sendCharged(
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { rows, ...cacheable }: Cacheable & { rows: number },
): FastifyReply {
  const { client } = request;
  const isKnown = matchesEtag(request.headers['if-none-match'], cacheable.etag);
  const refusal = isKnown ? undefined : chargeRows(context, client, rows);
  if (refusal !== undefined) return reply.problem(refusal);
  const headers = { 'cache-control': 'private, max-age=300', ...context.limiter.headers(client) };
  return sendCacheable(request, reply, { ...cacheable, headers });
}

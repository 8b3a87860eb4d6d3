/** Lets scripts of other sites read responses (CORS): those of any site, or of the sites that a route allows. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { readPath } from './strict-http.ts';

const EXPOSED = { 'access-control-expose-headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After' };

const PREFLIGHT = { 'access-control-allow-headers': '*', 'access-control-max-age': '86400' };

/** Adds the headers to a response. Errors have them too, so scripts can read them. */
export function addCorsHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const { target, raw, method } = request;
  const { origins, isCrossOrigin = false } = target?.config ?? {
    isCrossOrigin: readPath(raw).startsWith('/api/'),
  };
  if (origins !== undefined && origins.length > 0) reply.header('vary', 'Origin');
  const origin = isCrossOrigin ? '*' : findOrigin(request);
  if (origin === undefined) return;
  const isPreflight = method === 'OPTIONS' && reply.statusCode === 204;
  const methods = isCrossOrigin ? 'GET, HEAD' : 'POST';
  reply.headers({
    'access-control-allow-origin': origin,
    ...(isPreflight ? { 'access-control-allow-methods': methods, ...PREFLIGHT } : EXPOSED),
  });
}

/** Returns the origin of a request if its route allows it. */
export function findOrigin({
  headers,
  target,
}: Pick<FastifyRequest, 'headers' | 'target'>): string | undefined {
  return target?.config.origins?.find((origin) => origin === headers.origin);
}

/** Lets scripts of other sites read responses (CORS): those of any site, or of the sites that a route allows. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { readPath } from './strict-http.ts';

const EXPOSED = {
  'access-control-expose-headers': 'Allow, Date, ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
};
const PREFLIGHT = { 'access-control-allow-headers': '*', 'access-control-max-age': '86400' };

/** Adds the headers to a response. Errors have them too, so scripts can read them. */
export function addCorsHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const { target, raw } = request;
  const isOpen = target === undefined ? readPath(raw).startsWith('/api/') : target.config.isCrossOrigin;
  const isLimited = (target?.config.origins?.length ?? 0) > 0;
  if (isLimited) reply.header('vary', 'Origin');
  const origin = isOpen ? '*' : isLimited ? findOrigin(request) : undefined;
  if (origin === undefined) return;
  reply.header('access-control-allow-origin', origin);
  if (request.method !== 'OPTIONS' || reply.statusCode !== 204) reply.headers(EXPOSED);
  else reply.header('access-control-allow-methods', isOpen ? 'GET, HEAD' : 'POST').headers(PREFLIGHT);
}

/** Returns the origin of a request if its route allows it. */
export function findOrigin({
  headers,
  target,
}: Pick<FastifyRequest, 'headers' | 'target'>): string | undefined {
  return target?.config.origins?.find((origin) => origin === headers.origin);
}

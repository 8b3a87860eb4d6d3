/**
 * Tells which site a request comes from: whether its form may be posted, whether its script may read the response (CORS), and
 * whether the response is for a page of another site. Also notices that PUBLIC_URL is not the address that visitors use.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../../shared/city/networks.ts';
import { DAY_MS } from '../../shared/day.ts';

const EXPOSED = {
  'access-control-expose-headers': 'Allow, Date, ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
};
const PREFLIGHT = { 'access-control-allow-headers': '*', 'access-control-max-age': '86400' };

/** Adds the headers to a response. Errors have them too, so scripts can read them. */
export function addCorsHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const { target, raw } = request;
  const isOpen = target === undefined ? raw.url?.startsWith('/api/') === true : target.config.isCrossOrigin;
  const isLimited = (target?.config.origins?.length ?? 0) > 0;
  if (isLimited) reply.header('vary', 'Origin');
  const origin = isOpen ? '*' : isLimited ? findOrigin(request) : undefined;
  if (origin === undefined) return;
  reply.header('access-control-allow-origin', origin);
  if (request.method !== 'OPTIONS' || reply.statusCode !== 204) reply.headers(EXPOSED);
  else reply.header('access-control-allow-methods', isOpen ? 'GET, HEAD' : 'POST').headers(PREFLIGHT);
}

type Incoming = Pick<FastifyRequest, 'headers' | 'target'>;

/** Returns the origin of a request if its route allows it. */
export function findOrigin({ headers, target }: Incoming): string | undefined {
  return target?.config.origins?.find((origin) => origin === headers.origin);
}

/** Returns whether a form or script of another site sent the request. Only browsers send their origin. */
export function isForeign({ publicUrl }: { publicUrl: string }, request: Incoming): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (findOrigin(request) !== undefined) return false;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && !isOwnOrigin(publicUrl, origin, host);
}

/** Returns whether the origin is ours. Trusts `Host` only on this machine, because any domain can point here. */
function isOwnOrigin(publicUrl: string, origin: string, host: string | undefined): boolean {
  const [own, from] = [new URL(publicUrl), URL.parse(origin)];
  if (origin === own.origin) return true;
  return from?.host === host && [own, from].every((one) => one !== null && isOfThisMachine(one.hostname));
}

/** Returns whether a name means this machine: a loopback name, or an address that `HOST` can be, such as 0.0.0.0. */
function isOfThisMachine(hostname: string): boolean {
  return isLoopback(hostname) || hostname === '0.0.0.0' || hostname === '[::]';
}

/** Returns whether a page of another site caused the request. Browsers without `Sec-Fetch-Site` may name that page. */
export function isCausedElsewhere({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'cross-site';
  const page = headers.origin ?? headers.referer;
  if (page === undefined) return false;
  const { origin = '', host = '' } = URL.parse(page) ?? {};
  return host !== headers.host && origin !== URL.parse(publicUrl)?.origin;
}

/** Returns whether the response can be shown for another site: on a visit, as a picture, in a frame, or read by its script. */
export function mayBeShownElsewhere({ headers, target }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode'];
  if (mode === 'no-cors') return target?.config.isPicture === true;
  // a page that is loaded before it is visited is no visit
  const isVisit = headers['sec-fetch-dest'] === 'document' && headers['sec-purpose'] === undefined;
  return mode !== 'navigate' || isVisit || target?.config.isFramed === true;
}

const FEW = 3; // refused forms until it counts
/** An origin as browsers write it, with nothing that a terminal or a shell interprets. */
const PLAIN_ORIGIN = /^https?:\/\/([a-z0-9.-]{1,253}|\[[0-9a-f:]+\])(:\d{1,5})?$/;

export type RefusedOrigins = ReturnType<typeof openRefusedOrigins>;

/**
 * Notices that PUBLIC_URL is not the address that visitors use: forms on our own pages are refused, and none is accepted.
 * A page of another site cannot cause this, because its browser says that the request is cross-site, or names our host.
 */
export function openRefusedOrigins(now: () => number) {
  let refused = { origin: '', count: 0, at: 0 };
  const isFresh = () => now() - refused.at < DAY_MS;
  return {
    /** Notes a form or script of a browser. One from PUBLIC_URL that is accepted shows that PUBLIC_URL is right. */
    note(isForeign: boolean, { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
      if (origin === undefined || !PLAIN_ORIGIN.test(origin)) return;
      if (!isForeign) refused = { origin: '', count: 0, at: 0 };
      else if (site === undefined ? new URL(origin).host === host : site === 'same-origin')
        refused = {
          origin,
          count: (refused.origin === origin && isFresh() ? refused.count : 0) + 1,
          at: now(),
        };
    },
    /** Returns the origin of our own pages, if PUBLIC_URL is another one. */
    own: (): string | undefined => (refused.count >= FEW && isFresh() ? refused.origin : undefined),
  };
}

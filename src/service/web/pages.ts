/** Sends pages, with the headers that keep them safe in a browser. */

import type { FastifyReply } from 'fastify';
import type { ServerContext } from './context.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export type PageOptions = {
  /**
   * The referrer policy. An address with a token needs `no-referrer`. A page with a form needs `same-origin`, because
   * with `no-referrer` browsers send the form with `Origin: null`, as if from another site.
   */
  referrer?: 'no-referrer' | 'same-origin';
  /** The `X-Robots-Tag` header. Default: `noindex`. */
  robots?: string;
  /** Whether scripts of the page may use the browser's position. */
  mayLocate?: boolean;
};

export function pageHeaders(
  { publicUrl }: Pick<ServerContext, 'publicUrl'>,
  { referrer = 'no-referrer', robots = 'noindex', mayLocate = false }: PageOptions = {},
): Record<string, string> {
  return {
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': referrer,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': `geolocation=${mayLocate ? '(self)' : '()'}`,
    'x-robots-tag': robots,
  };
}

/** Sends a page that caches must not store. */
export function sendPage(
  context: Pick<ServerContext, 'publicUrl'>,
  reply: FastifyReply,
  html: string,
  { status = 200, ...options }: PageOptions & { status?: number } = {},
): FastifyReply {
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '5');
  reply.headers({ ...pageHeaders(context, options), 'cache-control': 'no-store' });
  return reply.code(status).send(html);
}

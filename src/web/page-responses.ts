/** Pages as responses: the headers they all have. */

import type { FastifyReply } from 'fastify';
import type { ServerContext } from './context.ts';
import type { Markup } from './pages/markup.ts';
import { renderMessagePage } from './pages/subscription-pages.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export type PageOptions = {
  /** Default 200. */
  status?: number;
  /**
   * `no-referrer` if an address can contain a token. A page with a form uses `same-origin`: otherwise browsers send the form without a
   * usable Origin, and it looks like a form of another site.
   */
  referrer?: 'no-referrer' | 'same-origin';
  /** The `X-Robots-Tag` header; default `noindex`. */
  robots?: string;
  /** Whether scripts of the page may ask for the position of the browser. */
  mayLocate?: boolean;
  /** The `Cache-Control` header of a page with status 200; default `no-store`. */
  cache?: string;
};

/** Sets the status and the headers of a page. */
export function preparePage(
  { publicUrl }: Pick<ServerContext, 'publicUrl'>,
  reply: FastifyReply,
  {
    status = 200,
    referrer = 'no-referrer',
    robots = 'noindex',
    cache = 'no-store',
    mayLocate = false,
  }: PageOptions,
): FastifyReply {
  if (publicUrl.startsWith('https:')) reply.header('strict-transport-security', 'max-age=31536000');
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '5');
  return reply.code(status).headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': status === 200 ? cache : 'no-store',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': referrer,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': `geolocation=${mayLocate ? '(self)' : '()'}`,
    'x-robots-tag': robots,
  });
}

export function sendPage(
  context: Pick<ServerContext, 'publicUrl'>,
  reply: FastifyReply,
  html: string,
  options: PageOptions = {},
): FastifyReply {
  return preparePage(context, reply, options).send(html);
}

/** A page with a heading and a few sentences. Its address may contain a token. */
export function sendMessagePage(
  context: ServerContext,
  reply: FastifyReply,
  { status = 200, title, sentences, more }: MessagePage,
): FastifyReply {
  return sendPage(context, reply, renderMessagePage(context.layout, title, sentences, more), { status });
}

export type MessagePage = { status?: number; title: string; sentences: readonly string[]; more?: Markup };

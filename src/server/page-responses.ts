/** Pages as responses: the headers they all have. */

import type { FastifyReply } from 'fastify';
import type { Markup } from '../pages/markup.ts';
import { renderMessagePage } from '../pages/subscription-pages.ts';
import type { ServerContext } from './context.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export type PageOptions = {
  /** Default 200. */
  status?: number;
  /**
   * `no-referrer` where an address may hold a token; a page with a form says `same-origin`, or browsers would send its form without an
   * Origin that can be told from another site's.
   */
  referrer?: 'no-referrer' | 'same-origin';
  /** What search engines may do; default `noindex`. */
  robots?: string;
  /** Of a page with status 200; default `no-store`. */
  cache?: string;
};

/** Sets the status and the headers of a page. */
export function preparePage(
  { publicUrl }: Pick<ServerContext, 'publicUrl'>,
  reply: FastifyReply,
  { status = 200, referrer = 'no-referrer', robots = 'noindex', cache = 'no-store' }: PageOptions,
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

/** A page of a heading and a few sentences, whose address may hold a token. */
export function sendMessagePage(
  context: ServerContext,
  reply: FastifyReply,
  { status = 200, title, sentences, more }: MessagePage,
): FastifyReply {
  return sendPage(context, reply, renderMessagePage(context.layout, title, sentences, more), { status });
}

export type MessagePage = { status?: number; title: string; sentences: readonly string[]; more?: Markup };

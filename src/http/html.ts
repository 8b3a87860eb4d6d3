/** Pages as answers: the headers they all have, and problems as pages for whoever looks at them in a browser. */

import { wordPage } from '../web/desk-pages.ts';
import { problemPage } from '../web/dress.ts';
import type { Markup } from '../web/markup.ts';
import type { Door } from './door.ts';
import { PROBLEMS, type ProblemCode, type ProblemReply } from './problem.ts';
import type { Ask, Reply, Resource } from './reply.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

type Manner = {
  /**
   * `no-referrer` where an address may hold a token; a page with a form says `same-origin`, or browsers would send its form
   * without an Origin that can be told from another site's.
   */
  referrer?: 'no-referrer' | 'same-origin';
  /** What search engines may do; default `noindex`. */
  robots?: string;
  /** Default `no-store`. */
  cache?: string;
  more?: readonly string[];
};

export function html(
  { publicUrl }: Pick<Door, 'publicUrl'>,
  status: number,
  text: string | Buffer,
  manner: Manner = {},
): Reply {
  const { referrer = 'no-referrer', robots = 'noindex', cache = 'no-store', more = [] } = manner;
  const headers = [
    ...['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', status === 200 ? cache : 'no-store'],
    ...['Content-Security-Policy', POLICY, 'X-Content-Type-Options', 'nosniff'],
    ...['Referrer-Policy', referrer, 'Cross-Origin-Opener-Policy', 'same-origin', 'X-Robots-Tag', robots],
    ...(publicUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : []),
    ...(status === 503 ? ['Retry-After', '5'] : []),
    ...more,
  ];
  return { status, headers, body: typeof text === 'string' ? Buffer.from(text) : text };
}

/** A page of a heading and a few sentences, in the manner of pages whose address may hold a token. */
export function words(
  door: Door,
  status: number,
  ...said: [title: string, sentences: readonly string[], more?: Markup]
): Reply {
  return html(door, status, wordPage(door.dress, ...said));
}

/** Where the `type` of every problem leads. */
export function problemPages(door: Door): Resource[] {
  return (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => {
    const reply = html(door, 200, problemPage(door.dress, PROBLEMS[code]));
    return { path: `/problems/${code}`, get: () => reply };
  });
}

/** A problem as a page, for people: whoever says that HTML is welcome, anywhere but at the addresses of programs. */
export function forPeople(door: Door, path: string, ask: Pick<Ask, 'headers'>, reply: Reply): Reply {
  const isPage = !/^\/(api|mcp|feed\.json|openapi\.json)(\/|$)/.test(path);
  if (!('problem' in reply) || !isPage || !/\btext\/html\b/.test(ask.headers.accept ?? '')) return reply;
  const { code, title, status, detail } = (reply as ProblemReply).problem;
  const page = html(
    door,
    status,
    problemPage(door.dress, { title, status, detail, text: PROBLEMS[code].text }),
  );
  const own = page.headers.filter((_, i) => i % 2 === 0);
  const rest = reply.headers.flatMap((name, i, all) =>
    i % 2 === 0 && !own.includes(name) ? [name, all[i + 1]!] : [],
  );
  return { ...page, headers: [...page.headers, ...rest] };
}

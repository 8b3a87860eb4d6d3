/** What is asked and what is answered, as values; resources know nothing of sockets or of the framework. */

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Client } from './limits.ts';
import type { Rank } from './overload.ts';

export type Ask = {
  method: string;
  /** What follows the `?`, as it came over the wire; `''` where there is none. */
  query: string;
  headers: IncomingHttpHeaders;
  client: Client;
};

export type Reply = {
  status: number;
  /** Names and values in turn; Content-Length, Date and Connection are added when it is written. */
  headers: readonly string[];
  /** Bytes, or text that holds a byte in each character (`latin1`); `null`: no body at all (204, 304). */
  body: Buffer | string | null;
};

/** A question that brought a body, read whole. */
export type Posted = Ask & { body: Buffer };

/** Something at a path: it takes OPTIONS and what it has a function for. An answer to HEAD is that to GET without its body. */
export type Resource = {
  path: string;
  /** Whether pages of other origins may read it. */
  isOpen?: true;
  /** When it is given up on under load; default `search`. */
  rank?: Rank;
  /** Free of charge: what watches the service must never use up a budget. */
  isFree?: true;
  /** For answers that wait for something: given up on with 503 after so many milliseconds. */
  patienceMs?: number;
  get?(ask: Ask): Reply | Promise<Reply>;
  /** Bytes of body that are read; default 4 KiB. */
  longestBody?: number;
  /** A body that is longer is 413 before this is called. */
  post?(posted: Posted): Reply | Promise<Reply>;
};

/** On whatever is not a page: nothing in it is to be run, drawn or guessed at. */
export const BARE: readonly string[] = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
];

/**
 * Writes an answer whole, in one go: straight to Node rather than through the framework's own sending.
 * `more` headers are added; `close` ends the connection after it.
 */
export function writeReply(
  response: ServerResponse,
  reply: Reply,
  how: { head: boolean; close: boolean; more?: readonly string[] },
): void {
  const headers = reply.headers.concat(how.more ?? []);
  if (reply.body !== null) headers.push('Content-Length', String(reply.body.length));
  if (how.close && !headers.includes('Connection')) headers.push('Connection', 'close');
  response.writeHead(reply.status, headers);
  if (reply.body === null || how.head) response.end();
  // As text, Node writes headers and body in one piece; a Buffer costs a second one and 4 µs (bench/results.md).
  else response.end(typeof reply.body === 'string' ? reply.body : reply.body.toString('latin1'), 'latin1');
}

/** The answer to a client that has had its share: when to come back, and where the whole data set is. */

import type { Door } from './door.ts';
import type { Client } from './limits.ts';
import { type ProblemReply, problemReply } from './problem.ts';

/** `rows` is how many listings the page would have served; 0 when it is the requests that are used up. */
export function quotaExceeded(door: Door, client: Client, rows: number): ProblemReply {
  const { limiter } = door;
  door.metrics?.refused(rows === 0 ? 'burst' : 'rows');
  const seconds = limiter.retryAfter(client, rows);
  const left = limiter.rowsLeft(client);
  const what =
    rows === 0
      ? 'Too many requests in a minute.'
      : rows <= left
        ? 'Too many listings at once.'
        : `This page has ${rows} listings and ${left} are left of what is served in 24 hours${left > 0 ? '; a smaller limit would fit' : ''}.`;
  const homes = [...new Set(door.city.sources.map(({ homepage }) => homepage))].join(' and ');
  return problemReply(door.publicUrl, {
    code: 'quota-exceeded',
    detail: `${what} Ask again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}. The official data set can be had at ${homes}.`,
    headers: [
      'Retry-After',
      String(seconds),
      'RateLimit-Policy',
      limiter.policy,
      'RateLimit',
      limiter.standing(client),
    ],
  });
}

/** The 429 response: when to try again, and where to get the whole data set. */

import type { ServerContext } from '../context.ts';
import type { Problem } from '../problems.ts';
import type { Client } from './limiter.ts';

/** `rows` is how many listings the page has; 0 if the request limit was exceeded, for which `requests` are needed. */
export function makeQuotaProblem(
  { limiter, metrics, city }: Pick<ServerContext, 'limiter' | 'metrics' | 'city'>,
  client: Client,
  rows: number,
  requests = 1,
): Problem {
  metrics?.refused(rows === 0 ? 'burst' : 'rows');
  const seconds = limiter.retryAfter(client, rows, requests);
  const left = limiter.rowsLeft(client);
  const what =
    rows === 0
      ? 'Too many requests in one minute.'
      : rows <= left
        ? 'Too many listings in one request.'
        : `This page has ${rows} listings, and you have ${left} left in your 24-hour limit.${left > 0 ? ' Try a smaller limit.' : ''}`;
  const homes = [...new Set(city.sources.map(({ homepage }) => homepage))].join(' and ');
  return {
    code: 'quota-exceeded',
    detail: `${what} Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}. The official data set is available at ${homes}.`,
    headers: {
      'retry-after': String(seconds),
      'ratelimit-policy': limiter.policy,
      ratelimit: limiter.standing(client),
    },
  };
}

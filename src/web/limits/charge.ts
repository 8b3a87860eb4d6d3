/** Charges clients for responses, by the listing. Counts cost too, because they reveal listings. A 304 is free. */

import type { City } from '../../city/define.ts';
import { asksAnything, type Question, VALUE_FILTERS } from '../../search/parameters.ts';
import type { ServerContext } from '../context.ts';
import type { Problem } from '../problems.ts';
import type { Client } from './limiter.ts';

/** Number of filter values that cost nothing. More values cost, because a page repeats all values in each link. */
const FREE_VALUES = 25;

/** Returns the price of a response: its listings, at least one, and one more for each filter value beyond 25. */
export function costOf(question: Pick<Question, (typeof VALUE_FILTERS)[number]>, listings: number): number {
  const values = VALUE_FILTERS.reduce((sum, name) => sum + question[name].length, 0);
  return Math.max(1, listings) + Math.max(0, values - FREE_VALUES);
}

/** Returns the price of a search. The newest listings of the whole city cost one, because everybody gets the same. */
export function costOfSearch(question: Question, listings: number): number {
  return asksAnything(question) ? costOf(question, listings) : 1;
}

type Context = Pick<ServerContext, 'limiter' | 'city' | 'now'>;

/** Charges the client. If the client has fewer listings left, charges nothing and returns a problem. */
export function chargeRows(context: Context, client: Client, rows: number): Problem | undefined {
  const { limiter } = context;
  if (limiter.spend(client, 'rows', rows)) return undefined;
  const seconds = limiter.retryAfter(client, 'rows', rows);
  const left = limiter.left(client, 'rows');
  const counted = rows === 1 ? '1 listing' : `${rows} listings`;
  const smaller = left > 0 ? ' Try a smaller limit.' : '';
  const what = `This response counts as ${counted}, and you have ${left} left in your 24-hour limit.${smaller}`;
  const sentences = () => explainToPeople(context, left, seconds);
  return { ...makeProblem(context, client, what, seconds), sentences };
}

/** Makes the problem for a client that has fewer than `requests` left this minute. */
export function makeBurstProblem(context: Context, client: Client, requests = 1): Problem {
  const seconds = context.limiter.retryAfter(client, 'burst', requests);
  const what = 'Too many requests in one minute.';
  const sentences = () => [what, `Try again in ${seconds} seconds.`];
  return { ...makeProblem(context, client, what, seconds), sentences };
}

function makeProblem({ limiter, city }: Context, client: Client, what: string, seconds: number): Problem {
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return {
    code: 'quota-exceeded',
    detail: `${what} Try again in ${wait}. The official data set is available at ${listHomepages(city)}.`,
    headers: { 'retry-after': String(seconds), ...limiter.headers(client) },
  };
}

/** Explains a used-up limit to people: when they can search again, in the city's time, and what they can do instead. */
function explainToPeople({ limiter, city, now }: Context, left: number, seconds: number): readonly string[] {
  const most = limiter.quotas().rows.toLocaleString('en');
  const used = left === 0 ? `the ${most} listings` : `all but ${left} of the ${most} listings`;
  return [
    `Your internet connection has used ${used} that one connection can see in 24 hours.`,
    `You can search again from ${formatMinute(now() + seconds * 1000, city.timeZone)} (${city.name} time).`,
    `Do you share the connection with many people, as in a library, an office or a newsroom? Ask ${city.operator.name} to lift the limit for it: ${city.operator.contact}.`,
    `The official data set is available at ${listHomepages(city)}.`,
  ];
}

/** Formats a time such as "4:20 AM on Saturday, November 21", rounded up to a whole minute. */
function formatMinute(atMs: number, timeZone: string): string {
  const at = Math.ceil(atMs / 60_000) * 60_000;
  const time = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' });
  const day = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric' });
  return `${time.format(at)} on ${day.format(at)}`;
}

export function listHomepages({ sources }: City, separator = ' and '): string {
  return [...new Set(sources.map(({ homepage }) => homepage))].join(separator);
}

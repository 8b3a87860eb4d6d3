/**
 * What responses cost in listings, and the one way to charge it. Counts cost too: the answers to enough of them give the listings away.
 * A 304 is free.
 */

import { asksAnything, type Question, VALUE_FILTERS } from '../../search/parameters.ts';
import type { ServerContext } from '../context.ts';
import type { Problem } from '../problems.ts';
import type { Client } from './limiter.ts';

/** Values of filters that cost nothing. A page repeats all of them in each of its links. Not the number of listings on a page. */
const FREE_VALUES = 25;

/** Charges the client. If it has fewer listings left, charges nothing and returns the problem to send. */
export function chargeRows(context: ServerContext, client: Client, rows: number): Problem | undefined {
  return context.limiter.charge(client, rows) ? undefined : makeRowsProblem(context, client, rows);
}

/** What a response with so many listings costs: at least one, and one more for each value of a filter beyond 25. */
export function costOf(question: Pick<Question, (typeof VALUE_FILTERS)[number]>, listings: number): number {
  const values = VALUE_FILTERS.reduce((sum, name) => sum + question[name].length, 0);
  return Math.max(1, listings) + Math.max(0, values - FREE_VALUES);
}

/** The same for a search. The newest listings of the whole city are the same for everybody, and cost one. */
export function costOfSearch(question: Question, listings: number): number {
  return asksAnything(question) ? costOf(question, listings) : 1;
}

type Context = Pick<ServerContext, 'limiter' | 'metrics' | 'city' | 'now'>;

/** The problem of a client that has fewer requests left this minute than a body has messages. */
export function makeBurstProblem(context: Context, client: Client, requests = 1): Problem {
  const seconds = context.limiter.retryAfter(client, 0, requests);
  return makeProblem(context, client, { budget: 'burst', what: 'Too many requests in one minute.', seconds });
}

/** The problem of a client that has fewer than `rows` listings left. */
export function makeRowsProblem(context: Context, client: Client, rows: number): Problem {
  const { limiter } = context;
  const seconds = limiter.retryAfter(client, rows);
  const left = limiter.rowsLeft(client);
  const counted = rows === 1 ? '1 listing' : `${rows} listings`;
  const smaller = left > 0 ? ' Try a smaller limit.' : '';
  const what = `This response counts as ${counted}, and you have ${left} left in your 24-hour limit.${smaller}`;
  const problem = makeProblem(context, client, { budget: 'rows', what, seconds });
  return { ...problem, sentences: () => sayToPerson(context, left, seconds) };
}

function makeProblem(
  { limiter, metrics, city }: Context,
  client: Client,
  { budget, what, seconds }: { budget: 'burst' | 'rows'; what: string; seconds: number },
): Problem {
  metrics?.refused(budget);
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return {
    code: 'quota-exceeded',
    detail: `${what} Try again in ${wait}. The official data set is available at ${listHomepages(city)}.`,
    headers: { 'retry-after': String(seconds), ...limiter.headers(client) },
  };
}

/** Tells people that their limit is used up, when they can search again in the city's time, and what else they can do. */
function sayToPerson({ limiter, city, now }: Context, left: number, seconds: number): readonly string[] {
  const most = limiter.quotas().rows.toLocaleString('en');
  const used = left === 0 ? `the ${most} listings` : `all but ${left} of the ${most} listings`;
  return [
    `Your internet connection has used ${used} that one connection can see in 24 hours.`,
    `You can search again from ${formatMinute(now() + seconds * 1000, city.timeZone)} (${city.name} time).`,
    `Do you share the connection with many people, as in a library, an office or a newsroom? Ask ${city.operator.name} to lift the limit for it: ${city.operator.contact}.`,
    `The official data set is available at ${listHomepages(city)}.`,
  ];
}

/** Such as "4:20 AM on Saturday, November 21", rounded up to a whole minute. */
function formatMinute(atMs: number, timeZone: string): string {
  const at = Math.ceil(atMs / 60_000) * 60_000;
  const time = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' });
  const day = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric' });
  return `${time.format(at)} on ${day.format(at)}`;
}

function listHomepages({ sources }: ServerContext['city']): string {
  return [...new Set(sources.map(({ homepage }) => homepage))].join(' and ');
}

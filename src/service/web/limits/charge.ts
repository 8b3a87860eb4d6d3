/**
 * Charges clients for answers, by the listing. Counts cost too, because they reveal listings. A 304 is free, and so is
 * what the client was served before.
 */

import { listHomepages } from '../../../shared/city/city-facts.ts';
import {
  formatQuestion,
  isNarrowedBy,
  NARROWING,
  PAGE_LIMIT,
  type Question,
} from '../../../shared/question.ts';
import { formatNumber } from '../../../shared/text/numbers.ts';
import type { ServedData, ServerContext } from '../context.ts';
import type { Problem } from '../problems.ts';
import { type Client, costOf, type Price } from './limiter.ts';

/**
 * Returns the price of an answer about a search. `kind`: what it counts. All pages of a search count the same, and other
 * data makes other counts.
 */
export function priceOf(
  { listingsVersion }: ServedData,
  kind: string,
  question: Question,
  { identities = [], cells = 0 }: Partial<Pick<Price, 'identities' | 'cells'>> = {},
): Price {
  const search = formatQuestion({ ...question, limit: PAGE_LIMIT, offset: 0 });
  return { question: `${listingsVersion} ${kind} ${search}`, cells, identities };
}

type CountList = readonly { count: number }[];

/** Returns the number of counts that single out a business: those of 1. */
export function countCells(...lists: readonly CountList[]): number {
  return lists.reduce((sum, list) => sum + list.filter(({ count }) => count === 1).length, 0);
}

/** Returns the cells of counts of a search. Counts of the whole city in one dimension single out nothing. */
export function countCellsOf(question: Question, ...lists: readonly CountList[]): number {
  return NARROWING.some((name) => isNarrowedBy(question, name)) ? countCells(...lists) : 0;
}

type Context = Pick<ServerContext, 'limiter' | 'city' | 'now'>;

/**
 * Finds an answer and charges the client for it. A client with less than a page left gets a problem before anything is
 * found: otherwise refusals, their price and their time would say how many listings there are, for nothing.
 */
export function chargeAnswer<Found extends { price?: Price | undefined } | Problem>(
  context: Context,
  client: Client,
  find: () => Found,
): Found | Problem {
  const { limiter } = context;
  if (!limiter.mayRead(client))
    return makeRowsProblem(
      context,
      client,
      PAGE_LIMIT,
      'Less than a page is left of your 24-hour limit for now.',
    );
  const found = find();
  if ('code' in found || found.price === undefined || limiter.charge(client, found.price)) return found;
  const cost = costOf(found.price);
  const what = `This response counts as up to ${cost} listings, more than are left of your 24-hour limit for now. Asking for it counted as ${PAGE_LIMIT}.`;
  return makeRowsProblem(context, client, cost, what);
}

function makeRowsProblem(context: Context, client: Client, amount: number, what: string): Problem {
  const seconds = context.limiter.retryAfter(client, 'rows', amount);
  const sentences = () => explainToPeople(context, seconds);
  const problem = makeProblem(context, client, what, seconds);
  const ratelimit = `${problem.headers.ratelimit}, "rows";r=0;t=${seconds}`;
  return { ...problem, headers: { ...problem.headers, ratelimit }, sentences };
}

const USED_UP = {
  burst: 'Too many requests in one minute.',
  cpu: 'Your requests took too much computing time in one minute.',
};

/** Makes the problem for a client that has fewer than `amount` of a budget left this minute: requests, or CPU time. */
export function makeMinuteProblem(
  context: Context,
  client: Client,
  budget: keyof typeof USED_UP,
  amount: number,
): Problem {
  const what = USED_UP[budget];
  const seconds = context.limiter.retryAfter(client, budget, amount);
  const sentences = () => [what, `Try again in ${formatWait(seconds)}.`];
  return { ...makeProblem(context, client, what, seconds), sentences };
}

function formatWait(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

function makeProblem({ limiter, city }: Context, client: Client, what: string, seconds: number) {
  return {
    code: 'quota-exceeded' as const,
    detail: `${what} Try again in ${formatWait(seconds)}. The official data set is available at ${listHomepages(city)}.`,
    headers: { 'retry-after': String(seconds), ...limiter.headers(client) } as Record<string, string>,
  };
}

/** Explains a used-up limit to people: when they can search again, in the city's time, and what they can do instead. */
function explainToPeople({ limiter, city, now }: Context, seconds: number): readonly string[] {
  const most = formatNumber(limiter.quotas().rows);
  return [
    `Your internet connection has used what one connection can see for now, of ${most} listings in 24 hours.`,
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

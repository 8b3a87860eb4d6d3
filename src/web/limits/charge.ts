/**
 * What responses cost in listings, and the one way to charge it. Counts cost too: the answers to enough of them give the listings away.
 * A 304 is free.
 */

import { asksAnything, type Question, VALUE_FILTERS } from '../../search/parameters.ts';
import type { ServerContext } from '../context.ts';
import type { Problem } from '../problems.ts';
import type { Client } from './limiter.ts';
import { makeRowsProblem } from './quota-problem.ts';

/** Values of filters that cost nothing. A page repeats all of them in each of its links. */
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

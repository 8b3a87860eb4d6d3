/**
 * Limits the requests per minute, listings per day and signups per hour of each client. All routes share these budgets.
 * Stores no address. New clients cannot reset the use of others.
 */

import { hash, randomUUID } from 'node:crypto';
import type { Limits } from '../../city/define.ts';
import { openNetworkTest, parseNetwork } from '../../city/networks.ts';
import { DAY_MS, HOUR_MS } from '../../listings/day.ts';
import { PAGE_LIMIT } from '../../search/parameters.ts';
import { type Key, openBudget } from './budget.ts';
import { toPrefixes } from './client-address.ts';

const SHARES = [1, 4]; // an IPv6 /48 has four times the budget of a /56

/**
 * The budgets: requests per minute, listings per 24 hours, and signups per hour. `width` sets how much
 * memory a budget uses (see `budget.ts`).
 */
const BUDGETS = {
  burst: { windowMs: 60_000, width: 1 << 14 },
  rows: { windowMs: DAY_MS, width: 1 << 16 },
  signup: { windowMs: HOUR_MS, width: 1 << 12 },
};
export type BudgetName = keyof typeof BUDGETS;

/**
 * A client: the key of an IPv4 address, or those of an IPv6 /56 and its /48. Trusted clients have no limit of listings.
 */
export type Client = { keys: readonly Key[]; isTrusted: boolean };

export type Limiter = Omit<ReturnType<typeof openLimiter>, 'bytes'>;

type Quotas = Record<BudgetName, number> & {
  /** The RateLimit-Policy headers for most clients, and for trusted ones, whose header has no `rows`. */
  policies: { usual: string; trusted: string };
};

/** The default of `rows`: a share of the city's listings in 24 hours, within bounds. */
const ROWS = { share: 1 / 4, least: 2500, most: 10_000 };

/**
 * Computes the budgets of one client. Several instances divide them, but each allows at least one page and one signup.
 */
export function quotasFor(limits: Partial<Limits>, listings: number, instances = 1): Quotas {
  const part = (quota: number, least: number): number =>
    Math.max(Math.min(quota, least), Math.floor(quota / instances));
  const ofCity = Math.min(ROWS.most, Math.max(ROWS.least, Math.floor(listings * ROWS.share)));
  const burst = part(limits.burst ?? 600, 1);
  const rows = part(limits.rows ?? ofCity, PAGE_LIMIT);
  const trusted = `"burst";q=${burst};w=60`;
  const policies = { trusted, usual: `${trusted}, "rows";q=${rows};w=86400` };
  return { burst, rows, signup: part(limits.signup ?? 20, 1), policies };
}

type LimiterOptions = {
  /** Returns the number of listings in the city. Called for every request, so that budgets follow an import. */
  listings?: () => number;
  instances?: number | undefined;
  /** Counts a refusal. */
  refused?: ((budget: BudgetName) => void) | undefined;
  /** Decides which clients share cells. Default: a random one. */
  secret?: string | undefined;
};

/**
 * Opens sliding windows (see `budget.ts`), which allow at most `rows` listings in any 24 hours. A client has two cells.
 * Of n clients, about n/65,536 share each cell. Others can block a client only by using both of its cells heavily.
 */
export function openLimiter(
  limits: Partial<Limits>,
  now: () => number,
  {
    listings = () => Number.POSITIVE_INFINITY,
    instances = 1,
    refused,
    secret = randomUUID(),
  }: LimiterOptions = {},
) {
  const isTrusted = openNetworkTest((limits.trusted ?? []).flatMap((text) => parseNetwork(text) ?? []));
  const budgets = {
    burst: openBudget(BUDGETS.burst, now),
    rows: openBudget(BUDGETS.rows, now),
    signup: openBudget(BUDGETS.signup, now),
  };
  const keyOf = (prefix: string): Key => {
    const digest = hash('sha256', secret + prefix, 'buffer');
    return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
  };
  const readQuotas = (): Quotas => quotasFor(limits, listings(), instances);
  /** Returns how much is left: the smallest value of the keys. */
  const leftOf = ({ keys }: Client, name: BudgetName): number => {
    const quota = readQuotas()[name];
    return Math.min(...keys.map((key, at) => budgets[name].left(key, SHARES[at]! * quota)));
  };
  const waitOf = ({ keys }: Client, name: BudgetName, amount: number): number => {
    const quota = readQuotas()[name];
    return Math.max(...keys.map((key, at) => budgets[name].waitMs(key, amount, SHARES[at]! * quota)));
  };
  const describeLeft = (client: Client, name: BudgetName): string => {
    const left = leftOf(client, name);
    const waitMs = left === readQuotas()[name] ? BUDGETS[name].windowMs : waitOf(client, name, left + 1);
    return `"${name}";r=${left};t=${Math.ceil(waitMs / 1000)}`;
  };

  return {
    quotas: readQuotas,
    left: leftOf,
    /** The memory in bytes, fixed at startup: 7.9 MiB. */
    bytes: budgets.burst.bytes + budgets.rows.bytes + budgets.signup.bytes,
    client: (address: string): Client => ({
      keys: toPrefixes(address).map(keyOf),
      isTrusted: isTrusted(address),
    }),
    /** Charges before anything is served. Returns `false` and charges nothing if less than `amount` is left. */
    spend(client: Client, name: BudgetName, amount = 1): boolean {
      if (name === 'rows' && (client.isTrusted || amount === 0)) return true;
      if (leftOf(client, name) < amount) {
        refused?.(name);
        return false;
      }
      for (const key of client.keys) budgets[name].take(key, amount);
      return true;
    },
    /** Makes the RateLimit headers. `t` is the seconds until more is available, or the window if nothing was used. */
    headers(client: Client): Record<string, string> {
      const { policies } = readQuotas();
      const burst = describeLeft(client, 'burst');
      if (client.isTrusted) return { 'ratelimit-policy': policies.trusted, ratelimit: burst };
      return { 'ratelimit-policy': policies.usual, ratelimit: `${burst}, ${describeLeft(client, 'rows')}` };
    },
    /** Returns the whole seconds, at least 1, until `amount` and one request are available. */
    retryAfter(client: Client, name: BudgetName, amount = 1): number {
      const waitMs = Math.max(waitOf(client, 'burst', 1), waitOf(client, name, amount));
      return Math.max(1, Math.ceil(waitMs / 1000));
    },
    /** Returns the number that identifies a client in the queue of confirmations: a keyed hash below 65,536. */
    queueOf: ({ keys }: Client): number | undefined => keys.at(-1)![0] >>> 16,
  };
}

/** A limiter without limits, for operators who turn them off. */
export const NO_LIMITS: Limiter = {
  quotas: () => quotasFor({ burst: Infinity, rows: Infinity, signup: Infinity }, 0),
  left: () => Number.MAX_SAFE_INTEGER,
  client: () => ({ keys: [], isTrusted: true }),
  spend: () => true,
  headers: () => ({}),
  retryAfter: () => 1,
  queueOf: () => undefined,
};

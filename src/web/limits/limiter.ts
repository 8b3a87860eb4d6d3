/**
 * Limits the requests per minute, listings per day and signups per hour of each client. All routes share these budgets.
 * Stores no address. New clients cannot reset the use of others.
 */

import { createHmac, randomBytes, randomInt } from 'node:crypto';
import type { Limits } from '../../city/define.ts';
import { openNetworkTest, parseNetwork } from '../../city/networks.ts';
import { DAY_MS, HOUR_MS } from '../../listings/day.ts';
import { PAGE_LIMIT } from '../../search/parameters.ts';
import { type Key, openBudget } from './budget.ts';
import { toPrefixes } from './client-address.ts';
import { hash64 } from './hash.ts';

const WIDE = 4; // an IPv6 /48 has four times the budget of a /56

/** The budgets: requests per minute, listings per 24 hours, and signups per hour. For `width` see `budget.ts`. */
const BUDGETS = {
  burst: { windowMs: 60_000, width: 1 << 14 },
  rows: { windowMs: DAY_MS, width: 1 << 16 },
  signup: { windowMs: HOUR_MS, width: 1 << 12 },
};
export type BudgetName = keyof typeof BUDGETS;

/** A client: an IPv4 address, or an IPv6 /56 and its /48. The listings of a trusted client are not limited. */
export type Client = { narrow: Key; wide: Key | null; isTrusted: boolean };

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
};

/**
 * Opens sliding windows (see `budget.ts`), which allow at most `rows` listings in any 24 hours. A client has two cells.
 * Of n clients, about n/65,536 share each cell. Others can block a client only by using both of its cells heavily.
 */
export function openLimiter(
  limits: Partial<Limits>,
  now: () => number,
  { listings = () => Number.POSITIVE_INFINITY, instances = 1, refused }: LimiterOptions = {},
) {
  const isTrusted = openNetworkTest((limits.trusted ?? []).flatMap((text) => parseNetwork(text) ?? []));
  const budgets = {
    burst: openBudget(BUDGETS.burst, now),
    rows: openBudget(BUDGETS.rows, now),
    signup: openBudget(BUDGETS.signup, now),
  };
  const seeds = [randomInt(0, 2 ** 32), randomInt(0, 2 ** 32)] as const;
  const keyOf = (prefix: string): Key => hash64(prefix, seeds);
  const queueKey = randomBytes(32);
  let size = listings();
  let quotas = quotasFor(limits, size, instances);
  const readQuotas = (): Quotas => {
    const current = listings();
    if (current !== size) quotas = quotasFor(limits, current, instances);
    size = current;
    return quotas;
  };
  /** Returns how much is left: the smaller value of the two keys. */
  const leftOf = ({ narrow, wide }: Client, name: BudgetName): number => {
    const quota = readQuotas()[name];
    const left = budgets[name].left(narrow, quota);
    return wide === null ? left : Math.min(left, budgets[name].left(wide, WIDE * quota));
  };
  const waitOf = ({ narrow, wide }: Client, name: BudgetName, amount: number): number => {
    const quota = readQuotas()[name];
    const waitMs = budgets[name].waitMs(narrow, amount, quota);
    return wide === null ? waitMs : Math.max(waitMs, budgets[name].waitMs(wide, amount, WIDE * quota));
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
    client(address: string): Client {
      const { narrow, wide } = toPrefixes(address);
      return {
        narrow: keyOf(narrow),
        wide: wide === null ? null : keyOf(wide),
        isTrusted: isTrusted(address),
      };
    },
    /** Charges before anything is served. Returns `false` and charges nothing if less than `amount` is left. */
    spend(client: Client, name: BudgetName, amount = 1): boolean {
      if (name === 'rows' && (client.isTrusted || amount === 0)) return true;
      if (leftOf(client, name) < amount) {
        refused?.(name);
        return false;
      }
      budgets[name].take(client.narrow, amount);
      if (client.wide !== null) budgets[name].take(client.wide, amount);
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
    queueOf: ({ narrow, wide }: Client): number | undefined =>
      createHmac('sha256', queueKey)
        .update((wide ?? narrow).join())
        .digest()
        .readUInt16BE(),
  };
}

/** A limiter without limits, for benchmarks and tests. */
export const NO_LIMITS: Limiter = {
  quotas: () => quotasFor({ burst: Infinity, rows: Infinity, signup: Infinity }, 0),
  left: () => Number.MAX_SAFE_INTEGER,
  client: () => ({ narrow: [0, 0], wide: null, isTrusted: true }),
  spend: () => true,
  headers: () => ({}),
  retryAfter: () => 1,
  queueOf: () => undefined,
};

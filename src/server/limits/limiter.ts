/**
 * Rate limits of each client: requests a minute, listings a day and signups an hour. All routes charge the same budgets.
 * Stores no address, and forgets no client because others arrive.
 */

import { createHmac, randomBytes, randomInt } from 'node:crypto';
import type { Limits } from '../../city/define.ts';
import { DAY_MS, HOUR_MS } from '../../listings/day.ts';
import { PAGE_LIMIT } from '../../search/parameters.ts';
import { type Budget, type Key, openBudget } from './budget.ts';
import { toPrefixes } from './client-address.ts';
import { hash64 } from './hash.ts';

const MINUTE_MS = 60_000;
const WIDE = 4; // an IPv6 /48 has four times the budget of each /56 in it

/** A client: an IPv4 address, or an IPv6 /56 together with its /48. */
export type Client = { narrow: Key; wide: Key | null };

export type Limiter = {
  client(address: string): Client;
  /** Charges requests, one by default. Returns false and charges nothing if fewer are left this minute. */
  admit(client: Client, requests?: number): boolean;
  /** Charges listings before they are served. Returns false and charges nothing if fewer are left: no page is served in part. */
  charge(client: Client, rows: number): boolean;
  /** The RateLimit header. `t`: seconds until some of the budget is available again, or the whole window if nothing was used. */
  standing(client: Client): string;
  /** Whole seconds, at least 1, until `rows` listings and `requests` requests (default 1) are available. */
  retryAfter(client: Client, rows: number, requests?: number): number;
  rowsLeft(client: Client): number;
  /** Charges one signup. Returns false and charges nothing if none is left this hour. */
  signUp(client: Client): boolean;
  /** Whole seconds, at least 1, until a signup is available. */
  signUpAfter(client: Client): number;
  /**
   * The number below 65,536 under which this client's confirmations take turns: an IPv4 address, or an IPv6 /48. Many clients
   * have the same number, and the key it is made with is in the memory of this process alone. `undefined` without limits.
   */
  queueOf(client: Client): number | undefined;
  /** The RateLimit-Policy header; `''` when there are no limits. */
  readonly policy: string;
  /** Memory in bytes, fixed at startup: 7.9 MiB. */
  readonly bytes: number;
};

const DEFAULTS = { burst: 600, rows: 10_000, signup: 20 };

/** The budgets of one client, with their defaults. */
export function fillLimits({ burst, rows, signup }: Partial<Limits>): typeof DEFAULTS {
  return {
    burst: burst ?? DEFAULTS.burst,
    rows: rows ?? DEFAULTS.rows,
    signup: signup ?? DEFAULTS.signup,
  };
}

/**
 * The share of each budget that one of `instances` counts if requests are spread over them at random: rounded down, but at
 * least one request, one page and one signup. A single instance counts all of it.
 */
export function divideLimits(limits: Partial<Limits>, instances: number): Partial<Limits> {
  const { burst, rows, signup } = fillLimits(limits);
  const part = (quota: number, least: number): number =>
    Math.max(Math.min(quota, least), Math.floor(quota / instances));
  return { ...limits, burst: part(burst, 1), rows: part(rows, PAGE_LIMIT), signup: part(signup, 1) };
}

/**
 * Sliding windows (see `budget.ts`): never more than `rows` listings in any 24 hours. A client shares its two cells with
 * about n/65,536 others. It is blocked because of another client only if heavy clients use both.
 */
export function openLimiter(limits: Partial<Limits>, now: () => number): Limiter {
  const quotas = fillLimits(limits);
  const burst = openBudget({ windowMs: MINUTE_MS, width: 1 << 14 }, now);
  const rows = openBudget({ windowMs: DAY_MS, width: 1 << 16 }, now);
  const signups = openBudget({ windowMs: HOUR_MS, width: 1 << 12 }, now);
  const seeds = [randomInt(0, 2 ** 32), randomInt(0, 2 ** 32)] as const;
  const keyOf = (prefix: string): Key => hash64(prefix, seeds);
  const queueKey = randomBytes(32);

  const spend = (budget: Budget, client: Client, amount: number, quota: number): boolean => {
    if (leastOf(budget, client, quota) < amount) return false;
    budget.take(client.narrow, amount);
    if (client.wide !== null) budget.take(client.wide, amount);
    return true;
  };
  const part = (budget: Budget, client: Client, quota: number, windowMs: number): string => {
    const left = leastOf(budget, client, quota);
    const waitMs = left === quota ? windowMs : waitOf(budget, client, left + 1, quota);
    return `r=${left};t=${Math.ceil(waitMs / 1000)}`;
  };

  return {
    policy: `"burst";q=${quotas.burst};w=60, "rows";q=${quotas.rows};w=86400`,
    bytes: burst.bytes + rows.bytes + signups.bytes,
    client(address) {
      const { narrow, wide } = toPrefixes(address);
      return { narrow: keyOf(narrow), wide: wide === null ? null : keyOf(wide) };
    },
    admit: (client, requests = 1) => spend(burst, client, requests, quotas.burst),
    charge: (client, amount) => amount === 0 || spend(rows, client, amount, quotas.rows),
    standing: (client) =>
      `"burst";${part(burst, client, quotas.burst, MINUTE_MS)}, "rows";${part(rows, client, quotas.rows, DAY_MS)}`,
    retryAfter(client, amount, requests = 1) {
      const waitMs = Math.max(
        waitOf(burst, client, requests, quotas.burst),
        waitOf(rows, client, amount, quotas.rows),
      );
      return Math.max(1, Math.ceil(waitMs / 1000));
    },
    rowsLeft: (client) => leastOf(rows, client, quotas.rows),
    signUp: (client) => spend(signups, client, 1, quotas.signup),
    signUpAfter: (client) => Math.max(1, Math.ceil(waitOf(signups, client, 1, quotas.signup) / 1000)),
    queueOf: ({ narrow, wide }) =>
      createHmac('sha256', queueKey)
        .update((wide ?? narrow).join())
        .digest()
        .readUInt16BE(),
  };
}

/** For benchmarks and tests: no limits. */
export const NO_LIMITS: Limiter = {
  policy: '',
  bytes: 0,
  client: () => ({ narrow: [0, 0], wide: null }),
  admit: () => true,
  charge: () => true,
  standing: () => '',
  retryAfter: () => 1,
  rowsLeft: () => Number.MAX_SAFE_INTEGER,
  signUp: () => true,
  signUpAfter: () => 1,
  queueOf: () => undefined,
};

/** What is left of a client's quotas: the smaller of the two. */
function leastOf(budget: Budget, client: Client, quota: number): number {
  const least = budget.left(client.narrow, quota);
  return client.wide === null ? least : Math.min(least, budget.left(client.wide, WIDE * quota));
}

function waitOf(budget: Budget, client: Client, amount: number, quota: number): number {
  const wait = budget.waitMs(client.narrow, amount, quota);
  return client.wide === null ? wait : Math.max(wait, budget.waitMs(client.wide, amount, WIDE * quota));
}

/**
 * Limits the requests per minute, listings per day and signups per hour of each client. All routes share these budgets.
 * Stores no address. New clients cannot reset the use of others.
 */

import { createHmac, randomBytes, randomInt } from 'node:crypto';
import type { Limits } from '../../city/define.ts';
import { openNetworkTest, parseNetwork } from '../../city/networks.ts';
import { DAY_MS, HOUR_MS } from '../../listings/day.ts';
import { PAGE_LIMIT } from '../../search/parameters.ts';
import { type Budget, type Key, openBudget } from './budget.ts';
import { toPrefixes } from './client-address.ts';
import { hash64 } from './hash.ts';

const MINUTE_MS = 60_000;
const WIDE = 4; // an IPv6 /48 has four times the budget of a /56

/** A client: an IPv4 address, or an IPv6 /56 and its /48. The listings of a trusted client are not limited. */
export type Client = { narrow: Key; wide: Key | null; isTrusted: boolean };

export type Limiter = Omit<ReturnType<typeof openLimiter>, 'bytes'>;

/** The budgets of one client: requests per minute, listings per 24 hours, and signups per hour. */
type Quotas = {
  burst: number;
  rows: number;
  signup: number;
  /** The RateLimit-Policy headers for most clients, and for trusted ones, whose header has no `rows`. */
  policies: { usual: string; trusted: string };
};

/** The default of `rows`: the share of the city that a client can get in 24 hours, with its bounds. */
const ROWS = { share: 1 / 4, least: 2500, most: 10_000 };

/**
 * Computes the budgets of one client. Several instances divide them, but each allows at least one page and one signup.
 */
export function quotasFor({ burst, rows, signup }: Partial<Limits>, listings: number, instances = 1): Quotas {
  const part = (quota: number, least: number): number =>
    Math.max(Math.min(quota, least), Math.floor(quota / instances));
  const ofCity = Math.min(ROWS.most, Math.max(ROWS.least, Math.floor(listings * ROWS.share)));
  const most = { requests: part(burst ?? 600, 1), rows: part(rows ?? ofCity, PAGE_LIMIT) };
  const trusted = `"burst";q=${most.requests};w=60`;
  return {
    burst: most.requests,
    rows: most.rows,
    signup: part(signup ?? 20, 1),
    policies: { trusted, usual: `${trusted}, "rows";q=${most.rows};w=86400` },
  };
}

/**
 * Opens sliding windows (see `budget.ts`), which allow at most `rows` listings in any 24 hours. A client has two cells.
 * Of n clients, about n/65,536 share each cell, and only heavy use of both cells can block it. Calls `listings` for the
 * size of the city at every request, so that budgets follow an import.
 */
export function openLimiter(
  limits: Partial<Limits>,
  now: () => number,
  {
    listings = () => Number.POSITIVE_INFINITY,
    instances = 1,
  }: { listings?: () => number; instances?: number } = {},
) {
  const quotas = quotaReader(limits, listings, instances);
  const isTrusted = openNetworkTest((limits.trusted ?? []).flatMap((text) => parseNetwork(text) ?? []));
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
  const describeLeft = (budget: Budget, client: Client, quota: number, windowMs: number): string => {
    const left = leastOf(budget, client, quota);
    const waitMs = left === quota ? windowMs : waitOf(budget, client, left + 1, quota);
    return `r=${left};t=${Math.ceil(waitMs / 1000)}`;
  };

  return {
    quotas,
    /** The memory in bytes, fixed at startup: 7.9 MiB. */
    bytes: burst.bytes + rows.bytes + signups.bytes,
    client(address: string): Client {
      const { narrow, wide } = toPrefixes(address);
      return {
        narrow: keyOf(narrow),
        wide: wide === null ? null : keyOf(wide),
        isTrusted: isTrusted(address),
      };
    },
    /** Charges requests. Returns `false` and charges nothing if the client has fewer left this minute. */
    admit: (client: Client, requests = 1): boolean => spend(burst, client, requests, quotas().burst),
    /** Charges listings before they are served. Returns `false` and charges nothing if the client has fewer left. */
    charge: (client: Client, amount: number): boolean =>
      client.isTrusted || amount === 0 || spend(rows, client, amount, quotas().rows),
    /** Makes the RateLimit headers. `t` is the seconds until more is available, or the window if nothing was used. */
    headers(client: Client): Record<string, string> {
      const { burst: requests, rows: most, policies } = quotas();
      const standing = `"burst";${describeLeft(burst, client, requests, MINUTE_MS)}`;
      if (client.isTrusted) return { 'ratelimit-policy': policies.trusted, ratelimit: standing };
      return {
        'ratelimit-policy': policies.usual,
        ratelimit: `${standing}, "rows";${describeLeft(rows, client, most, DAY_MS)}`,
      };
    },
    /** Returns the whole seconds, at least 1, until `amount` listings and `requests` requests are available. */
    retryAfter(client: Client, amount: number, requests = 1): number {
      const waitMs = Math.max(
        waitOf(burst, client, requests, quotas().burst),
        client.isTrusted ? 0 : waitOf(rows, client, amount, quotas().rows),
      );
      return Math.max(1, Math.ceil(waitMs / 1000));
    },
    rowsLeft: (client: Client): number => leastOf(rows, client, quotas().rows),
    /** Charges one signup. Returns `false` and charges nothing if the client has none left this hour. */
    signUp: (client: Client): boolean => spend(signups, client, 1, quotas().signup),
    /** Returns the whole seconds, at least 1, until a signup is available. */
    signUpAfter: (client: Client): number =>
      Math.max(1, Math.ceil(waitOf(signups, client, 1, quotas().signup) / 1000)),
    /** Returns the number that identifies a client in the queue of confirmations: a keyed hash below 65,536. */
    queueOf: ({ narrow, wide }: Client): number | undefined =>
      createHmac('sha256', queueKey)
        .update((wide ?? narrow).join())
        .digest()
        .readUInt16BE(),
  };
}

/** Returns a function that reads the budgets. It computes them again only if the size of the city has changed. */
function quotaReader(limits: Partial<Limits>, listings: () => number, instances: number): () => Quotas {
  let size = listings();
  let quotas = quotasFor(limits, size, instances);
  return () => {
    const current = listings();
    if (current !== size) quotas = quotasFor(limits, current, instances);
    size = current;
    return quotas;
  };
}

/** A limiter without limits, for benchmarks and tests. */
export const NO_LIMITS: Limiter = {
  quotas: () => quotasFor({ burst: Infinity, rows: Infinity, signup: Infinity }, 0),
  client: () => ({ narrow: [0, 0], wide: null, isTrusted: true }),
  admit: () => true,
  charge: () => true,
  headers: () => ({}),
  retryAfter: () => 1,
  rowsLeft: () => Number.MAX_SAFE_INTEGER,
  signUp: () => true,
  signUpAfter: () => 1,
  queueOf: () => undefined,
};

/** Returns how much of a client's quota is left, which is the smaller value of its two keys. */
function leastOf(budget: Budget, client: Client, quota: number): number {
  const least = budget.left(client.narrow, quota);
  return client.wide === null ? least : Math.min(least, budget.left(client.wide, WIDE * quota));
}

function waitOf(budget: Budget, client: Client, amount: number, quota: number): number {
  const wait = budget.waitMs(client.narrow, amount, quota);
  return client.wide === null ? wait : Math.max(wait, budget.waitMs(client.wide, amount, WIDE * quota));
}

/**
 * Limits what each client takes: requests and CPU time per minute, listings per day, signups per hour. All routes share
 * these budgets. Stores no address. New clients cannot reset the use of others.
 */

import { hash, randomUUID } from 'node:crypto';
import type { Limits } from '../../../shared/city/city-facts.ts';
import { openNetworkTest, parseNetwork } from '../../../shared/city/networks.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/day.ts';
import { PAGE_LIMIT } from '../../../shared/question.ts';
import { type Buckets, type Key, openBuckets, openElapsed } from './bucket.ts';
import { toPrefixes } from './client-address.ts';
import { openServed } from './served.ts';

const MINUTE_MS = 60_000;

/** The budgets: in which time a bucket refills, and how much memory it takes (see `budget.ts`). */
const BUDGETS = {
  burst: { refillMs: MINUTE_MS, width: 1 << 14 },
  cpu: { refillMs: MINUTE_MS, width: 1 << 14 },
  rows: { refillMs: DAY_MS, width: 1 << 16 },
  signup: { refillMs: HOUR_MS, width: 1 << 12 },
};
type BudgetName = keyof typeof BUDGETS;

type Shares = Record<BudgetName, number>;
const WHOLE: Shares = { burst: 1, cpu: 1, rows: 1, signup: 1 };
/** An IPv6 /48 compared with a /56: an organization of many, which reads much of the same. */
const NETWORK: Shares = { burst: 4, cpu: 4, rows: 1.5, signup: 4 };
/** What other sites may use of a client's budget. */
const FOREIGN: Shares = { burst: 1 / 4, cpu: 1 / 4, rows: 1 / 4, signup: 1 / 4 };

/** The buckets that pay for a client's requests: those of its IPv4 address, or of its IPv6 /56 and /48. */
export type Client = { buckets: readonly { key: Key; shares: Shares }[]; isTrusted: boolean };

/** What an answer costs a client that has not been served any of it. */
export type Price = {
  /** Identifies what the answer counts. The same text costs nothing again. */
  question: string;
  /** The number of counts that single out a business. */
  cells: number;
  /** The identities of the listings that the answer names. */
  identities: ArrayLike<number>;
};

/** Returns the listings that an answer costs at most: its listings or its counts, and at least one. */
export function costOf({ identities, cells }: Price): number {
  return Math.max(1, identities.length, cells);
}

/** Returns how many steps have begun, to the nanosecond. */
function countSteps(ms: number, stepMs: number): number {
  return Math.floor((ms + 1e-6) / stepMs);
}

/** Limits for operators who turn them off. */
const NO_LIMITS: Partial<Limits> = { burst: Infinity, rows: Infinity, signup: Infinity };
/** Every client without limits: no bucket pays for its requests. */
const ANYBODY: Client = { buckets: [], isTrusted: true };

export type Limiter = Omit<ReturnType<typeof openLimiter>, 'bytes'>;

type Quotas = Record<BudgetName, number> & {
  /** The RateLimit-Policy headers for most clients, and for trusted ones, whose header has no `rows`. */
  policies: { usual: string; trusted: string };
};

/** The default of `rows`: a share of the city's listings in 24 hours, within bounds. */
const ROWS = { share: 1 / 4, least: 2500, most: 10_000 };
/** A bucket holds half of `rows`, which must be at least a page. */
const FEWEST_ROWS = 2 * PAGE_LIMIT;
/** Milliseconds of CPU time: a twentieth of the thread that serves requests, and what a minute of that is at once. */
const CPU_MS = MINUTE_MS / 20;

/** Computes the budgets of one client, which may always read two pages. */
export function quotasFor(limits: Partial<Limits>, listings: number): Quotas {
  const ofCity = Math.min(ROWS.most, Math.max(ROWS.least, Math.floor(listings * ROWS.share)));
  const { burst = 600, signup = 20 } = limits;
  const rows = Math.max(FEWEST_ROWS, limits.rows ?? ofCity);
  const trusted = `"burst";q=${burst};w=60`;
  const policies = { trusted, usual: `${trusted}, "rows";q=${rows};w=86400` };
  return { burst, cpu: CPU_MS, rows, signup, policies };
}

type LimiterOptions = {
  /** Returns the number of listings in the city. Called for every request, so that budgets follow an import. */
  listings?: () => number;
  /** Counts listings that a client was charged for. */
  charged?: ((listings: number) => void) | undefined;
  /** Decides which clients share cells. Default: a random one. */
  secret?: string | undefined;
};

/**
 * Opens the budgets. A client may see at most `rows` listings in any 24 hours that it was not served in the 24 hours
 * before. A client has two cells of each budget. Of n clients, about n/65,536 share each cell of `rows`; the other budgets
 * have fewer cells. Others can block a client only by using
 * both of its cells heavily.
 */
export function openLimiter(
  given: Partial<Limits> | 'off',
  now: () => number,
  { listings = () => Number.POSITIVE_INFINITY, charged, secret = randomUUID() }: LimiterOptions = {},
) {
  const limits = given === 'off' ? NO_LIMITS : given;
  let known = { size: Number.NaN, quotas: quotasFor(limits, 0) };
  const readQuotas = (): Quotas => {
    const size = listings();
    if (size !== known.size) known = { size, quotas: quotasFor(limits, size) };
    return known.quotas;
  };
  /** Returns how often listings come back: a whole number of times a day, each time at least a page. */
  const stepMs = (): number => DAY_MS / Math.floor(readQuotas().rows / FEWEST_ROWS);
  const isTrusted = openNetworkTest((limits.trusted ?? []).flatMap((text) => parseNetwork(text) ?? []));
  const elapsed = openElapsed(now);
  const served = openServed(elapsed);
  const budgets: Record<BudgetName, Buckets> = {
    burst: openBuckets(BUDGETS.burst, elapsed),
    cpu: openBuckets(BUDGETS.cpu, elapsed),
    rows: openBuckets(BUDGETS.rows, () => countSteps(elapsed(), stepMs()) * stepMs()),
    signup: openBuckets(BUDGETS.signup, elapsed),
  };
  const keyOf = (text: string): Key => {
    const digest = hash('sha256', secret + text, 'buffer');
    return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
  };
  /** Returns the milliseconds in which a bucket gets back one unit of a budget. A bucket of `rows` holds half of it. */
  const unitMs = (name: BudgetName, shares: Shares): number => {
    const holds = name === 'rows' ? readQuotas().rows / 2 : readQuotas()[name];
    return BUDGETS[name].refillMs / (holds * shares[name]);
  };
  /** Returns the time of an amount. No listings cost more than the budget of a day. */
  const useMs = (name: BudgetName, amount: number, shares: Shares): number =>
    Math.min(amount * unitMs(name, shares), name === 'rows' ? 2 * DAY_MS : Number.POSITIVE_INFINITY);
  const take = ({ buckets }: Client, name: BudgetName, amount: number): void => {
    for (const { key, shares } of buckets) budgets[name].take(key, useMs(name, amount, shares));
  };
  const waitOf = ({ buckets }: Client, name: BudgetName, amount: number): number => {
    let longest = 0;
    for (const { key, shares } of buckets)
      longest = Math.max(longest, budgets[name].waitMs(key, useMs(name, amount, shares)));
    // listings come back in steps
    if (name !== 'rows' || longest === 0) return longest;
    const [at, step] = [elapsed(), stepMs()];
    return (countSteps(at, step) + Math.ceil((longest - 1) / step)) * step - at;
  };
  const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

  return {
    quotas: readQuotas,
    /** The memory in bytes, fixed at startup: 17.6 MiB. */
    bytes: served.bytes + Object.values(budgets).reduce((sum, { bytes }) => sum + bytes, 0),
    /** Returns how full the memory of what was served is, from 0 to 1. */
    filled: served.filled,
    /** Returns the client of an address. A request that another site causes also pays from a bucket for such requests. */
    client(address: string, isForeign = false): Client {
      if (given === 'off') return ANYBODY;
      const [own = '', network] = toPrefixes(address);
      const buckets = [{ key: keyOf(own), shares: WHOLE }];
      if (network !== undefined) buckets.push({ key: keyOf(network), shares: NETWORK });
      if (isForeign) buckets.push({ key: keyOf(`foreign ${own}`), shares: FOREIGN });
      return { buckets, isTrusted: isTrusted(address) };
    },
    /** Charges before anything is served. Returns `false` and charges nothing if less than `amount` is left. */
    spend(client: Client, name: 'burst' | 'signup', amount = 1): boolean {
      if (waitOf(client, name, amount) > 0) return false;
      take(client, name, amount);
      return true;
    },
    /** Returns whether the client has CPU time left. */
    mayCompute: (client: Client): boolean => waitOf(client, 'cpu', 0) === 0,
    /** Charges CPU time that was used, even if it is more than what is left. */
    addCpu: (client: Client, usedMs: number): void => take(client, 'cpu', usedMs),
    /** Returns whether the client has a page left. Asked before an answer is found, so that a refusal says nothing about it. */
    mayRead: (client: Client): boolean => client.isTrusted || waitOf(client, 'rows', PAGE_LIMIT) === 0,
    /**
     * Charges for what is new to the client. Returns `false` unless the client could pay the whole price, so that a
     * refusal does not tell what others behind its address were served. It tells the price, and costs a page.
     */
    charge(client: Client, price: Price): boolean {
      if (client.isTrusted) return true;
      if (waitOf(client, 'rows', costOf(price)) > 0) {
        if (waitOf(client, 'rows', PAGE_LIMIT) > 0) return false;
        take(client, 'rows', PAGE_LIMIT);
        charged?.(PAGE_LIMIT);
        return false;
      }
      const { question, cells, identities } = price;
      const isFull = served.filled() >= 1;
      const asked = keyOf(question)[0];
      for (const { key, shares } of client.buckets) {
        const counted = isFull || served.isNew(key, asked);
        let named = isFull ? identities.length : 0;
        if (!isFull)
          for (let i = 0; i < identities.length; i++) if (served.isNew(key, identities[i]!)) named++;
        const cost = Math.max(named, counted ? Math.max(1, cells) : 0);
        if (cost > 0) budgets.rows.take(key, useMs('rows', cost, shares));
        if (shares === WHOLE) charged?.(cost);
      }
      return true;
    },
    /** Makes the RateLimit headers. They say nothing about listings, which others behind the address may have been served. */
    headers(client: Client): Record<string, string> {
      if (client === ANYBODY) return {};
      const { policies, burst } = readQuotas();
      const left = client.buckets.map(({ key, shares }) =>
        Math.floor((MINUTE_MS - budgets.burst.usedMs(key)) / unitMs('burst', shares) + 1e-6),
      );
      return {
        'ratelimit-policy': client.isTrusted ? policies.trusted : policies.usual,
        ratelimit: `"burst";r=${Math.max(0, Math.min(...left))};t=${seconds(MINUTE_MS / burst)}`,
      };
    },
    /** Returns the whole seconds, at least 1, until `amount` and one request are available. */
    retryAfter(client: Client, name: BudgetName, amount = 1): number {
      return seconds(Math.max(waitOf(client, 'burst', 1), waitOf(client, name, amount)));
    },
    /** Returns the number that identifies a client in the queue of confirmations: a keyed hash below 65,536. */
    queueOf({ buckets }: Client): number | undefined {
      const last = buckets.at(-1);
      return last && last.key[0] >>> 16;
    },
  };
}

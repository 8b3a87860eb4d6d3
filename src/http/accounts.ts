/**
 * What this instance knows of the clients it serves in one shared budget: what everybody took, slice by slice, and what was
 * taken here and is not told yet. Bounded in number; whoever is forgotten stays known to the cells.
 */

import type { Budget, Key } from './budget.ts';

export const SLICES = 48; // of a window: 30 minutes of a day; what was taken counts at most that much too long
const MOST = 20_000; // 9 MB

export type Account = {
  /** As it was when it last took something: names change with the day. */
  key: Key;
  /** What everybody took, by slice in their order, as it was last told. */
  slices: Map<number, number>;
  /** The sum of the slices from `sumSince` on. */
  sum: number;
  sumSince: number;
  /** Taken here, and not told yet; and what is being told. */
  untold: number;
  telling: number;
  /** The slice in which it was last told; -1 before that. */
  toldAt: number;
};

/** How it stands with the others. */
export type Ties = {
  now(): number;
  /** Whether nobody can be told now: then this instance counts for itself. */
  isAway(): boolean;
  /** There is something to tell; `isSoon` when somebody asks so fast that it should not wait. */
  due(isSoon: boolean): void;
  /** What somebody took will not be told. */
  lost(): void;
};

export type Accounts = {
  readonly sliceMs: number;
  get(key: Key): Account | undefined;
  take(key: Key, amount: number): void;
  /** What everybody took within the window. */
  served(account: Account): number;
  /** What was taken here beyond that. */
  pending(account: Account): number;
  /** The slice of now, and the first one that is within the window. */
  slices(): { newest: number; oldest: number };
  readonly untold: Set<Account>;
  /** It is the last to be forgotten from now on. False when it was already. */
  refresh(account: Account): boolean;
};

export function openAccounts(cells: Budget, windowMs: number, ties: Ties): Accounts {
  const sliceMs = windowMs / SLICES;
  const known = new Map<number, Account>(); // the first is the next to be forgotten
  const untold = new Set<Account>();
  let latest = Number.NEGATIVE_INFINITY;
  let [newest, oldest] = [0, 0];
  let lastKey: Key | undefined; // a request asks ten times for its client
  let lastAccount: Account | undefined;

  function get(key: Key): Account | undefined {
    if (lastKey === key) return lastAccount;
    lastKey = key;
    lastAccount = known.get(idOf(key));
    return lastAccount;
  }
  function look(): void {
    const now = ties.now();
    if (now <= latest) return;
    latest = now;
    newest = Math.floor(now / sliceMs);
    oldest = Math.floor((now - windowMs) / sliceMs);
  }

  function served(account: Account): number {
    look();
    return sumSince(account, oldest);
  }

  function open(key: Key): Account {
    const account = { key, slices: new Map(), sum: 0, sumSince: -1, untold: 0, telling: 0, toldAt: -1 };
    known.set(idOf(key), account);
    lastKey = undefined;
    if (known.size > MOST) forget(known.values().next().value!);
    return account;
  }

  function forget(account: Account): void {
    const missing = served(account) - usedOf(cells, account.key);
    if (missing > 0) cells.take(account.key, missing); // as if it had been taken now
    known.delete(idOf(account.key));
    lastKey = undefined;
    if (untold.delete(account)) ties.lost();
  }

  return {
    sliceMs,
    get,
    take(key, amount) {
      const account = get(key) ?? open(key);
      if (account.key[2] !== key[2]) account.toldAt = -1; // under its new name it has heard of nothing yet
      account.key = key;
      account.untold += amount;
      untold.add(account);
    },
    served,
    pending(account) {
      const all = account.untold + account.telling;
      // what cannot be told for long is over at some time: the cells know when
      return ties.isAway() ? Math.min(all, usedOf(cells, account.key)) : all;
    },
    slices() {
      look();
      return { newest, oldest };
    },
    untold,
    refresh(account) {
      const id = idOf(account.key);
      if (known.get(id) !== account) return false;
      known.delete(id);
      known.set(id, account);
      return true;
    },
  };
}

/** What the cells say that was taken here within the window. */
export function usedOf(cells: Budget, key: Key): number {
  return Number.MAX_SAFE_INTEGER - cells.left(key, Number.MAX_SAFE_INTEGER);
}

/** Summed up once a slice, not once a request. */
function sumSince(account: Account, since: number): number {
  if (account.sumSince === since) return account.sum;
  account.sum = 0;
  for (const [slice, taken] of account.slices) if (slice >= since) account.sum += taken;
  account.sumSince = since;
  return account.sum;
}

/** 53 of the 64 bits: none of 20,000 clients shares them with another, but once in 45 million times. */
function idOf(key: Key): number {
  return key[0] * 2 ** 21 + (key[1] >>> 11);
}

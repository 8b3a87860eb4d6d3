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
  const known = openKnown();
  const untold = new Set<Account>();
  const slices = slicesBy(ties.now, windowMs, sliceMs);
  const served = (account: Account): number => sumSince(account, slices().oldest);

  function open(key: Key): Account {
    const account = { key, slices: new Map(), sum: 0, sumSince: -1, untold: 0, telling: 0, toldAt: -1 };
    const tooMany = known.add(account);
    if (tooMany !== undefined) forget(tooMany);
    return account;
  }

  function forget(account: Account): void {
    const missing = served(account) - usedOf(cells, account.key);
    if (missing > 0) cells.take(account.key, missing); // as if it had been taken now
    known.remove(account);
    if (untold.delete(account)) ties.lost();
  }

  return {
    sliceMs,
    get: known.get,
    take(key, amount) {
      const account = known.get(key) ?? open(key);
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
    slices,
    untold,
    refresh: known.refresh,
  };
}

/** The accounts there are, the first of them the next to be forgotten. */
function openKnown() {
  const known = new Map<number, Account>();
  let lastKey: Key | undefined; // a request asks ten times for its client
  let lastAccount: Account | undefined;
  return {
    get(key: Key): Account | undefined {
      if (lastKey === key) return lastAccount;
      lastKey = key;
      lastAccount = known.get(idOf(key));
      return lastAccount;
    },
    /** Answers whom to forget for it. */
    add(account: Account): Account | undefined {
      known.set(idOf(account.key), account);
      lastKey = undefined;
      return known.size > MOST ? known.values().next().value : undefined;
    },
    remove(account: Account): void {
      known.delete(idOf(account.key));
      lastKey = undefined;
    },
    refresh(account: Account): boolean {
      const id = idOf(account.key);
      if (known.get(id) !== account) return false;
      known.delete(id);
      known.set(id, account);
      return true;
    },
  };
}

/** Worked out when the clock has moved, not for each question. */
function slicesBy(now: () => number, windowMs: number, sliceMs: number): Accounts['slices'] {
  let latest = Number.NEGATIVE_INFINITY;
  let slices = { newest: 0, oldest: 0 };
  return () => {
    const at = now();
    if (at <= latest) return slices;
    latest = at;
    slices = { newest: Math.floor(at / sliceMs), oldest: Math.floor((at - windowMs) / sliceMs) };
    return slices;
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

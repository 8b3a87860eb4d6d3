/**
 * A budget that all instances share, kept in memory here and told to the others now and then: nobody who asks waits for
 * that. It is the local budget, and beside it what everybody took, as far as it was last told. Knows no timer.
 */

import type { Budget, Key } from './budget.ts';

const SLICES = 48; // of a window: 30 minutes of a day; what was taken counts at most that much too long
const SHARE = 0.03; // of a quota, which an instance serves at most before it was told what others served
const LATE_MS = 20_000; // how late what others took may come to stand in its slice, and how far clocks may be apart
const MOST_ACCOUNTS = 20_000; // 9 MB a kind
const MOST_TOLD = 2_000; // at once: more would keep other writers waiting

export type Kind = 'burst' | 'rows' | 'signup';

/** What one client took here since it was last told, and the first slice of which this instance wants to hear. */
export type Taking = { kind: Kind; client: string; slice: number; taken: number; since: number };

/** What all instances together served to one client in one slice. */
export type Sum = { kind: string; client: string; slice: number; taken: number };

export type SharedBudget = Budget & {
  /** What is to be told now, oldest first; then `confirm` or `undo` before the next time. */
  takings(): Taking[];
  /** Takes in what everybody took, in the order of slices. */
  confirm(sums: readonly Sum[]): void;
  /** Nobody was told: it is told the next time. */
  undo(): void;
  hasUntold(): boolean;
  /** Slices before this one count no more for anybody. */
  ended(): number;
};

export type SharedShape = {
  kind: Kind;
  windowMs: number;
  /** What an instance may always serve before it was told what others served: small quotas would stutter otherwise. */
  least: number;
};

/** How it stands with the others. */
export type Ties = {
  now(): number;
  /** Whether keys are the same everywhere yet: before that nothing is told. */
  isShared(): boolean;
  /** Whether they cannot be told now: then this instance counts for itself. */
  isAway(): boolean;
  /** There is something to tell; `isSoon` when somebody asks so fast that it should not wait. */
  due(isSoon: boolean): void;
  /** What somebody took will not be told. */
  lost(): void;
};

type Account = {
  key: Key;
  /** What everybody took, by slice, as it was last told. */
  slices: Map<number, number>;
  /** The sum of the slices from `sumSince` on. */
  sum: number;
  sumSince: number;
  /** Taken here, and not told yet; being told. */
  untold: number;
  telling: number;
  /** The slice in which it was last told; -1 before that. */
  toldAt: number;
};

export function openSharedBudget(cells: Budget, shape: SharedShape, ties: Ties): SharedBudget {
  const { kind, windowMs, least } = shape;
  const sliceMs = windowMs / SLICES;
  const margin = 1 + Math.ceil(LATE_MS / sliceMs);
  const accounts = new Map<number, Account>(); // the longest untold first
  const untold = new Set<Account>();
  let telling = new Map<string, { account: Account; taking: Taking }>();
  let latest = 0;

  const clock = (): number => {
    latest = Math.max(latest, ties.now());
    return latest;
  };
  const oldest = (): number => Math.floor((clock() - windowMs) / sliceMs);
  const servedTo = (account: Account): number => sumSince(account, oldest());
  /** What cannot be told for long is over at some time: the cells know when. */
  const pending = (account: Account): number => {
    const all = account.untold + account.telling;
    return ties.isAway() ? Math.min(all, usedOf(cells, account.key)) : all;
  };

  function left(key: Key, quota: number): number {
    const own = cells.left(key, quota);
    const account = accounts.get(idOf(key));
    if (account === undefined) return own;
    return Math.max(0, Math.min(own, quota - servedTo(account) - pending(account)));
  }

  function open(key: Key): Account {
    const account = { key, slices: new Map(), sum: 0, sumSince: -1, untold: 0, telling: 0, toldAt: -1 };
    accounts.set(idOf(key), account);
    if (accounts.size > MOST_ACCOUNTS) forget(accounts.values().next().value!);
    return account;
  }

  /** What everybody took stays known to the cells, as if it had been taken now. */
  function forget(account: Account): void {
    const missing = servedTo(account) - usedOf(cells, account.key);
    if (missing > 0) cells.take(account.key, missing);
    accounts.delete(idOf(account.key));
    if (untold.delete(account)) ties.lost();
  }

  function tell(account: Account, slice: number): Taking {
    untold.delete(account);
    account.telling = Math.min(account.untold, usedOf(cells, account.key)); // the rest has left the window meanwhile
    account.untold = 0;
    const since = Math.max(oldest(), account.toldAt - margin);
    const taking = { kind, client: nameOf(account.key), slice, taken: account.telling, since };
    telling.set(taking.client, { account, taking });
    return taking;
  }

  function confirm(sums: readonly Sum[]): void {
    for (const { account, taking } of telling.values()) startAnew(account, taking, oldest());
    for (const { client, slice, taken } of sums) telling.get(client)?.account.slices.set(slice, taken);
    for (const { account } of telling.values()) {
      const id = idOf(account.key);
      if (accounts.get(id) !== account) continue; // forgotten meanwhile
      accounts.delete(id);
      accounts.set(id, account);
    }
    telling = new Map();
  }

  function undo(): void {
    for (const { account } of telling.values()) {
      account.untold += account.telling;
      account.telling = 0;
      if (accounts.get(idOf(account.key)) === account) untold.add(account);
      else ties.lost();
    }
    telling = new Map();
  }

  return {
    bytes: cells.bytes,
    left,
    spare(key, quota) {
      const some = left(key, quota);
      const account = accounts.get(idOf(key));
      const unconfirmed = account === undefined ? 0 : pending(account);
      if (account === undefined || unconfirmed === 0 || ties.isAway()) return some;
      // smaller steps the nearer the end: who asks fast is then told to come back in a second
      const most = Math.max(least, Math.min(SHARE * quota, (quota - servedTo(account)) / 4));
      if (2 * unconfirmed >= most) ties.due(true);
      return Math.min(some, Math.max(0, Math.floor(most - unconfirmed)));
    },
    take(key, amount) {
      cells.take(key, amount);
      if (!ties.isShared()) return;
      const account = accounts.get(idOf(key)) ?? open(key);
      account.untold += amount;
      untold.add(account);
      ties.due(false);
    },
    waitMs(key, amount, quota) {
      const own = cells.waitMs(key, amount, quota);
      const account = accounts.get(idOf(key));
      if (account === undefined) return own;
      const since = oldest();
      let over = servedTo(account) + pending(account) + amount - quota;
      if (over <= 0) return own;
      for (const [slice, taken] of account.slices) {
        if (slice >= since) over -= taken;
        if (over <= 0) return Math.max(own, (slice + 1) * sliceMs + windowMs - latest);
      }
      return windowMs;
    },
    takings() {
      const slice = Math.floor(clock() / sliceMs);
      return [...untold.values().take(MOST_TOLD)].map((account) => tell(account, slice));
    },
    confirm,
    undo,
    hasUntold: () => untold.size > 0,
    ended: () => oldest() - margin,
  };
}

/** Makes room for what is told anew, and lets go of what has left the window. */
function startAnew(account: Account, { slice, since }: Taking, oldest: number): void {
  for (const known of account.slices.keys())
    if (known >= since || known < oldest) account.slices.delete(known);
  account.sumSince = -1;
  account.telling = 0;
  account.toldAt = slice;
}

/** Summed up once a slice, not once a request. */
function sumSince(account: Account, since: number): number {
  if (account.sumSince === since) return account.sum;
  account.sum = 0;
  for (const [slice, taken] of account.slices) if (slice >= since) account.sum += taken;
  account.sumSince = since;
  return account.sum;
}

const usedOf = (cells: Budget, key: Key): number =>
  Number.MAX_SAFE_INTEGER - cells.left(key, Number.MAX_SAFE_INTEGER);

/** 53 of the 64 bits: two of a million clients share them once in 20,000 such instances. */
const idOf = (key: Key): number => key[0] * 2 ** 21 + (key[1] >>> 11);

const nameOf = (key: Key): string => key.map((half) => half.toString(16).padStart(8, '0')).join('');

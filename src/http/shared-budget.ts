/**
 * A budget that all instances share, kept in memory here and told to the others now and then: nobody who asks waits for
 * that. It is the local budget, and beside it what everybody took, as far as it was last told. Knows no timer.
 */

import { openAccounts, type Ties } from './accounts.ts';
import type { Budget, Key } from './budget.ts';
import { type Kind, openTelling, type Telling } from './telling.ts';

const SHARE = 0.03; // of a quota, which an instance serves at most before it was told what others served

export type SharedShape = {
  kind: Kind;
  windowMs: number;
  /** What an instance may always serve before it was told what others served: small quotas would stutter otherwise. */
  least: number;
};

export function openSharedBudget(
  cells: Budget,
  { kind, windowMs, least }: SharedShape,
  ties: Ties,
): { budget: Budget; telling: Telling } {
  const accounts = openAccounts(cells, windowMs, ties);

  function left(key: Key, quota: number): number {
    const own = cells.left(key, quota);
    const account = accounts.get(key);
    if (account === undefined) return own;
    return Math.max(0, Math.min(own, quota - accounts.served(account) - accounts.pending(account)));
  }

  /** What is asked for first is served whole, however much it is. */
  function spare(key: Key, quota: number): number {
    const some = left(key, quota);
    const account = accounts.get(key);
    if (account === undefined || ties.isAway()) return some;
    const unconfirmed = accounts.pending(account);
    if (unconfirmed === 0) return some;
    // smaller steps the nearer the end: who asks fast is then told to come back in a second
    const most = Math.max(least, Math.min(SHARE * quota, (quota - accounts.served(account)) / 4));
    if (2 * unconfirmed >= most) ties.due(true);
    return Math.min(some, Math.max(0, Math.floor(most - unconfirmed)));
  }

  function take(key: Key, amount: number): void {
    cells.take(key, amount);
    if (key.length === 2) return; // it has no name among the others yet
    accounts.take(key, amount);
    ties.due(false);
  }

  /** Until a slice is over: at most one longer than the window. */
  function waitMs(key: Key, amount: number, quota: number): number {
    const own = cells.waitMs(key, amount, quota);
    const account = accounts.get(key);
    if (account === undefined) return own;
    let over = accounts.served(account) + accounts.pending(account) + amount - quota;
    if (over <= 0) return own;
    const { oldest } = accounts.slices();
    for (const [slice, taken] of account.slices) {
      if (slice >= oldest) over -= taken;
      if (over > 0) continue;
      const wait = (slice + 1) * accounts.sliceMs + windowMs - ties.now();
      return Math.max(own, Math.min(wait, (slice + 1 - oldest) * accounts.sliceMs)); // clocks may be set back
    }
    return windowMs;
  }

  const budget = { bytes: cells.bytes, left, spare, take, waitMs };
  return { budget, telling: openTelling(kind, cells, accounts, ties) };
}

/**
 * Budgets that instances share: tells the others what was taken here and hears what they served, in one exchange for all
 * clients at once, and never while somebody waits for it. When the database is away, this instance counts for itself.
 */

import { randomInt } from 'node:crypto';
import { messageOf } from '../errors.ts';
import type { Budget, Key } from './budget.ts';
import {
  openSharedBudget,
  type SharedBudget,
  type SharedShape,
  type Sum,
  type Taking,
} from './shared-budget.ts';

const SOON_MS = 250; // between two exchanges when somebody asks fast
const LATER_MS = 1000; // and when nobody does
const PATIENCE_MS = 2000; // an exchange that takes longer is waited for, but not by those who ask fast
const SWEEP_MS = 600_000;

/** Where instances meet; see `stores/budget-store.ts`. */
export type SharedBudgets = {
  /** Where the keys of clients begin: two numbers below 2^32, the same for all instances. */
  seeds(): Promise<[number, number]>;
  /** Adds what was taken, all of it or nothing, and tells what everybody took of each since its `since`, by slice. */
  exchange(takings: readonly Taking[]): Promise<Sum[]>;
  /** Lets go of all slices of `kind` before this one. */
  forget(kind: string, before: number): Promise<void>;
};

export type Sharing = {
  /** `undefined` until they are known: then this instance makes its own. */
  seeds(): Key | undefined;
  /** A budget that is shared as soon as the seeds are known. */
  budget(cells: Budget, shape: SharedShape, now: () => number): Budget;
  /** Asks for the seeds, and goes on asking; resolves when they are known or after 2 seconds. */
  start(): Promise<void>;
  /** Exchanges what there is; never throws. */
  flush(): Promise<void>;
  /** Exchanges a last time; waits 2 seconds for it and no longer. */
  close(): Promise<void>;
};

export function openSharing(port: SharedBudgets, log: { warn(sentence: string): void }): Sharing {
  const budgets: { budget: SharedBudget; kind: string }[] = [];
  let seeds: Key | undefined;
  let trouble: string | undefined; // why the others cannot be told
  let lost = 0;
  let sweepAt = performance.now() + randomInt(SWEEP_MS);
  let exchanging: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let timerMs = 0;
  let isSoon = false;
  let isClosed = false;

  function away(why: string): void {
    if (trouble === undefined)
      log.warn(`budgets are not shared, this instance counts for itself until they are: ${why}`);
    trouble = why;
  }

  function back(): void {
    if (trouble === undefined) return;
    const missing = lost === 0 ? '' : `; what ${lost} clients took meanwhile is not`;
    log.warn(`budgets are shared again${missing}`);
    trouble = undefined;
    lost = 0;
  }

  /** Sets the alarm, or sets it earlier. */
  function due(soon: boolean): void {
    isSoon ||= soon;
    const ms = isSoon && trouble === undefined ? SOON_MS : LATER_MS;
    if (isClosed || exchanging !== undefined || (timer !== undefined && ms >= timerMs)) return;
    clearTimeout(timer);
    timerMs = ms;
    timer = setTimeout(() => void flush(), ms).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    exchanging ??= (seeds === undefined ? learnSeeds() : exchange()).finally(() => {
      exchanging = undefined;
      if (seeds === undefined || budgets.some(({ budget }) => budget.hasUntold())) due(false);
    });
    await exchanging;
  }

  async function flushAll(): Promise<void> {
    await exchanging;
    do await flush();
    while (trouble === undefined && budgets.some(({ budget }) => budget.hasUntold()));
  }

  async function learnSeeds(): Promise<void> {
    try {
      seeds = await port.seeds();
      back();
    } catch (error) {
      away(messageOf(error));
    }
  }

  async function exchange(): Promise<void> {
    isSoon = false;
    const takings = budgets.flatMap(({ budget }) => budget.takings());
    if (takings.length === 0) return;
    const patience = setTimeout(away, PATIENCE_MS, `no answer in ${PATIENCE_MS / 1000} seconds`).unref();
    try {
      const sums = await port.exchange(takings);
      for (const { budget, kind } of budgets) budget.confirm(sums.filter((sum) => sum.kind === kind));
      back();
      await sweep();
    } catch (error) {
      for (const { budget } of budgets) budget.undo();
      away(messageOf(error));
    } finally {
      clearTimeout(patience);
    }
  }

  async function sweep(): Promise<void> {
    if (performance.now() < sweepAt) return;
    sweepAt = performance.now() + SWEEP_MS;
    for (const { budget, kind } of budgets) await port.forget(kind, budget.ended());
  }

  return {
    seeds: () => seeds,
    budget(cells, shape, now) {
      const ties = {
        now,
        isShared: () => seeds !== undefined,
        isAway: () => trouble !== undefined,
        due,
        lost: () => {
          lost++;
        },
      };
      const budget = openSharedBudget(cells, shape, ties);
      budgets.push({ budget, kind: shape.kind });
      return budget;
    },
    start: () => inTime(flush()),
    flush,
    async close() {
      isClosed = true;
      await inTime(flushAll());
      clearTimeout(timer);
    },
  };
}

/** Waits for a while, and no longer. */
async function inTime(work: Promise<void>): Promise<void> {
  const enough = Promise.withResolvers<void>();
  const patience = setTimeout(enough.resolve, PATIENCE_MS);
  await Promise.race([work, enough.promise]).finally(() => clearTimeout(patience));
}

/**
 * Budgets that instances share: tells the others what was taken here and hears what they served, in one exchange for all
 * clients at once, and never while somebody waits for it. When the database is away, this instance counts for itself.
 */

import { randomInt } from 'node:crypto';
import { messageOf } from '../errors.ts';
import type { Budget } from './budget.ts';
import { openSharedBudget, type SharedShape } from './shared-budget.ts';
import type { Sum, Taking, Telling } from './telling.ts';

const SOON_MS = 250; // from one exchange to the next when somebody asks fast
const LATER_MS = 5000; // and when nobody does: the pages of one visitor are then told at once
const AGAIN_MS = 1000; // and after one that failed
const PATIENCE_MS = 2000; // an exchange that takes longer is waited for, but not by those who ask fast
const SWEEP_MS = 600_000;
const DAY_MS = 86_400_000; // no window is longer: what was taken under the name of the day before yesterday counts no more

/** Where instances meet; see `stores/budget-store.ts`. */
export type SharedBudgets = {
  /** What the names of clients are made with on this day (since 1970) and were on the day before: two numbers below 2^32 each. */
  seeds(day: number): Promise<Seeds>;
  /** Adds what was taken, all of it or nothing, and tells what everybody took of each since its `since`, by slice. */
  exchange(takings: readonly Taking[]): Promise<Sum[]>;
  /** Lets go of all slices of `kind` before this one. */
  forget(kind: string, before: number): Promise<void>;
};

/** Today's and yesterday's, the same for all instances. */
export type Seeds = [[number, number], [number, number]];

export type Sharing = {
  /** `undefined` until they are known: meanwhile nothing is shared. */
  seeds(): Seeds | undefined;
  /** A budget that is shared as soon as the seeds are known. */
  budget(cells: Budget, shape: SharedShape, now: () => number): Budget;
  /** Asks for the seeds, and goes on asking; resolves when they are known or after 2 seconds. */
  start(): Promise<void>;
  /** Exchanges what there is; never throws. */
  flush(): Promise<void>;
  /** Exchanges a last time; waits 2 seconds for it and no longer. */
  close(): Promise<void>;
};

type Log = { warn(sentence: string): void };

export function openSharing(port: SharedBudgets, log: Log, now: () => number): Sharing {
  const tellings: Telling[] = [];
  const trouble = troubleOn(log);
  const alarm = openAlarm(() => void flush());
  const sweep = sweeper(port, tellings, now);
  let [seeds, seedsOf]: [Seeds | undefined, number] = [undefined, -1];
  let exchanging: Promise<void> | undefined;
  const hasMore = (): boolean => tellings.some((telling) => telling.hasMore());
  let isHurried = false; // while an exchange was under way
  const due = (isSoon: boolean): void => {
    if (exchanging !== undefined) isHurried ||= isSoon;
    else if (trouble.isThere()) alarm.set(AGAIN_MS);
    else alarm.set(isSoon ? SOON_MS : LATER_MS);
  };

  async function flush(): Promise<void> {
    alarm.stop();
    exchanging ??= exchange().finally(() => {
      exchanging = undefined;
      if (seeds === undefined || hasMore()) due(isHurried);
      else alarm.set(SWEEP_MS); // also while nobody asks
      isHurried = false;
    });
    await exchanging;
  }

  async function exchange(): Promise<void> {
    const day = Math.floor(now() / DAY_MS);
    if (seedsOf === day && !hasMore() && !sweep.isDue()) return;
    const patience = setTimeout(trouble.away, PATIENCE_MS, `no answer in ${PATIENCE_MS / 1000} seconds`);
    try {
      if (seedsOf !== day) [seeds, seedsOf] = [await port.seeds(day), day];
      if (hasMore()) await exchangeOver(port, tellings);
      trouble.back();
      if (sweep.isDue()) await sweep.all();
    } catch (error) {
      trouble.away(messageOf(error));
    } finally {
      clearTimeout(patience);
    }
  }

  async function finish(): Promise<void> {
    await exchanging;
    do await flush();
    while (hasMore() && !trouble.isThere());
  }

  return {
    seeds: () => seeds,
    budget(cells, shape, now) {
      const ties = { now, isAway: trouble.isThere, due, lost: trouble.lost };
      const { budget, telling } = openSharedBudget(cells, shape, ties);
      tellings.push(telling);
      return budget;
    },
    start: () => inTime(flush()),
    flush,
    async close() {
      await inTime(finish());
      alarm.end();
    },
  };
}

async function exchangeOver(port: SharedBudgets, tellings: readonly Telling[]): Promise<void> {
  const takings = tellings.flatMap((telling) => telling.takings());
  try {
    const sums = await port.exchange(takings);
    for (const telling of tellings) telling.confirm(sums.filter(({ kind }) => kind === telling.kind));
  } catch (error) {
    for (const telling of tellings) telling.undo();
    throw error;
  }
}

/** Lets go of what is over, now and then; not all instances at one time. */
function sweeper(port: SharedBudgets, tellings: readonly Telling[], now: () => number) {
  let sweepAt = performance.now() + randomInt(SWEEP_MS);
  return {
    isDue: () => performance.now() >= sweepAt,
    async all(): Promise<void> {
      sweepAt = performance.now() + SWEEP_MS;
      for (const { kind, ended } of tellings) await port.forget(kind, ended(now()));
    },
  };
}

/** Whether the others can be told, and what the operator is told of that: once when it begins, once when it ends. */
function troubleOn(log: Log) {
  let isThere = false;
  let lost = 0;
  return {
    isThere: () => isThere,
    lost: () => void lost++,
    away(why: string): void {
      if (!isThere)
        log.warn(`budgets are not shared, this instance counts for itself until they are: ${why}`);
      isThere = true;
    },
    back(): void {
      const missing = lost === 0 ? '' : `; what ${lost} clients took meanwhile is not`;
      if (isThere) log.warn(`budgets are shared again${missing}`);
      isThere = false;
      lost = 0;
    },
  };
}

/** Rings once, at the earliest of the times it was set to. Keeps no process alive. */
function openAlarm(ring: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let setTo = 0;
  let isEnded = false;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    stop,
    set(ms: number): void {
      if (isEnded || (timer !== undefined && ms >= setTo)) return;
      stop();
      setTo = ms;
      timer = setTimeout(ring, ms).unref();
    },
    end(): void {
      isEnded = true;
      stop();
    },
  };
}

/** Waits for a while, and no longer. */
async function inTime(work: Promise<void>): Promise<void> {
  const enough = Promise.withResolvers<void>();
  const patience = setTimeout(enough.resolve, PATIENCE_MS);
  await Promise.race([work, enough.promise]).finally(() => clearTimeout(patience));
}

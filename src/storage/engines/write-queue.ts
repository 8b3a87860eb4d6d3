/** Turns in one process: work that is done one after another, by whoever asked first. Waits for a time, not for ever. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ShingleError } from '../../errors.ts';

export type WriteQueue = {
  /** Does `work` when its turn comes, telling it how much of the wait is left. Throws `store` when it comes too late. */
  enqueue<T>(work: (waitMs: number) => Promise<T>): Promise<T>;
  /** When all that was asked for has ended. */
  idle(): Promise<unknown>;
};

export function openWriteQueue(mostMs: number): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    enqueue<T>(work: (waitMs: number) => Promise<T>): Promise<T> {
      const [before, until] = [last, performance.now() + mostMs];
      const queued = waitAtMost(before, mostMs).then(() =>
        work(Math.max(1, Math.round(until - performance.now()))),
      );
      last = Promise.allSettled([before, queued]);
      return queued;
    },
    idle: () => last,
  };
}

async function waitAtMost(promise: Promise<unknown>, ms: number): Promise<void> {
  const enough = new AbortController();
  const tooLate = sleep(ms, undefined, enough).then(() => {
    throw new ShingleError('store', `other processes have been writing for ${ms / 1000} seconds`);
  });
  await Promise.race([promise, tooLate]).finally(() => enough.abort());
}

/** Runs writes of this process one by one, in order of request. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ShingleError } from '../../errors.ts';

export function openWriteQueue(mostMs: number) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Queues `work`, which gets the remaining waiting time. Throws `store` if that is used up. */
    enqueue<T>(work: (waitMs: number) => Promise<T>): Promise<T> {
      const [before, until] = [last, performance.now() + mostMs];
      const queued = waitAtMost(before, mostMs).then(() =>
        work(Math.max(1, Math.round(until - performance.now()))),
      );
      last = Promise.allSettled([before, queued]);
      return queued;
    },
    idle: (): Promise<unknown> => last,
  };
}

async function waitAtMost(promise: Promise<unknown>, ms: number): Promise<void> {
  const enough = new AbortController();
  const tooLate = sleep(ms, undefined, enough).then(() => {
    throw new ShingleError('store', `other processes have been writing for ${ms / 1000} seconds`);
  });
  await Promise.race([promise, tooLate]).finally(() => enough.abort());
}

/** Repeats work until it is stopped, in one process at a time if it has a lock. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ShingleError } from './errors.ts';

const LOOK_MS = 1_000; // also keeps work on the email of a signup out of the signup's response time
// work that does not finish in time, such as sending an alert, is repeated after the next start
const CLOSE_MS = 8_000;

/**
 * Calls `look` again and again, `everyMs` after the last call ended. Returns a function that stops this and waits up to
 * `CLOSE_MS` for a call in progress.
 */
export function keepLooking(
  look: () => Promise<void>,
  fail: (error: unknown) => void,
  everyMs = LOOK_MS,
): () => Promise<void> {
  const stop = new AbortController();
  async function lookUntilStopped(): Promise<void> {
    while (!stop.signal.aborted) {
      await look().catch(fail);
      await sleep(everyMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }
  const running = lookUntilStopped();
  return async () => {
    stop.abort();
    await Promise.race([running, sleep(CLOSE_MS, undefined, { ref: false })]);
  };
}

/** Runs `work` under a lock, which ends with the process. Throws `store` if waiting for it takes longer than `waitMs`. */
export type Alone = <T>(name: string, waitMs: number, work: () => Promise<T>) => Promise<T>;

/** Runs the work unless another process holds the lock. */
export async function runIfAlone(
  { alone }: { alone: Alone },
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  let isAlone = false;
  await alone(name, 0, () => {
    isAlone = true;
    return work();
  }).catch((error: unknown) => {
    if (isAlone || !(error instanceof ShingleError)) throw error;
  });
}

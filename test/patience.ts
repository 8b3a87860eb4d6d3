/** How long tests wait. It only guards against hanging and measures nothing. */

import { readdirSync, readFileSync } from 'node:fs';

/** What waits fails after this long: a busy machine needs at most a tenth of it. */
export const PATIENCE_MS = 300_000;
/** Of the seconds that count, what waits has as many: schedules look once a minute. */
const PATIENCE_SECONDS = 75;

const LEAST_SHARE = 0.1; // so that all ends on a machine that is never idle
const EVERY_MS = 500; // how often it is read
const UNKNOWN_SHARE = 0.25; // where the system does not say what is delayed

/** How long each thread has waited for a processor, in nanoseconds. */
export type Delays = ReadonlyMap<string, number>;

/**
 * Counts seconds from now on; each call gives those since the last. On a busy machine a healthy test may do nothing for long. So seconds do not
 * count while a thread of this process, of a program that it started, or of the database server waits for a processor: what hangs does not.
 */
export function countSeconds(
  readClock: () => number = performance.now.bind(performance),
  readDelays: () => Delays = delaysOfThreads,
): () => number {
  let [at, delays] = [readClock(), readDelays()];
  return () => {
    const now = readClock();
    if (now - at < EVERY_MS) return 0;
    const [before, passed] = [delays, Math.min(1, (now - at) / 1_000)]; // a machine that slept for long did nothing
    [at, delays] = [now, readDelays()];
    if (delays.size === 0) return passed * UNKNOWN_SHARE;
    const waited = [...delays].map(([thread, ns]) => ns - (before.get(thread) ?? 0));
    const delayed = waited.reduce((sum, ns) => sum + ns / 1e9, 0);
    return Math.max(passed * LEAST_SHARE, passed - delayed);
  };
}

/** From now on, whether it has been waited too long. */
export function openPatience(count = countSeconds()): () => boolean {
  const start = performance.now();
  let seconds = 0;
  return () => {
    seconds += count();
    return seconds >= PATIENCE_SECONDS || performance.now() - start >= PATIENCE_MS;
  };
}

/** Of all threads whose work this process may wait for. */
function delaysOfThreads(): Delays {
  const delays = new Map<string, number>();
  const { pid } = process;
  const pids = [String(pid), process.env.TEST_POSTGRES_PID ?? ''].filter(Boolean);
  for (const one of pids) // it grows
    for (const thread of ifThere(() => readdirSync(`/proc/${one}/task`)) ?? []) {
      const read = (name: string) =>
        ifThere(() => readFileSync(`/proc/${one}/task/${thread}/${name}`, 'utf8'));
      const [, ns] = read('schedstat')?.split(' ') ?? [];
      if (ns !== undefined) delays.set(thread, Number(ns));
      pids.push(...(read('children')?.split(' ').filter(Boolean) ?? []));
    }
  return delays;
}

/** What is read of a thread, unless it has ended. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

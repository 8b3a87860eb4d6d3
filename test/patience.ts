/** How long tests wait. It only guards against hanging and measures nothing. */

import { availableParallelism, cpus } from 'node:os';

/** What waits fails after this long: a busy machine needs at most a tenth of it. */
export const PATIENCE_MS = 300_000;
/** On a machine that has nothing else to do, it fails after this long. */
export const IDLE_PATIENCE_MS = 60_000;

/** Milliseconds: the moment, and how long the processors were idle and running in all. */
export type Times = { at: number; idle: number; all: number };

export function readTimes(): Times {
  const times = cpus().map((cpu) => cpu.times);
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, ms) => sum + ms, 0);
  const isConfined = availableParallelism() < times.length; // then the idle ones may not be for this process
  return {
    at: performance.now(),
    idle: isConfined ? 0 : times.reduce((sum, { idle }) => sum + idle, 0),
    all,
  };
}

/** From now on, whether it has been waited too long. */
export function openPatience(read: () => Times = readTimes): () => boolean {
  const first = read();
  let [last, idleMs] = [first, 0];
  return () => {
    const now = read();
    if (now.all > last.all) {
      idleMs += ((now.at - last.at) * (now.idle - last.idle)) / (now.all - last.all);
      last = now;
    }
    return now.at - first.at >= PATIENCE_MS || idleMs >= IDLE_PATIENCE_MS;
  };
}

/** How long tests wait. It only guards against hanging and measures nothing. */

import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/** What waits fails after this long: a busy machine needs at most a tenth of it. */
export const PATIENCE_MS = 300_000;
/** Where a processor has had nothing else to do, it fails after this long. */
export const IDLE_PATIENCE_MS = 45_000;

/** Milliseconds: the moment, and how long the processors that this process may use were idle, all together. */
export type Times = { at: number; idle: number };

export function readTimes(): Times {
  const all = cpus();
  const ours = listOwnProcessors() ?? [...all.keys()];
  const isConfined = availableParallelism() < ours.length; // then the idle ones may not be for this process
  const idle = isConfined ? 0 : ours.reduce((sum, one) => sum + (all[one]?.times.idle ?? 0), 0);
  return { at: performance.now(), idle };
}

/** The processors to which this process is bound (`taskset`), where the system says so. */
function listOwnProcessors(): number[] | undefined {
  try {
    const [, list = ''] = /^Cpus_allowed_list:\t(.+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return list.split(',').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
  } catch {
    return undefined;
  }
}

/** How many of the milliseconds between two moments this process could have worked: one idle processor is enough. */
export const idleBetween = (last: Times, now: Times): number =>
  Math.min(now.at - last.at, Math.max(0, now.idle - last.idle));

/** From now on, whether it has been waited too long. */
export function openPatience(read: () => Times = readTimes): () => boolean {
  const first = read();
  let [last, idleMs] = [first, 0];
  return () => {
    const now = read();
    idleMs += idleBetween(last, now);
    last = now;
    return now.at - first.at >= PATIENCE_MS || idleMs >= IDLE_PATIENCE_MS;
  };
}

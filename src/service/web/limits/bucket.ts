/** Limits use over time, in fixed memory: leaky buckets in cells that several clients may share. */

/** Two numbers below 2^32 that identify a client in this process. */
export type Key = readonly [number, number];

/** The time before a process starts, in milliseconds: longer than any bucket takes to fill twice. */
const BEGINNING_MS = 48 * 3_600_000;

/** Shorter waits are what remains of sums of fractions. */
const LEAST_MS = 1;

/**
 * Returns a clock of the milliseconds that have passed. If the time is set back, the clock stops for that moment only: it
 * never runs backwards, and does not wait until the old time is reached again.
 */
export function openElapsed(now: () => number): () => number {
  let read = now();
  let elapsed = BEGINNING_MS;
  return () => {
    const at = now();
    elapsed += Math.max(0, at - read);
    read = at;
    return elapsed;
  };
}

/**
 * Opens buckets. A full one holds `refillMs` of refill, so a client may use in any window of `refillMs` at most twice
 * what a bucket holds. Use is measured in the time that its refill takes, because the clients of a cell may have
 * buckets of different sizes.
 *
 * A client has two cells, in each of which the time is stored at which the bucket is full again. The lower one counts:
 * it has less use by others. The memory is `2 * width` cells of 8 bytes; `width` is a power of two.
 */
export function openBuckets({ refillMs, width }: { refillMs: number; width: number }, elapsed: () => number) {
  const cells = new Float64Array(2 * width);
  const fullAt = (key: Key): number => Math.min(cells[first(key)]!, cells[second(key)]!);
  const first = (key: Key): number => key[0] & (width - 1);
  const second = (key: Key): number => width + (key[1] & (width - 1));
  return {
    bytes: cells.byteLength,
    /**
     * Returns the milliseconds until a use is available, or 0. A use of up to `2 * refillMs` is available when the bucket
     * has been full for as long as the rest would take.
     */
    waitMs(key: Key, useMs: number): number {
      const wait = fullAt(key) + useMs - refillMs - elapsed();
      return wait < LEAST_MS ? 0 : wait;
    },
    /** Returns how much of a bucket is used. */
    usedMs: (key: Key): number => Math.max(0, fullAt(key) - elapsed()),
    /** Uses a bucket, even if it does not hold as much. */
    take(key: Key, useMs: number): void {
      const until = Math.max(fullAt(key), elapsed()) + useMs;
      for (const cell of [first(key), second(key)]) cells[cell] = Math.max(cells[cell]!, until);
    },
  };
}

export type Buckets = ReturnType<typeof openBuckets>;

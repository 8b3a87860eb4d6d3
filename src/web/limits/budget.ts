/** Limits use in a time window, in fixed memory. Cells only count up, so new clients cannot erase the use of others. */

const GROUPS = 5; // the use in a window is stored in groups, which start at least a quarter of a window apart
// the number and start of the newest group, then the count and the last use of each group
const RECORD = 2 * GROUPS + 2;

/** Two numbers below 2^32 that identify a client in this process. */
export type Key = readonly [number, number];

/**
 * Opens a sliding window. A client never gets more than its quota in any window, and gets all of it back after a window
 * without use. `now` is in milliseconds. If the clock is set back, time stands still.
 *
 * The memory is `2 * width` cells of 48 bytes; `width` is a power of two. Uses close in time are stored as one group,
 * with the time of its last use, in ticks of 1/6,000 of the window.
 */
export function openBudget(shape: { windowMs: number; width: number }, now: () => number) {
  const { windowMs, width } = shape;
  const tickMs = windowMs / 6000;
  const cells = new Uint32Array(2 * width * RECORD);
  const start = now();
  let latest = start;

  function tick(): number {
    latest = Math.max(latest, now());
    return Math.floor((latest - start) / tickMs);
  }

  /** Returns the less used of the key's two records, because it contains less use by other clients. */
  function recordOf(key: Key, at: number): number {
    const one = (key[0] & (width - 1)) * RECORD;
    const two = (width + (key[1] & (width - 1))) * RECORD;
    return countUsed(cells, one, at) <= countUsed(cells, two, at) ? one : two;
  }

  return {
    bytes: cells.byteLength,
    /** Returns how much of `quota` this key has left, never below 0. */
    left(key: Key, quota: number): number {
      const at = tick();
      return Math.max(0, quota - countUsed(cells, recordOf(key, at), at));
    },
    take(key: Key, amount: number): void {
      const at = tick();
      add(cells, (key[0] & (width - 1)) * RECORD, at, amount);
      add(cells, (width + (key[1] & (width - 1))) * RECORD, at, amount);
    },
    /** Returns the milliseconds until `amount` is available, or the whole window if it exceeds the quota. */
    waitMs(key: Key, amount: number, quota: number): number {
      const at = tick();
      const ticks = ticksUntil(cells, recordOf(key, at), at, quota - amount);
      return Math.max(0, Math.min(windowMs, start + (at + ticks) * tickMs - latest));
    },
  };
}

/** Returns the ticks since the time in `cell`. Ticks may overflow (after 497 days for a window of a minute). */
function age(cells: Uint32Array, cell: number, at: number): number {
  return (at - cells[cell]!) >>> 0;
}

function isLive(cells: Uint32Array, group: number, at: number): boolean {
  return cells[group] !== 0 && age(cells, group + 1, at) < 6000;
}

function countUsed(cells: Uint32Array, record: number, at: number): number {
  let sum = 0;
  for (let group = record + 2; group < record + RECORD; group += 2) {
    if (isLive(cells, group, at)) sum += cells[group]!;
  }
  return sum;
}

/** Starts a new group if the newest is a quarter of a window old. The group that it replaces has expired. */
function add(cells: Uint32Array, record: number, at: number, amount: number): void {
  if (age(cells, record + 1, at) >= 1500) {
    cells[record] = (cells[record]! + 1) % GROUPS;
    cells[record + 1] = at;
    cells[record + 2 + 2 * cells[record]!] = 0;
  }
  const group = record + 2 + 2 * cells[record]!;
  cells[group] = Math.min(0xffff_ffff, cells[group]! + amount);
  cells[group + 1] = at;
}

/** Returns the ticks until use is at most `allowed`. Groups expire a window after their last use, oldest first. */
function ticksUntil(cells: Uint32Array, record: number, at: number, allowed: number): number {
  let sum = countUsed(cells, record, at);
  if (sum <= allowed) return 0;
  for (let step = 1; step <= GROUPS; step++) {
    const group = record + 2 + 2 * ((cells[record]! + step) % GROUPS);
    if (!isLive(cells, group, at)) continue;
    sum -= cells[group]!;
    if (sum <= allowed) return 6000 - age(cells, group + 1, at);
  }
  return 6000;
}

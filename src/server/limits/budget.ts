/**
 * How much of something each client may have in a window of time, in memory of a fixed size.
 * Clients share cells by keyed hash and shares only ever add up: nobody is forgotten early because others came by.
 */

const GROUPS = 5; // a window remembers what was taken in groups that start at least a quarter of it apart
const RECORD = 2 * GROUPS + 2; // newest group, its start, then (count, last) of each group

/** Two numbers below 2^32 that stand for a client in this process; see `limits.ts` for how they are made. */
export type Key = readonly [number, number];

export type Budget = {
  /** What is left of `quota` for this key, never below 0. */
  left(key: Key, quota: number): number;
  take(key: Key, amount: number): void;
  /** Milliseconds until `amount` would be left; at most the window, also when it never will. */
  waitMs(key: Key, amount: number, quota: number): number;
  readonly bytes: number;
};

/**
 * A sliding window: what was taken is remembered for `windowMs` after the last taking of its group, so never more than
 * the quota goes out in any window, and all of it is back after one. `2 * width` cells of 48 bytes; `width` is a power
 * of two. `now` is in milliseconds, and a clock set back stands still. Times are kept in ticks of a 6,000th of the window.
 */
export function openBudget(shape: { windowMs: number; width: number }, now: () => number): Budget {
  const { windowMs, width } = shape;
  const tickMs = windowMs / 6000;
  const cells = new Uint32Array(2 * width * RECORD);
  const start = now();
  let latest = start;

  function tick(): number {
    latest = Math.max(latest, now());
    return Math.floor((latest - start) / tickMs);
  }

  /** The less used of the two records this key adds to: the other holds more of other clients. */
  function recordOf(key: Key, at: number): number {
    const one = (key[0] & (width - 1)) * RECORD;
    const two = (width + (key[1] & (width - 1))) * RECORD;
    return countUsed(cells, one, at) <= countUsed(cells, two, at) ? one : two;
  }

  return {
    bytes: cells.byteLength,
    left(key, quota) {
      const at = tick();
      return Math.max(0, quota - countUsed(cells, recordOf(key, at), at));
    },
    take(key, amount) {
      const at = tick();
      add(cells, (key[0] & (width - 1)) * RECORD, at, amount);
      add(cells, (width + (key[1] & (width - 1))) * RECORD, at, amount);
    },
    waitMs(key, amount, quota) {
      const at = tick();
      const ticks = ticksUntil(cells, recordOf(key, at), at, quota - amount);
      return Math.max(0, Math.min(windowMs, start + (at + ticks) * tickMs - latest));
    },
  };
}

/** Ticks since the one kept at `cell`; right also after 2^32 ticks (497 days of a minute's window). */
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

/** Starts a new group once the newest began a quarter of a window ago: the one it replaces is then over. */
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

/** Ticks until no more than `allowed` is remembered: groups end oldest first, each a window after its last taking. */
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

/** Reads and combines sets of row numbers. A result is valid until the next `begin()`, which reuses its memory. */

import { findFirstAtLeast } from '../../shared/sorted.ts';
import type { Codes, Sets } from './index-buffers.ts';

/** A set of rows, either as ascending row numbers or as bits. */
export type RowSet =
  | { count: number; rows: Uint32Array; bits?: undefined }
  | { count: number; bits: Uint32Array; rows?: undefined };

export type Range = { from: number; to: number };

export type RowSets = ReturnType<typeof openSets>;

/** A union with fewer than one in this many rows becomes a sorted list, because searching sparse bits is slow. */
const SPARSE = 1024;

function countSlots(size: number): number {
  return (size + 31) >>> 5;
}

/** Builds sets of known sizes. `fill` must add rows in ascending order. */
export function fillSets(
  counts: Uint32Array<ArrayBuffer>,
  size: number,
  fill: (put: (set: number, row: number) => void) => void,
): Sets {
  const width = countSlots(size);
  const starts = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) starts[i + 1] = starts[i]! + Math.min(counts[i]!, width);
  const slots = new Uint32Array(starts.at(-1)!);
  const next = starts.slice(0, -1);
  fill((set, row) => {
    if (counts[set]! >= width) slots[starts[set]! + (row >>> 5)]! |= 1 << (row & 31);
    else slots[next[set]!++] = row;
  });
  return { slots, starts, counts };
}

export function openSets({ slots, starts, counts }: Sets, size: number) {
  const width = countSlots(size);
  const dense = Uint32Array.from(counts.keys().filter((set) => width > 0 && counts[set]! >= width));
  const pool: Uint32Array[] = [];
  let taken = 0;

  function scratch(): Uint32Array {
    if (taken === pool.length) pool.push(new Uint32Array(width));
    return pool[taken++]!;
  }

  function one(set: number): RowSet {
    const slice = slots.subarray(starts[set]!, starts[set + 1]!);
    const count = counts[set]!;
    return slice.length === width && count > 0 ? { count, bits: slice } : { count, rows: slice };
  }

  function openTest({ rows, bits = scratch().fill(0) }: RowSet): (row: number) => boolean {
    if (rows !== undefined) addRows(bits, rows, 0, rows.length);
    return (row) => ((bits[row >>> 5]! >>> (row & 31)) & 1) === 1;
  }

  function inBits(ranges: readonly Range[], more: readonly RowSet[]): RowSet {
    const bits = scratch().fill(0);
    let count = more.reduce((sum, set) => sum + addSet(bits, set), 0);
    for (const { from, to } of ranges) {
      let start = from;
      for (let d = findFirstAtLeast(dense, from); d < dense.length && dense[d]! < to; d++) {
        const set = dense[d]!;
        count += addRows(bits, slots, starts[start]!, starts[set]!) + addSet(bits, one(set));
        start = set + 1;
      }
      count += addRows(bits, slots, starts[start]!, starts[to]!);
    }
    return { count, bits };
  }

  return {
    /** Discards all results, and reuses their memory. */
    begin(): void {
      taken = 0;
    },
    one,
    /** Returns the rows from `from` to `to` (exclusive). */
    range(from: number, to: number): RowSet {
      const count = Math.max(0, to - from);
      if (count < width) return { count, rows: listNumbers(from, count) };
      return { count, bits: fillBits(scratch().fill(0), from, to) };
    },
    union(ranges: readonly Range[], more: readonly RowSet[] = []): RowSet {
      const [first] = ranges;
      if (first === undefined && more.length < 2) return more[0] ?? { count: 0, rows: new Uint32Array(0) };
      if (ranges.length === 1 && more.length === 0 && first!.to - first!.from === 1) return one(first!.from);
      let span = more.reduce((sum, { count }) => sum + count, 0);
      for (const { from, to } of ranges) span += starts[to]! - starts[from]!;
      if (span * SPARSE >= size || more.some(({ bits }) => bits !== undefined)) return inBits(ranges, more);
      const lists = ranges.map(({ from, to }) => slots.subarray(starts[from]!, starts[to]!));
      return joinLists([...lists, ...more.map(({ rows }) => rows!)], span);
    },
    /** Returns the rows whose code is less than `bound`. */
    below(codes: Codes, bound: number): RowSet {
      if (bound === 0) return { count: 0, rows: new Uint32Array(0) };
      const bits = scratch().fill(0);
      let count = 0;
      for (let row = 0; row < codes.length; row++)
        if (codes[row]! < bound) {
          bits[row >>> 5]! |= 1 << (row & 31);
          count++;
        }
      return { count, bits };
    },
    /** Returns a function that tells whether a row is in the set. */
    openTest,
    /** Returns the rows of the first set that are not in the second. */
    difference(set: RowSet, without: RowSet): RowSet {
      const others = inBits([], [without]).bits!;
      for (let i = 0; i < others.length; i++) others[i] = ~others[i]!;
      return intersectSets([set, { count: size - without.count, bits: others }], scratch);
    },
    /** Returns the rows that are in all sets. Requires at least one set. */
    intersection: (sets: readonly RowSet[]): RowSet => intersectSets(sets, scratch),
  };
}

function intersectSets(sets: readonly RowSet[], scratch: () => Uint32Array): RowSet {
  if (sets.length === 1) return sets[0]!;
  let shortest: Uint32Array | undefined;
  for (const { rows } of sets)
    if (rows !== undefined && (shortest?.length ?? Infinity) > rows.length) shortest = rows;
  return shortest === undefined ? intersectBits(sets, scratch()) : intersectList(shortest, sets);
}

/** Returns `take` rows after the first `skip` rows of a set. */
export function takeRows({ rows, bits }: RowSet, skip: number, take: number): Uint32Array {
  if (rows !== undefined) return rows.subarray(skip, skip + take);
  const page = new Uint32Array(take);
  let at = -skip;
  for (let i = 0; i < bits.length && at < take; i++) {
    const word = bits[i]!;
    const inWord = countBits(word);
    if (at + inWord <= 0) at += inWord;
    else
      for (let left = word; left !== 0; left &= left - 1, at++)
        if (at >= 0 && at < take) page[at] = i * 32 + lowestBit(left);
  }
  return page.subarray(0, Math.max(0, at));
}

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

function countBits(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Counts the bits from a position to another (exclusive, and after it). */
export function countBitsIn(bits: Uint32Array, from: number, to: number): number {
  const [first, last] = [from >>> 5, (to - 1) >>> 5];
  const head = 0xffffffff << (from & 31);
  const tail = 0xffffffff >>> (31 - ((to - 1) & 31));
  if (first === last) return countBits(bits[first]! & head & tail);
  let count = countBits(bits[first]! & head) + countBits(bits[last]! & tail);
  for (let i = first + 1; i < last; i++) count += countBits(bits[i]!);
  return count;
}

/** Counts the rows of a set from a position to another (exclusive). Of `undefined`, which has all rows, counts all. */
export function countRowsIn(set: RowSet | undefined, from: number, to: number): number {
  if (to <= from) return 0;
  if (set === undefined) return to - from;
  if (set.bits !== undefined) return countBitsIn(set.bits, from, to);
  const first = findFirstAtLeast(set.rows, from);
  return findFirstAtLeast(set.rows, to, first) - first;
}

/** Returns the union of lists, which have `most` rows in total. */
function joinLists(lists: readonly Uint32Array[], most: number): RowSet {
  const all = new Uint32Array(most);
  let length = 0;
  for (const rows of lists) {
    all.set(rows, length);
    length += rows.length;
  }
  const rows = all.sort().filter((row, i) => row !== all[i - 1]);
  return { count: rows.length, rows };
}

/** Returns `count` numbers from `from` on. A loop is 20 times as fast as `Uint32Array.from` with a function. */
export function listNumbers(from: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = from + i;
  return numbers;
}

function fillBits(bits: Uint32Array, from: number, to: number): Uint32Array {
  const [first, last] = [from >>> 5, to >>> 5];
  bits.fill(0xffffffff, first, last);
  bits[first]! &= 0xffffffff << (from & 31);
  if ((to & 31) !== 0)
    bits[last]! |= ~(0xffffffff << (to & 31)) & (first === last ? 0xffffffff << (from & 31) : 0xffffffff);
  return bits;
}

/** Sets the bits of rows. Returns the number of newly set bits. */
function addRows(bits: Uint32Array, rows: Uint32Array, from: number, to: number): number {
  let added = 0;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    const word = bits[row >>> 5]!;
    added += 1 - ((word >>> (row & 31)) & 1);
    bits[row >>> 5] = word | (1 << (row & 31));
  }
  return added;
}

function addSet(bits: Uint32Array, set: RowSet): number {
  if (set.rows !== undefined) return addRows(bits, set.rows, 0, set.rows.length);
  let added = 0;
  for (let i = 0; i < bits.length; i++) {
    const fresh = set.bits[i]! & ~bits[i]!;
    if (fresh === 0) continue;
    added += countBits(fresh);
    bits[i]! |= fresh;
  }
  return added;
}

function intersectBits([first, ...others]: readonly RowSet[], into: Uint32Array): RowSet {
  let found = { count: first!.count, bits: first!.bits! };
  for (const { bits } of others) found = { count: keepCommonBits(found.bits, bits!, into), bits: into };
  return found;
}

/** Writes the bits that `one` and `other` share into `into`. Returns their number. */
function keepCommonBits(one: Uint32Array, other: Uint32Array, into: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < into.length; i++) {
    const word = one[i]! & other[i]!;
    into[i] = word;
    count += countBits(word); // not skipping empty words is twice as fast, because it needs no branch
  }
  return count;
}

function intersectList(list: Uint32Array, sets: readonly RowSet[]): RowSet {
  let rows = list;
  for (const set of sets)
    if (set.rows !== list) rows = set.bits ? inBitsOnly(rows, set.bits) : inList(rows, set.rows);
  return { count: rows.length, rows };
}

function inBitsOnly(rows: Uint32Array, bits: Uint32Array): Uint32Array {
  const kept = new Uint32Array(rows.length);
  let length = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (((bits[row >>> 5]! >>> (row & 31)) & 1) === 1) kept[length++] = row;
  }
  return kept.subarray(0, length);
}

function inList(rows: Uint32Array, other: Uint32Array): Uint32Array {
  let at = 0;
  return rows.filter((row) => {
    at = findFirstAtLeast(other, row, at);
    return other[at] === row;
  });
}

/** The buffers of a built index: plain columns that `build.ts` fills in one thread and `open.ts` reads in another. */

import type { Day, Instant } from '../../listings/day.ts';
import { VALUE_FILTERS, type ValueFilter } from '../parameters.ts';

/** Small numbers per row, of two bytes each if they fit. */
export type Codes = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Consecutive texts in UTF-8. Text `i` is from `ends[i]` to `ends[i + 1]`. */
export type Texts = { bytes: Uint8Array<ArrayBuffer>; ends: Uint32Array<ArrayBuffer> };

/**
 * Consecutive sets of row numbers in `slots`. Set `i` is from `starts[i]` to `starts[i + 1]`. A set of at least `width`
 * (rows / 32) rows is stored as `width` words of bits, a smaller one as its ascending rows. So no set takes more than
 * an eighth of a byte for each listing.
 */
export type Sets = {
  slots: Uint32Array<ArrayBuffer>;
  starts: Uint32Array<ArrayBuffer>;
  counts: Uint32Array<ArrayBuffer>;
};

export type IndexBuffers = {
  version: string;
  day: Day;
  size: number;
  /** Values that occur or are known, by code unit. */
  values: Record<ValueFilter, string[]>;
  /** Combinations of values that occur: the values' numbers, and the number of rows. */
  combos: Record<ValueFilter | 'count', Uint32Array<ArrayBuffer>>;
  /** When listings were first seen, and the edition that announced them (or `''`). `firstSeen` indexes into this. */
  seen: { at: Instant; isNews: boolean; edition: Day | '' }[];
  editions: readonly Day[];
  /** The combination of each row, in result order. */
  combo: Codes;
  filedOn: Codes;
  firstSeen: Codes;
  /** Pieces of a row's JSON. See `page.ts`. */
  names: Texts;
  tails: Texts;
  days: Uint8Array<ArrayBuffer>;
  /** Words of names, by code unit. Set `i` belongs to word `i`. The sets of values follow, in the order of `VALUE_FILTERS`. */
  words: Texts;
  /** The letters of each word as bits. See `spelling.ts`. */
  letters: Uint32Array<ArrayBuffer>;
  sets: Sets;
};

export function firstSetOf(
  { words, values }: Pick<IndexBuffers, 'words' | 'values'>,
  filter: ValueFilter,
): number {
  const before = VALUE_FILTERS.slice(0, VALUE_FILTERS.indexOf(filter));
  return before.reduce((sum, one) => sum + values[one].length, words.ends.length - 1);
}

function listColumns(parts: IndexBuffers): ArrayBufferView<ArrayBuffer>[] {
  const { combos, combo, filedOn, firstSeen, names, tails, days, words, letters, sets } = parts;
  return [combos, { combo, filedOn, firstSeen, days, letters }, names, tails, words, sets].flatMap((group) =>
    Object.values(group),
  );
}

/** Lists the buffers to transfer, so that nothing is copied between threads. */
export function listTransferables(parts: IndexBuffers): ArrayBuffer[] {
  return listColumns(parts).map((column) => column.buffer);
}

export function countBytes(parts: IndexBuffers): number {
  return listColumns(parts).reduce((sum, column) => sum + column.byteLength, 0);
}

/** Allocates a column for `length` numbers below `bound`. */
export function allocateCodes(length: number, bound: number): Codes {
  return bound <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length);
}

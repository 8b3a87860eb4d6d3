/** The buffers of a built index: plain columns that `build.ts` fills in one thread and `open.ts` reads in another. */

import type { Day, Instant } from '../../listings/day.ts';
import { VALUE_FILTERS, type ValueFilter } from '../parameters.ts';

/** One small number for each row. It takes two bytes, or four if the numbers are larger. */
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
  /** All values, by code unit, including known values that no listing has. */
  values: Record<ValueFilter, string[]>;
  /** Each combination of values that occurs: the number of each value, and the number of rows. */
  combos: Record<ValueFilter | 'count', Uint32Array<ArrayBuffer>>;
  /** When listings were first seen, and the edition that announced them (`''`: none). `firstSeen` indexes into it. */
  seen: { at: Instant; isNews: boolean; edition: Day | '' }[];
  editions: readonly Day[];
  /** The combination of each row, in result order. */
  combo: Codes;
  filedOn: Codes;
  firstSeen: Codes;
  /** The pieces of a row's JSON. See `listing-json.ts`. */
  names: Texts;
  tails: Texts;
  days: Uint8Array<ArrayBuffer>;
  /** Words of names, by code unit. Set `i` is that of word `i`. The sets of values follow, as in `VALUE_FILTERS`. */
  words: Texts;
  /** A bit mask of the letters of each word. See `spelling.ts`. */
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

export function allocateCodes(length: number, bound: number): Codes {
  return bound <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length);
}

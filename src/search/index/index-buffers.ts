/**
 * The buffers of a built index: plain columns that one thread fills and another reads.
 * Contains only their types and transfer; `build.ts` fills them and `open.ts` reads them.
 */

import type { Day, Instant } from '../../listings/day.ts';
import type { Stats } from '../listing-index.ts';
import type { ValueFilter } from '../parameters.ts';

/** Small numbers per row: two bytes each while they fit. */
export type Codes = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Texts one after the other as UTF-8; text `i` is from `ends[i]` to `ends[i + 1]`. */
export type Texts = { bytes: Uint8Array<ArrayBuffer>; ends: Uint32Array<ArrayBuffer> };

/**
 * Sets of row numbers, one after the other in `slots`; set `i` is from `starts[i]` to `starts[i + 1]`.
 * A set of at least `width` (rows / 32) rows is stored as `width` words of bits, a smaller one as its rows, ascending. So no set
 * takes more than an eighth of a byte for each listing.
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
  /** The values that occur, by code unit; for `status` all five. */
  values: Record<ValueFilter, string[]>;
  /** The combinations of the three that occur: the values' numbers, and the number of rows of each. */
  combos: Record<ValueFilter | 'count', Uint32Array<ArrayBuffer>>;
  /** When listings were first seen, and the edition that announced them (`''`: none); `firstSeen` of a row is a number in here. */
  seen: { at: Instant; baseline: boolean; edition: Day | '' }[];
  /** The editions that were sent, newest first. */
  editions: readonly Day[];
  stats: Stats;
  /** Rows in result order. */
  combo: Codes;
  filedOn: Codes;
  firstSeen: Codes;
  /** The pieces from which a row's JSON is put together; see `page.ts`. */
  names: Texts;
  tails: Texts;
  days: Uint8Array<ArrayBuffer>;
  /** Words of names, by code unit. Set `i` belongs to word `i`; the sets of the values follow. */
  words: Texts;
  /** The letters of each word, a bit each; see `spelling.ts`. */
  letters: Uint32Array<ArrayBuffer>;
  sets: Sets;
};

function listColumns(parts: IndexBuffers): ArrayBufferView<ArrayBuffer>[] {
  const { combos, combo, filedOn, firstSeen, names, tails, days, words, letters, sets } = parts;
  return [combos, { combo, filedOn, firstSeen, days, letters }, names, tails, words, sets].flatMap((group) =>
    Object.values(group),
  );
}

/** The buffers to transfer, so that nothing is copied between threads. */
export function listTransferables(parts: IndexBuffers): ArrayBuffer[] {
  return listColumns(parts).map((column) => column.buffer);
}

/** The size of the columns in bytes. */
export function countBytes(parts: IndexBuffers): number {
  return listColumns(parts).reduce((sum, column) => sum + column.byteLength, 0);
}

/** A column for `length` numbers below `bound`. */
export function allocateCodes(length: number, bound: number): Codes {
  return bound <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length);
}

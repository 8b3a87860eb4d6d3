/**
 * What a built catalogue consists of: plain columns that one thread fills and another answers from.
 * Only shapes and the way across; how they are filled is `build.ts`, how they are asked is `open.ts`.
 */

import type { Day, Instant } from '../../listings/day.ts';
import type { Stats } from '../listing-index.ts';
import type { ValueFilter } from '../parameters.ts';

/** Small numbers per row: two bytes each while they fit. */
export type Codes = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Texts one after the other as UTF-8; text `i` lies from `ends[i]` to `ends[i + 1]`. */
export type Texts = { bytes: Uint8Array<ArrayBuffer>; ends: Uint32Array<ArrayBuffer> };

/**
 * Sets of row numbers, one after the other in `slots`; set `i` lies from `starts[i]` to `starts[i + 1]`.
 * A set of at least `width` (rows / 32) rows is `width` words of bits, a smaller one is its rows, ascending: so no set
 * takes more than an eighth of a byte a listing.
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
  /** The combinations of the three that occur: the values' numbers, and how many rows have each. */
  combos: Record<ValueFilter | 'count', Uint32Array<ArrayBuffer>>;
  /** Moments of first sight; `since` of a row is a number in here. */
  seen: { at: Instant; baseline: boolean }[];
  stats: Stats;
  /** Rows in answer order. */
  combo: Codes;
  filedOn: Codes;
  firstSeen: Codes;
  /** The pieces that a row's JSON is put together from; see `page.ts`. */
  names: Texts;
  tails: Texts;
  days: Uint8Array<ArrayBuffer>;
  /** Words of names, by code unit. Set `i` belongs to word `i`; behind them come the sets of the values. */
  words: Texts;
  sets: Sets;
};

function listColumns(parts: IndexBuffers): ArrayBufferView<ArrayBuffer>[] {
  const { combos, combo, filedOn, firstSeen, names, tails, days, words, sets } = parts;
  return [combos, { combo, filedOn, firstSeen, days }, names, tails, words, sets].flatMap((group) =>
    Object.values(group),
  );
}

/** The buffers to hand over with the parts, so that nothing is copied between threads. */
export function listTransferables(parts: IndexBuffers): ArrayBuffer[] {
  return listColumns(parts).map((column) => column.buffer);
}

/** The bytes the columns take. */
export function countBytes(parts: IndexBuffers): number {
  return listColumns(parts).reduce((sum, column) => sum + column.byteLength, 0);
}

/** A column for `length` numbers below `bound`. */
export function allocateCodes(length: number, bound: number): Codes {
  return bound <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length);
}

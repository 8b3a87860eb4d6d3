/**
 * Defines the buffers of an index, which `build.ts` fills in one thread and `open.ts` reads in another. Texts are
 * packed as bytes.
 */

import type { Day, Instant } from '../../shared/day.ts';
import type { Listing, Status } from '../../shared/listing.ts';
import { VALUE_FILTERS, type ValueFilter } from '../../shared/question.ts';

/** A number for each row, in two bytes, or in four if a number does not fit in two. */
export type Codes = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Consecutive texts in UTF-8. Text `i` is from `ends[i]` to `ends[i + 1]`. */
export type Texts = { bytes: Uint8Array<ArrayBuffer>; ends: Uint32Array<ArrayBuffer> };

/**
 * Consecutive sets of row numbers in `slots`. Set `i` is from `starts[i]` to `starts[i + 1]`. A set of at least `width`
 * (rows / 32) rows is stored as `width` words of bits, a smaller one as its ascending rows. Thus a set takes at most
 * one bit for each listing.
 */
export type Sets = {
  slots: Uint32Array<ArrayBuffer>;
  starts: Uint32Array<ArrayBuffer>;
  counts: Uint32Array<ArrayBuffer>;
};

/** Listings that arrived together. `edition` announced them, or is `''`. `late`: filed too long before to be news. */
export type Arrival = { at: Instant; kind: 'baseline' | 'late' | 'news'; edition: Day | '' };

export type IndexBuffers = {
  version: string;
  day: Day;
  size: number;
  /** All values, by code unit, including known values that no listing has. */
  values: Record<ValueFilter, string[]>;
  /** Every combination of values that rows have: the code of each value, and the number of rows. */
  combos: Record<ValueFilter | 'count', Uint32Array<ArrayBuffer>>;
  /** All arrivals of listings, newest first. `arrived` holds indexes into this list. */
  arrivals: Arrival[];
  /** Editions that were sent, newest first, and what the operator said at their top. */
  editions: readonly { edition: Day; introduction: string | null }[];
  /** The number of each row's combination of values, in result order. */
  combo: Codes;
  /** All filing dates, newest first. `filedOn` holds indexes into this list. */
  days: Day[];
  filedOn: Codes;
  arrived: Codes;
  /** The place of each row among those that arrived with it. */
  places: Codes;
  /** The rows that were news when they arrived: the newest arrival first, then by place. */
  news: Uint32Array<ArrayBuffer>;
  names: Texts;
  /** A number for each listing that survives an import: a hash of its key and name. Never served. */
  identities: Uint32Array<ArrayBuffer>;
  /** The register's types that enough rows share, by code unit. They are only searched. */
  types: string[];
  /**
   * Words of names, by code unit. `sets` has one set of rows for each text, side by side:
   *
   *     set    0 …      firstSetOf('category') …  firstSetOf('neighborhood') …  firstSetOf('status') …  firstTypeSetOf …
   *     has    words    values.category           values.neighborhood           values.status           types
   *
   * A row's own values are in its combination:
   *
   *     combo[row] = c    values.category[combos.category[c]]    values.neighborhood[combos.neighborhood[c]]    …
   */
  words: Texts;
  sets: Sets;
};

export function firstSetOf(
  { words, values }: Pick<IndexBuffers, 'words' | 'values'>,
  filter: ValueFilter,
): number {
  const before = VALUE_FILTERS.slice(0, VALUE_FILTERS.indexOf(filter));
  return before.reduce((sum, one) => sum + values[one].length, words.ends.length - 1);
}

/** Returns the position of the first set of a type. */
export function firstTypeSetOf(parts: Pick<IndexBuffers, 'words' | 'values'>): number {
  const last = VALUE_FILTERS.at(-1)!;
  return firstSetOf(parts, last) + parts.values[last].length;
}

/** Lists the buffers to transfer between threads without copying. Those of a file are views of one. */
export function listTransferables(parts: IndexBuffers): ArrayBuffer[] {
  const columns = Object.values<unknown>(parts)
    .flatMap((part) => (ArrayBuffer.isView(part) ? part : Object.values<unknown>(Object(part))))
    .filter((part) => ArrayBuffer.isView(part));
  return [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))];
}

/** Packs texts into one column. Texts must be well-formed Unicode, as those of a database are. */
export function packTexts(texts: readonly string[]): Texts {
  const ends = new Uint32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) ends[i + 1] = ends[i]! + Buffer.byteLength(text);
  return { bytes: new TextEncoder().encode(texts.join('')), ends };
}

export function readText({ bytes, ends }: Texts, i: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    'utf8',
    ends[i]!,
    ends[i + 1]!,
  );
}

/** Compares a text to another one in UTF-8, by code unit: surrogates, which are four bytes, come before U+E000 to U+FFFF. */
export function compareText({ bytes, ends }: Texts, i: number, other: Uint8Array): number {
  const [start, end] = [ends[i]!, ends[i + 1]!];
  const rank = (byte: number) => (byte === 0xee || byte === 0xef ? byte + 0x10 : byte);
  for (let at = 0; at < other.length && start + at < end; at++)
    if (bytes[start + at] !== other[at]) return rank(bytes[start + at]!) - rank(other[at]!);
  return end - start - other.length;
}

export function readListings(parts: IndexBuffers, rows: Uint32Array): Listing[] {
  const { combos, combo, days, filedOn, values, names } = parts;
  return Array.from(rows, (row) => {
    const code = combo[row]!;
    return {
      name: readText(names, row),
      category: values.category[combos.category[code]!]!,
      neighborhood: values.neighborhood[combos.neighborhood[code]!]!,
      status: values.status[combos.status[code]!] as Status,
      filing_date: days[filedOn[row]!]!,
    };
  });
}

/** Returns the identities of listings. */
export function readIdentities({ identities }: IndexBuffers, rows: Uint32Array): Uint32Array {
  return rows.map((row) => identities[row]!);
}

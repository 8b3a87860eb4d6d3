/**
 * Stores a register as columns of distinct texts. Keeps the first rows completely, and counts and hashes the others.
 */

import { hashCell } from '../../shared/text/hash.ts';
import type { RowCells, TakeRow } from '../readers/row.ts';

export type TableColumn = {
  name: string;
  /** Distinct texts, tidied as in ingest. The first is `''`. */
  texts: readonly string[];
  codes: Uint32Array;
  /**
   * The number of rows in the whole file with each text, by the index of `texts`. Texts that first occur after the kept
   * rows are added only while the column has fewer than 5,000 distinct texts.
   */
  counts: Uint32Array;
  /** A 32-bit hash of the text of each row after the kept ones, 0 if empty. */
  tail: Uint32Array;
};

export type Table = {
  columns: readonly TableColumn[];
  rows: number;
  total: number;
};

/**
 * Limits of the data in memory. Each text takes 150 bytes and its characters. 300 MB of CSV must fit into 600 MiB.
 */
export const TABLE_LIMITS = { rows: 250_000, cells: 10_000_000, texts: 750_000, characters: 50_000_000 };

const MOST_TEXTS_AFTER = 5_000;
const LEAST_CAPACITY = 1_024;

export type TableBuilder = ReturnType<typeof openTable>;

type Growing = { numbers: Uint32Array<ArrayBuffer> };

type ColumnBuilder = {
  texts: string[];
  index: HashIndex;
  codes: Growing;
  counts: Growing;
  tail: Growing;
};

/** Opens a table that collects rows. Rows may differ in their columns. */
export function openTable(limits: Partial<typeof TABLE_LIMITS> = {}) {
  const most = { ...TABLE_LIMITS, ...limits };
  const columns = new Map<string, ColumnBuilder>();
  const size = { rows: 0, total: 0, texts: 0, characters: 0 };
  const columnOf = (name: string) => columns.getOrInsertComputed(name, openColumn);
  const isFull = () =>
    size.rows < size.total ||
    size.rows >= most.rows ||
    size.rows * columns.size >= most.cells ||
    size.texts >= most.texts ||
    size.characters >= most.characters;
  const addCell = (column: ColumnBuilder, hash: number, isKept: boolean, at: number, cells: RowCells) => {
    if (!isKept) return addCounted(column, hash, size.total - size.rows, at, cells);
    const before = column.texts.length;
    const code = findCode(column, hash, at, cells);
    setAt(column.codes, size.rows, code);
    increase(column.counts, code);
    if (column.texts.length === before) return;
    size.texts++;
    size.characters += column.texts[code]!.length;
  };
  return {
    /** Returns a function that adds rows with these columns. Omits columns without a name. */
    openRows(names: readonly string[]): TakeRow {
      const found = names.map((name) => (name === '' ? undefined : columnOf(name)));
      return (cells) => {
        const isKept = !isFull();
        for (let at = 0; at < found.length; at++) {
          const column = found[at];
          const hash = column === undefined ? 0 : cells.hash(at);
          if (hash !== 0) addCell(column!, hash, isKept, at, cells);
        }
        size.total++;
        if (isKept) size.rows++;
      };
    },
    rows: () => size.total,
    close: (): Table => ({
      columns: [...columns].map(([name, column]) => closeColumn(name, column, size)),
      rows: size.rows,
      total: size.total,
    }),
  };
}

function openColumn(): ColumnBuilder {
  const grow = () => ({ numbers: new Uint32Array(LEAST_CAPACITY) });
  return { texts: [''], index: openIndex(LEAST_CAPACITY), codes: grow(), counts: grow(), tail: grow() };
}

function findCode({ texts, index }: ColumnBuilder, hash: number, at: number, cells: RowCells): number {
  const last = index.codes.length - 1;
  for (let slot = hash & last; index.codes[slot] !== 0; slot = (slot + 1) & last) {
    const code = index.codes[slot]!;
    if (index.hashes[slot] === hash && cells.equals(at, texts[code]!)) return code;
  }
  return addText(texts, index, hash, cells.text(at));
}

/** Adds the cell of a row after the kept ones. `at` counts from the first such row. Of equal hashes, the last text counts. */
function addCounted(
  { texts, index, counts, tail }: ColumnBuilder,
  hash: number,
  at: number,
  cell: number,
  cells: RowCells,
): void {
  setAt(tail, at, hash);
  const last = index.codes.length - 1;
  let slot = hash & last;
  while (index.codes[slot] !== 0 && index.hashes[slot] !== hash) slot = (slot + 1) & last;
  const known = index.codes[slot]!;
  if (known !== 0) increase(counts, known);
  else if (texts.length < MOST_TEXTS_AFTER) increase(counts, addText(texts, index, hash, cells.text(cell)));
}

/** Codes by hash, in open addressing: a map of texts took most of the time of a large file. Code 0 is an empty slot. */
type HashIndex = { hashes: Uint32Array; codes: Uint32Array };

const openIndex = (slots: number): HashIndex => ({
  hashes: new Uint32Array(slots),
  codes: new Uint32Array(slots),
});

function addText(texts: string[], index: HashIndex, hash: number, text: string): number {
  const code = texts.push(text) - 1;
  if (2 * texts.length > index.codes.length) growIndex(index, texts);
  else fillSlot(index, hash, code);
  return code;
}

function growIndex(index: HashIndex, texts: readonly string[]): void {
  Object.assign(index, openIndex(2 * index.codes.length));
  for (let code = 1; code < texts.length; code++) fillSlot(index, hashCell(texts[code]!), code);
}

/** Adds a code before the codes of other texts with the same hash. */
function fillSlot({ hashes, codes }: HashIndex, hash: number, added: number): void {
  const last = codes.length - 1;
  let code = added;
  for (let slot = hash & last; ; slot = (slot + 1) & last) {
    const before = codes[slot]!;
    if (before !== 0 && hashes[slot] !== hash) continue;
    hashes[slot] = hash;
    codes[slot] = code;
    if (before === 0) return;
    code = before;
  }
}

function setAt(growing: Growing, at: number, value: number): void {
  if (at >= growing.numbers.length) {
    const length = Math.max(Math.ceil(1.3 * growing.numbers.length), at + 1);
    // frees the old memory at once
    growing.numbers = new Uint32Array(growing.numbers.buffer.transfer(length * 4));
  }
  growing.numbers[at] = value;
}

function increase(counts: Growing, code: number): void {
  setAt(counts, code, (counts.numbers[code] ?? 0) + 1);
}

function closeColumn(
  name: string,
  { texts, codes, counts, tail }: ColumnBuilder,
  { rows, total }: { rows: number; total: number },
): TableColumn {
  const counted = cutTo(counts, texts.length);
  const cells = cutTo(codes, rows);
  const hashes = cutTo(tail, total - rows);
  counted[0] = total - countFilled(cells) - countFilled(hashes);
  return { name, texts, codes: cells, counts: counted, tail: hashes };
}

function countFilled(numbers: Uint32Array): number {
  return numbers.reduce((sum, number) => sum + (number === 0 ? 0 : 1), 0);
}

/** Returns a view, not a copy, because reserved memory that was never written takes no space. */
function cutTo(growing: Growing, length: number): Uint32Array {
  if (growing.numbers.length < length) setAt(growing, length - 1, 0);
  return growing.numbers.subarray(0, length);
}

export function textAt({ texts, codes }: Pick<TableColumn, 'texts' | 'codes'>, row: number): string {
  return texts[codes[row] ?? 0] ?? '';
}

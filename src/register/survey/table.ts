/**
 * Stores a register as columns of distinct texts. Keeps the first rows completely, and counts and hashes the others.
 */

import { hashCell } from '../../shared/text/hash.ts';

export type TableColumn = {
  name: string;
  /** Distinct texts, tidied as in ingest. The first is `''`. */
  texts: readonly string[];
  codes: Uint32Array;
  /**
   * The number of rows in the whole file with each text, by the index of `texts`. Texts that first occur after the kept
   * rows are added only while the column has fewer than 5,000 distinct texts, and counted up to 50,000.
   */
  counts: Uint32Array;
  /** A 32-bit hash of the text of each row after the kept ones, 0 if empty. A column of few texts, which numbers no businesses, has none. */
  tail: Uint32Array;
};

export type Table = {
  columns: readonly TableColumn[];
  rows: number;
  total: number;
};

/**
 * Limits of the data in memory. Each text takes 150 bytes and its characters. 300 MB of CSV must fit into 400 MiB.
 */
export const TABLE_LIMITS = { rows: 200_000, cells: 8_000_000, texts: 500_000, characters: 50_000_000 };

const MOST_TEXTS_AFTER = 5_000;
const MOST_TEXTS_COUNTED = 50_000;
/** The least share of the kept rows with different texts in a column that may number businesses. */
export const LEAST_DISTINCT = 0.05;
const LEAST_CAPACITY = 1_024;

export type TableBuilder = ReturnType<typeof openTable>;

type Growing = { numbers: Uint32Array<ArrayBuffer> };

type ColumnBuilder = {
  texts: string[];
  /** The code of each text: its index in `texts`. */
  index: Map<string, number>;
  codes: Growing;
  counts: Growing;
  tail: Growing;
  /** Whether rows after the kept ones are hashed. Decided at the first of them. */
  isHashed?: boolean;
  filled: number;
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
  const addCell = (column: ColumnBuilder, text: string, isKept: boolean) => {
    column.filled++;
    if (!isKept) return addCounted(column, text, size);
    const before = column.texts.length;
    const code = column.index.get(text) ?? addText(column, text);
    setAt(column.codes, size.rows, code);
    increase(column.counts, code);
    if (column.texts.length === before) return;
    size.texts++;
    size.characters += text.length;
  };
  return {
    /** Returns a function that adds rows with these columns, of which it reads the tidied cells. Omits columns without a name. */
    openRows(names: readonly string[]) {
      const found = names.flatMap((name, at) => (name === '' ? [] : [{ at, column: columnOf(name) }]));
      return (readText: (at: number) => string): void => {
        const isKept = !isFull();
        for (const { at, column } of found) {
          const text = readText(at);
          if (text !== '') addCell(column, text, isKept);
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
  return { texts: [''], index: new Map(), codes: grow(), counts: grow(), tail: grow(), filled: 0 };
}

/** Adds the cell of a row after the kept ones. */
function addCounted(column: ColumnBuilder, text: string, { rows, total }: Omit<Table, 'columns'>): void {
  const { texts, index, counts, tail } = column;
  column.isHashed ??= texts.length >= rows * LEAST_DISTINCT;
  if (column.isHashed) setAt(tail, total - rows, hashCell(text));
  if (texts.length > MOST_TEXTS_COUNTED) return; // numbers and names, which hardly repeat
  const known = index.get(text);
  if (known !== undefined) increase(counts, known);
  else if (texts.length < MOST_TEXTS_AFTER) increase(counts, addText(column, text));
}

function addText({ texts, index }: ColumnBuilder, text: string): number {
  const code = texts.push(text) - 1;
  index.set(text, code);
  return code;
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
  { texts, codes, counts, tail, isHashed = false, filled }: ColumnBuilder,
  { rows, total }: { rows: number; total: number },
): TableColumn {
  const counted = cutTo(counts, texts.length);
  counted[0] = total - filled;
  return {
    name,
    texts,
    codes: cutTo(codes, rows),
    counts: counted,
    tail: cutTo(tail, isHashed ? total - rows : 0),
  };
}

/** Returns a view, not a copy, because reserved memory that was never written takes no space. */
function cutTo(growing: Growing, length: number): Uint32Array {
  if (growing.numbers.length < length) setAt(growing, length - 1, 0);
  return growing.numbers.subarray(0, length);
}

export function textAt({ texts, codes }: Pick<TableColumn, 'texts' | 'codes'>, row: number): string {
  return texts[codes[row] ?? 0] ?? '';
}

/** Counts rows by a text, and those of them that pass a test. */
export function countWith(rows: number, textOf: (row: number) => string, test: (row: number) => boolean) {
  const counts = new Map<string, { rows: number; found: number }>();
  for (let row = 0; row < rows; row++) {
    const count = counts.getOrInsertComputed(textOf(row), () => ({ rows: 0, found: 0 }));
    count.rows++;
    if (test(row)) count.found++;
  }
  return counts;
}

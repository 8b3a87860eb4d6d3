/**
 * Stores a register as columns of distinct texts. Keeps the first rows completely, and counts and hashes the others.
 */

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
  known: Map<string, number>;
  /** The codes by the hashes of the texts, once a row is not kept. */
  index: HashIndex | undefined;
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
  const addText = (column: ColumnBuilder, text: string, isKept: boolean) => {
    if (text === '') return;
    if (!isKept) return addCounted(column, text, size.total - size.rows);
    const before = column.texts.length;
    const code = findCode(column, text);
    setAt(column.codes, size.rows, code);
    increase(column.counts, code);
    if (column.texts.length === before) return;
    size.texts++;
    size.characters += text.length;
  };
  return {
    /** Returns a function that adds rows with these columns. `read` returns a cell. Omits columns without a name. */
    openRows(names: readonly string[]) {
      const found = names.map((name) => (name === '' ? undefined : columnOf(name)));
      return (read: (at: number) => string): void => {
        const isKept = !isFull();
        for (const [at, column] of found.entries())
          if (column !== undefined) addText(column, read(at), isKept);
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
  const known = new Map([['', 0]]);
  return { texts: [''], known, index: undefined, codes: grow(), counts: grow(), tail: grow() };
}

function findCode({ known, texts }: ColumnBuilder, text: string): number {
  const code = known.get(text);
  if (code !== undefined) return code;
  known.set(text, texts.length);
  return texts.push(text) - 1;
}

/** Adds the text of a row after the kept ones. `at` counts from the first such row. */
function addCounted(column: ColumnBuilder, text: string, at: number): void {
  const { texts, known } = column;
  if (column.index === undefined) {
    column.index = indexTexts(texts);
    known.clear(); // halves the memory in use
  }
  const hash = hashCell(text);
  setAt(column.tail, at, hash);
  const slot = findSlot(column.index, hash);
  if (column.index.codes[slot] === 0) {
    if (texts.length >= MOST_TEXTS_AFTER) return;
    fillSlot(column.index, slot, hash, texts.push(text) - 1);
  }
  increase(column.counts, column.index.codes[slot]!);
}

/** Codes by hash, in open addressing: a map of texts took most of the time of a large file. Code 0 is an empty slot. */
type HashIndex = { hashes: Uint32Array; codes: Uint32Array };

function indexTexts(texts: readonly string[]): HashIndex {
  const slots = 2 ** Math.ceil(Math.log2(2 * Math.max(texts.length, MOST_TEXTS_AFTER)));
  const index = { hashes: new Uint32Array(slots), codes: new Uint32Array(slots) };
  for (const [code, text] of texts.entries()) {
    const hash = hashCell(text);
    if (code > 0) fillSlot(index, findSlot(index, hash), hash, code);
  }
  return index;
}

function fillSlot({ hashes, codes }: HashIndex, slot: number, hash: number, code: number): void {
  hashes[slot] = hash;
  codes[slot] = code;
}

/** Returns the slot of a hash, or the empty one where it belongs. */
function findSlot({ hashes, codes }: HashIndex, hash: number): number {
  const last = codes.length - 1;
  let slot = hash & last;
  while (codes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & last;
  return slot;
}

/** Hashes a text (FNV-1a over UTF-16). Never returns 0. */
export function hashCell(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0 || 1;
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
  { texts, known, codes, counts, tail }: ColumnBuilder,
  { rows, total }: { rows: number; total: number },
): TableColumn {
  known.clear();
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

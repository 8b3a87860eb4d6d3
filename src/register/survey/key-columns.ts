/**
 * Finds the key of a business and its premises. Tries columns on the rows in memory, and on hashes of the rows that are
 * not in memory.
 */

import { hashCell } from '../../shared/text/hash.ts';
import { foldWords } from '../../shared/words.ts';
import { type Column, formatShare, HALF, listColumns, rankColumns } from './columns.ts';
import { type DayColumn, daysOfTexts, isFirstDay } from './day-columns.ts';
import { LEAST_DISTINCT, textAt } from './table.ts';

export type KeyRole = {
  /** The kind of key. `number`: its columns contain a number of the business. `name`: a hash of name and columns. */
  kind: 'number' | 'name';
  columns: readonly Column[];
  /** The share of rows that are merged into another row with the same key. */
  repeats: number;
  /** A sentence that quotes no value of the register. */
  evidence: string;
};

export type KeyClues = {
  columns: readonly Column[];
  names: readonly Column[];
  filed: DayColumn | undefined;
  /** The columns that distinguish premises, best first. */
  premises: readonly Column[];
  /** Whether `premises` are addresses or points. In a town or postal code, two shops may share a name. */
  areExact: boolean;
};

const MOST_PROBLEMS = 0.02;
/** Maximum share of problems if only the town is known. It is higher because two shops in a town may share a name. */
const MOST_PROBLEMS_IN_A_TOWN = 0.2;
const MOST_TRIALS = 8;

/** Finds the key, or describes the column that a person chose. */
export function findKey(clues: KeyClues, chosen?: Column): KeyRole {
  const businesses = numberBusinesses(clues);
  const identity = (row: number) => businesses[row] || undefined;
  if (chosen !== undefined)
    return numberKey(chosen, findKeyProblem(chosen, clues, identity) ?? 'tried on all rows');
  let first: { column: Column; problem: string } | undefined;
  for (const column of rankKeys(clues).slice(0, MOST_TRIALS)) {
    const problem = findKeyProblem(column, clues, identity);
    if (problem === undefined) return numberKey(column, 'tried on all rows');
    first ??= { column, problem };
  }
  const { premises, names, columns } = clues;
  const why =
    first === undefined ? 'no column numbers the businesses' : `${first.column.name}: ${first.problem}`;
  const repeats = shareOfRepeats(columns[0]?.rows ?? 0, identity);
  if (premises.length > 0 && names.length > 0)
    return { kind: 'name', columns: premises, repeats, evidence: why };
  if (first !== undefined) return numberKey(first.column, `${first.problem}, but no column tells the place`);
  return { kind: 'name', columns: [], repeats: 0, evidence: `${why}, and none tells their place` };
}

function rankKeys({ columns, filed, premises }: KeyClues): Column[] {
  const others = columns.filter(
    (column) =>
      column !== filed &&
      column.distinct >= column.rows * LEAST_DISTINCT &&
      !(premises.length > 0 && isRowNumber(column)),
  );
  const ranked = rankColumns(others, 'key', ({ distinct, rows, length, letters, values }, weight) => {
    const isNumber = /\d/.test(values[0]?.[0] ?? '') && length < 40 && letters < HALF;
    return weight || Number(isNumber && distinct > rows * 0.999);
  });
  return listColumns(ranked);
}

/** Returns whether a column counts the rows of the file, so that another export gives a business another number. */
function isRowNumber(column: Column): boolean {
  const start = Number(textAt(column, 0));
  if (start > 1 || textAt(column, 0) === '') return false;
  for (let row = 0; row < column.rows; row++) if (Number(textAt(column, row)) !== start + row) return false;
  return true;
}

function numberKey(column: Column, why: string): KeyRole {
  const sorted = column.tail.slice().sort();
  const distinct = column.distinct + sorted.filter((hash, at) => hash !== sorted[at - 1]).length;
  const repeats = 1 - distinct / Math.max(1, column.filled * column.total);
  return { kind: 'number', columns: [column], repeats: Math.max(0, repeats), evidence: why };
}

/** Says which share of the rows is merged, or `''` if hardly any is. */
export function describeRepeats({ repeats }: KeyRole): string {
  return repeats > 0.001
    ? `; ${formatShare(repeats)} of the rows repeat the key of another and are merged with it`
    : '';
}

/** Returns the number of a row, or `undefined` if it has none. */
type Identity = (row: number) => number | undefined;

function findKeyProblem(column: Column, clues: KeyClues, identity: Identity): string | undefined {
  const { codes, rows, tail } = column;
  const { names, premises, filed, areExact } = clues;
  // a business may have several numbers, for example after a renewal
  const split = shareOfRepeats(rows, identity, (a, b) => codes[a] !== codes[b]);
  if (split > (areExact ? MOST_PROBLEMS : MOST_PROBLEMS_IN_A_TOWN))
    return `${formatShare(split)} of the rows are a business that has another number as well`;
  const [name, place] = [names[0], premises[0]];
  const inTail = (a: number, b: number) =>
    name !== undefined && name.tail[a] !== name.tail[b] && place?.tail[a] !== place?.tail[b];
  const merged = Math.max(
    shareOfRepeats(rows, (row) => codes[row], openOthersTest(clues)),
    shareOfRepeats(tail.length, (row) => tail[row], inTail),
  );
  if (merged > MOST_PROBLEMS)
    return `${formatShare(merged)} of the rows share a number with another business`;
  if (shareWithYear(column, filed) > 0.6 && (filed === undefined || !isFirstDay(filed)))
    return 'the number holds the year, so a renewal has another one';
  return undefined;
}

/** Returns a function that tests whether two rows have different names or, on different days, house numbers. */
function openOthersTest({ names, premises: [place], filed }: KeyClues): (a: number, b: number) => boolean {
  const days = filed?.codes;
  return (a, b) =>
    (names.length > 0 && !sharesWord(nameAt(names, a), nameAt(names, b))) ||
    (place !== undefined &&
      days?.[a] !== days?.[b] &&
      numberIn(textAt(place, a)) !== numberIn(textAt(place, b)));
}

/** Returns the share of rows whose identity occurs before, if the first row with it also passes the test. */
function shareOfRepeats(
  rows: number,
  identity: Identity,
  counts: (row: number, first: number) => boolean = () => true,
): number {
  const first = new Map<number, number>();
  let repeated = 0;
  for (let row = 0; row < rows; row++) {
    const id = identity(row);
    const before = id === undefined ? row : first.getOrInsert(id, row);
    if (before !== row && counts(row, before)) repeated++;
  }
  return repeated / Math.max(1, rows);
}

function nameAt(names: readonly Column[], row: number): string {
  return names.map((column) => textAt(column, row)).find((text) => text !== '') ?? '';
}

function sharesWord(a: string, b: string): boolean {
  if (a === b) return true;
  const words = foldWords(a).split(' ');
  return words.some((word) => word.length > 2 && foldWords(b).split(' ').includes(word));
}

const numberIn = (text: string): string => /\d+/.exec(text)?.[0] ?? '';

/** Numbers the businesses of the rows by a hash of name and premises. A row without both has 0. */
function numberBusinesses({ columns: [first], names, premises }: KeyClues): Float64Array {
  const numbers = new Float64Array(first?.rows ?? 0);
  if (names.length === 0 || premises.length === 0) return numbers;
  for (let row = 0; row < numbers.length; row++) {
    const where = premises.map((place) => foldWords(textAt(place, row))).join('|');
    const who = names.map((name) => foldWords(textAt(name, row))).find((text) => text !== '') ?? '';
    if (who !== '' && !/^\|*$/.test(where)) numbers[row] = hashCell(who) * 2 ** 21 + (hashCell(where) >>> 11);
  }
  return numbers;
}

/** Returns the share of rows whose number contains the filing year or the year after: `24-148301`, `780RESTAM2020`. */
function shareWithYear(column: Column, filed: DayColumn | undefined): number {
  if (filed === undefined) return 0;
  const years = daysOfTexts(filed).map((day) => day?.slice(0, 4));
  const found = Array.from(column.codes, (_, row) => {
    const year = years[filed.codes[row]!];
    return (
      year && ([year, String(Number(year) + 1)].find((one) => holdsYear(textAt(column, row), one)) ?? '')
    );
  });
  const dated = found.filter((year) => year !== undefined);
  const yearly = dated.filter((year) => year !== '');
  return new Set(yearly).size < 2 ? 0 : yearly.length / dated.length;
}

function holdsYear(text: string, year: string): boolean {
  if (new RegExp(`(?:^|\\D)${year}(?:\\D|$)`).test(text)) return true;
  return new RegExp(`^\\D{0,4}(?:${year}|${year.slice(2)}-)|\\D${year.slice(2)}$|-${year.slice(2)}-`).test(
    text,
  );
}

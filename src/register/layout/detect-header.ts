/** Finds the header of a table: up to two rows below any titles, with texts that the rows below do not repeat. */

import type { HeaderRows } from '../profile/formats.ts';
import { parseDay } from '../profile/parse-day.ts';

export type SampleRow = { line: number; cells: readonly string[] };

export type FoundHeader = {
  header: HeaderRows;
  titles: number;
};

const MOST_ROWS_ABOVE = 20;
/** A header fills at least this share of the cells that rows usually fill. Some columns may have no name. */
const FILLED_SHARE = 0.6;
const TYPED_SHARE = 0.8;
const LEAST_REPEATED = 10;
const REPEATED_SHARE = 0.2;
const LONGEST_NAME = 80;
/** The formats of dates that have letters. */
const NAMED_MONTHS = ['MMM D, YYYY', 'D-MMM-YYYY', 'D-MMM-YY'] as const;

/** Finds the header. Rows that do not have `width` cells are titles, or damaged. */
export function findHeader(rows: readonly SampleRow[], width: number): FoundHeader {
  const usual = countUsualCells(rows, width);
  const at = rows
    .slice(0, MOST_ROWS_ABOVE)
    .findIndex(
      ({ cells }) =>
        cells.length === width && countFilled(cells) >= Math.min(2, usual) && isFull(cells, usual),
    );
  if (at === -1) return { header: rows[0]?.line ?? 1, titles: 0 };
  const first = isGroupRow(rows[at - 1], rows, at, width) ? at - 1 : at;
  const titles = rows.slice(0, first).filter(({ cells }) => countFilled(cells) > 0).length;
  const { line, cells: names } = rows[at]!;
  const body = rows
    .slice(at + 1)
    .filter(({ cells }) => cells.length === width && !cells.every((cell, i) => cell === names[i]));
  if (first < at) return { header: [rows[first]!.line, line], titles };
  const lower = rows[at + 1];
  if (lower !== undefined && isSecondRow(names, lower.cells, body.slice(1), width))
    return { header: [line, lower.line], titles };
  if (body.length > 0 && scoreHeader(names, body) < 0) {
    const above = rows[at - 1];
    if (above !== undefined && isDamagedHeader(above.cells, width)) return { header: above.line, titles: 0 };
    return { header: 'none', titles: 0 };
  }
  return { header: line, titles };
}

/** Returns notes for the operator, unless the header is simply the first line. */
export function describeHeader({ header, titles }: FoundHeader, what: string, lines: string): string[] {
  const notes: string[] = [];
  if (titles === 1) notes.push('1 title line above the header was skipped');
  if (titles > 1) notes.push(`${titles} title lines above the header were skipped`);
  if (header === 'none') notes.push(`the ${what} has no header: its columns are named 1, 2 and so on`);
  if (typeof header === 'object')
    notes.push(`the header on ${lines} ${header[0]} and ${header[1]} was joined`);
  return notes;
}

function countFilled(cells: readonly string[]): number {
  return cells.filter((cell) => cell !== '').length;
}

function countUsualCells(rows: readonly SampleRow[], width: number): number {
  const counts = rows
    .filter(({ cells }) => cells.length === width)
    .map(({ cells }) => countFilled(cells))
    .sort((a, b) => a - b);
  return counts[counts.length >> 1] ?? 0;
}

function isFull(cells: readonly string[], usual: number): boolean {
  return countFilled(cells) >= usual * FILLED_SHARE && new Set(cells).size > Math.min(1, cells.length - 1);
}

/** Returns whether a row above the header names groups of columns: it has at least two names and no numbers. */
function isGroupRow(
  row: SampleRow | undefined,
  rows: readonly SampleRow[],
  at: number,
  width: number,
): boolean {
  if (row === undefined || row.cells.length !== width) return false;
  const names = row.cells.filter((cell) => cell !== '');
  if (names.length < 2 || !names.every(isName)) return false;
  const body = rows.slice(at + 1).filter(({ cells }) => cells.length === width);
  return scoreHeader(rows[at]!.cells, body) > 0;
}

/** Returns whether the row below a header is part of it: it has names, and numbers or dates follow below. */
function isSecondRow(
  upper: readonly string[],
  lower: readonly string[],
  body: readonly SampleRow[],
  width: number,
): boolean {
  if (lower.length !== width || body.length < 2) return false;
  const isSame = lower.every((cell, at) => cell === upper[at]);
  if (isSame || countFilled(lower) < 2 || !lower.every((cell) => cell === '' || isName(cell))) return false;
  const columns = readColumns(body, width);
  if (columns.some(({ texts }, at) => lower[at] !== '' && texts.has(lower[at]!))) return false;
  const typed = columns.flatMap(({ isTyped }, at) => (isTyped ? [lower[at] ?? ''] : []));
  return typed.some((cell) => cell !== '') && scoreHeader(lower, body) > 0;
}

/** Returns whether a row is a header with a few names too many or too few, for example after a missing delimiter. */
function isDamagedHeader(cells: readonly string[], width: number): boolean {
  const isNear = cells.length < width * 2 && countFilled(cells) > width / 2;
  return isNear && cells.length !== width && cells.every((cell) => cell === '' || isName(cell));
}

/** Scores a row as a header: above 0 if its cells differ from those below it, below 0 if they are similar. */
function scoreHeader(cells: readonly string[], body: readonly SampleRow[]): number {
  const columns = readColumns(body, cells.length);
  let score = 0;
  for (const [at, { isTyped, isRepetitive, texts, shapes }] of columns.entries()) {
    const cell = cells[at] ?? '';
    if (cell === '') continue;
    if (isTyped) score += scoreTyped(cell, shapes);
    else if (texts.has(cell)) score -= 1;
    else if (!/\p{L}/u.test(cell) || cell.length > LONGEST_NAME) score -= 0.5;
    else if (isRepetitive) score += 0.5;
  }
  return score;
}

/** Scores a header cell against the values below it. A short number scores 0: it may be a year or a column number. */
function scoreTyped(cell: string, shapes: ReadonlySet<string>): number {
  if (shapes.has(shapeOf(cell))) return -2;
  if (/^\d{1,4}$/.test(cell)) return 0;
  return isPlainValue(cell) ? -2 : 2;
}

function readColumns(body: readonly SampleRow[], width: number) {
  return Array.from({ length: width }, (_, at) => {
    const filled = body.map(({ cells }) => cells[at] ?? '').filter((cell) => cell !== '');
    const isTyped = filled.length > 0 && filled.filter(isValue).length >= filled.length * TYPED_SHARE;
    const texts = new Set(filled);
    return {
      texts,
      /** The shapes of the cells that are codes. `BL-100` has the shape `a-9`: letters, a hyphen, digits. `NULL` is no code. */
      shapes: new Set(isTyped ? filled.filter(isValue).map(shapeOf) : []),
      isTyped,
      /** Whether texts repeat, unlike in a header. */
      isRepetitive: filled.length >= LEAST_REPEATED && texts.size < filled.length * REPEATED_SHARE,
    };
  });
}

function isValue(cell: string): boolean {
  return isPlainValue(cell) || /\d{3}/.test(cell);
}

/** Returns whether a text can never be the name of a column. */
function isPlainValue(cell: string): boolean {
  return /^[^\p{L}]*\d[^\p{L}]*$/u.test(cell) || /^\d{4}-\d\d-\d\dT/.test(cell) || isDateText(cell);
}

function shapeOf(cell: string): string {
  return cell.replace(/\p{L}+/gu, 'a').replace(/\d+/g, '9');
}

function isDateText(cell: string): boolean {
  return NAMED_MONTHS.some((format) => parseDay(cell, format, { pivot: 2099 }) !== undefined);
}

function isName(cell: string): boolean {
  return /\p{L}/u.test(cell) && !isPlainValue(cell) && cell.length <= LONGEST_NAME;
}

/** Prepares functions that read the mapped cells of a row: texts, days and values. Runs once when a city is loaded. */

import { openWordLists } from '../../data/word-table.ts';
import type { Day } from '../../listings/day.ts';
import { rememberTexts } from '../../listings/remember.ts';
import { type DayFormat, parseDayIn } from '../days.ts';
import type { Row } from '../define.ts';
import type { DayMapping, RegisterMapping } from './mapping.ts';

const MISSING = openWordLists('missing-words.csv')('missing');
const LONGEST_MISSING = 18;
/** The first characters of texts that mean "empty". Cells that begin with other characters need no lookup. */
const MISSING_STARTS = new Set([...'nNuUdD#(<?-–—*._ \t'].map((one) => one.charCodeAt(0)));
const MISSING_MARKS = /^[-–—*._\s]+$/;

/** Returns whether a text means "empty": `N/A`, `None`, `-`, `***`, or one of `extra` (in lower case). */
export function isMissing(text: string, extra?: ReadonlySet<string>): boolean {
  if (text === '') return true;
  if (extra !== undefined && extra.size > 0 && extra.has(text.toLowerCase())) return true;
  if (text.length > LONGEST_MISSING || !MISSING_STARTS.has(text.charCodeAt(0))) return false;
  return MISSING.has(text.toLowerCase()) || MISSING_MARKS.test(text);
}

export type ReadCell = (row: Row) => string;

export type CellRules = { missing: ReadonlySet<string>; timeZone: string };

export function cellOf(column: string, { missing }: CellRules): ReadCell {
  return (row) => {
    const text = row[column] ?? '';
    return isMissing(text, missing) ? '' : text;
  };
}

export function columnsOf(columns: string | readonly string[] | undefined): readonly string[] {
  if (columns === undefined) return [];
  return typeof columns === 'string' ? [columns] : columns;
}

export function cellsOf(columns: string | readonly string[] | undefined, rules: CellRules): ReadCell[] {
  return columnsOf(columns).map((column) => cellOf(column, rules));
}

export function firstCellOf(columns: string | readonly string[] | undefined, rules: CellRules): ReadCell {
  const cells = cellsOf(columns, rules);
  return (row) => {
    for (const cell of cells) {
      const text = cell(row);
      if (text !== '') return text;
    }
    return '';
  };
}

export function joinedCellsOf(columns: string | readonly string[] | undefined, rules: CellRules): ReadCell {
  const cells = cellsOf(columns, rules);
  const [only] = cells;
  if (only !== undefined && cells.length === 1) return only;
  return (row) =>
    cells
      .map((cell) => cell(row))
      .filter((text) => text !== '')
      .join(' ');
}

/** Returns a function that tests whether a cell has one of the values, ignoring case. `N/A` matches an empty cell. */
export function testValues({ column, values }: SkippedValues, rules: CellRules): (row: Row) => boolean {
  const cell = joinedCellsOf(column, rules);
  const known = new Set(values.map((value) => (isMissing(value, rules.missing) ? '' : foldValue(value))));
  return (row) => known.has(foldValue(cell(row)));
}

type SkippedValues = Pick<NonNullable<RegisterMapping['skip']>[number], 'column' | 'values'>;

export function foldValue(text: string): string {
  return text.trim().toLowerCase();
}

/** Reads a day. Returns `undefined` for an empty cell, `unknown` for days that mean it, and otherwise `unreadable`. */
export type ReadDay = (row: Row) => Day | 'unknown' | 'unreadable' | undefined;

export function dayOf({ column, format, pivot, unknown = [] }: DayMapping, rules: CellRules): ReadDay {
  const cell = cellOf(column, rules);
  const options = { pivot, timeZone: rules.timeZone };
  const formats = columnsOf(format) as readonly (DayFormat | 'instant')[];
  const parse = (text: string) => parseDayIn(formats, text, options);
  const unknowns = new Set(unknown.flatMap((text) => [text, parse(text) ?? text]));
  const read = rememberTexts((text) => {
    const day = parse(text);
    if (unknowns.has(text) || (day !== undefined && unknowns.has(day))) return 'unknown';
    return day ?? 'unreadable';
  });
  return (row) => {
    const text = cell(row);
    return text === '' ? undefined : read(text);
  };
}

export function knownDayOf(day: ReturnType<ReadDay>): Day | undefined {
  return day === 'unknown' || day === 'unreadable' ? undefined : day;
}

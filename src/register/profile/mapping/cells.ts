/** Opens functions that read the mapped cells of a row: texts, days and values. */

import { type Day, swapMonth } from '../../../shared/day.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import { openWordLists } from '../../../shared/text/word-table.ts';
import type { Row } from '../define.ts';
import { type DayFormat, parseDayIn } from '../parse-day.ts';
import type { DayMapping, RegisterMapping } from './mapping.ts';

const MISSING = openWordLists('missing-words.csv')('missing');
const LONGEST_MISSING = 18;
/** The first characters of texts that mean "empty". Cells that begin with other characters need no lookup. */
const MISSING_STARTS = new Set([...'nNuUdD#(<?-–—*._[\\ \t'].map((one) => one.charCodeAt(0)));
const MISSING_MARKS = /^[-–—*._\s]+$/;
/** The day from which a day means "never", such as 9999-12-31. */
const NEVER = '9000';
/** A day of zeros, and day 0 of a spreadsheet, with or without a time. */
const ZERO_DAY =
  /^(?:0{4}([-/.])00?\1|00?([-/.])00?\2)0{1,4}(?: [\d:]+(?: AM)?)?$|^(?:1\/0|0?0\/0?1)\/(?:19)?00(?: [\d:]+(?: AM)?)?$|^0{8}$/;

/** Returns whether a text means "empty": `N/A`, `None`, `-`, `***`, or one of `extra` (in lower case). */
export function isMissing(text: string, extra?: ReadonlySet<string>): boolean {
  if (text === '') return true;
  if (extra !== undefined && extra.size > 0 && extra.has(text.toLowerCase())) return true;
  if (text.startsWith('0') || text.startsWith('1/0/')) return ZERO_DAY.test(text);
  if (text.length > LONGEST_MISSING || !MISSING_STARTS.has(text.charCodeAt(0))) return false;
  return MISSING.has(text.toLowerCase()) || MISSING_MARKS.test(text);
}

export type ReadCell = (row: Row) => string;

type Columns = string | readonly string[] | undefined;
type CellValues = Pick<NonNullable<RegisterMapping['skip']>[number], 'column' | 'values'>;

/** A day, or `undefined` for an empty cell, `unknown` for a day that means "unknown", `swapped` and `unreadable` for other texts. */
type FoundDay = Day | 'unknown' | 'swapped' | 'unreadable' | undefined;

export type Cells = ReturnType<typeof openCells>;

export function openCells({ missing = [] }: Pick<RegisterMapping, 'missing'>, timeZone: string) {
  const empty: ReadonlySet<string> = new Set(missing.map((text) => text.toLowerCase()));
  const read =
    (column: string): ReadCell =>
    (row) => {
      const text = row[column] ?? '';
      return isMissing(text, empty) ? '' : text;
    };
  const readAll = (columns: Columns) => columnsOf(columns).map(read);
  return {
    timeZone,
    read,
    readAll,
    /** Reads the first cell that is not empty. */
    readFirst(columns: Columns): ReadCell {
      const cells = readAll(columns);
      return (row) => {
        for (const cell of cells) {
          const text = cell(row);
          if (text !== '') return text;
        }
        return '';
      };
    },
    readJoined,
    /** Tests whether a cell has one of the values, ignoring case. `N/A` matches an empty cell. */
    test({ column, values }: CellValues): (row: Row) => boolean {
      const cell = readJoined(column);
      const known = new Set(values.map((value) => (isMissing(value, empty) ? '' : foldValue(value))));
      return (row) => known.has(foldValue(cell(row)));
    },
    readDay({ column, format, pivot, unknown = [] }: DayMapping): (row: Row) => FoundDay {
      const cell = read(column);
      const formats = columnsOf(format) as readonly (DayFormat | 'instant')[];
      const parse = (text: string) => parseDayIn(formats, text, { pivot, timeZone });
      const unknowns = new Set(unknown.flatMap((text) => [text, parse(text) ?? text]));
      const find = rememberTexts((text): FoundDay => {
        if (text === '') return undefined;
        const day = parse(text);
        const isUnknown = unknowns.has(text) || unknowns.has(day ?? text) || (day ?? '') >= NEVER;
        if (isUnknown) return 'unknown';
        return day ?? (parse(swapMonth(text)) === undefined ? 'unreadable' : 'swapped');
      });
      return (row) => find(cell(row));
    },
  };

  function readJoined(columns: Columns): ReadCell {
    const cells = readAll(columns);
    if (cells.length === 1) return cells[0]!;
    return (row) =>
      cells
        .map((cell) => cell(row))
        .filter((text) => text !== '')
        .join(' ');
  }
}

export function columnsOf(columns: Columns): readonly string[] {
  if (columns === undefined) return [];
  return typeof columns === 'string' ? [columns] : columns;
}

export function foldValue(text: string): string {
  return text.trim().toLowerCase();
}

export function knownDayOf(day: FoundDay): Day | undefined {
  return day === 'unknown' || day === 'swapped' || day === 'unreadable' ? undefined : day;
}

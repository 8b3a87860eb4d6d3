/** Finds the newest file by the day in its name, because publishers of daily files put the day into the name. */

import type { Day } from '../listings/day.ts';
import { parseDay } from './days.ts';

/** Functions that parse a day in each format of file names. Names cannot contain a slash. */
const FORMATS: Readonly<Record<string, (text: string) => Day | undefined>> = {
  YYYYMMDD: (text) => parseDay(text, 'YYYYMMDD'),
  'YYYY-MM-DD': (text) => parseDay(text, 'YYYY-MM-DD'),
  MMDDYYYY: (text) => parseDay(text, 'MMDDYYYY'),
  'M-D-YYYY': (text) => parseDay(text, 'M/D/YYYY'),
  'D-M-YYYY': (text) => parseDay(text, 'D/M/YYYY'),
  'D-MMM-YYYY': (text) => parseDay(text, 'D-MMM-YYYY'),
  YYYYMM: (text) => parseDay(`${text}01`, 'YYYYMMDD'),
  'YYYY-MM': (text) => parseDay(`${text}-01`, 'YYYY-MM-DD'),
};

const DAY = /\{([YMD-]+)\}/;

/** Returns whether a name has a day in braces: `BUSINESS_{YYYYMMDD}.csv`. */
export function isDatedName(pattern: string): boolean {
  return DAY.test(pattern);
}

/** Explains why the day in braces cannot be read, or returns `undefined`. */
export function findDatedFault(pattern: string): string | undefined {
  const format = DAY.exec(pattern)?.[1];
  if (format === undefined || FORMATS[format] !== undefined) return undefined;
  return `has the day {${format}}, which must be one of ${Object.keys(FORMATS).join(', ')}`;
}

/** Returns the name with the latest day, or `undefined` if no name matches. Ignores case. */
export function findNewestName(pattern: string, names: readonly string[]): string | undefined {
  const [before = '', format = '', after = ''] = pattern.split(DAY);
  const read = FORMATS[format];
  const shape = new RegExp(`^${RegExp.escape(before)}(.+)${RegExp.escape(after)}$`, 'i');
  const dated = names.flatMap((name) => {
    const day = read?.(shape.exec(name)?.[1] ?? '');
    return day === undefined ? [] : [{ name, day }];
  });
  return dated.toSorted((a, b) => (a.day < b.day ? 1 : -1))[0]?.name;
}

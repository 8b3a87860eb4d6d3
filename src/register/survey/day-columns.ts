/** Finds the columns of days, and ranks them for the first filing: by what their headers say, and by their days. */

import { addDays, type Day, toDayNumber } from '../../shared/day.ts';
import { DAYS_AHEAD } from '../../shared/filing.ts';
import { isMissing } from '../profile/mapping/cells.ts';
import type { DayMapping } from '../profile/mapping/mapping.ts';
import { type Column, countBy, countRows, formatShare, type Ranked, rankColumns } from './columns.ts';
import { type DayCounts, type DayRelation, isPlaceholderDay, relateDays } from './day-evidence.ts';
import { type DayReading, findDayReading, hasOnlyDayFirst, readDay } from './day-formats.ts';
import { weighHeader } from './header-words.ts';

export type DayColumn = Column & {
  reading: DayReading;
  /** Plausible days for a register of businesses, earliest first, each with its number of rows. */
  days: DayCounts;
  /** Share of rows with a day later than a filing can have. */
  future: number;
  /** Share of the rows that have it, of those whose business opened if another column of days has none of the others. */
  known: number;
  /** Whether businesses that never opened have it, too, but not another column of days: an application or a hearing. */
  isEarlyStep: boolean;
};

/** Finds the columns of days. Returns all columns, in the same order. */
export function readDayColumns(columns: readonly Column[], today: Day): Column[] {
  const isDayFirst = columns.some(hasOnlyDayFirst);
  const latest = addDays(today, DAYS_AHEAD);
  return columns.map((column): Column | DayColumn => {
    const reading = findDayReading(column, { isDayFirst, today });
    if (reading === undefined) return column;
    const days = countBy(column.values, (text) => readDay(text, reading)).sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    const future = countRows(days.filter(([day]) => day > latest)) / Math.max(1, countRows(days));
    return { ...column, reading, days, future, known: column.filled, isEarlyStep: false };
  });
}

export const isDayColumn = (column: Column | undefined): column is DayColumn =>
  column !== undefined && 'reading' in column;

/** The weight of a header that means the start of a business. */
const START_OF_BUSINESS = 9;
/** The most that a header of an application, or of the term of a license, says for the first filing. */
const [APPLICATION, TERM] = [4, 3];
/** A column that fewer rows have, or with more days in the future, scores a tenth. */
const LEAST_KNOWN = 0.5;
const MOST_FUTURE = 0.1;
const UNLIKELY = 0.1;
/** The least rows of a column of first filings, of the rows that have the day of the document. */
const LEAST_OF_DOCUMENTS = 0.8;

/**
 * Ranks the columns for the first filing. Of columns with the best score, prefers the one with earlier days. The days
 * outweigh headers that name a document: if those of another column are its first filings, that one is best. A header
 * that names the start of a business stays best: its legal unit may be older.
 */
export function rankFiled(days: readonly DayColumn[]): Ranked<DayColumn> {
  const ranked = rankColumns(days, 'filed', scoreFiled);
  const [top] = ranked;
  if (top === undefined) return ranked;
  const isEarlier = (one: DayColumn, other: DayColumn) => {
    const { earlier, later } = relateColumns(one, other);
    return earlier > later;
  };
  const equals = ranked.filter(({ score }) => score === top.score);
  const named = equals.reduce((a, b) => (isEarlier(b.column, a.column) ? b : a));
  const first = ranked.find(
    ({ column }) =>
      !isFirstDay(named.column) &&
      column !== named.column &&
      !column.isEarlyStep &&
      column.filled > LEAST_OF_DOCUMENTS * named.column.filled &&
      relateColumns(column, named.column).kind === 'first',
  );
  const best = first ?? named;
  return best === top ? ranked : [best, ...ranked.filter((one) => one !== best)];
}

/** Scores how likely a column has the day of the first filing. Its header raises the score. Future days lower it. */
function scoreFiled({ header, known, future, isEarlyStep }: DayColumn, weight: number): number {
  const isApplication = isEarlyStep || weighHeader(header, 'application') > 0;
  const most = isApplication ? APPLICATION : weighHeader(header, 'term') > 0 ? TERM : weight;
  const score = Math.max(1, Math.min(weight, most));
  return score * (known < LEAST_KNOWN ? UNLIKELY : 1) * (future > MOST_FUTURE ? UNLIKELY : 1);
}

/** Returns whether a header means the start of a business, not the issue of a license that is renewed. */
export function isFirstDay({ header }: Column): boolean {
  const isPaper = weighHeader(header, 'application') > 0 || weighHeader(header, 'term') > 0;
  return weighHeader(header, 'filed') >= START_OF_BUSINESS && !isPaper;
}

export function daysOfTexts({ texts, reading }: DayColumn): (Day | undefined)[] {
  return texts.map((text) => readDay(text, reading));
}

export function toDayMapping({ name, reading: { formats, pivot } }: DayColumn): DayMapping {
  const format = formats.length === 1 ? formats[0]! : [...formats];
  return { column: name, format, ...(pivot !== undefined && { pivot }) };
}

/** Says what the days of `other` are to those of `filed`, in the rows that have both. */
export function relateColumns(other: DayColumn, filed: DayColumn): DayRelation {
  const numberOf = (day = '') => (day === '' || isPlaceholderDay(day) ? undefined : toDayNumber(day));
  const [before, after] = [daysOfTexts(other).map(numberOf), daysOfTexts(filed).map(numberOf)];
  const gaps = new Map<number, number>();
  for (let row = 0; row < filed.rows; row++) {
    const [one, day] = [before[other.codes[row]!], after[filed.codes[row]!]];
    if (one !== undefined && day !== undefined) gaps.set(day - one, (gaps.get(day - one) ?? 0) + 1);
  }
  return relateDays([...gaps]);
}

/** Least share of rows whose business did not open. */
const SOME_WAIT = 0.05;
/** The day of opening: the least share of the businesses that opened, and the most of the others, that have it. */
const [NEARLY_ALL_OPENED, FEW_WAITING] = [0.9, 0.1];
/** The least share of the businesses that never opened that have the day of an early step. */
const HALF_WAITING = 0.5;

/**
 * Marks the days of businesses that never opened, if another column has days of nearly all that opened, and of no others.
 */
export function markEarlySteps(
  days: readonly DayColumn[],
  opened: readonly boolean[] | undefined,
): readonly DayColumn[] {
  const waiting = opened?.filter((one) => !one).length ?? 0;
  if (opened === undefined || waiting < opened.length * SOME_WAIT || waiting === opened.length) return days;
  const counted = days.map((column) => {
    const isFilled = column.texts.map((text) => !isMissing(text));
    const count = (hasOpened: boolean) =>
      opened.filter((one, row) => one === hasOpened && isFilled[column.codes[row]!]).length;
    const [early, filled] = [count(false) / waiting, count(true) / (opened.length - waiting)];
    return { column, early, filled, isLast: filled > NEARLY_ALL_OPENED && early < FEW_WAITING };
  });
  if (!counted.some(({ isLast }) => isLast)) return days;
  return counted.map(({ column, early, filled, isLast }) =>
    isLast ? { ...column, known: filled } : { ...column, isEarlyStep: early > HALF_WAITING },
  );
}

export function describeDays({ filled, reading, days }: DayColumn): string {
  const { formats, pivot } = reading;
  const how = formats.map((one) => (one === 'instant' ? 'moments with an offset' : one)).join(' or ');
  const years = pivot === undefined ? '' : `, two-digit years up to ${pivot}`;
  const [first, last] = [days[0]?.[0], days.at(-1)?.[0]];
  return `${formatShare(filled)} of the rows have it, ${first} to ${last}, written as ${how}${years}`;
}

/** Finds the columns of days and their formats. Chooses those for the first filing, the expiry and the closure. */

import { addDays, type Day, toDayNumber } from '../../shared/day.ts';
import { DAYS_AHEAD } from '../../shared/filing.ts';
import { isMissing } from '../profile/mapping/cells.ts';
import type { DayMapping } from '../profile/mapping/mapping.ts';
import {
  DAY_FORMATS,
  type DayFormat,
  dayAt,
  findTwin,
  hasShortYear,
  isSerial,
  parseDay,
  parseDayIn,
} from '../profile/parse-day.ts';
import { type DayCounts, type DayRelation, isPlaceholderDay, relateDays } from './day-evidence.ts';
import { mentionsRole, saysDate, weighHeader } from './header-words.ts';
import {
  type Column,
  countBy,
  countRows,
  formatShare,
  type Ranked,
  rankColumns,
  sampleOf,
  shareOf,
  thinOut,
} from './survey.ts';

/** The format of a column's days: one or two formats, or `instant` for moments with an offset. */
export type DayReading = {
  formats: readonly (DayFormat | 'instant')[];
  pivot: number | undefined;
  isAmbiguous: boolean;
};

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
  return columns.map((column) => {
    const reading = findReading(column, { isDayFirst, today });
    return reading === undefined ? column : describeDayColumn(column, reading, today);
  });
}

export const isDayColumn = (column: Column | undefined): column is DayColumn =>
  column !== undefined && 'reading' in column;

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
      column.filled > MOSTLY * named.column.filled &&
      relateColumns(column, named.column).kind === 'first',
  );
  const best = first ?? named;
  return best === top ? ranked : [best, ...ranked.filter((one) => one !== best)];
}

/** Scores how likely a column has the day of the first filing. Its header raises the score. Future days lower it. */
function scoreFiled({ header, known, future, isEarlyStep }: DayColumn, weight: number): number {
  const most =
    isEarlyStep || weighHeader(header, 'application') > 0 ? 4 : weighHeader(header, 'term') > 0 ? 3 : weight;
  return Math.max(1, Math.min(weight, most)) * (known < 0.5 ? 0.1 : 1) * (future > 0.1 ? 0.1 : 1);
}

/** Returns whether a header means the start of a business, not the issue of a license that is renewed. */
export function isFirstDay({ header }: Column): boolean {
  return (
    weighHeader(header, 'filed') >= 9 &&
    weighHeader(header, 'application') === 0 &&
    weighHeader(header, 'term') === 0
  );
}

export function daysOfTexts({ texts, reading }: DayColumn): (Day | undefined)[] {
  return texts.map((text) => readDay(text, reading));
}

/** Reads a day. Uses `Etc/UTC` for moments, because only their order matters here. */
export function readDay(text: string, { formats, pivot }: DayReading): Day | undefined {
  return parseDayIn(formats, text, { pivot, timeZone: 'Etc/UTC' });
}

export function toDayMapping({ name, reading }: DayColumn): DayMapping {
  const { formats, pivot } = reading;
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

function describeDayColumn(column: Column, reading: DayReading, today: Day): DayColumn {
  const days = countBy(column.values, (text) => readDay(text, reading)).sort((a, b) =>
    a[0] < b[0] ? -1 : 1,
  );
  const all = Math.max(1, countRows(days));
  const latest = addDays(today, DAYS_AHEAD);
  const future = countRows(days.filter(([day]) => day > latest)) / all;
  return { ...column, reading, days, future, known: column.filled, isEarlyStep: false };
}

/**
 * Marks the days of businesses that never opened, if another column has days of nearly all that opened, and of no others.
 */
export function markEarlySteps(
  days: readonly DayColumn[],
  opened: readonly boolean[] | undefined,
): DayColumn[] {
  const waiting = opened?.filter((one) => !one).length ?? 0;
  if (opened === undefined || waiting < opened.length * SOME_WAIT || waiting === opened.length)
    return [...days];
  const counted = days.map((column) => {
    const isFilled = column.texts.map((text) => !isMissing(text));
    const count = (hasOpened: boolean) =>
      opened.filter((one, row) => one === hasOpened && isFilled[column.codes[row]!]).length;
    return { column, early: count(false) / waiting, filled: count(true) / (opened.length - waiting) };
  });
  const isLast = ({ early, filled }: { early: number; filled: number }) => filled > 0.9 && early < 0.1;
  if (!counted.some(isLast)) return [...days];
  return counted.map((one) => ({
    ...one.column,
    ...(isLast(one) ? { known: one.filled } : { isEarlyStep: one.early > 0.5 }),
  }));
}

/** Least share of rows whose business did not open. */
const SOME_WAIT = 0.05;

const MONTH_FIRST: readonly DayFormat[] = ['M/D/YYYY', 'M/D/YY', 'MMDDYYYY'];
const DAY_FIRST: readonly DayFormat[] = ['D/M/YYYY', 'D/M/YY', 'DDMMYYYY'];
const MOSTLY = 0.8;

const fitsDayFirst = (text: string) => DAY_FIRST.some((format) => isLikely(text, format));
const fitsMonthFirst = (text: string) => MONTH_FIRST.some((format) => isLikely(text, format));

/** Returns whether a column has days that are valid only if the day comes before the month. */
function hasOnlyDayFirst(column: Column): boolean {
  if (shareOf(column, hasDigit) < MOSTLY || shareOf(column, fitsDayFirst) < MOSTLY) return false;
  return shareOf(column, fitsMonthFirst) < MOSTLY;
}

/** Maximum length of a cell of days. With the name of its zone, as browsers print it, a day has about 60 letters. */
export const LONGEST_DAY = 80;
export const hasDigit = (text: string) => /\d/.test(text);
/** Returns whether a text has a whole day: `Active from 24 Mar 2016`. */
export const holdsDay = (text: string) =>
  /\b\d{1,2}[-/.\s](?:\d{1,2}|\p{L}{3,9})[-/.,\s]+(?:19|20)\d\d\b|\b(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\b/u.test(
    text,
  );

/** Returns whether a header names a day. A number needs a word such as "date", too: `FECHA MATRICULA`, not `MATRICULA`. */
export function namesDay(header: string): boolean {
  if (weighHeader(header, 'key') > 0 && !saysDate(header)) return false;
  const others = ['expires', 'ended'] as const;
  return mentionsRole(header, 'filed') || others.some((role) => weighHeader(header, role) > 0);
}

type ReadingContext = { isDayFirst: boolean; today: Day };

function findReading(column: Column, { isDayFirst, today }: ReadingContext): DayReading | undefined {
  const values = sampleOf(column.values);
  const all = countRows(values);
  if (all === 0 || column.length > LONGEST_DAY || shareOf(column, hasDigit) < MOSTLY) return undefined;
  const isNamed = namesDay(column.header);
  const moments = countRows(values.filter(([text]) => isMoment(text, isNamed)));
  if (moments / all >= MOSTLY && values.some(([text]) => !/T00:00:00(?:\.0+)?Z$/.test(text)))
    return { formats: ['instant'], pivot: undefined, isAmbiguous: false };
  const formats = DAY_FORMATS.filter((format) => (/^(?:excel.*|[YMD]+)$/.test(format) ? isNamed : true)).sort(
    (a, b) => Number(isDayFirst && DAY_FIRST.includes(b)) - Number(isDayFirst && DAY_FIRST.includes(a)),
  );
  const [best, share] = findBestFormat(values, formats);
  if (best === undefined || share === 0) return undefined;
  const serial = isSerial(best) ? findSerial(values, today) : undefined;
  const first = serial ?? best;
  const other = findTwin(first); // no column uses both
  const left = values.filter(([text]) => !isLikely(text, first));
  const [second, more] = findBestFormat(left, formats);
  const both = (share * all + more * countRows(left)) / all;
  if (both < MOSTLY) return undefined;
  const chosen = second !== undefined && both - share > 0.005 && second !== other ? [first, second] : [first];
  const pivot = chosen.some(hasShortYear) ? findPivot(values) : undefined;
  const isAmbiguous =
    (isSerial(first) ? serial === undefined : !isDayFirst) &&
    other !== undefined &&
    values.every(([text]) => !isLikely(text, first) || isLikely(text, other));
  return { formats: chosen, pivot, isAmbiguous };
}

/**
 * Tells numbers of days since 1900 from those since 1904, or returns `undefined`. Filings are seldom in the future, and an
 * office is closed on some day of the week: the wrong epoch moves its Sundays to Mondays.
 */
function findSerial(values: Column['values'], today: Day): DayFormat | undefined {
  const all = countRows(values);
  const shareOfDays = (format: DayFormat, test: (day: Day) => boolean) =>
    countRows(values.filter(([text]) => test(parseDay(text, format) ?? ''))) / all;
  const latest = addDays(today, DAYS_AHEAD);
  if (shareOfDays('excel1904', (day) => day > latest) > 0.005) return 'excel';
  const isWeekend = (day: Day) => day !== '' && [0, 6].includes(new Date(day).getUTCDay());
  const [since1900 = 1, since1904 = 1] = (['excel', 'excel1904'] as const).map((one) =>
    shareOfDays(one, isWeekend),
  );
  if (Math.min(since1900, since1904) > FEW_ON_WEEKENDS) return undefined;
  if (Math.max(since1900, since1904) < 2 * FEW_ON_WEEKENDS) return undefined;
  return since1900 < since1904 ? 'excel' : 'excel1904';
}

/** Returns whether a text has an offset, or is a number of seconds or milliseconds under a header for a day. */
function isMoment(text: string, isNamed: boolean): boolean {
  const day = dayAt(text, 'Etc/UTC');
  return day !== undefined && (!/^\d+$/.test(text) || (isNamed && day > '1971' && day < '2101'));
}

function findBestFormat(
  values: Column['values'],
  formats: readonly DayFormat[],
): [format: DayFormat | undefined, share: number] {
  const all = Math.max(1, countRows(values));
  const some = thinOut(values, VALUES_TRIED);
  const shareOfLikely = (format: DayFormat) =>
    countRows(values.filter(([text]) => isLikely(text, format))) / all;
  const shares = formats
    .filter((format) => some.some(([text]) => isLikely(text, format)))
    .map((format): [DayFormat, number] => [format, shareOfLikely(format)]);
  return shares.sort((a, b) => b[1] - a[1])[0] ?? [undefined, 0];
}

/** A format that none of so many values has is not tried on all. */
const VALUES_TRIED = 200;
const FIRST_SERIAL = 10_000;
const FEW_ON_WEEKENDS = 0.05;

/** Returns whether a text is a plausible day for a register of businesses: from 1700 to 2199. */
function isLikely(text: string, format: DayFormat): boolean {
  // a smaller number is probably a year
  if (isSerial(format) && !(Number(text) >= FIRST_SERIAL)) return false;
  const day = parseDay(text, format, { pivot: 2049 });
  return day !== undefined && day > '1700-01-01' && day < '2200';
}

/** Chooses a pivot for two-digit years: inside the longest gap between them, at most ten years after the newest. */
function findPivot(values: Column['values']): number {
  const pattern = /^\d{1,2}[-/. ](?:\d{1,2}|[a-z]+\.?)[-/. ](\d\d)(?!\d)/i;
  const found = new Set(values.flatMap(([text]) => pattern.exec(text)?.[1] ?? []));
  const years = [...found].map(Number).sort((a, b) => a - b);
  const gaps = years.map((year, i) => ({
    year,
    silent: (i + 1 < years.length ? years[i + 1]! : years[0]! + 100) - year,
  }));
  const widest = gaps.reduce((a, b) => (b.silent > a.silent ? b : a), { year: 29, silent: 0 });
  const newest = widest.year < 70 ? 2000 + widest.year : 1900 + widest.year;
  return newest + Math.min(10, Math.floor(widest.silent / 2));
}

const BUSY_SHARE = 0.05;
const BUSY_TIMES = 20;
const BUSY_ROWS = 20;
const MOST_UNKNOWN = 20;

/** Returns a test of whether a day has more than 20 rows, 5% of all rows and 20 times the average of the other days. */
export function openBusyTest(days: DayCounts): (rows: number) => boolean {
  const all = countRows(days);
  const least = Math.max(BUSY_ROWS, all * BUSY_SHARE);
  return (rows) => rows > least && rows * Math.max(1, days.length - 1) > BUSY_TIMES * (all - rows);
}

/**
 * Lists days that mean "unknown": up to 1900-01-01, and a busy 1 January or first day of Unix time. If 1 January is busy
 * in several years, licenses are renewed on it. Any other busy day is a day on which much was filed.
 */
export function listUnknownDays({ days }: DayColumn): DayCounts {
  const isBusy = openBusyTest(days);
  const busy = days.filter(([day, rows]) => /-01-01$/.test(day) && isBusy(rows));
  const isRenewal = busy.filter(([day]) => !isPlaceholderDay(day)).length > 1;
  return days
    .filter(
      (one) => one[0] <= '1900-01-01' || (busy.includes(one) && (!isRenewal || isPlaceholderDay(one[0]))),
    )
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_UNKNOWN);
}

export function describeDays({ filled, reading, days }: DayColumn): string {
  const { formats, pivot } = reading;
  const how = formats.map((one) => (one === 'instant' ? 'moments with an offset' : one)).join(' or ');
  const years = pivot === undefined ? '' : `, two-digit years up to ${pivot}`;
  const [first, last] = [days[0]?.[0], days.at(-1)?.[0]];
  return `${formatShare(filled)} of the rows have it, ${first} to ${last}, written as ${how}${years}`;
}

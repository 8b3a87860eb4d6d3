/**
 * Finds in which format a column writes days, by its cells. Of two formats that read the same cells, such as `M/D/YYYY` and
 * `D/M/YYYY`, another column or the days decide. The header only tells days from other numbers.
 */

import { addDays, type Day } from '../../shared/day.ts';
import { DAYS_AHEAD } from '../../shared/filing.ts';
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
import { type Column, countRows, sampleOf, shareOf, thinOut } from './columns.ts';
import { mentionsRole, saysDate, weighHeader } from './header-words.ts';

/** How the days of a column are written: in one format or two, or as `instant`: moments with an offset. */
export type DayReading = {
  formats: readonly (DayFormat | 'instant')[];
  pivot: number | undefined;
  isAmbiguous: boolean;
};

/** Maximum length of a cell of days. With the name of its zone, as browsers print it, a day has about 60 letters. */
export const LONGEST_DAY = 80;
/** The least share of the cells of a column of days that a format reads. The others may be empty, damaged or notes. */
export const LEAST_READ = 0.8;
/** A second format that reads a smaller share of the cells only reads mistakes. */
const LEAST_SECOND = 0.005;
/** A format that none of so many values has is not tried on all. */
const VALUES_TRIED = 200;
/** Plausible days for a register of businesses. */
const [FIRST_DAY, AFTER_LAST_DAY] = ['1700-01-01', '2200'];
/** Plausible days for a number of seconds or milliseconds. */
const [FIRST_MOMENT, AFTER_LAST_MOMENT] = ['1971', '2101'];
/** While a format is sought, two digits mean a year up to this one. */
const ANY_PIVOT = 2049;
/** The day of a workbook in 1927. A smaller number is probably a year. */
const FIRST_SERIAL = 10_000;
/** More days in the future are those of the wrong epoch. */
const MOST_AHEAD = 0.005;
/** An office that is closed on weekends files at most this share on them. */
const FEW_ON_WEEKENDS = 0.05;

const MONTH_FIRST: readonly DayFormat[] = ['M/D/YYYY', 'M/D/YY', 'MMDDYYYY'];
const DAY_FIRST: readonly DayFormat[] = ['D/M/YYYY', 'D/M/YY', 'DDMMYYYY'];
/** Matches the formats of plain numbers, which are days only under a header that names one. */
const NUMBERS = /^(?:excel.*|[YMD]+)$/;

/** Returns whether a text is a plausible day in a format. */
function isLikely(text: string, format: DayFormat): boolean {
  if (isSerial(format) && !(Number(text) >= FIRST_SERIAL)) return false;
  const day = parseDay(text, format, { pivot: ANY_PIVOT });
  return day !== undefined && day > FIRST_DAY && day < AFTER_LAST_DAY;
}

export const hasDigit = (text: string) => /\d/.test(text);
const fitsDayFirst = (text: string) => DAY_FIRST.some((format) => isLikely(text, format));
const fitsMonthFirst = (text: string) => MONTH_FIRST.some((format) => isLikely(text, format));

/** Returns whether a column has days that are valid only if the day comes before the month. */
export function hasOnlyDayFirst(column: Column): boolean {
  return (
    shareOf(column, hasDigit) >= LEAST_READ &&
    shareOf(column, fitsDayFirst) >= LEAST_READ &&
    shareOf(column, fitsMonthFirst) < LEAST_READ
  );
}

/** Returns whether a text has a whole day: `Active from 24 Mar 2016`. */
export const holdsDay = (text: string) =>
  /\b\d{1,2}[-/.\s](?:\d{1,2}|\p{L}{3,10})[-/.,\s]+(?:19|20)\d\d\b|\b(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\b/u.test(
    text,
  );

/** Returns whether a header names a day. A number needs a word such as "date", too: `FECHA MATRICULA`, not `MATRICULA`. */
export function namesDay(header: string): boolean {
  if (weighHeader(header, 'key') > 0 && !saysDate(header)) return false;
  const others = ['expires', 'ended'] as const;
  return mentionsRole(header, 'filed') || others.some((role) => weighHeader(header, role) > 0);
}

/** Finds the format of a column, or returns `undefined` for one without days. */
export function findDayReading(
  column: Column,
  { isDayFirst, today }: { isDayFirst: boolean; today: Day },
): DayReading | undefined {
  const values = sampleOf(column.values);
  const all = countRows(values);
  if (all === 0 || column.length > LONGEST_DAY || shareOf(column, hasDigit) < LEAST_READ) return undefined;
  const isNamed = namesDay(column.header);
  const moments = countRows(values.filter(([text]) => isMoment(text, isNamed)));
  if (moments / all >= LEAST_READ && values.some(([text]) => !/T00:00:00(?:\.0+)?Z$/.test(text)))
    return { formats: ['instant'], pivot: undefined, isAmbiguous: false };
  const rank = (format: DayFormat) => Number(isDayFirst && DAY_FIRST.includes(format));
  const formats = DAY_FORMATS.filter((format) => isNamed || !NUMBERS.test(format)).sort(
    (a, b) => rank(b) - rank(a),
  );
  const best = findBestFormat(values, formats);
  if (best === undefined) return undefined;
  const serial = isSerial(best.format) ? findSerial(values, today) : undefined;
  const first = serial ?? best.format;
  const twin = findTwin(first); // no column uses both
  const second = findBestFormat(
    values.filter(([text]) => !isLikely(text, first)),
    formats,
  );
  const more = second?.rows ?? 0;
  if ((best.rows + more) / all < LEAST_READ) return undefined;
  const isUsed = second !== undefined && more / all > LEAST_SECOND && second.format !== twin;
  const chosen = isUsed ? [first, second.format] : [first];
  return {
    formats: chosen,
    pivot: chosen.some(hasShortYear) ? findPivot(values) : undefined,
    isAmbiguous:
      (isSerial(first) ? serial === undefined : !isDayFirst) &&
      twin !== undefined &&
      values.every(([text]) => !isLikely(text, first) || isLikely(text, twin)),
  };
}

/** Returns whether a text has an offset, or is a number of seconds or milliseconds under a header for a day. */
function isMoment(text: string, isNamed: boolean): boolean {
  const day = dayAt(text, 'Etc/UTC');
  if (day === undefined || !/^\d+$/.test(text)) return day !== undefined;
  return isNamed && day > FIRST_MOMENT && day < AFTER_LAST_MOMENT;
}

/** Finds the format that reads most rows, and their number. */
function findBestFormat(values: Column['values'], formats: readonly DayFormat[]) {
  const some = thinOut(values, VALUES_TRIED);
  const [best] = formats
    .filter((format) => some.some(([text]) => isLikely(text, format)))
    .map((format) => ({ format, rows: countRows(values.filter(([text]) => isLikely(text, format))) }))
    .sort((a, b) => b.rows - a.rows);
  return best;
}

/**
 * Tells numbers of days since 1900 from those since 1904, or returns `undefined`. Filings are seldom in the future, and an
 * office is closed on some day of the week: the wrong epoch moves its Sundays to Mondays.
 */
function findSerial(values: Column['values'], today: Day): DayFormat | undefined {
  const shareOfDays = (format: DayFormat, test: (day: Day) => boolean) =>
    countRows(values.filter(([text]) => test(parseDay(text, format) ?? ''))) / countRows(values);
  const latest = addDays(today, DAYS_AHEAD);
  if (shareOfDays('excel1904', (day) => day > latest) > MOST_AHEAD) return 'excel';
  const isWeekend = (day: Day) => day !== '' && [0, 6].includes(new Date(day).getUTCDay());
  const since1900 = shareOfDays('excel', isWeekend);
  const since1904 = shareOfDays('excel1904', isWeekend);
  const isClear =
    Math.min(since1900, since1904) <= FEW_ON_WEEKENDS &&
    Math.max(since1900, since1904) >= 2 * FEW_ON_WEEKENDS;
  return isClear ? (since1900 < since1904 ? 'excel' : 'excel1904') : undefined;
}

const SHORT_YEAR = /^\d{1,2}[-/. ](?:\d{1,2}|\p{L}+\.?)[-/. ](\d\d)(?!\d)/u;
/** A newest year of two digits below this is of this century, and without any it is this one. */
const [FIRST_OF_1900S, NO_NEWEST] = [70, 29];
const MOST_AFTER_NEWEST = 10;

/** Chooses a pivot for two-digit years: inside the longest gap between them, at most ten years after the newest. */
function findPivot(values: Column['values']): number {
  const found = new Set(values.flatMap(([text]) => SHORT_YEAR.exec(text)?.[1] ?? []));
  const years = [...found].map(Number).sort((a, b) => a - b);
  const gaps = years.map((year, i) => ({ year, silent: (years[i + 1] ?? years[0]! + 100) - year }));
  const none = { year: NO_NEWEST, silent: 0 };
  const { year, silent } = gaps.reduce((a, b) => (b.silent > a.silent ? b : a), none);
  const century = year < FIRST_OF_1900S ? 2000 : 1900;
  return century + year + Math.min(MOST_AFTER_NEWEST, Math.floor(silent / 2));
}

/** Reads a day. Uses `Etc/UTC` for moments, because only their order matters here. */
export function readDay(text: string, { formats, pivot }: DayReading): Day | undefined {
  return parseDayIn(formats, text, { pivot, timeZone: 'Etc/UTC' });
}

/** Parses dates in the formats of publishers. Never guesses the century of a two-digit year. */

import { type Day, makeDay, toDay } from '../../shared/day.ts';
import { lazy } from '../../shared/remember.ts';
import { removeAccents } from '../../shared/words.ts';

/** Also as the French write it: `8h`, `8h05`. */
const CLOCK = String.raw`\d{1,2}(?:[:.]\d\d(?:[:.]\d\d(?:\.\d+)?)?(?: ?[AP]\.?M\.?)?|h(?:\d\d)?)`;
/** An offset, an abbreviation such as `CEST`, or both, with the name of the zone behind them. */
const ZONE = String.raw`(?:Z|[A-Z]{3,4})?(?:[+-]\d\d(?::?\d\d)?)?(?: ?\[[\w/+-]+\]| \([\w ]+\))?`;
const TIME = `(?:[T ,]+(?:à |at )?${CLOCK}(?: ?${ZONE})?)?`;
const WEEKDAY = '(?:(?:MON|TUE|TUES|WED|WEDNES|THU|THUR|THURS|FRI|SAT|SATUR|SUN)(?:DAY)?[,.]* )?';
const [YYYY, YY] = [String.raw`(?<y>\d{4})`, String.raw`(?<y>\d\d)`];
const [M, MMM, D] = [String.raw`(?<m>\d{1,2})`, String.raw`(?<m>\p{L}{3,10})\.?`, String.raw`(?<d>\d{1,2})`];
const NTH = `${D}(?:ST|ND|RD|TH|ER|O)?`;
const OF = '(?:OF |DEL? )?';

const beforeTime = (date: string) => new RegExp(`^${date}${TIME}$`, 'iu');

const PATTERNS = {
  // also as Japanese, Chinese and Korean write it: `2026年4月1日`, `2026. 4. 1.`
  'YYYY-MM-DD': beforeTime(`${YYYY}(?:[-/.年년] ?)${M}(?:[-/.月월] ?)${D}[日일.]?`),
  'M/D/YYYY': beforeTime(`${M}[-/.]${D}[-/.]${YYYY}`),
  'M/D/YY': beforeTime(`${M}[-/.]${D}[-/.]${YY}`),
  'D/M/YYYY': beforeTime(`${D}[-/.]${M}[-/.]${YYYY}`),
  'D/M/YY': beforeTime(`${D}[-/.]${M}[-/.]${YY}`),
  YYYYMMDD: /^(?<y>\d{4})(?<m>\d\d)(?<d>\d\d)(?:T\d{4,6}Z?|\d{6})?$/i,
  // the first number lacks its leading zero if a spreadsheet has stored a number
  MMDDYYYY: /^(?<m>\d{1,2})(?<d>\d\d)(?<y>\d{4})$/,
  DDMMYYYY: /^(?<d>\d{1,2})(?<m>\d\d)(?<y>\d{4})$/,
  // Java prints the time before the year: `Sat Nov 14 00:00:00 UTC 2026`
  'MMM D, YYYY': beforeTime(`${WEEKDAY}${MMM} +${NTH},?(?: ${CLOCK}(?: ${ZONE})?)? ${YYYY}`),
  'D-MMM-YYYY': beforeTime(`${WEEKDAY}${NTH}[-/. ]+${OF}${MMM},?[-/. ]+${OF}${YYYY}`),
  'D-MMM-YY': beforeTime(`${WEEKDAY}${NTH}[-/. ]+${MMM}[-/. ]+${YY}`),
};

/**
 * The format of a source's dates. Times after the date are ignored. `-`, `/` and `.` are equivalent between numbers.
 * `MMM` is a short or long month in a language of `MONTH_LANGUAGES`. `excel` is the day number of a workbook (45717 is 2025-03-01), and `excel1904`
 * that of one that counts from 1904. Formats with `YY` need a pivot: `parseDay(text, 'M/D/YY', { pivot: 2029 })`.
 */
export type DayFormat = keyof typeof PATTERNS | 'excel' | 'excel1904';

export const DAY_FORMATS = [...Object.keys(PATTERNS), 'excel', 'excel1904'] as DayFormat[];

export const isSerial = (format: string): boolean => format.startsWith('excel');

/** Returns whether a format has two-digit years, which need a pivot. */
export function hasShortYear(format: DayFormat): boolean {
  return /(?:^|\W)YY$/.test(format);
}

/** Returns the format that may read the same texts as other days: `D/M/YYYY` for `M/D/YYYY`, `excel1904` for `excel`. */
export function findTwin(format: string): DayFormat | undefined {
  if (isSerial(format)) return format === 'excel' ? 'excel1904' : 'excel';
  const other = format.replace(/[DM]/g, (one) => (one === 'D' ? 'M' : 'D'));
  return other === format ? undefined : DAY_FORMATS.find((one) => one === other);
}

/** `pivot` is the last year that two digits can mean: with 2029, they mean 1930 to 2029. */
export type DayOptions = { pivot?: number | undefined };

const MONTH_LANGUAGES = ['en', 'fr', 'es', 'pt', 'it', 'de', 'nl'];
const SHORTEST_MONTH = 3;

/** Reads the numbers of months by their names and the beginnings of these: `nov`, `févr`. A beginning of two months means none. */
const readMonths = lazy(() => {
  const months = new Map<string, number>();
  for (const language of MONTH_LANGUAGES) {
    const { format } = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    for (let month = 1; month <= 12; month++) {
      const name = foldMonth(format(Date.UTC(2000, month - 1)));
      for (let length = SHORTEST_MONTH; length <= name.length; length++) {
        const known = months.getOrInsert(name.slice(0, length), month);
        if (known !== month) months.set(name.slice(0, length), 0);
      }
    }
  }
  return months;
});

const foldMonth = (text: string) => removeAccents(text).toLowerCase();

export const EXCEL_EPOCH = -25_569; // 1899-12-30, so that days after February 1900 are correct
export const DAYS_TO_1904 = 1_462;
export const LAST_EXCEL_DAY = 2_958_465; // 9999-12-31

/**
 * Parses the date in `text`. Returns `undefined` if the text is empty or in another format, the date does not exist, or
 * a two-digit year has no pivot. `2016-07-25T00:00:00.000Z` is 25 July, because publishers' timestamps are local time
 * even if a `Z` follows. Accepts dates before 1900 or far in the future; ingest rejects them for every city.
 */
export function parseDay(text: string, format: DayFormat, { pivot }: DayOptions = {}): Day | undefined {
  if (format === 'excel' || format === 'excel1904') return excelDay(text.trim(), format);
  const parts = PATTERNS[format].exec(toPlainText(text))?.groups;
  if (parts === undefined || (parts.y!.length === 2 && pivot === undefined)) return undefined;
  const year = pivot === undefined ? Number(parts.y) : yearUpTo(pivot, parts.y!);
  return makeDay(year, monthOf(parts.m!), Number(parts.d));
}

const toPlainText = (text: string) => (/[^\x20-\x7e]/.test(text) ? text.normalize('NFKC') : text).trim();

/** Parses a day in the first format that fits. `instant` is a moment with an offset, as `dayAt` parses it. */
export function parseDayIn(
  formats: readonly (DayFormat | 'instant')[],
  text: string,
  { pivot, timeZone }: DayOptions & { timeZone: string },
): Day | undefined {
  for (const format of formats) {
    const day = format === 'instant' ? dayAt(text, timeZone) : parseDay(text, format, { pivot });
    if (day !== undefined) return day;
  }
  return undefined;
}

/** Returns the last year with these two digits that is not after the pivot. Returns a four-digit year unchanged. */
function yearUpTo(pivot: number, digits: string): number {
  return digits.length > 2 ? Number(digits) : pivot - ((((pivot - Number(digits)) % 100) + 100) % 100);
}

/** Seconds, milliseconds, or milliseconds as .NET writes them: `/Date(1731542400000-0500)/`. */
const EPOCH = /^\s*(?:(\d{9,10}|\d{12,13})(?:\.0+)?|\/Date\((-?\d{1,14})(?:[+-]\d{4})?\)\/)\s*$/;

/**
 * Converts a timestamp with an offset (`2024-05-01T03:30:00+00:00`, `2024/05/01 03:30:00+00:00`) to the city's date.
 * ArcGIS Hub exports such timestamps. Also accepts seconds (9 or 10 digits) and milliseconds (12 or 13) since 1970.
 * Exactly midnight UTC is a date without a time. Returns `undefined` for other texts, such as a time without an
 * offset.
 */
export function dayAt(text: string, timeZone: string): Day | undefined {
  const [, epoch, ms = epoch] = EPOCH.exec(text) ?? [];
  if (ms !== undefined)
    return dayFromMs(Number(ms) * (ms.replace('-', '').length > 10 ? 1 : 1_000), timeZone);
  const [, date, time, offset] =
    /^(\d{4}[-/]\d\d[-/]\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)$/.exec(
      text.trim(),
    ) ?? [];
  if (date === undefined || offset === undefined) return undefined;
  const zone = offset === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`;
  return dayFromMs(Date.parse(`${date.replaceAll('/', '-')}T${time}${zone}`), timeZone);
}

/**
 * Converts milliseconds since 1970 (UTC) to a local date. Returns `undefined` if they are invalid. Exactly midnight UTC
 * is how most portals write a date without a time, so its date stays the same in every time zone.
 */
export function dayFromMs(ms: number, timeZone: string): Day | undefined {
  if (!Number.isSafeInteger(ms) || Math.abs(ms) > 8.64e15) return undefined;
  if (ms % 86_400_000 === 0) return new Date(ms).toISOString().slice(0, 10);
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

function monthOf(text: string): number {
  return /^\d/.test(text) ? Number(text) : (readMonths().get(foldMonth(text)) ?? 0);
}

function excelDay(text: string, format: 'excel' | 'excel1904'): Day | undefined {
  const number = /^\d{1,7}(?:\.\d+)?$/.test(text) ? Math.floor(Number(text)) : 0;
  const epoch = EXCEL_EPOCH + (format === 'excel' ? 0 : DAYS_TO_1904);
  return number < 1 || number > LAST_EXCEL_DAY - DAYS_TO_1904 ? undefined : toDay(number + epoch);
}

/** Calculates with calendar days. Days are ISO text (`2016-10-06`) in the proleptic Gregorian calendar. */

/** An existing day as `YYYY-MM-DD`. Sorts correctly as text for the years 0001 to 9999. */
export type Day = string;

/** A moment as `YYYY-MM-DDTHH:mm:ss.sssZ` (always UTC and 24 characters). Sorts correctly as text. */
export type Instant = string;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export function toDayNumber(day: Day): number {
  return Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10))) / DAY_MS;
}

export function toDay(n: number): Day {
  return new Date(n * DAY_MS).toISOString().slice(0, 10);
}

export function addDays(day: Day, days: number): Day {
  return toDay(toDayNumber(day) + days);
}

/** Counts the days from one day to another. */
export function countDays(from: Day, to: Day): number {
  return toDayNumber(to) - toDayNumber(from);
}

/** Makes a day, or returns `undefined` if the date does not exist (February 31). Accepts years 1 to 9999. */
export function makeDay(year: number, month: number, date: number): Day | undefined {
  if (!(year >= 1 && year <= 9999 && month >= 1 && month <= 12)) return undefined;
  if (!(date >= 1 && date <= daysIn(year, month))) return undefined;
  return `${padNumber(year, 4)}-${padNumber(month, 2)}-${padNumber(date, 2)}`;
}

/** Swaps the day and the month of a date in numbers: `2026-28-11` for `2026-11-28`. The result may be no day. */
export function swapMonth(text: string): string {
  return text.replace(/(?<!\d)(\d\d?)([-/.])(\d\d?)(?!\d)/, (_, one, sign, other) => `${other}${sign}${one}`);
}

/** A calendar month as `YYYY-MM`. Sorts correctly as text. */
export type Month = string;

export function monthOf(day: Day): Month {
  return day.slice(0, 7);
}

export function addMonths(month: Month, months: number): Month {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months;
  return `${padNumber(Math.floor(count / 12), 4)}-${padNumber((count % 12) + 1, 2)}`;
}

export function firstDayOf(month: Month): Day {
  return `${month}-01`;
}

export function lastDayOf(month: Month): Day {
  return `${month}-${daysIn(Number(month.slice(0, 4)), Number(month.slice(5)))}`;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function padNumber(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

export function addMs(at: Instant, ms: number): Instant {
  return new Date(Date.parse(at) + ms).toISOString();
}

const AHEAD_MS = 5 * 60_000;

/** Returns whether a stored time is in the future, because a clock was wrong. Clocks of two machines differ a little. */
export function isAhead(at: Instant, now: Instant): boolean {
  return at > addMs(now, AHEAD_MS);
}

/** Returns the instant at which a day of a time zone begins, or the instant itself. */
export function startOf(at: Day | Instant, timeZone: string): Instant {
  if (at.includes('T')) return at;
  return new Date(Temporal.PlainDate.from(at).toZonedDateTime(timeZone).epochMilliseconds).toISOString();
}

/** Formats an instant for operators, without seconds: `2026-11-20 09:00 UTC`. */
export function formatMoment(instant: Instant): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

/** Formats an instant in the time of a city: `2026-11-20 01:00 PST`. */
export function formatLocalMoment(instant: Instant, timeZone: string): string {
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
  const zone = local.toLocaleString('en-US', { timeZoneName: 'short' }).split(' ').at(-1);
  return `${local.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ')} ${zone}`;
}

export function toLocalDay(timeZone: string, instant: Instant): Day {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** Returns today's date in a city, or `asOf` for archives and the sample. */
export function findToday({ asOf, timeZone }: { asOf?: Day; timeZone: string }, now: Instant): Day {
  return asOf ?? toLocalDay(timeZone, now);
}

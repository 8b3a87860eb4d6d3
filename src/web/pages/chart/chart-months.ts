/**
 * The months and years that the chart shows: a year of months beside the year before. Arithmetic over counts. The month in which the
 * data ends is incomplete, and is compared with the same days of the year before.
 */

import { addMonths, type Day, firstDayOf, lastDayOf, type Month, monthOf } from '../../../listings/day.ts';
import type { Counts } from '../../../search/listing-index.ts';
import type { Question } from '../../../search/parameters.ts';

/** First and last filing date; `''` where a side is open. */
export type FilingSpan = Pick<Question, 'filed_from' | 'filed_to'>;

export const ALL_TIME: FilingSpan = { filed_from: '', filed_to: '' };

/** First and last day of what a count is about. */
export type Days = { from: Day; to: Day };

/** Counts by month, newest first, of a search and of the same search at any time. */
export type MonthCounts = {
  asked: Counts;
  anyTime: Counts;
  /** The current month; of a register that has ended, its last one. */
  lastMonth: Month;
  /** The day up to which filings are known; see `findDataEnd`. */
  dataEnd: Day;
  /** The number of filings at any time in the days of `findSameDays(dataEnd)`. */
  sameDaysBefore: number;
};

/**
 * `days` are those of the month that were asked for and are known. `before` is the count of the same days a year earlier, if the search
 * is for whole months.
 */
export type ChartMonth = {
  month: Month;
  days: Days;
  count: number;
  before: number | undefined;
  isAsked: boolean;
  isPart: boolean;
};
/** A year, or all years up to one (`isFirst`). */
export type ChartYear = {
  label: string;
  span: FilingSpan;
  days: Days;
  isFirst: boolean;
  count: number;
  isAsked: boolean;
  isPart: boolean;
};

const SHOWN_MONTHS = 12;
/** Registers have single filings of a century ago. */
const SHOWN_YEARS = 24;
/** The chart of a search for older filings ends here; no listing is older. */
const EARLIEST_END: Month = '1900-12';

/** The day of the newest filing. Filings dated in the future do not count. */
export function findDataEnd(latestFiling: Day | null, today: Day): Day {
  return latestFiling !== null && latestFiling < today ? latestFiling : today;
}

/** The days of the month in which the data ends, a year earlier. */
export function findSameDays(dataEnd: Day): Days {
  return { from: firstDayOf(addMonths(monthOf(dataEnd), -12)), to: findYearBefore(dataEnd) };
}

/** The same day of the year before; of the last day of February, the last one. */
export function findYearBefore(day: Day): Day {
  const last = lastDayOf(addMonths(monthOf(day), -12));
  if (day === lastDayOf(monthOf(day))) return last;
  return `${monthOf(last)}${day.slice(7)}`;
}

/** Twelve months, oldest first: those asked for, filled up to a year. Of a longer time, the last twelve. */
export function listChartMonths(span: FilingSpan, counts: MonthCounts): ChartMonth[] {
  const asked = toCountsByValue(counts.asked);
  const anyTime = toCountsByValue(counts.anyTime);
  const end = findEnd(span, counts);
  const { dataEnd } = counts;
  const countBefore = (month: Month, isPart: boolean): number | undefined => {
    if (!isWholeMonths(span, dataEnd) || month > monthOf(dataEnd)) return undefined;
    return isPart ? counts.sameDaysBefore : (anyTime.get(addMonths(month, -12)) ?? 0);
  };
  return Array.from({ length: SHOWN_MONTHS }, (_, i) => {
    const month = addMonths(end, i + 1 - SHOWN_MONTHS);
    const whole = makeSpan(month);
    const isAsked = isOverlap(span, whole);
    const isPart = month === monthOf(dataEnd) && dataEnd < whole.filed_to;
    return {
      month,
      isAsked,
      isPart,
      days: clipDays(whole, isAsked ? span : ALL_TIME, dataEnd),
      count: (isAsked ? asked : anyTime).get(month) ?? 0,
      before: countBefore(month, isPart),
    };
  });
}

/** The part of a span that is asked for and known. */
function clipDays({ filed_from, filed_to }: FilingSpan, within: FilingSpan, dataEnd: Day): Days {
  const from = pickLater(filed_from, within.filed_from);
  const to = pickEarlier(filed_to, within.filed_to || filed_to);
  return { from, to: from <= dataEnd ? pickEarlier(to, dataEnd) : to };
}

/** The years of the filings at any time, to choose from. */
export function listChartYears(span: FilingSpan, { anyTime, dataEnd }: MonthCounts): ChartYear[] {
  return sumYears(anyTime, { asked: span, within: ALL_TIME, dataEnd });
}

/** The sums of months as years, newest first. The last entry is for all years before them, if there are any. */
export function sumYears(
  perMonth: Counts,
  { asked, within, dataEnd }: { asked: FilingSpan; within: FilingSpan; dataEnd: Day },
): ChartYear[] {
  const years = [...Map.groupBy(perMonth, ({ value }) => value.slice(0, 4))].map(([year, months]) => ({
    year,
    count: months.reduce((sum, { count }) => sum + count, 0),
  }));
  const describe = (own: FilingSpan) => {
    const days = clipDays({ ...own, filed_from: own.filed_from || '0001-01-01' }, within, dataEnd);
    const isPart = days.to === dataEnd && dataEnd < own.filed_to;
    return { span: own, days, isAsked: isOverlap(asked, own), isPart };
  };
  const shown = years.slice(0, SHOWN_YEARS).map(({ year, count }) => ({
    label: year,
    isFirst: false,
    count,
    ...describe(makeSpan(`${year}-01`, `${year}-12`)),
  }));
  const [first, ...earlier] = years.slice(SHOWN_YEARS);
  if (first === undefined) return shown;
  const count = earlier.reduce((sum, one) => sum + one.count, first.count);
  const own = { filed_from: '', filed_to: `${first.year}-12-31` };
  return [...shown, { label: first.year, isFirst: true, count, ...describe(own) }];
}

function isOverlap(a: FilingSpan, b: FilingSpan): boolean {
  const [aTo, bTo] = [a.filed_to || '9999', b.filed_to || '9999'];
  return a.filed_from <= bTo && b.filed_from <= aTo && a.filed_from <= aTo;
}

/** The last month shown: the last one asked for, or the December after it where that leaves no gap at the end. */
function findEnd({ filed_from, filed_to }: FilingSpan, { anyTime, lastMonth }: MonthCounts): Month {
  const newest = pickLater(lastMonth, anyTime[0]?.value ?? lastMonth);
  const to = filed_to === '' ? lastMonth : pickEarlier(monthOf(filed_to), newest);
  const yearEnd = filed_from === '' ? to : pickEarlier(`${filed_from.slice(0, 4)}-12`, lastMonth);
  return pickLater(pickLater(to, yearEnd), EARLIEST_END);
}

function pickLater(a: string, b: string): string {
  return a > b ? a : b;
}

function pickEarlier(a: string, b: string): string {
  return a < b ? a : b;
}

/** The month in which the data ends is whole on that day. */
function isWholeMonths({ filed_from, filed_to }: FilingSpan, dataEnd: Day): boolean {
  const isFirst = filed_from === '' || filed_from === firstDayOf(monthOf(filed_from));
  return isFirst && (filed_to === '' || filed_to === dataEnd || filed_to === lastDayOf(monthOf(filed_to)));
}

function toCountsByValue(counts: Counts): Map<string, number> {
  return new Map(counts.map(({ value, count }) => [value, count]));
}

/** From the first day of a month to the last day of another. */
export function makeSpan(from: Month, to: Month = from): FilingSpan {
  return { filed_from: firstDayOf(from), filed_to: lastDayOf(to) };
}

/** The span, but not beyond the end of the data. */
export function clipSpan({ filed_from, filed_to }: FilingSpan, dataEnd: Day): FilingSpan {
  return { filed_from, filed_to: pickEarlier(filed_to, dataEnd) };
}

export function isSameSpan(a: FilingSpan, b: FilingSpan): boolean {
  return a.filed_from === b.filed_from && a.filed_to === b.filed_to;
}

/** The days that a search is about: those asked for, else those of the first and the last filing month. None after the data ends. */
export function findDays(
  { filed_from, filed_to }: FilingSpan,
  asked: Counts,
  dataEnd: Day,
): Days | undefined {
  const [newest, oldest] = [asked[0]?.value, asked.at(-1)?.value];
  const from = filed_from === '' ? oldest && firstDayOf(oldest) : filed_from;
  const to = filed_to === '' ? newest && lastDayOf(newest) : filed_to;
  if (from === undefined || to === undefined || from > to) return undefined;
  return { from, to: from <= dataEnd ? pickEarlier(to, dataEnd) : to };
}

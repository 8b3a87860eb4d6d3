/** The months and years that the chart shows: a year of months beside the year before. Arithmetic over counts. */

import { addMonths, type Day, firstDayOf, lastDayOf, type Month, monthOf } from '../listings/day.ts';
import type { Counts } from '../search/listing-index.ts';
import type { Question } from '../search/parameters.ts';

/** First and last filing date; `''` where a side is open. */
export type FilingSpan = Pick<Question, 'filed_from' | 'filed_to'>;

export const ALL_TIME: FilingSpan = { filed_from: '', filed_to: '' };

/** Counts by month, newest first, of a search and of the same search at any time. */
export type MonthCounts = {
  asked: Counts;
  anyTime: Counts;
  /** The current month; of a register that has ended, its last one. */
  lastMonth: Month;
};

/** `before` is the count of the same month a year earlier, if the search is for whole months. */
export type ChartMonth = { month: Month; count: number; before: number | undefined; isAsked: boolean };
/** A year, or all years up to one (`isFirst`). */
export type ChartYear = {
  label: string;
  span: FilingSpan;
  isFirst: boolean;
  count: number;
  isAsked: boolean;
};

const SHOWN_MONTHS = 12;
/** Registers have single filings of a century ago. */
const SHOWN_YEARS = 24;
/** The chart of a search for older filings ends here; no listing is older. */
const EARLIEST_END: Month = '1900-12';

/** Twelve months, oldest first: those asked for, filled up to a year. Of a longer time, the last twelve. */
export function listChartMonths(span: FilingSpan, counts: MonthCounts): ChartMonth[] {
  const asked = toCountsByValue(counts.asked);
  const anyTime = toCountsByValue(counts.anyTime);
  const end = findEnd(span, counts);
  return Array.from({ length: SHOWN_MONTHS }, (_, i) => {
    const month = addMonths(end, i + 1 - SHOWN_MONTHS);
    const isAsked = isOverlap(span, makeSpan(month));
    return {
      month,
      isAsked,
      count: (isAsked ? asked : anyTime).get(month) ?? 0,
      before: isWholeMonths(span) ? (anyTime.get(addMonths(month, -12)) ?? 0) : undefined,
    };
  });
}

/** The years of the filings, newest first, without gaps. The last entry is for all years before them, if there are any. */
export function listChartYears(span: FilingSpan, { anyTime }: MonthCounts): ChartYear[] {
  const years = [...Map.groupBy(anyTime, ({ value }) => value.slice(0, 4))].map(([year, months]) => ({
    year,
    count: months.reduce((sum, { count }) => sum + count, 0),
  }));
  const shown = years.slice(0, SHOWN_YEARS).map(({ year, count }) => {
    const own = makeSpan(`${year}-01`, `${year}-12`);
    return { label: year, span: own, isFirst: false, count, isAsked: isOverlap(span, own) };
  });
  const [first, ...earlier] = years.slice(SHOWN_YEARS);
  if (first === undefined) return shown;
  const own = { filed_from: '', filed_to: `${first.year}-12-31` };
  const count = earlier.reduce((sum, one) => sum + one.count, first.count);
  return [...shown, { label: first.year, span: own, isFirst: true, count, isAsked: isOverlap(span, own) }];
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

function pickLater(a: Month, b: Month): Month {
  return a > b ? a : b;
}

function pickEarlier(a: Month, b: Month): Month {
  return a < b ? a : b;
}

function isWholeMonths({ filed_from, filed_to }: FilingSpan): boolean {
  const isFirst = filed_from === '' || filed_from === firstDayOf(monthOf(filed_from));
  return isFirst && (filed_to === '' || filed_to === lastDayOf(monthOf(filed_to)));
}

function toCountsByValue(counts: Counts): Map<string, number> {
  return new Map(counts.map(({ value, count }) => [value, count]));
}

/** From the first day of a month to the last day of another. */
export function makeSpan(from: Month, to: Month = from): FilingSpan {
  return { filed_from: firstDayOf(from), filed_to: lastDayOf(to) };
}

export function isSameSpan(a: FilingSpan, b: FilingSpan): boolean {
  return a.filed_from === b.filed_from && a.filed_to === b.filed_to;
}

/** The days that a search is about: those asked for, else those of the first and the last filing month. */
export function findDays(
  { filed_from, filed_to }: FilingSpan,
  asked: Counts,
): { from: Day; to: Day } | undefined {
  const [newest, oldest] = [asked[0]?.value, asked.at(-1)?.value];
  const from = filed_from === '' ? oldest && firstDayOf(oldest) : filed_from;
  const to = filed_to === '' ? newest && lastDayOf(newest) : filed_to;
  return from === undefined || to === undefined || from > to ? undefined : { from, to };
}

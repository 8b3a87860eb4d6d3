/**
 * Computes the months and years of the chart. If only part of a month counts, that part is compared with the same days
 * of the year before.
 */

import { addMonths, type Day, firstDayOf, lastDayOf, type Month, monthOf } from '../../shared/day.ts';
import type { Counts } from '../../shared/listing.ts';
import {
  clipDays,
  compareMonths,
  type Days,
  findOldest,
  intersectDays,
  isOneYear,
  isOverlap,
  isSameDays,
  listMonths,
  type Period,
  pickEarlier,
  pickLater,
  spanMonths,
  sumByYear,
  yearOf,
} from '../../shared/periods.ts';

import type { SearchView } from '../search-view.ts';

/** The counts of a period by month, newest first, and those of the same days a year before. */
type TwoYears = { now: Counts; before: Counts };

/** The counts of the compared period, and those of all time. */
export type MonthCounts = { asked: TwoYears; anyTime: TwoYears };

/** What the chart of a comparison shows. */
export type ComparedView = SearchView & { months: MonthCounts };

/**
 * A month of the chart. `days` are compared or, outside the period, have data. `isPart`: they are not the whole month.
 */
export type ChartMonth = {
  month: Month;
  days: Days;
  count: number;
  before: number;
  isAsked: boolean;
  isPart: boolean;
};

export type ChartYear = { year: string; count: number };

/** Maximum years to show. Some registers have a few filings from a century ago. */
const SHOWN_YEARS = 23;
/** No listing is from an earlier year. */
const EARLIEST_YEAR = '1900';

/**
 * Lists the months of the chart, oldest first. A period within one year shows that year's months with data. A longer
 * period shows at least twelve months up to its end.
 */
export function listChartMonths({ now }: Period, counts: MonthCounts, dataEnd: Day): ChartMonth[] {
  const year = yearOf(now.filed_from);
  const isWithinYear = isOneYear(now);
  const end = isWithinYear ? pickEarlier(`${year}-12`, monthOf(dataEnd)) : monthOf(now.filed_to);
  const last = pickLater(end, `${EARLIEST_YEAR}-12`);
  const start = isWithinYear ? `${year}-01` : pickEarlier(monthOf(now.filed_from), addMonths(last, -11));
  const months = listMonths(pickLater(start, `${EARLIEST_YEAR}-01`), last);
  const asked = compareMonths(months, counts.asked.now, counts.asked.before);
  const anyTime = compareMonths(months, counts.anyTime.now, counts.anyTime.before);
  return months.map((month, i) => {
    const whole = spanMonths(month);
    const isAsked = isOverlap(now, whole);
    const days = clipDays(isAsked ? intersectDays(whole, now) : whole, dataEnd);
    const { now: count, before } = (isAsked ? asked : anyTime)[i]!;
    return { month, days, count, before, isAsked, isPart: !isSameDays(days, whole) };
  });
}

/** Sums months by year, oldest first, from that of a month on. `earlier` sums the years before those, if there are any. */
export function listYears(
  byMonth: Counts,
  start: Month = '',
): { years: ChartYear[]; earlier: ChartYear | undefined } {
  const all = [...sumByYear(byMonth)].map(([year, count]) => ({ year, count }));
  const known = all.filter(({ year }) => year >= start.slice(0, 4)).slice(0, SHOWN_YEARS);
  const [last, ...others] = all.slice(known.length);
  const count = others.reduce((sum, one) => sum + one.count, last?.count ?? 0);
  const earlier = last && { year: last.year, count };
  return { years: known.reverse(), earlier };
}

/** Returns the requested days, limited to the data. An open side becomes the first or last month with filings. */
export function findDays({ filed_from, filed_to }: Days, asked: Counts, dataEnd: Day): Days | undefined {
  const [newest, oldest] = [asked[0]?.value, findOldest(asked)];
  const from = filed_from === '' ? oldest && firstDayOf(oldest) : filed_from;
  const to = filed_to === '' ? newest && lastDayOf(newest) : filed_to;
  if (from === undefined || to === undefined || from > to) return undefined;
  const days = { filed_from: from, filed_to: to };
  return from <= dataEnd ? clipDays(days, dataEnd) : days;
}

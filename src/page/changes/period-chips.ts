/** Lists the periods of a comparison that people can choose with one tap. */

import { monthOf } from '../../shared/day.ts';
import {
  ALL_TIME,
  clipDays,
  type Days,
  findUsualDays,
  findYearTo,
  findYearToDate,
  isSameDays,
  spanMonths,
  spanYear,
  yearOf,
} from '../../shared/periods.ts';
import type { SearchView } from '../search-view.ts';

export type PeriodChip = {
  label: string;
  days: Days;
  isCurrent: boolean;
};

/** Lists the periods. For a register that has ended, lists at most three, which fit one row on a phone. */
export function listComparedPeriods({
  dataEnd,
  isArchive,
  layout,
  period,
  question,
}: Omit<SearchView, 'shown'>): PeriodChip[] {
  const { say, month, monthDay } = layout.localization;
  const year = yearOf(dataEnd);
  const lastYear = String(Number(year) - 1);
  const toDate = { year, day: monthDay(dataEnd, 'short', year) };
  const periods: [label: string, days: Days][] = [
    [isArchive ? say('chip.until', toDate) : year, findYearToDate(dataEnd)],
    ...(isArchive
      ? []
      : [[month(monthOf(dataEnd), 'short'), spanMonths(monthOf(dataEnd))] as [string, Days]]),
    [say('chip.twelve'), findYearTo(dataEnd)],
    [lastYear, spanYear(lastYear)],
  ];
  const usual = findUsualDays(dataEnd);
  const isOpen = isSameDays(question, ALL_TIME);
  return periods.map(([label, days]) => {
    const isCurrent =
      isSameDays(clipDays(days, dataEnd), period.now) &&
      (isOpen || period.caveat === undefined || period.caveat === 'few');
    return { label, days: isSameDays(days, usual) ? ALL_TIME : days, isCurrent };
  });
}

/** Lists the periods that people can choose with one tap. A register that has ended offers its own years. */

import { monthOf } from '../../shared/day.ts';
import {
  ALL_TIME,
  clipDays,
  type Days,
  findUsualDays,
  findYearTo,
  findYearToDate,
  isSameDays,
  spanDaysTo,
  spanMonths,
  spanYear,
  sumByYear,
  yearOf,
} from '../../shared/periods.ts';
import type { SearchView } from '../search-view.ts';

export type PeriodChip = {
  label: string;
  days: Days;
  isCurrent: boolean;
};

const SHOWN_YEARS = 3;

type Chosen = Omit<SearchView, 'shown'>;

/** Lists the periods in which `countIn` finds listings. Returns `[]` if there is nothing to choose. */
export function listListingPeriods(view: Chosen, countIn: (days: Days) => number): PeriodChip[] {
  const { say } = view.layout.localization;
  const any = makeChip(view, say('chip.any'), ALL_TIME);
  const chips = view.isArchive ? listLastYears(view) : listCurrent(view, countIn);
  const shown = chips.filter(({ isCurrent, count }) => isCurrent || count > 0);
  return shown.length === 0 && any.isCurrent ? [] : [any, ...shown];
}

function makeChip({ question }: Chosen, label: string, days: Days): PeriodChip {
  return { label, days, isCurrent: isSameDays(question, days) };
}

type CountedChip = PeriodChip & { count: number };

function listLastYears(view: Chosen): CountedChip[] {
  const years = [...sumByYear(view.stats.byMonth)].filter(([, count]) => count > 0);
  const counts = sumByYear(view.anyTime.byMonth);
  return years
    .filter(([year]) => year <= yearOf(view.dataEnd))
    .slice(0, SHOWN_YEARS)
    .map(([year]) => ({ ...makeChip(view, year, spanYear(year)), count: counts.get(year) ?? 0 }));
}

/** Lists the last seven days with data, which the headline of the first page counts, and the current month and year. */
function listCurrent(view: Chosen, countIn: (days: Days) => number): CountedChip[] {
  const { today, dataEnd, layout } = view;
  const week = spanDaysTo(dataEnd, 7);
  const { shortDays, month } = layout.localization;
  const year = yearOf(today);
  const starts = [
    [shortDays(week.filed_from, week.filed_to), week],
    [month(monthOf(today), 'short'), { ...spanMonths(monthOf(today)), filed_to: '' }],
    [year, { ...spanYear(year), filed_to: '' }],
  ] as const;
  return starts.map(([label, days]) => {
    return { ...makeChip(view, label, days), count: countIn(days) };
  });
}

/**
 * Lists the periods of a comparison. For a register that has ended, lists at most three, which fit one row on a phone.
 */
export function listComparedPeriods(view: Chosen): PeriodChip[] {
  const { dataEnd, isArchive, layout, period, question } = view;
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

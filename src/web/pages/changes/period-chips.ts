/** The periods that people can choose with one tap. A register that has ended offers its own years. */

import { addDays, firstDayOf, monthOf } from '../../../listings/day.ts';
import type { ListingIndex } from '../../../search/listing-index.ts';
import type { SearchView } from '../search-view.ts';
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
  sumByYear,
} from './periods.ts';

export type PeriodChip = {
  label: string;
  days: Days;
  isCurrent: boolean;
  /** How many listings it contains, if they were counted. */
  count?: number;
};

const SHOWN_YEARS = 3;

type Chosen = Omit<SearchView, 'shown'>;

/** Lists the periods of the listings. Omits periods without filings in the city, and all for a search without any. */
export function listListingPeriods(view: Chosen, index: ListingIndex): PeriodChip[] {
  const { say } = view.layout.localization;
  const any = makeChip(view, say('chip.any'), ALL_TIME);
  const chips = view.isArchive ? listLastYears(view) : listCurrent(view, index);
  if (view.anyTime.total > 0) return [any, ...chips];
  return any.isCurrent ? [] : [any, ...chips.filter(({ isCurrent }) => isCurrent)]; // nothing to choose
}

function makeChip({ question }: Chosen, label: string, days: Days, count?: number): PeriodChip {
  const isCurrent = isSameDays(question, days);
  return { label, days, isCurrent, ...(count !== undefined && { count }) };
}

function listLastYears(view: Chosen): PeriodChip[] {
  const years = [...sumByYear(view.stats.byMonth)].filter(([, count]) => count > 0);
  const counts = sumByYear(view.anyTime.byMonth);
  return years
    .filter(([year]) => year <= view.dataEnd.slice(0, 4))
    .slice(0, SHOWN_YEARS)
    .map(([year]) => makeChip(view, year, spanYear(year), counts.get(year) ?? 0));
}

function listCurrent(view: Chosen, index: ListingIndex): PeriodChip[] {
  const { question, today, layout } = view;
  const { say } = layout.localization;
  const starts = [
    [say('chip.week'), addDays(today, -6)],
    [say('chip.month'), firstDayOf(monthOf(today))],
    [say('chip.year'), `${today.slice(0, 4)}-01-01`],
  ] as const;
  return starts
    .filter(([, filed_from]) => index.countFiledSince(filed_from) > 0)
    .map(([label, filed_from]) => {
      const days = { filed_from, filed_to: '' };
      return makeChip(view, label, days, index.search({ ...question, ...days, limit: 0 }).total);
    });
}

/** Lists the periods of a comparison. For a register that has ended at most three, which fit one row on a phone. */
export function listComparedPeriods(view: Chosen): PeriodChip[] {
  const { dataEnd, isArchive, layout, period, question } = view;
  const { say, monthDay } = layout.localization;
  const year = dataEnd.slice(0, 4);
  const lastYear = String(Number(year) - 1);
  const toDate = { year, day: monthDay(dataEnd, 'short', year) };
  const periods: [label: string, days: Days][] = [
    [say(isArchive ? 'chip.until' : 'chip.year.until', toDate), findYearToDate(dataEnd)],
    ...(isArchive ? [] : [[say('chip.month'), spanMonths(monthOf(dataEnd))] as [string, Days]]),
    [say('chip.twelve'), findYearTo(dataEnd)],
    [lastYear, spanYear(lastYear)],
  ];
  const usual = findUsualDays(dataEnd);
  const isOpen = isSameDays(question, ALL_TIME);
  return periods.map(([label, days]) => {
    const isCurrent =
      isSameDays(clipDays(days, dataEnd), period.now) &&
      (isOpen || period.limit === undefined || period.limit === 'few');
    return { label, days: isSameDays(days, usual) ? ALL_TIME : days, isCurrent };
  });
}

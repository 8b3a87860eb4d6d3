/** The periods to choose from with one tap: of the register's own time, so that one that has ended offers its years. */

import { addDays, firstDayOf, monthOf } from '../../../listings/day.ts';
import type { ListingIndex } from '../../../search/listing-index.ts';
import { ALL_TIME, clipSpan, type FilingSpan, isSameSpan, makeSpan } from '../chart/chart-months.ts';
import type { SearchView } from '../search-view.ts';
import { findUsualDays, findYearTo, findYearToDate, sumByYear, toSpan } from './periods.ts';

export type PeriodChip = {
  label: string;
  span: FilingSpan;
  isCurrent: boolean;
  /** How many listings it leaves, if that was counted. */
  count?: number;
};

const SHOWN_YEARS = 3;

type Chosen = Omit<SearchView, 'shown' | 'doubts' | 'typed'>;

/** The periods of the listings; one without any filing in the city is left out. */
export function listListingPeriods(view: Chosen, index: ListingIndex): PeriodChip[] {
  const { say } = view.layout.localization;
  const chips = view.isArchive ? listLastYears(view) : listCurrent(view, index);
  return [...chips, makeChip(view, say('chip.any'), ALL_TIME)];
}

function makeChip({ question }: Chosen, label: string, span: FilingSpan, count?: number): PeriodChip {
  const isCurrent = isSameSpan(question, span);
  return { label, span, isCurrent, ...(count !== undefined && { count }) };
}

function listLastYears(view: Chosen): PeriodChip[] {
  const years = [...sumByYear(view.stats.byMonth)].filter(([, count]) => count > 0);
  const counts = sumByYear(view.anyTime.byMonth);
  return years
    .filter(([year]) => year <= view.dataEnd.slice(0, 4))
    .slice(0, SHOWN_YEARS)
    .map(([year]) => makeChip(view, year, makeSpan(`${year}-01`, `${year}-12`), counts.get(year) ?? 0));
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
      const span = { filed_from, filed_to: '' };
      return makeChip(view, label, span, index.search({ ...question, ...span, limit: 0 }).total);
    });
}

/** The periods of a comparison: at most three of a register that has ended, so that they fit one row of a phone. */
export function listComparedPeriods(view: Chosen): PeriodChip[] {
  const { dataEnd, isArchive, layout, period, question } = view;
  const { say, monthDay } = layout.localization;
  const year = dataEnd.slice(0, 4);
  const lastYear = String(Number(year) - 1);
  const toDate = { year, day: monthDay(dataEnd, 'short', year) };
  const spans: [label: string, span: FilingSpan][] = [
    [say(isArchive ? 'chip.until' : 'chip.year.until', toDate), toSpan(findYearToDate(dataEnd))],
    ...(isArchive ? [] : [[say('chip.month'), makeSpan(monthOf(dataEnd))] as [string, FilingSpan]]),
    [say('chip.twelve'), toSpan(findYearTo(dataEnd))],
    [lastYear, makeSpan(`${lastYear}-01`, `${lastYear}-12`)],
  ];
  const usual = toSpan(findUsualDays(dataEnd));
  const isOpen = isSameSpan(question, ALL_TIME);
  return spans.map(([label, span]) => {
    const clipped = clipSpan(span, dataEnd);
    const isCurrent =
      isSameSpan(clipped, toSpan(period.now)) &&
      (isOpen || period.limit === undefined || period.limit === 'few');
    return { label, span: isSameSpan(span, usual) ? ALL_TIME : span, isCurrent };
  });
}

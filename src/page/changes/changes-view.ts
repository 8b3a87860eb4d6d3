import { monthOf } from '../../shared/day.ts';
import type { NamedFilter } from '../../shared/listing.ts';
import {
  ALL_TIME,
  changeOf,
  clipDays,
  type Days,
  findUsualDays,
  findYearTo,
  findYearToDate,
  isSameDays,
  type Row,
  shareOf,
  spanMonths,
  spanYear,
  yearOf,
} from '../../shared/periods.ts';
import type { Question } from '../../shared/question.ts';
import type { Undecided } from '../../shared/undecided.ts';
import type { MonthCounts } from '../chart/chart-months.ts';
import type { SearchView } from '../search-view.ts';

export type Sort = { column: SortColumn; isReverse: boolean };
export const SORT_COLUMNS = ['name', 'now', 'before', 'change', 'share'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

export type ChangesView = SearchView & {
  shown: { path: '/changes'; by: NamedFilter; sort: string };
  /** The order of the rows: by their counts if all are small, because chance alone can change small numbers. */
  sort: Sort;
  /** The requested days, if all of them are after the data. The comparison ignores them. */
  missing: Days | undefined;
  /**
   * The search for a status such as `closed`, which the comparison ignores: newer filings had less time to close, so the
   * years would differ even if nothing changed.
   */
  marked: Omit<SearchView, 'shown'> | undefined;
  periods: readonly PeriodChip[];
  /** Rows with enough filings in the order of `sort`, then `Unknown`. Rows with small numbers are in `small`. */
  rows: readonly Row[];
  small: readonly Row[];
  sums: Row;
  /** How many rows besides `Unknown` have enough filings. */
  ranked: number;
  months: MonthCounts;
  /** Whether the newest weeks seem to be incomplete. */
  isLate: boolean;
  /** The rows of both periods that their status leaves out, if that biases the comparison. */
  undecided?: Undecided | undefined;
  /** Whether the register seems to omit businesses that have closed. */
  hasOnlySurvivors: boolean;
};

export type ChangesQuery = { question: Question; by: NamedFilter | undefined; sort: Sort };

export function isOrderOfChange({ column }: Pick<Sort, 'column'>): boolean {
  return column === 'change' || column === 'share';
}

const MEASURES: Record<Exclude<SortColumn, 'name'>, (row: Row) => number> = {
  now: ({ now }) => now,
  before: ({ before }) => before,
  change: changeOf,
  share: shareOf,
};

/**
 * Sorts rows by a column, largest first (names from A). Sorts equal rows by the larger of their counts, then by name.
 */
export function sortRows(rows: readonly Row[], { column, isReverse }: Sort): Row[] {
  const byName = (a: Row, b: Row) => a.value.localeCompare(b.value);
  const direction = isReverse ? -1 : 1;
  if (column === 'name') return rows.toSorted((a, b) => direction * byName(a, b));
  const measure = MEASURES[column];
  const compare = (a: Row, b: Row) => (measure(a) === measure(b) ? 0 : measure(b) - measure(a));
  return rows.toSorted((a, b) => direction * compare(a, b) || b.now - a.now || byName(a, b));
}

export function parseSort(text: string): Sort {
  const name = text.replace(/^-/, '');
  const column = SORT_COLUMNS.find((known) => known === name);
  return column === undefined ? { column: 'change', isReverse: false } : { column, isReverse: text !== name };
}

export function formatSort({ column, isReverse }: Sort): string {
  return `${isReverse ? '-' : ''}${column}`;
}

export type PeriodChip = {
  label: string;
  days: Days;
  isCurrent: boolean;
};

/** Lists the periods. For a register that has ended, lists at most three, which fit one row on a phone. */
export function listComparedPeriods(view: Omit<SearchView, 'shown'>): PeriodChip[] {
  const { dataEnd, layout, period, question } = view;
  const { say, month, monthDay } = layout.localization;
  const hasNews = layout.hasNews();
  const year = yearOf(dataEnd);
  const lastYear = String(Number(year) - 1);
  const toDate = { year, day: monthDay(dataEnd, 'long', year) };
  const periods: [label: string, days: Days][] = [
    [hasNews ? year : say('chip.until', toDate), findYearToDate(dataEnd)],
    ...(hasNews ? [[month(monthOf(dataEnd), 'long'), spanMonths(monthOf(dataEnd))] as [string, Days]] : []),
    [say('chip.twelve'), findYearTo(dataEnd)],
    [lastYear, spanYear(lastYear)],
  ];
  const usual = findUsualDays(dataEnd);
  const isOpen = isSameDays(question, ALL_TIME);
  return periods.map(([label, days]) => {
    const isCurrent =
      isSameDays(clipDays(days, dataEnd), period.now) &&
      (isOpen || !['long', 'future', 'backwards'].includes(period.caveat ?? ''));
    return { label, days: isSameDays(days, usual) ? ALL_TIME : days, isCurrent };
  });
}

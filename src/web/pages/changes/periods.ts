/**
 * The one comparison of a period with the year before, for the chart, the sentence, the table, the map and the CSV: always with the same
 * days, never beyond the end of the data.
 */

import { addDays, type Day } from '../../../listings/day.ts';
import type { Counts } from '../../../search/listing-index.ts';
import { type Days, type FilingSpan, findYearBefore } from '../chart/chart-months.ts';

/** The days of a comparison and the same days a year before. */
export type Period = {
  now: Days;
  before: Days;
  /** Why this is not what was asked for, or cannot be compared. */
  limit?: 'long' | 'future' | 'backwards' | 'few' | undefined;
};

/** Before this month, a few days of January would compare chance. */
const FIRST_MONTH_OF_YEAR_TO_DATE = '04';
/** A year with a smaller share of the busiest one's filings is before the register begins. */
const LEAST_SHARE = 0.01;

/** The twelve months that end on a day. */
export function findYearTo(day: Day): Days {
  return { from: addDays(findYearBefore(day), 1), to: day };
}

export function findYearToDate(dataEnd: Day): Days {
  return { from: `${dataEnd.slice(0, 4)}-01-01`, to: dataEnd };
}

/** What is compared where no dates are asked for: the year to date; early in a year, twelve months. */
export function findUsualDays(dataEnd: Day): Days {
  return dataEnd.slice(5, 7) < FIRST_MONTH_OF_YEAR_TO_DATE ? findYearTo(dataEnd) : findYearToDate(dataEnd);
}

/** What a search is compared with, of at most twelve months. */
export function compareSpan(
  { filed_from, filed_to }: FilingSpan,
  { dataEnd, byMonth }: { dataEnd: Day; byMonth: Counts },
): Period {
  const usual = findUsualDays(dataEnd);
  if (filed_from === '' && filed_to === '') return compareDays(usual, byMonth);
  const to = filed_to === '' || filed_to > dataEnd ? dataEnd : filed_to;
  const longest = findYearTo(to);
  if (filed_from === '') return compareDays(longest, byMonth);
  if (filed_from > dataEnd) return compareDays(usual, byMonth, 'future');
  if (filed_from > to) return compareDays(usual, byMonth, 'backwards');
  if (filed_from < longest.from) return compareDays(longest, byMonth, 'long');
  return compareDays({ from: filed_from, to }, byMonth);
}

function compareDays(now: Days, byMonth: Counts, limit?: Period['limit']): Period {
  const before = { from: findYearBefore(now.from), to: findYearBefore(now.to) };
  const years = sumByYear(byMonth);
  const busiest = Math.max(0, ...years.values());
  const isEarly = (years.get(before.from.slice(0, 4)) ?? 0) < busiest * LEAST_SHARE;
  return { now, before, limit: limit ?? (isEarly ? 'few' : undefined) };
}

/** The counts of months as those of their years, newest first. */
export function sumByYear(byMonth: Counts): Map<string, number> {
  const years = new Map<string, number>();
  for (const { value, count } of byMonth) {
    const year = value.slice(0, 4);
    years.set(year, (years.get(year) ?? 0) + count);
  }
  return years;
}

export function toSpan({ from, to }: Days): FilingSpan {
  return { filed_from: from, filed_to: to };
}

export function isOneYear({ from, to }: Days): boolean {
  return from.slice(0, 4) === to.slice(0, 4);
}

/**
 * Chooses the days to count and to compare, for the chart, the summary, the table, the map and the CSV. A comparison
 * uses the same days of both years, and ends where the data ends.
 */

import {
  addDays,
  addMonths,
  type Day,
  firstDayOf,
  lastDayOf,
  type Month,
  monthOf,
} from '../../../listings/day.ts';
import type { Counts } from '../../../search/listing-index.ts';
import type { Question } from '../../../search/parameters.ts';

/** The first and last day. An open side is `''`. */
export type Days = Pick<Question, 'filed_from' | 'filed_to'>;

export const ALL_TIME: Days = { filed_from: '', filed_to: '' };

/** The days of a comparison and the same days a year before, both without open sides. */
export type Period = {
  now: Days;
  before: Days;
  /**
   * Why the period differs from the requested one, or should not be compared. `few`: there are too few days or filings.
   */
  caveat?: 'long' | 'future' | 'backwards' | 'few' | undefined;
};

/** From this month on, the default period is the year to date. Earlier in the year, it would have too few days. */
const FIRST_MONTH_OF_YEAR_TO_DATE = '04';
/** A year with a smaller share of the busiest year's filings is from before the register began. */
const LEAST_SHARE = 0.01;

/** Returns the day of the newest filing. Ignores filings dated in the future. */
export function findDataEnd(latestFiling: Day | null, today: Day): Day {
  return latestFiling !== null && latestFiling < today ? latestFiling : today;
}

/** Returns the days from the first day of a month to the last day of another. */
export function spanMonths(from: Month, to: Month = from): Days {
  return { filed_from: firstDayOf(from), filed_to: lastDayOf(to) };
}

export function spanYear(year: string): Days {
  return spanMonths(`${year}-01`, `${year}-12`);
}

export function isSameDays(a: Days, b: Days): boolean {
  return a.filed_from === b.filed_from && a.filed_to === b.filed_to;
}

/** Ends a period where the data ends, if its own end is open or later. */
export function clipDays({ filed_from, filed_to }: Days, dataEnd: Day): Days {
  return { filed_from, filed_to: filed_to === '' || filed_to > dataEnd ? dataEnd : filed_to };
}

/** Returns the same day of the year before. The last day of February stays the last day. */
export function findYearBefore(day: Day): Day {
  const last = lastDayOf(addMonths(monthOf(day), -12));
  return day === lastDayOf(monthOf(day)) ? last : `${monthOf(last)}${day.slice(7)}`;
}

/** Returns the same days of the year before. */
export function findDaysBefore({ filed_from, filed_to }: Days): Days {
  return {
    filed_from: filed_from && findYearBefore(filed_from),
    filed_to: filed_to && findYearBefore(filed_to),
  };
}

/** Returns the twelve months that end on a day. */
export function findYearTo(day: Day): Days {
  return { filed_from: addDays(findYearBefore(day), 1), filed_to: day };
}

export function findYearToDate(dataEnd: Day): Days {
  return { filed_from: `${dataEnd.slice(0, 4)}-01-01`, filed_to: dataEnd };
}

/** Returns the days compared by default: the year to date or, early in the year, the last twelve months. */
export function findUsualDays(dataEnd: Day): Days {
  return dataEnd.slice(5, 7) < FIRST_MONTH_OF_YEAR_TO_DATE ? findYearTo(dataEnd) : findYearToDate(dataEnd);
}

/** Returns the period to compare for a search. It covers at most twelve months. */
export function choosePeriod(asked: Days, { dataEnd, byMonth }: { dataEnd: Day; byMonth: Counts }): Period {
  const compare = (now: Days, caveat?: Period['caveat']): Period => {
    const before = findDaysBefore(now);
    const years = sumByYear(byMonth);
    const busiest = Math.max(0, ...years.values());
    const isEarly = (years.get(before.filed_from.slice(0, 4)) ?? 0) < busiest * LEAST_SHARE;
    return { now, before, caveat: caveat ?? (isEarly ? 'few' : undefined) };
  };
  const { filed_from, filed_to } = clipDays(asked, dataEnd);
  const longest = findYearTo(filed_to);
  if (isSameDays(asked, ALL_TIME)) return compare(findUsualDays(dataEnd));
  if (filed_from === '') return compare(longest);
  if (filed_from > dataEnd) return compare(findUsualDays(dataEnd), 'future');
  if (filed_from > filed_to) return compare(findUsualDays(dataEnd), 'backwards');
  if (filed_from < longest.filed_from) return compare(longest, 'long');
  return compare({ filed_from, filed_to });
}

/** Sums the counts of months by year, newest first. */
export function sumByYear(byMonth: Counts): Map<string, number> {
  const years = new Map<string, number>();
  for (const { value, count } of byMonth) {
    const year = value.slice(0, 4);
    years.set(year, (years.get(year) ?? 0) + count);
  }
  return years;
}

export function isOneYear({ filed_from, filed_to }: Days): boolean {
  return filed_from.slice(0, 4) === filed_to.slice(0, 4);
}

/**
 * Chooses the days to count and to compare, for pages, pictures, emails, the API and its tables. A comparison uses the
 * same days of both years, and ends where the data ends.
 */

import { addDays, addMonths, type Day, firstDayOf, lastDayOf, type Month, makeDay, monthOf } from './day.ts';
import type { Counts } from './listing.ts';
import { findMedian } from './sorted.ts';

/** The first and last day. An open side is `''`. */
export type Days = { filed_from: Day | ''; filed_to: Day | '' };

export const ALL_TIME: Days = { filed_from: '', filed_to: '' };

/** The days of a comparison and the same days a year before, both without open sides. */
export type Period = {
  now: Days;
  before: Days;
  /**
   * Why the period differs from the requested one, or should not be compared. `few`: there are too few days or filings. `begins`: the
   * year before is from before the data.
   */
  caveat?: 'long' | 'future' | 'backwards' | 'few' | 'begins' | undefined;
};

/** From this month on, the default period is the year to date. Earlier in the year, it would have too few days. */
const FIRST_MONTH_OF_YEAR_TO_DATE = '04';
/** A year with a smaller share of the busiest year's filings is from before the register began. */
const LEAST_SHARE = 0.01;

/** Returns the days from the first day of a month to the last day of another. */
export function spanMonths(from: Month, to: Month = from): Days {
  return { filed_from: firstDayOf(from), filed_to: lastDayOf(to) };
}

export function spanYear(year: string | number): Days {
  return spanMonths(`${year}-01`, `${year}-12`);
}

/** Returns the `count` days that end on a day. */
export function spanDaysTo(day: Day, count: number): Days {
  return { filed_from: addDays(day, 1 - count), filed_to: day };
}

/** Reads a day, a month or a year: `2015-06-30`, `2015-06` or `2015`. Returns `undefined` if it does not exist. */
export function parsePeriod(text: string): Days | undefined {
  const [, year, month, date] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
  const first = makeDay(Number(year), Number(month ?? 1), Number(date ?? 1));
  if (first === undefined) return undefined;
  if (date !== undefined) return { filed_from: first, filed_to: first };
  return month === undefined ? spanYear(year!) : spanMonths(text);
}

export function yearOf(day: Day | Month): string {
  return day.slice(0, 4);
}

/** Lists all months from one to another, oldest first. */
export function listMonths(from: Month, to: Month): Month[] {
  const months: Month[] = [];
  for (let month = from; month <= to; month = addMonths(month, 1)) months.push(month);
  return months;
}

export function isSameDays(a: Days, b: Days): boolean {
  return a.filed_from === b.filed_from && a.filed_to === b.filed_to;
}

/** Returns whether the days are whole months, as whole years are. */
export function isWholeMonths({ filed_from, filed_to }: Days): boolean {
  return filed_from.endsWith('-01') && filed_to !== '' && filed_to === lastDayOf(monthOf(filed_to));
}

export function isWholeYears({ filed_from, filed_to }: Days): boolean {
  return filed_from.endsWith('-01-01') && filed_to.endsWith('-12-31');
}

/** Returns whether two periods within a year are the same days of neighboring years. */
export function isYearApart(a: Days, b: Days): boolean {
  if (a.filed_from === '' || b.filed_from === '') return false;
  return isOneYear(a) && (isSameDays(a, findDaysBefore(b)) || isSameDays(b, findDaysBefore(a)));
}

/** Returns whether both days are in the same year. */
export function isOneYear({ filed_from, filed_to }: Days): boolean {
  return yearOf(filed_from) === yearOf(filed_to);
}

/** Returns whether two periods overlap. Either may have open ends. */
export function isOverlap(a: Days, b: Days): boolean {
  const isFrom = ({ filed_from }: Days, { filed_to }: Days) => filed_to === '' || filed_from <= filed_to;
  return isFrom(a, b) && isFrom(b, a);
}

/** Returns the days that are in both periods. Neither may have an open end. */
export function intersectDays(a: Days, b: Days): Days {
  return { filed_from: pickLater(a.filed_from, b.filed_from), filed_to: pickEarlier(a.filed_to, b.filed_to) };
}

export function pickLater(a: string, b: string): string {
  return a > b ? a : b;
}

export function pickEarlier(a: string, b: string): string {
  return a < b ? a : b;
}

/** Returns whether the data ends within these days. */
export function isPartly({ filed_from, filed_to }: Days, dataEnd: Day): boolean {
  return filed_from <= dataEnd && dataEnd < filed_to;
}

/** Ends a period where the data ends, if its own end is open or later. */
export function clipDays({ filed_from, filed_to }: Days, dataEnd: Day): Days {
  return { filed_from, filed_to: filed_to === '' || filed_to > dataEnd ? dataEnd : filed_to };
}

/** Returns whether filings are known of days after the end of the data. */
export function hasLaterFilings(latestFiling: Day | null, dataEnd: Day): boolean {
  return latestFiling !== null && latestFiling > dataEnd;
}

/** Returns the same day so many months later. The last day of a month stays the last day. */
export function moveByMonths(day: Day, months: number): Day {
  const last = lastDayOf(addMonths(monthOf(day), months));
  if (day === lastDayOf(monthOf(day))) return last;
  return pickEarlier(`${monthOf(last)}${day.slice(7)}`, last);
}

/** Returns the same day of the year before. */
export function findYearBefore(day: Day): Day {
  return moveByMonths(day, -12);
}

/** Returns the same days of the year before. */
export function findDaysBefore({ filed_from, filed_to }: Days): Days {
  return {
    filed_from: filed_from && findYearBefore(filed_from),
    filed_to: filed_to && findYearBefore(filed_to),
  };
}

/**
 * Returns two periods of equally many whole months so that neither has days without data: if the data ends within the newer one, both
 * end on the same day of theirs. Returns other periods unchanged.
 */
export function evenDays<A extends Days, B extends Days>(newer: A, older: B, dataEnd: Day): [A, B] {
  const isWhole = isWholeMonths(newer) && isWholeMonths(older);
  if (!isWhole || !isPartly(newer, dataEnd) || older.filed_to > dataEnd) return [newer, older];
  const apart = listMonths(monthOf(older.filed_from), monthOf(newer.filed_from)).length - 1;
  if (moveByMonths(newer.filed_to, -apart) !== older.filed_to) return [newer, older];
  return [
    { ...newer, filed_to: dataEnd },
    { ...older, filed_to: moveByMonths(dataEnd, -apart) },
  ];
}

/** Returns the twelve months that end on a day. */
export function findYearTo(day: Day): Days {
  return { filed_from: addDays(findYearBefore(day), 1), filed_to: day };
}

export function findYearToDate(dataEnd: Day): Days {
  return { ...spanYear(yearOf(dataEnd)), filed_to: dataEnd };
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
    const isEarly = (years.get(yearOf(before.filed_from)) ?? 0) < busiest * LEAST_SHARE;
    const none = isBeforeData(before, byMonth) ? 'begins' : isEarly ? 'few' : undefined;
    return { now, before, caveat: caveat ?? none };
  };
  if (isSameDays(asked, ALL_TIME)) return compare(findUsualDays(dataEnd));
  const { filed_from, filed_to } = clipDays(asked, dataEnd);
  const longest = findYearTo(filed_to);
  if (filed_from === '') return compare(longest);
  if (filed_from > dataEnd) return compare(findUsualDays(dataEnd), 'future');
  if (filed_from > filed_to) return compare(findUsualDays(dataEnd), 'backwards');
  if (filed_from < longest.filed_from) return compare(longest, 'long');
  return compare({ filed_from, filed_to });
}

const sums = new WeakMap<Counts, ReadonlyMap<string, number>>();

/** Sums the counts of months by year, newest first. Sums the same counts once. */
export function sumByYear(byMonth: Counts): ReadonlyMap<string, number> {
  return sums.getOrInsertComputed(byMonth, sumMonths);
}

function sumMonths(byMonth: Counts): ReadonlyMap<string, number> {
  const years = new Map<string, number>();
  let year = '';
  for (const { value, count } of byMonth) {
    if (year === '' || !value.startsWith(year)) year = yearOf(value); // months of a year follow each other
    years.set(year, (years.get(year) ?? 0) + count);
  }
  return years;
}

export function sumCounts(counts: Counts): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the oldest month of counts, which are newest first. */
export function findOldest(byMonth: Counts): Month | undefined {
  return byMonth.at(-1)?.value;
}

/** The share of the mean of a year that its months have at least, where filings are steady. */
const LEAST_STEADY = 1 / 4;
/** The share of all filings that may be from before the register began. */
const MOST_EARLIER = 0.05;

const starts = new WeakMap<Counts, Month | undefined>();

/**
 * Returns the month in which the filings of a register begin: its first steady month, if only few filings are from before and the step is
 * sudden, as in a feed with a few old dates, or its oldest month. Finds that of the same counts once.
 */
export function findDataStart(byMonth: Counts): Month | undefined {
  return starts.getOrInsertComputed(byMonth, findSteadyMonth);
}

/** Returns whether a period ends before the data begins. */
export function isBeforeData({ filed_to }: Days, byMonth: Counts): boolean {
  return filed_to !== '' && filed_to < (findDataStart(byMonth) ?? '');
}

/** Returns whether days reach into the first year of a register, which may count older businesses as new. */
export function isFirstYear({ filed_from }: Days, byMonth: Counts): boolean {
  const start = findDataStart(byMonth);
  return filed_from !== '' && start !== undefined && filed_from < moveByMonths(firstDayOf(start), 12);
}

function findSteadyMonth(byMonth: Counts): Month | undefined {
  const [oldest, newest] = [findOldest(byMonth), byMonth[0]?.value];
  if (oldest === undefined || newest === undefined) return undefined;
  const known = new Map(byMonth.map(({ value, count }) => [value, count]));
  const months = listMonths(oldest, newest);
  const counts = months.map((month) => known.get(month) ?? 0);
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0);
  const first = counts.findIndex((count, i) => {
    const year = counts.slice(i, i + 12);
    return Math.min(count, findMedian(year)) > (LEAST_STEADY * sum(year)) / year.length;
  });
  const isFew = sum(counts.slice(0, first)) <= MOST_EARLIER * sum(counts);
  const isSudden = sum(counts.slice(Math.max(0, first - 12), first)) < counts[first]!;
  return isFew && isSudden ? months[first] : oldest;
}

/** The counts of one value, or of all, in a period and the year before. */
export type Row = { value: string; now: number; before: number };

/** Compares counts by value. Values that occur only before are last. */
export function compareCounts(now: Counts, before: Counts): Row[] {
  const rows = new Map(
    now.map(({ value, count }): [string, Row] => [value, { value, now: count, before: 0 }]),
  );
  for (const { value, count } of before)
    rows.set(value, { value, now: rows.get(value)?.now ?? 0, before: count });
  return [...rows.values()];
}

/** Compares months, in their order, with the same months of the year before. */
export function compareMonths(months: readonly Month[], now: Counts, before: Counts): Row[] {
  // of forty years, a chart shows one or two
  const first = addMonths(months.reduce(pickEarlier, '9999-12'), -12);
  const countsOf = (counts: Counts) => {
    const known = new Map<Month, number>();
    for (const { value, count } of counts) if (value >= first) known.set(value, count);
    return known;
  };
  const [nows, befores] = [countsOf(now), countsOf(before)];
  return months.map((value) => ({
    value,
    now: nows.get(value) ?? 0,
    before: befores.get(addMonths(value, -12)) ?? 0,
  }));
}

export function sumRows(rows: readonly Row[]): Row {
  const sum = (side: 'now' | 'before') => rows.reduce((all, row) => all + row[side], 0);
  return { value: '', now: sum('now'), before: sum('before') };
}

/** Minimum filings in both years for a row to be ranked. */
export const FEWEST_RANKED = 10;

export function isSmall({ now, before }: Row): boolean {
  return now < FEWEST_RANKED || before < FEWEST_RANKED;
}

/**
 * Returns whether chance alone would often make such a difference: at most twice its standard deviation (Poisson), or more if it is chosen
 * from several differences, of which chance makes the largest one larger.
 */
export function isByChance(a: number, b: number, several = 1): boolean {
  return Math.abs(a - b) <= Math.sqrt((4 + 2 * Math.log(several)) * (a + b));
}

/** Returns the change as a share of the year before. For a value without earlier filings, returns infinity. */
export function shareOf({ now, before }: Row): number {
  return before === 0 ? Number.POSITIVE_INFINITY : (now - before) / before;
}

export function changeOf({ now, before }: Row): number {
  return now - before;
}

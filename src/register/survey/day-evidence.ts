/**
 * Tells first filings from renewals, applications and other days by the days themselves. Never reads a header, because
 * headers decide which column is chosen.
 */

import { type Day, toDayNumber } from '../../shared/day.ts';
import { countBy, countRows, formatShare } from './columns.ts';

/** Days, each with its number of rows. */
export type DayCounts = readonly (readonly [day: Day, rows: number])[];

/** A sign that days are those of renewals: the share of the rows that show it, 0 to 1, and a phrase for it. */
export type RenewalSign = { share: number; says: string };

/** Days up to the first and the zero of Unix time stand for "not known" in many registers. */
export const isPlaceholderDay = (day: Day): boolean => day <= '1900-01-01' || day === '1970-01-01';

/** A day is too busy with more than so many rows, this share of all rows, and so many times the average of the other days. */
const [TOO_BUSY_ROWS, TOO_BUSY_SHARE, TOO_BUSY_TIMES] = [20, 0.05, 20];
const MOST_UNKNOWN_DAYS = 20;

/** Returns a test of whether a day has too many of these rows. */
export function openBusyTest(days: DayCounts): (rows: number) => boolean {
  const all = countRows(days);
  const least = Math.max(TOO_BUSY_ROWS, all * TOO_BUSY_SHARE);
  return (rows) => rows > least && rows * Math.max(1, days.length - 1) > TOO_BUSY_TIMES * (all - rows);
}

/**
 * Lists days that mean "unknown": up to 1900-01-01, and a busy 1 January or first day of Unix time. If 1 January is busy
 * in several years, licenses are renewed on it. Any other busy day is a day on which much was filed.
 */
export function listUnknownDays({ days }: { days: DayCounts }): DayCounts {
  const isBusy = openBusyTest(days);
  const busy = days.filter(([day, rows]) => /-01-01$/.test(day) && isBusy(rows));
  const isRenewal = busy.filter(([day]) => !isPlaceholderDay(day)).length > 1;
  return days
    .filter(
      (one) => one[0] <= '1900-01-01' || (busy.includes(one) && (!isRenewal || isPlaceholderDay(one[0]))),
    )
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_UNKNOWN_DAYS);
}

const FEWEST_ROWS = 100;
const YEAR = 365;

/**
 * The least share of the two busiest calendar months. Where licenses are renewed in a season it is 49 to 96 % (Bozeman,
 * Vancouver, Scottsdale, Detroit). In registers of first filings it is 20 to 36 %.
 */
const TWO_MONTHS = 0.42;
/** The least share of days that recur each year: 54 % for terms of a license (Chicago), at most 29 % for first filings (Seattle). */
const RECURRING = 0.45;
const MOST_RECURRING = 4;
/** The least share of days with hundreds of filings: 31 % and more for renewals (Scottsdale), at most 12 % for first filings. */
const BUSY = 0.2;
/** A day of hundreds of filings has so many rows, and so many times the average. A day that recurs may have fewer. */
const [BUSY_ROWS, BUSY_TIMES] = [100, 20];
const [RECURRING_ROWS, RECURRING_TIMES] = [20, 10];
/** The least share of filings a year and more after a wave. Without them, the register may be new, or a feed of a few months. */
const AFTER_WAVE = 0.01;

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/** Lists the signs that these days are those of renewals. Few days have none, and days of less than a year only that others follow later. */
export function findRenewalSigns(counts: DayCounts): RenewalSign[] {
  const days = counts.filter(([day]) => !isPlaceholderDay(day)).sort(([a], [b]) => (a < b ? -1 : 1));
  const all = countRows(days);
  if (all < FEWEST_ROWS) return [];
  const [start, end] = findMiddleDays(days, all);
  if (end - start < YEAR) return findWave(days, start, end);
  const months = listBusyMonths(days);
  const usual = all / days.length;
  const busy = days.filter(([, rows]) => rows >= BUSY_ROWS && rows >= BUSY_TIMES * usual);
  const often = days.filter(([, rows]) => rows >= RECURRING_ROWS && rows >= RECURRING_TIMES * usual);
  const years = Map.groupBy(often, ([day]) => day.slice(5));
  const yearly = countBy(
    days.filter(([day]) => (years.get(day.slice(5))?.length ?? 0) > 1),
    (day) => day.slice(5),
  ).slice(0, MOST_RECURRING);
  const names = months.map(([month]) => MONTH.format(new Date(`2000-${month}-01`)));
  const signs: [rows: number, least: number, says: string][] = [
    [
      isOneWave(days) ? 0 : countRows(months),
      TWO_MONTHS,
      `are in ${names.join(' and ')}, where first filings have about 20 %`,
    ],
    [countRows(yearly), RECURRING, `are on the same ${yearly.length} days of each year`],
    [busy.length > 1 ? countRows(busy) : 0, BUSY, `are on ${busy.length} days with hundreds of filings`],
  ];
  return signs
    .map(([rows, least, says]) => ({ share: rows / all, least, says }))
    .filter(({ share, least }) => share > least)
    .map(({ share, says }) => ({ share, says }));
}

function listBusyMonths(days: DayCounts): [month: string, rows: number][] {
  return countBy(days, (day) => day.slice(5, 7)).slice(0, 2);
}

/**
 * Returns whether the other years have no busy months. Where a license is new (shops for cannabis in California, 2019), many
 * businesses are filed at once, and two months have 31 % of the filings of the other years: 53 to 96 % where licenses are renewed.
 */
function isOneWave(days: DayCounts): boolean {
  const [[busiest] = ['']] = countBy(days, (day) => day.slice(0, 4));
  const others = days.filter(([day]) => !day.startsWith(busiest));
  const rows = countRows(others);
  return rows >= FEWEST_ROWS && countRows(listBusyMonths(others)) <= rows * TWO_MONTHS;
}

/** Returns the numbers of the first and last day of the middle 90 % of the rows. A feed of three months has no seasons. */
function findMiddleDays(days: DayCounts, all: number): [start: number, end: number] {
  const find = (share: number) => toDayNumber(findAt(days, share * all)!);
  return [find(0.05), find(0.95)];
}

/** Where nearly all papers are of one wave and others follow years later, all were issued anew (Boston's liquor licenses, 2013). */
function findWave(days: DayCounts, start: number, end: number): RenewalSign[] {
  const countWhere = (test: (day: number) => boolean) =>
    countRows(days.filter(([day]) => test(toDayNumber(day)))) / countRows(days);
  if (countWhere((day) => day >= end + YEAR) < AFTER_WAVE) return [];
  const share = countWhere((day) => day >= start && day <= end);
  return [{ share, says: `are within ${formatSpan(end - start + 1)}, and others a year and more later` }];
}

/** Returns the value at which the rows, added up in order, reach a number. */
function findAt<Value>(counts: readonly (readonly [Value, number])[], rows: number): Value | undefined {
  let before = 0;
  for (const [value, count] of counts) {
    before += count;
    if (before >= rows) return value;
  }
  return undefined;
}

/**
 * What another day of the same rows can be, the most doubtful for the filing date first. `first`: the first filing of papers
 * that were renewed. `other`: earlier on most rows, but none of the others. `application`: a few weeks before nearly each filing.
 */
export const DOUBTS = ['first', 'other', 'application'] as const;

export type DayRelation = {
  /** `none`: seldom earlier. */
  kind: (typeof DOUBTS)[number] | 'none';
  /** Shares of the rows on which the other day is the same, earlier, later, and earlier by a year or more. */
  same: number;
  earlier: number;
  later: number;
  yearsEarlier: number;
  /** The median of days by which it is earlier, where it is. */
  median: number;
};

/** Least days that count as a year or more: a renewal may be early. */
const YEAR_OR_MORE = 300;
const NEVER = 0.02;
const SOMETIMES = 0.05;
const MOSTLY = 0.5;
/** Most days between an application and its license, in the middle: 44 in Nashville, 27 in Chicago. */
const APPLICATION_DAYS = 180;
const SELDOM = 0.1;
const NEAR_ANNIVERSARY = 31;

/** Reads the numbers of rows by the number of days that the other day is earlier (negative: later). */
export function relateDays(gaps: readonly (readonly [days: number, rows: number])[]): DayRelation {
  const sumWhere = (test: (gap: number) => boolean) =>
    gaps.reduce((sum, [gap, rows]) => (test(gap) ? sum + rows : sum), 0);
  const all = Math.max(
    1,
    sumWhere(() => true),
  );
  const share = (test: (gap: number) => boolean) => sumWhere(test) / all;
  const isYearsEarlier = (gap: number) => gap >= YEAR_OR_MORE;
  const isAnniversary = (gap: number) =>
    Math.abs(gap - Math.round(gap / 365.25) * 365.25) <= NEAR_ANNIVERSARY;
  const earlier = share((gap) => gap > 0);
  const before = gaps.filter(([gap]) => gap > 0).sort(([a], [b]) => a - b);
  const found = {
    same: share((gap) => gap === 0),
    earlier,
    later: share((gap) => gap < 0),
    yearsEarlier: share(isYearsEarlier),
    median: findAt(before, (earlier * all) / 2) ?? 0,
  };
  const { same, later, yearsEarlier, median } = found;
  const terms = share((gap) => isYearsEarlier(gap) && isAnniversary(gap));
  const isRenewed = same >= MOSTLY || (yearsEarlier > MOSTLY && terms > yearsEarlier * MOSTLY);
  if (later <= NEVER && yearsEarlier >= SOMETIMES && isRenewed) return { kind: 'first', ...found };
  if (earlier <= MOSTLY) return { kind: 'none', ...found };
  const isApplication = later <= NEVER && median <= APPLICATION_DAYS && yearsEarlier <= SELDOM;
  return { kind: isApplication ? 'application' : 'other', ...found };
}

/** Returns whether an earlier day is often later as well: then it is not the first filing. */
export const isNeither = ({ later }: DayRelation): boolean => later > SELDOM;

/** Completes a sentence that begins with the name of the other column. */
export function describeRelation(relation: DayRelation): string {
  const { kind, same, earlier, later, median } = relation;
  const before = `is earlier than the filing date on ${formatShare(earlier)} of the rows, by ${formatSpan(median)} in the middle`;
  if (kind === 'first')
    return `${before}, the same on ${formatShare(same)} and never later: it seems to be the first filing, and the filing date a renewal`;
  if (kind === 'application')
    return `${before}: it seems to be the application, and the filing date the license`;
  const after = later === 0 ? '' : `, and later on ${formatShare(later)}`;
  const what = isNeither(relation)
    ? 'is neither the first filing nor the application'
    : 'may be the first filing or the application';
  return `${before}${after}: it ${what}`;
}

/** Formats a number of days: `44 days`, `4.9 years`. */
function formatSpan(days: number): string {
  if (days < 2 * YEAR) return `${days} ${days === 1 ? 'day' : 'days'}`;
  return `${(days / 365.25).toFixed(1)} years`;
}

/** The statistics of a whole index, computed once when it is built. */

import type { Day } from '../../listings/day.ts';
import type { Counts } from '../listing-index.ts';

/** Largest first, ties by code unit. Values without listings are left out. */
export function sortByCount(values: readonly string[], counts: ArrayLike<number>): Counts {
  return values
    .map((value, i) => ({ value, count: counts[i]! }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** The number of listings of each month, newest first, including months without filings; the same for days. */
export function countByMonth(days: readonly Day[], perDay: ArrayLike<number>): Counts {
  const months: { value: string; count: number }[] = [];
  for (const [i, day] of days.entries()) {
    const month = monthOf(day);
    let last = months.at(-1);
    while (last?.value !== month) {
      last = { value: last === undefined ? month : monthBefore(last.value), count: 0 };
      months.push(last);
    }
    last.count += perDay[i]!;
  }
  return months;
}

/** The days that were asked for, `''` where a side is open, and the newest day there is to count. */
export type MonthRange = { filed_from: Day | ''; filed_to: Day | ''; newest: Day };

/** Extends months, newest first, to the whole range that was asked for. It begins in 1900 and ends with the newest day. */
export function fillMonths(months: Counts, { filed_from, filed_to, newest }: MonthRange): Counts {
  const from =
    filed_from === '' ? months.at(-1)?.value : monthOf(filed_from > '1900' ? filed_from : '1900-01');
  const to = filed_to === '' ? months[0]?.value : monthOf(filed_to < newest ? filed_to : newest);
  if (from === undefined || to === undefined) return months;
  const counts = new Map(months.map(({ value, count }) => [value, count]));
  const filled: { value: string; count: number }[] = [];
  for (let month = to; month >= from; month = monthBefore(month))
    filled.push({ value: month, count: counts.get(month) ?? 0 });
  return filled;
}

function monthOf(day: Day): string {
  return day.slice(0, 7);
}

function monthBefore(month: string): string {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  const before = year * 12 + number - 2;
  return `${String(Math.floor(before / 12)).padStart(4, '0')}-${String((before % 12) + 1).padStart(2, '0')}`;
}

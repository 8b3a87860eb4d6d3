/** Finds the day up to which a register is filed as usual, and whether the newest days before it look complete: filings arrive late. */

import type { EditionCount } from '../../../shared/answers.ts';
import { addDays, countDays, type Day } from '../../../shared/day.ts';
import { SHOWN_WEEKS } from '../../../shared/edition/week.ts';
import { type Days, findDaysBefore, type Period, spanDaysTo } from '../../../shared/periods.ts';
import { EVERYTHING, type Question } from '../../../shared/question.ts';
import { findMedian } from '../../../shared/sorted.ts';
import type { IndexBuffers } from '../index-buffers.ts';

const EARLIER_WEEKS = 52;
/** How many of those must have filings to say what is usual. */
const LEAST_WEEKS = 8;
/** The share of a usual week that the last week has at least. */
const LEAST_SHARE = 0.1;
/** The share of a usual week that may lie behind the end of the data. More filings are data: a season, or fewer than there were. */
const MOST_AFTER = 0.5;

/**
 * Returns the newest day whose week is not almost empty beside those of the year before it: a few filings that take effect months later
 * do not move the end of the data. Where too few weeks have filings, it is the newest day. Ignores filings dated in the future.
 */
export function findDataEnd({ days, filedOn, day }: Pick<IndexBuffers, 'days' | 'filedOn' | 'day'>): Day {
  const counts = new Uint32Array(days.length);
  for (const at of filedOn) counts[at]!++;
  const countWeeks = (last: Day, first: number) => {
    const weeks = new Array<number>(1 + EARLIER_WEEKS).fill(0);
    for (let i = first; i < days.length; i++) {
      const week = Math.floor(countDays(days[i]!, last) / 7);
      if (week > EARLIER_WEEKS) break;
      weeks[week]! += counts[i]!;
    }
    const usual = weeks.slice(1).filter((n) => n > 0);
    return { last: weeks[0]!, usual: usual.length < LEAST_WEEKS ? 0 : findMedian(usual) };
  };
  const newest = days.findIndex((one) => one <= day);
  let after = 0;
  for (let i = newest; i >= 0 && i < days.length; i++) {
    const week = countWeeks(days[i]!, i);
    if (week.last >= LEAST_SHARE * week.usual) return days[i]!;
    after += counts[i]!;
    if (after > MOST_AFTER * week.usual) break;
  }
  return days[newest] ?? day;
}

type Counted = {
  dataEnd: Day;
  countDays(question: Question, periods: readonly Days[]): number[];
};

const WEEK = 7;

/** Counts what was filed in the `count` weeks to a day, newest first. */
export function countWeeks(index: Counted, question: Question, last: Day, count: number): EditionCount[] {
  const spans = Array.from({ length: count }, (_, i) => spanDaysTo(addDays(last, -WEEK * i), WEEK));
  const totals = index.countDays({ ...question, offset: 0 }, spans);
  return spans.map(({ filed_to }, i) => ({ edition: filed_to, total: totals[i]! }));
}

/** The share of what is usual, or was a year before, below which newest days are incomplete. */
const COMPLETE_SHARE = 0.6;
/** Up to how many weeks may be incomplete. */
const LATE_WEEKS = 2;

/** Counts the newest seven days that look complete, and finds a usual week: the median of twelve earlier ones. */
export function countNewestWeek(index: Counted) {
  const all = countWeeks(index, EVERYTHING, index.dataEnd, LATE_WEEKS + 1 + SHOWN_WEEKS);
  const earlier = all.slice(LATE_WEEKS + 1).map(({ total }) => total);
  const usual = earlier.includes(0) ? undefined : findMedian(earlier);
  const at = all.slice(0, LATE_WEEKS + 1).findIndex(({ total }) => total >= (usual ?? 0) * COMPLETE_SHARE);
  const first = Math.max(at, 0);
  const weeks = all.slice(first, first + SHOWN_WEEKS);
  const { edition, total: n } = weeks[0]!;
  return { days: spanDaysTo(edition, WEEK), n, usual, weeks: weeks.toReversed(), isLate: at !== 0 };
}

const LATE_DAYS = 30;
/** The share of the year before that the earlier days of a period have at least, if only its newest ones are incomplete. */
const REST_SHARE = 0.8;

/** Returns whether the newest thirty days have far fewer filings than a year before, while the earlier days do not. */
export function areNewestDaysLate(index: Counted, question: Question, { now, before }: Period): boolean {
  const newest = spanDaysTo(now.filed_to as Day, LATE_DAYS);
  if (newest.filed_from <= now.filed_from) return false;
  const periods = [newest, findDaysBefore(newest), now, before];
  const [last = 0, lastBefore = 0, all = 0, allBefore = 0] = index.countDays(question, periods);
  return last < COMPLETE_SHARE * lastBefore && all - last > REST_SHARE * (allBefore - lastBefore);
}

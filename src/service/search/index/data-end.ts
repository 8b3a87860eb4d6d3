/** Finds the day up to which a register is filed as usual, and whether the newest days before it look complete: filings arrive late. */

import type { EditionCount } from '../../../shared/answers.ts';
import { addDays, countDays, type Day } from '../../../shared/day.ts';
import { FEWEST_COMPARED, SHOWN_WEEKS } from '../../../shared/edition/week.ts';
import type { Counts } from '../../../shared/listing.ts';
import {
  type Days,
  findDataStart,
  findDaysBefore,
  type Period,
  spanDaysTo,
} from '../../../shared/periods.ts';
import { EVERYTHING, type Question } from '../../../shared/question.ts';
import { findMedian } from '../../../shared/sorted.ts';
import type { IndexBuffers } from '../index-buffers.ts';

const WEEK = 7;
const EARLIER_WEEKS = 52;
/** How many of those must have filings to say what is usual. */
const LEAST_WEEKS = 8;
/** The share of a usual week that the last week has at least. */
const LEAST_SHARE = 0.1;
/** The share of a usual week that may lie behind the end of the data. More filings are data: a season, or fewer than there were. */
const MOST_AFTER = 0.5;

/** The share of what is usual on a day of the week that the last day has at least. */
const LEAST_OF_DAY = 1 / 3;
/** Days that usually have fewer are not judged: chance alone makes them much smaller. */
const FEWEST_OF_DAY = 10;
const LATE_DAYS_AT_END = 14;

type Filed = Pick<IndexBuffers, 'days' | 'filedOn' | 'day'>;

/** Returns the last day before the newest days that still lack most of their filings. Ignores filings dated in the future. */
export function findDataEnd({ days, filedOn, day }: Filed): Day {
  const counts = new Uint32Array(days.length);
  for (const at of filedOn) counts[at]!++;
  const last = findLastWeek({ days, counts, day });
  const byDay = new Map(days.map((one, i) => [one, counts[i]!]));
  const countOf = (one: Day) => byDay.get(one) ?? 0;
  let end = last;
  for (let back = 0; back < LATE_DAYS_AT_END; back++) {
    const one = addDays(last, -back);
    const usual = findMedian(
      Array.from({ length: SHOWN_WEEKS }, (_, i) => countOf(addDays(one, -WEEK * (i + 1)))),
    );
    if (usual < FEWEST_OF_DAY) continue;
    if (countOf(one) >= LEAST_OF_DAY * usual) return end;
    end = addDays(one, -1);
  }
  return last; // there are fewer filings, and not late ones
}

/**
 * Returns the newest day whose week is not almost empty beside those of the year before it: a few filings that take effect months later
 * do not move the end of the data. Where too few weeks have filings, it is the newest day.
 */
function findLastWeek({ days, counts, day }: Omit<Filed, 'filedOn'> & { counts: Uint32Array }): Day {
  const countWeeks = (last: Day, first: number) => {
    const weeks = new Array<number>(1 + EARLIER_WEEKS).fill(0);
    for (let i = first; i < days.length; i++) {
      const week = Math.floor(countDays(days[i]!, last) / WEEK);
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

type CountingIndex = {
  /** The day of the city. */
  day: Day;
  dataEnd: Day;
  months(question: Question): { byMonth: Counts };
  countDays(question: Question, periods: readonly Days[]): number[];
};

/** Counts what was filed in the `count` weeks to a day, newest first. */
export function countWeeks(
  index: Pick<CountingIndex, 'countDays'>,
  question: Question,
  last: Day,
  count: number,
): EditionCount[] {
  const spans = Array.from({ length: count }, (_, i) => spanDaysTo(addDays(last, -WEEK * i), WEEK));
  const totals = index.countDays({ ...question, offset: 0 }, spans);
  return spans.map(({ filed_to }, i) => ({ edition: filed_to, total: totals[i]! }));
}

/** The share of what is usual, or was a year before, below which newest days are incomplete. */
const COMPLETE_SHARE = 0.6;
/** Up to how many weeks may be incomplete. */
const LATE_WEEKS = 2;

/** Counts the newest seven days that look complete, and finds a usual week: the median of twelve earlier ones. */
export function countNewestWeek(index: CountingIndex) {
  const all = countWeeks(index, EVERYTHING, index.dataEnd, LATE_WEEKS + 1 + SHOWN_WEEKS);
  const start = findDataStart(index.months(EVERYTHING).byMonth) ?? '';
  const earlier = all
    .slice(LATE_WEEKS + 1)
    .filter(({ edition }) => spanDaysTo(edition, WEEK).filed_from >= start)
    .map(({ total }) => total);
  const usual = earlier.length < FEWEST_COMPARED || earlier.includes(0) ? undefined : findMedian(earlier);
  const at = all.slice(0, LATE_WEEKS + 1).findIndex(({ total }) => total >= (usual ?? 0) * COMPLETE_SHARE);
  const first = Math.max(at, 0);
  const weeks = all.slice(first, first + SHOWN_WEEKS);
  const { edition, total: n } = weeks[0]!;
  // filings that take effect later do not tell that others are late
  const after = { filed_from: addDays(index.dataEnd, 1), filed_to: index.day };
  const [known = 0] = index.countDays(EVERYTHING, [after]);
  return {
    days: spanDaysTo(edition, WEEK),
    n,
    usual,
    weeks: weeks.toReversed(),
    isLate: at !== 0 || known > 0,
  };
}

const LATE_DAYS = 30;
/** The share of the year before that the earlier days of a period have at least, if only its newest ones are incomplete. */
const REST_SHARE = 0.8;

/** Returns whether the newest thirty days have far fewer filings than a year before, while the earlier days do not. */
export function areNewestDaysLate(
  index: Pick<CountingIndex, 'countDays'>,
  question: Question,
  { now, before }: Period,
): boolean {
  const newest = spanDaysTo(now.filed_to as Day, LATE_DAYS);
  if (newest.filed_from <= now.filed_from) return false;
  const periods = [newest, findDaysBefore(newest), now, before];
  const [last = 0, lastBefore = 0, all = 0, allBefore = 0] = index.countDays(question, periods);
  return last < COMPLETE_SHARE * lastBefore && all - last > REST_SHARE * (allBefore - lastBefore);
}

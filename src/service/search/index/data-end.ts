/** Finds the day up to which a register is filed as usual. */

import { countDays, type Day } from '../../../shared/day.ts';
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

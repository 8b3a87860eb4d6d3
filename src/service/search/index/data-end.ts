/** Finds the day up to which a register is filed as usual. */

import { countDays, type Day } from '../../../shared/day.ts';
import { findMedian } from '../../../shared/edition/week.ts';
import type { IndexBuffers } from '../index-buffers.ts';

const EARLIER_WEEKS = 52;
/** The share of a usual week that the last week has at least. */
const LEAST_SHARE = 0.1;

/**
 * Returns the newest day whose week is not almost empty beside those of the year before it. A few filings that take effect months later
 * do not move the end of the data. Ignores filings dated in the future.
 */
export function findDataEnd({ days, filedOn, day }: Pick<IndexBuffers, 'days' | 'filedOn' | 'day'>): Day {
  const counts = new Uint32Array(days.length);
  for (const at of filedOn) counts[at]!++;
  const isUsual = (last: Day, first: number) => {
    const weeks = new Array<number>(1 + EARLIER_WEEKS).fill(0);
    for (let i = first; i < days.length; i++) {
      const week = Math.floor(countDays(days[i]!, last) / 7);
      if (week > EARLIER_WEEKS) break;
      weeks[week]! += counts[i]!;
    }
    const usual = weeks.slice(1).filter((n) => n > 0);
    return usual.length === 0 || weeks[0]! >= LEAST_SHARE * findMedian(usual);
  };
  return days.find((one, i) => one <= day && isUsual(one, i)) ?? day;
}

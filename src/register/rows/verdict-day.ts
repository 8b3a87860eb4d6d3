/** The day of verdicts, which notes how long the verdict on each row holds. */

import { addDays, type Day } from '../../shared/day.ts';
import type { At } from '../profile/define.ts';

export function openVerdictDay(today: Day) {
  const tomorrow = addDays(today, 1);
  let until: Day | null = null;
  const holdUntil = (day: Day) => {
    if (until === null || day < until) until = day;
  };
  const at: At = {
    get today() {
      holdUntil(tomorrow);
      return today;
    },
    hasCome(day) {
      if (day > today) holdUntil(day);
      return day <= today;
    },
  };
  return {
    at,
    /** Returns the day from which the last verdict may be another, or `null` if it does not depend on the day. */
    takeUntil(): Day | null {
      const taken = until;
      until = null;
      return taken;
    },
  };
}

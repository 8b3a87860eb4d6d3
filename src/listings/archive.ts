/** Recognizes registers that have ended. Their listings are still served, but none is news. */

import { addDays, type Day } from './day.ts';

const ENDED_AFTER_DAYS = 180;

/** Returns whether a register has ended: the profile says so, or its newest filing is older than 180 days. */
export function hasRegisterEnded(
  { archive }: { archive?: boolean },
  latestFiling: Day | null,
  today: Day,
): boolean {
  return archive ?? (latestFiling !== null && latestFiling < addDays(today, -ENDED_AFTER_DAYS));
}

/** Recognizes registers that have ended. Their listings are served, but none is news. */

import { addDays, type Day } from './day.ts';

/** Days without a filing after which a register counts as ended. */
const ENDED_AFTER_DAYS = 180;

/** Returns whether the profile declares an archive or, if undeclared, the last filing is older than 180 days. */
export function hasRegisterEnded(
  { archive }: { archive?: boolean },
  latestFiling: Day | null,
  today: Day,
): boolean {
  return archive ?? (latestFiling !== null && latestFiling < addDays(today, -ENDED_AFTER_DAYS));
}

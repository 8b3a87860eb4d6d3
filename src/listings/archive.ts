/** Registers that have ended: their listings are served, and nothing about them is news. */

import { addDays, type Day } from './day.ts';

/** A register counts as ended after so many days without a filing. */
const ENDED_AFTER_DAYS = 180;

/** Whether the profile says that this is an archive; if it says nothing, whether the newest filing (`null`: none) is older than 180 days. */
export function isArchive({ archive }: { archive?: boolean }, latestFiling: Day | null, today: Day): boolean {
  return archive ?? (latestFiling !== null && latestFiling < addDays(today, -ENDED_AFTER_DAYS));
}

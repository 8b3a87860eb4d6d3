/** When the next weekly email goes out, for the pages that people see after signing up. */

import { isArchive } from '../listings/archive.ts';
import { findNewestSlot, findNextSlot, MONDAY_MORNING } from '../mail/editions/slots.ts';
import { EVERYTHING } from '../search/parameters.ts';
import type { ServerContext } from './context.ts';

/** A sentence with the date, or none if the register has ended. */
export function describeNextEdition(context: ServerContext): string[] {
  const { city, layout, now } = context;
  if (hasEnded(context)) return [];
  const { weekly = MONDAY_MORNING, timeZone } = city;
  const slot = findNextSlot(
    findNewestSlot(weekly, timeZone, new Date(now()).toISOString()),
    weekly,
    timeZone,
  );
  const { say, date } = layout.localization;
  return [say('next.edition', { day: date(slot.edition) })];
}

/** Whether the register has ended, so that there is no weekly email. Before its filings are loaded, only the profile can say so. */
export function hasEnded({ city, index }: ServerContext): boolean {
  const current = index();
  if (current === undefined) return city.archive === true;
  return isArchive(city, current.stats(EVERYTHING).latestFiling, current.day);
}

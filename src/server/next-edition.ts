/** When the next weekly email goes out, for the pages that people see after signing up. */

import { isArchive } from '../listings/archive.ts';
import { findNewestSlot, findNextSlot, MONDAY_MORNING } from '../newsletter/slots.ts';
import { EVERYTHING } from '../search/parameters.ts';
import type { ServerContext } from './context.ts';

/** A sentence with the date, or none if the register has ended. */
export function describeNextEdition({ city, index, layout, now }: ServerContext): string[] {
  const current = index();
  const latest = current?.stats(EVERYTHING).latestFiling ?? null;
  if (current !== undefined && isArchive(city, latest, current.day)) return [];
  const { weekly = MONDAY_MORNING, timeZone } = city;
  const slot = findNextSlot(
    findNewestSlot(weekly, timeZone, new Date(now()).toISOString()),
    weekly,
    timeZone,
  );
  const { say, date } = layout.localization;
  return [say('next.edition', { day: date(slot.edition) })];
}

/** Tells whether the register of a city goes on: nothing else decides it. */

import { addDays, type Day } from '../day.ts';
import type { CityFacts } from './city-facts.ts';

/** A maintained register is late if its newest filing is older than this many days. */
export const STALE_DAYS = 45;
export const ENDED_AFTER_DAYS = 180;

/** Returns whether more filings are expected. The profile of an archive, or of one day, says that none will come. */
export function expectsFilings({ asOf, archive }: Pick<CityFacts, 'asOf' | 'archive'>): boolean {
  return asOf === undefined && archive !== true;
}

/** Returns whether a register that should go on has stopped. */
export function isStale(city: Pick<CityFacts, 'asOf' | 'archive'>, newest: Day, today: Day): boolean {
  return expectsFilings(city) && newest < addDays(today, -STALE_DAYS);
}

/**
 * Returns whether a register has ended: the profile says so, or its newest filing is older than 180 days. Its listings
 * are still served, but none is news. Until filings are loaded, only the profile decides.
 */
export function hasRegisterEnded(
  { archive }: Pick<CityFacts, 'archive'>,
  loaded: { latestFiling: Day | null; day: Day } | undefined,
): boolean {
  const { latestFiling = null, day = '' } = loaded ?? {};
  return archive ?? (latestFiling !== null && latestFiling < addDays(day, -ENDED_AFTER_DAYS));
}

/** Returns the day up to which a register knows renewals: `day`, or the newest filing of a register that has ended. */
export function findKnownUntil(
  city: Pick<CityFacts, 'archive'>,
  { latestFiling, day }: { latestFiling: Day | null; day: Day },
): Day {
  return hasRegisterEnded(city, { latestFiling, day }) && latestFiling! < day ? latestFiling! : day;
}

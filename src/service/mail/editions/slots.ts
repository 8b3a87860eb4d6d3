/** Finds the weekly slots of editions in the city's time zone. A slot is named by its date. */

import { type CityFacts, WEEKDAYS, type Weekly } from '../../../shared/city/city-facts.ts';
import { addDays, type Day, type Instant, toLocalDay } from '../../../shared/day.ts';

/** Returns when a city sends its weekly email: Mondays at 8:00 if its profile does not say. */
export function weeklyOf({ weekly = {} }: Pick<CityFacts, 'weekly'>): Weekly {
  const { weekday = 'Monday', time = '08:00' } = weekly;
  return { ...weekly, weekday, time };
}

/** Returns what happens to an edition that is not approved in time. */
export function fateOfUnapproved(city: Pick<CityFacts, 'weekly'>): 'sent' | 'skipped' {
  return weeklyOf(city).unapproved === 'skip' ? 'skipped' : 'sent';
}

export type Slot = {
  /** The local date, which names the edition. Names sort chronologically. */
  edition: Day;
  at: Instant;
};

/** Finds the newest slot up to `now`. If a clock change skips its time, the slot is right after the change. */
export function findNewestSlot(weekly: Weekly, timeZone: string, now: Instant): Slot {
  const today = toLocalDay(timeZone, now);
  const weekday = WEEKDAYS.indexOf(weekly.weekday) + 1;
  const day = addDays(today, -((Temporal.PlainDate.from(today).dayOfWeek - weekday + 7) % 7));
  const slot = slotOn(day, weekly, timeZone);
  return slot.at <= now ? slot : slotOn(addDays(day, -7), weekly, timeZone);
}

export function findComingSlot(city: CityFacts, now: Instant): Slot {
  const weekly = weeklyOf(city);
  return findNextSlot(findNewestSlot(weekly, city.timeZone, now), weekly, city.timeZone);
}

export function findNextSlot({ edition }: Slot, weekly: Weekly, timeZone: string): Slot {
  return slotOn(addDays(edition, 7), weekly, timeZone);
}

function slotOn(edition: Day, weekly: Weekly, timeZone: string): Slot {
  const moment = Temporal.PlainDate.from(edition).toZonedDateTime({ timeZone, plainTime: weekly.time });
  return { edition, at: new Date(moment.epochMilliseconds).toISOString() };
}

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

type Sending = Pick<CityFacts, 'weekly' | 'timeZone'>;

/** Finds the newest slot up to `now`. If a clock change skips its time, the slot is right after the change. */
export function findNewestSlot(city: Sending, now: Instant): Slot {
  const today = toLocalDay(city.timeZone, now);
  const weekday = WEEKDAYS.indexOf(weeklyOf(city).weekday) + 1;
  const day = addDays(today, -((Temporal.PlainDate.from(today).dayOfWeek - weekday + 7) % 7));
  const slot = slotOn(day, city);
  return slot.at <= now ? slot : slotOn(addDays(day, -7), city);
}

export function findNextSlot({ edition }: Slot, city: Sending): Slot {
  return slotOn(addDays(edition, 7), city);
}

function slotOn(edition: Day, city: Sending): Slot {
  const { timeZone } = city;
  const moment = Temporal.PlainDate.from(edition).toZonedDateTime({
    timeZone,
    plainTime: weeklyOf(city).time,
  });
  return { edition, at: new Date(moment.epochMilliseconds).toISOString() };
}

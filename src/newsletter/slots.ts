/** When editions are due: one moment a week by the city's clocks, named by its local day. Uses no cron and no clock. */

import { WEEKDAYS, type Weekly } from '../city/define.ts';
import type { Day, Instant } from '../listings/day.ts';

export const MONDAY_MORNING: Weekly = { weekday: 'Monday', time: '08:00' };

export type Slot = {
  /** The local day it falls on: the name of its edition. Names compare as text in the order of time. */
  edition: Day;
  at: Instant;
};

/** The newest slot not after `now`. A time that the clocks skip is taken as soon after; one they show twice, the first time. */
export function findNewestSlot(weekly: Weekly, timeZone: string, now: Instant): Slot {
  const today = Temporal.Instant.from(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const weekday = WEEKDAYS.indexOf(weekly.weekday) + 1;
  const day = today.subtract({ days: (today.dayOfWeek - weekday + 7) % 7 });
  const slot = slotOn(day, weekly, timeZone);
  return slot.at <= now ? slot : slotOn(day.subtract({ days: 7 }), weekly, timeZone);
}

/** The slot a week after. */
export function findNextSlot({ edition }: Slot, weekly: Weekly, timeZone: string): Slot {
  return slotOn(Temporal.PlainDate.from(edition).add({ days: 7 }), weekly, timeZone);
}

function slotOn(day: Temporal.PlainDate, weekly: Weekly, timeZone: string): Slot {
  const moment = day.toZonedDateTime({ timeZone, plainTime: weekly.time });
  return { edition: day.toString(), at: new Date(moment.epochMilliseconds).toISOString() };
}

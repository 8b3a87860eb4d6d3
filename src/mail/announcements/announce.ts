/** Creates the one announcement of a signup type. Sends nothing. */

import { ShingleError } from '../../errors.ts';
import { addMs, DAY_MS, type Day, type Instant, toLocalDay } from '../../listings/day.ts';
import type { Announcement, AnnouncementStore, StoredAnnouncement } from './announcement-ports.ts';

const ANNOUNCEMENT_DAYS = 14; // it is not stale after two days, as an edition is

export type AnnouncementDecision = {
  /** `repeated`: it was created before; `recipients` have confirmed since. `empty`: nobody has confirmed, so nothing is stored. */
  outcome: 'decided' | 'repeated' | 'empty';
  /** To whom it is sent by this decision. */
  recipients: number;
  decidedAt: Instant;
  /** Its day in the city. */
  decidedOn: Day;
};

/**
 * Creates it, or, where it was created before, messages to those who have confirmed since. With `dry`, stores nothing. Throws
 * `conflict` where another one was created: everybody was promised one email.
 */
export async function decideAnnouncement(
  announcements: AnnouncementStore,
  announcement: Announcement,
  { now, dry, timeZone }: { now: Instant; dry: boolean; timeZone: string },
): Promise<AnnouncementDecision> {
  const before = await announcements.find(announcement.type);
  if (before !== undefined) refuseOther(announcement, before, timeZone);
  const decision = { ...announcement, decidedAt: now, expiresAt: addMs(now, ANNOUNCEMENT_DAYS * DAY_MS) };
  const { recipients, other } = dry
    ? { recipients: await announcements.countRecipients(announcement.type) }
    : await announcements.decide(decision);
  if (other !== undefined) refuseOther(announcement, other, timeZone);
  const first = before === undefined ? 'decided' : 'repeated';
  const outcome = before === undefined && recipients === 0 ? 'empty' : first;
  const decidedAt = before?.decidedAt ?? now;
  return { outcome, recipients, decidedAt, decidedOn: findAnnouncedDay(decidedAt, timeZone) };
}

/** The day of an announcement in the city's time zone, which is how operators remember it. */
export function findAnnouncedDay(decidedAt: Instant, timeZone: string): Day {
  return toLocalDay(timeZone, decidedAt);
}

function refuseOther({ subject, words }: Announcement, other: StoredAnnouncement, timeZone: string): void {
  if (other.subject === subject && other.words === words) return;
  throw new ShingleError(
    'conflict',
    `"${other.subject}" was announced on ${findAnnouncedDay(other.decidedAt, timeZone)}, and everybody was promised one email: nothing was sent. To send it to those who have confirmed since, use the same text`,
  );
}

/**
 * Creates the only announcement of a signup type from a Markdown file. The heading at the start is the subject. Sends
 * nothing.
 */

import { ShingleError } from '../../errors.ts';
import { addMs, DAY_MS, type Day, type Instant, toLocalDay } from '../../listings/day.ts';
import { toPlainText } from '../../listings/markdown.ts';
import type { Announcement, AnnouncementStore, StoredAnnouncement } from './announcement-store.ts';

const ANNOUNCEMENT_DAYS = 14; // longer than an edition's two days, because it stays relevant
const MOST_FILE_BYTES = 65_536;
const MOST_SUBJECT_LENGTH = 150; // mail programs truncate longer ones

export type AnnouncementDecision = {
  /** `repeated`: it existed, and is sent to people confirmed since. `empty`: no recipients, so it is not stored. */
  outcome: 'decided' | 'repeated' | 'empty';
  recipients: number;
  decidedAt: Instant;
  /** The decision's day in the city's time zone. */
  decidedOn: Day;
};

/** Creates the announcement, or only messages to people confirmed since. Throws `conflict` for another text. */
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
  const outcome = before !== undefined ? 'repeated' : recipients === 0 ? 'empty' : 'decided';
  const decidedAt = before?.decidedAt ?? now;
  return { outcome, recipients, decidedAt, decidedOn: toLocalDay(timeZone, decidedAt) };
}

function refuseOther({ subject, words }: Announcement, other: StoredAnnouncement, timeZone: string): void {
  if (other.subject === subject && other.words === words) return;
  throw new ShingleError(
    'conflict',
    `"${other.subject}" was announced on ${toLocalDay(timeZone, other.decidedAt)}, and everyone was promised one email: nothing was sent. To send it to those who have confirmed since, use the same text`,
  );
}

/** Parses the file. Throws `usage` with a sentence for the operator. */
export function parseAnnouncement(bytes: Uint8Array): { subject: string; words: string } {
  if (bytes.length > MOST_FILE_BYTES)
    throw new ShingleError('usage', `the announcement is larger than ${MOST_FILE_BYTES / 1024} KiB`);
  const words = decodeText(bytes).replaceAll(/\r\n?/g, '\n').trim();
  const [first = '', ...rest] = words.split('\n');
  const subject = toPlainText(/^#[ \t]+(\S.*)$/.exec(first)?.[1] ?? '').trim();
  if (subject === '')
    throw new ShingleError(
      'usage',
      'the announcement must begin with a heading, such as "# Pro is here": it is the subject of the email',
    );
  if (subject.length > MOST_SUBJECT_LENGTH)
    throw new ShingleError('usage', `the heading is longer than ${MOST_SUBJECT_LENGTH} characters`);
  if (rest.join('').trim() === '')
    throw new ShingleError('usage', 'the announcement has a heading and no text');
  return { subject, words };
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ShingleError('usage', 'the announcement is not UTF-8 text');
  }
}

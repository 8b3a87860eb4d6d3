/** `shingle waitlist announce`: sends the single email that people on a waitlist were promised. */

import { readFileSync } from 'node:fs';
import { renderAnnouncementEmail } from '../../../page/email/announcement-email.ts';
import {
  type Announcement,
  type AnnouncementStore,
  parseAnnouncement,
} from '../../../service/mail/announcement.ts';
import { messageOf, ShingleError, usageError } from '../../../shared/errors.ts';
import type { WaitlistType } from '../../../shared/signup/signups.ts';
import { formatCount } from '../../../shared/text/numbers.ts';
import { EXIT } from '../../exit-codes.ts';
import { type Mail, openMail } from '../../operations/connect-mail.ts';
import type { Service } from '../../operations/service.ts';
import type { Report } from '../options.ts';
import { describeProgress, type Sent, sendNow, writePreview } from '../send-now.ts';

const type: WaitlistType = 'pro-waitlist';

export async function announceTo(
  service: Service,
  { from, dryRun = false }: { from: string; dryRun?: boolean },
): Promise<Report> {
  const announcement = { type, ...readAnnouncement(from) };
  const { subject } = announcement;
  const mail = openMail(service);
  const { announcements } = service.store;
  const { timeZone } = service.loaded.city;
  const decide = (dry: boolean) => announcements.decide(announcement, { now: service.now(), dry, timeZone });
  const sent = await sendNow(service, mail, decide, () => announcements.progress(type), dryRun);
  const preview = dryRun ? writeAnnouncement(service, mail, announcement) : undefined;
  const announced = { ...sent, subject, preview };
  const { outcome, recipients, decidedAt, progress, problem } = sent;
  const facts = { outcome, subject, decided_at: decidedAt, recipients, dry_run: dryRun };
  return {
    json: { ...facts, ...progress, problem, preview },
    text: describeAnnounced(announced),
    code: problem === null ? EXIT.done : EXIT.failed,
  };
}

function readAnnouncement(file: string): Pick<Announcement, 'subject' | 'words'> {
  try {
    return parseAnnouncement(readFileSync(file), type);
  } catch (error) {
    if (error instanceof ShingleError) throw error;
    throw usageError(`the announcement cannot be read: ${messageOf(error)}`);
  }
}

function writeAnnouncement(service: Service, { context }: Mail, announcement: Announcement) {
  const { city, postalAddress, publicUrl } = context;
  const links = { unsubscribe: `${publicUrl}/unsubscribe`, manage: `${publicUrl}/manage` };
  const email = renderAnnouncementEmail({ city, announcement, links, postalAddress });
  return writePreview(service, 'announcement', email);
}

/** `preview`: the files of a dry run. */
type Announced = Sent<Awaited<ReturnType<AnnouncementStore['decide']>>> & {
  subject: string;
  preview: ReturnType<typeof writePreview> | undefined;
};

function describeAnnounced(announced: Announced): string {
  const { subject, outcome, recipients, decidedOn, progress, preview } = announced;
  const people = formatCount(recipients, 'person', 'people');
  const files = preview && `; nothing was stored or sent\n${preview.html}\n${preview.text}`;
  if (outcome === 'empty')
    return `"${subject}": no one on the waitlist has confirmed${files ?? '; nothing was sent'}`;
  const whom = outcome === 'repeated' ? `${people} who confirmed since ${decidedOn}` : people;
  return files === undefined
    ? `"${subject}" to ${whom}; in all ${describeProgress(progress, announced)}`
    : `"${subject}" would go to ${whom}${files}`;
}

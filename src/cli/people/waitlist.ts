/** `shingle waitlist announce`: sends the single email that people on a waitlist were promised. */

import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { messageOf, ShingleError } from '../../errors.ts';
import { type Announcement, parseAnnouncement, renderAnnouncementEmail } from '../../mail/announcement.ts';
import { refusePlaceholders, type Service } from '../../operations/service.ts';
import { WAITLIST_TYPES, type WaitlistType } from '../../subscribers/subscriber.ts';
import { addAction, type Report, withService } from '../options.ts';
import { describeProgress, sendNow, writePreview } from '../send-now.ts';
import { EXIT, formatCount } from '../terminal.ts';

/** Adds the command. With several waitlists, `--type` is required, because a sent email cannot be recalled. */
export function waitlistCommand(program: Command, types: readonly string[] = WAITLIST_TYPES): void {
  const announce = program
    .command('waitlist')
    .description('the waitlists')
    .command('announce')
    .description('send one email, once, to everyone confirmed on a waitlist')
    .requiredOption('--from <file>', 'the email, as Markdown; its first heading is the subject')
    .addOption(
      new Option('--type <type>', types.join(' or '))
        .choices(types)
        .default(types.length === 1 ? types[0] : undefined)
        .makeOptionMandatory(),
    )
    .option(
      '--dry-run',
      'write the email to SHINGLE_DATA/preview and count recipients; stores and sends nothing',
    );
  addAction(announce, announceTo);
}

type Options = { from: string; type: WaitlistType; dryRun?: boolean };

async function announceTo({ from, type, dryRun = false }: Options): Promise<Report> {
  const announcement = { type, ...readAnnouncement(from, type) };
  const announced = await withService((service) => {
    refusePlaceholders(service);
    return sendAnnouncement(service, announcement, dryRun);
  });
  const { subject, decided, progress, trouble, preview } = announced;
  const { outcome, recipients, decidedAt } = decided;
  const facts = { outcome, subject, decided_at: decidedAt, recipients, dry_run: dryRun };
  return {
    json: { ...facts, ...progress, trouble, preview },
    text: describeAnnounced(announced),
    code: trouble === null ? EXIT.done : EXIT.failed,
  };
}

function readAnnouncement(file: string, type: WaitlistType): Pick<Announcement, 'subject' | 'words'> {
  try {
    return parseAnnouncement(readFileSync(file), type);
  } catch (error) {
    if (error instanceof ShingleError) throw error;
    throw new ShingleError('usage', `the announcement cannot be read: ${messageOf(error)}`);
  }
}

type Announced = Awaited<ReturnType<typeof sendAnnouncement>>;

/** Sends the announcement. With `dry`, writes it to files instead and stores nothing. */
async function sendAnnouncement(service: Service, announcement: Announcement, dry: boolean) {
  const { announcements } = service.store;
  const { timeZone } = service.loaded.city;
  const decide = () => announcements.decide(announcement, { now: service.now(), dry, timeZone });
  return {
    ...(await sendNow(service, decide, dry)),
    subject: announcement.subject,
    progress: await announcements.progress(announcement.type),
    preview: dry ? await previewAnnouncement(service, announcement) : undefined,
  };
}

async function previewAnnouncement(service: Service, announcement: Announcement) {
  const { openMail } = await import('../../operations/connect-mail.ts');
  const { city, postalAddress, publicUrl } = openMail(service).context;
  const links = { unsubscribe: `${publicUrl}/unsubscribe`, manage: `${publicUrl}/manage` };
  const email = renderAnnouncementEmail({ city, announcement, links, postalAddress });
  return writePreview(service, { name: 'announcement' }, email);
}

function describeAnnounced({ subject, decided, progress, trouble, preview }: Announced): string {
  const { outcome, recipients, decidedOn } = decided;
  const people = formatCount(recipients, 'person', 'people');
  const files = preview && `; nothing was stored or sent\n${preview.html}\n${preview.text}`;
  if (outcome === 'empty')
    return `"${subject}": no one on the waitlist has confirmed${files ?? '; nothing was sent'}`;
  const whom = outcome === 'repeated' ? `${people} who confirmed since ${decidedOn}` : people;
  return files === undefined
    ? `"${subject}" to ${whom}; in all ${describeProgress(progress, trouble)}`
    : `"${subject}" would go to ${whom}${files}`;
}

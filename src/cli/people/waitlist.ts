/** `shingle waitlist announce`: sends the one email that people on the Pro waitlist were promised. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { messageOf, ShingleError } from '../../errors.ts';
import {
  type AnnouncementDecision,
  decideAnnouncement,
  parseAnnouncement,
} from '../../mail/announcements/announce.ts';
import { renderAnnouncementEmail } from '../../mail/announcements/announcement-email.ts';
import type { Announcement } from '../../mail/announcements/announcement-store.ts';
import type { EditionProgress } from '../../mail/outbox-store.ts';
import type { Service } from '../../operations/service.ts';
import { refusePlaceholders } from '../../operations/service.ts';
import { JSON_OPTION, withService } from '../options.ts';
import { describeProgress, sendNow } from '../send-now.ts';
import { type Done, EXIT, printJson, printLine } from '../terminal.ts';

type Announced = AnnouncementDecision & {
  subject: string;
  progress: EditionProgress;
  trouble: string | null;
  /** The files of a dry run. */
  preview?: { html: string; text: string };
};

export function waitlistCommand(program: Command, done: Done): void {
  program
    .command('waitlist')
    .description('the Pro waitlist')
    .command('announce')
    .description('send one email, once, to everybody confirmed on the Pro waitlist')
    .requiredOption('--from <file>', 'the email, as Markdown; its first heading is the subject')
    .option(
      '--dry-run',
      'write the email to SHINGLE_DATA/preview and count recipients; stores and sends nothing',
    )
    .option(...JSON_OPTION)
    .action(async (options: { from: string; dryRun?: boolean; json?: boolean }) => {
      const announcement = { type: 'pro-waitlist', ...readAnnouncement(options.from) } as const;
      const announced = await withService((service) => {
        refusePlaceholders(service);
        return options.dryRun ? tryOut(service, announcement) : announce(service, announcement);
      });
      if (options.json) printJson(reportOf(announced));
      else printLine(describeAnnounced(announced));
      done(announced.trouble === null ? EXIT.done : EXIT.failed);
    });
}

function readAnnouncement(file: string): Pick<Announcement, 'subject' | 'words'> {
  try {
    return parseAnnouncement(readFileSync(file));
  } catch (error) {
    if (error instanceof ShingleError) throw error;
    throw new ShingleError('usage', `the announcement cannot be read: ${messageOf(error)}`);
  }
}

async function announce(service: Service, announcement: Announcement): Promise<Announced> {
  const { announcements } = service.store;
  const { timeZone } = service.loaded.city;
  const { decided, trouble } = await sendNow(service, () =>
    decideAnnouncement(announcements, announcement, { now: service.now(), dry: false, timeZone }),
  );
  const progress = await announcements.progress(announcement.type);
  return { ...decided, subject: announcement.subject, progress, trouble };
}

async function tryOut(service: Service, announcement: Announcement): Promise<Announced> {
  const { store, config, loaded, now } = service;
  const { formatPublicUrl } = await import('../../operations/mail.ts');
  const { timeZone } = loaded.city;
  const deciding = { now: now(), dry: true, timeZone };
  const decision = await decideAnnouncement(store.announcements, announcement, deciding);
  const home = formatPublicUrl(config);
  const email = renderAnnouncementEmail({
    city: loaded.city,
    announcement,
    postalAddress: config.mail.postalAddress,
    links: { unsubscribe: `${home}/unsubscribe`, manage: `${home}/manage` },
  });
  const folder = join(config.dataFolder, 'preview');
  mkdirSync(folder, { recursive: true });
  const preview = { html: join(folder, 'announcement.html'), text: join(folder, 'announcement.txt') };
  writeFileSync(preview.html, email.html);
  writeFileSync(preview.text, email.text);
  const progress = await store.announcements.progress(announcement.type);
  return { ...decision, subject: announcement.subject, progress, trouble: null, preview };
}

function reportOf({ outcome, subject, recipients, decidedAt, progress, trouble, preview }: Announced) {
  return {
    outcome,
    subject,
    decided_at: decidedAt,
    recipients,
    dry_run: preview !== undefined,
    ...progress,
    trouble,
    preview,
  };
}

function describeAnnounced(announced: Announced): string {
  const { outcome, subject, recipients, preview } = announced;
  const people = `${recipients} ${recipients === 1 ? 'person' : 'people'}`;
  const isDry = preview !== undefined;
  const files = isDry ? `; nothing was stored or sent\n${preview.html}\n${preview.text}` : '';
  if (outcome === 'empty')
    return `"${subject}": nobody on the waitlist has confirmed${files || '; nothing was sent'}`;
  const whom = outcome === 'repeated' ? `${people} who confirmed since ${announced.decidedOn}` : people;
  return isDry
    ? `"${subject}" would go to ${whom}${files}`
    : `"${subject}" to ${whom}; in all ${describeProgress(announced.progress, announced.trouble)}`;
}

/** `shingle weekly`: previews the next edition, or creates and sends the one that is due. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { renderEditionEmail } from '../newsletter/edition-email.ts';
import { type Decision, decideEdition, previewContent } from '../newsletter/weekly.ts';
import { refusePlaceholders } from '../service/placeholders.ts';
import type { Service } from '../service/service.ts';
import type { EditionProgress } from '../subscriptions/ports.ts';
import { JSON_OPTION, NOW_OPTION, withService } from './options.ts';
import { type Done, EXIT, printJson, printLine } from './terminal.ts';

const MAIL_LOCK_WAIT_MS = 120_000; // the service's own mailer may be in the middle of a round

export function weeklyCommand(program: Command, done: Done): void {
  const weekly = program.command('weekly').description('the weekly email');
  weekly
    .command('preview')
    .description('write the next edition to HTML and text files; stores and sends nothing')
    .option('--out <folder>', 'where to; SHINGLE_DATA/preview without it')
    .option(...NOW_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: { out?: string; now?: string; json?: boolean }) => {
      const written = await withService((service) => preview(service, options.out), options.now);
      if (options.json) printJson(written);
      else {
        printLine(`${written.subject}${written.example ? ' (example: there are no new businesses)' : ''}`);
        printLine(`${written.html}\n${written.text}`);
      }
    });
  weekly
    .command('send')
    .description('create the current weekly edition, once, and send it to all subscribers')
    .option('--dry-run', 'report what would be sent; stores and sends nothing')
    .option(...NOW_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: { dryRun?: boolean; now?: string; json?: boolean }) => {
      const sent = await withService((service) => {
        refusePlaceholders(service);
        return send(service, options.dryRun === true);
      }, options.now);
      if (options.json) printJson(reportOf(sent));
      else printLine(describeSent(sent));
      done(sent.trouble === null ? EXIT.done : EXIT.failed);
    });
}

async function preview(service: Service, out: string | undefined) {
  const { openMail, formatPublicUrl } = await import('../service/mail.ts');
  const { weekly } = openMail(service);
  const latest = async () => {
    const all = [];
    for await (const batch of service.store.listings.listings()) all.push(...batch);
    return all;
  };
  const { content, isExample } = await previewContent(weekly, latest, service.now());
  const home = `${formatPublicUrl(service.config)}/`;
  const links = { home, unsubscribe: `${home}unsubscribe`, manage: `${home}manage` };
  const { postalAddress } = service.config.mail;
  const letter = renderEditionEmail({ city: service.loaded.city, content, links, postalAddress, isExample });
  const folder = out ?? join(service.config.dataFolder, 'preview');
  mkdirSync(folder, { recursive: true });
  const html = join(folder, `weekly-${content.edition}.html`);
  const text = join(folder, `weekly-${content.edition}.txt`);
  writeFileSync(html, letter.html);
  writeFileSync(text, letter.text);
  return {
    edition: content.edition,
    subject: letter.subject,
    total: content.total,
    example: isExample,
    html,
    text,
  };
}

type Sent = Decision & { isDry: boolean; progress: EditionProgress; trouble: string | null };

async function send(service: Service, isDry: boolean): Promise<Sent> {
  const { openMail } = await import('../service/mail.ts'); // the other commands start faster without SMTP
  const mail = openMail(service);
  const { outbox, editions } = service.store;
  // messages being sent are finished and marked; the next process that delivers sends those that wait
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => mail.delivery.stop());
  try {
    if (isDry) {
      const decision = await decideEdition(mail.weekly, service.now(), true);
      return { ...decision, isDry, progress: await editions.progress(decision.edition), trouble: null };
    }
    return await outbox.alone(MAIL_LOCK_WAIT_MS, async () => {
      const decision = await decideEdition(mail.weekly, service.now(), false);
      await outbox.resume();
      await mail.delivery.round();
      const { trouble } = await outbox.standing(service.now());
      return { ...decision, isDry, progress: await editions.progress(decision.edition), trouble };
    });
  } finally {
    mail.post.close();
  }
}

function reportOf({ edition, outcome, early, content, recipients, progress, isDry, trouble }: Sent) {
  return {
    edition,
    outcome,
    early,
    dry_run: isDry,
    total: content?.total ?? 0,
    shown: content?.listings.length ?? 0,
    recipients,
    ...progress,
    trouble,
  };
}

function describeSent(sent: Sent): string {
  const { edition, outcome, early, content, recipients, isDry } = sent;
  const name = `the edition of ${edition}${early ? ' (early: it is not due yet)' : ''}`;
  if (outcome === 'nothing-yet') return 'no data has been imported yet, so there is no edition to create';
  if (outcome === 'already') return `${name} already exists; ${formatProgress(sent)}`;
  if (outcome === 'archive') return 'this register is an archive: there is no weekly email';
  if (outcome === 'empty') return `${name} ${isDry ? 'would be' : 'is'} skipped: there are no new businesses`;
  const what = `${content?.total} new, ${content?.listings.length} shown, to ${recipients} ${recipients === 1 ? 'person' : 'people'}`;
  return isDry
    ? `${name} would contain ${what}; nothing was stored or sent`
    : `${name}: ${what}; ${formatProgress(sent)}`;
}

function formatProgress({ progress, trouble }: Sent): string {
  const { sent, waiting, failed, uncertain, expired, withdrawn } = progress;
  const parts = [`${sent} sent`];
  for (const [n, word] of [
    [waiting, 'waiting'],
    [failed, 'refused'],
    [uncertain, 'uncertain'],
    [expired, 'too old'],
    [withdrawn, 'withdrawn'],
  ] as const) {
    if (n > 0) parts.push(`${n} ${word}`);
  }
  return `${parts.join(', ')}${trouble === null ? '' : `; paused: ${trouble}`}`;
}

/** `shingle weekly`: previews the next edition, or creates and sends the one that is due. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { countShown, renderEditionEmail } from '../mail/editions/edition-email.ts';
import { type Decision, decideEdition, previewContent } from '../mail/editions/weekly.ts';
import type { EditionProgress } from '../mail/outbox-store.ts';
import type { Mail } from '../operations/mail.ts';
import type { Service } from '../operations/service.ts';
import { refusePlaceholders } from '../operations/service.ts';
import { JSON_OPTION, NOW_OPTION, withService } from './options.ts';
import { describeProgress, sendNow } from './send-now.ts';
import { type Done, EXIT, printJson, printLine } from './terminal.ts';

export function weeklyCommand(program: Command, done: Done): void {
  const weekly = program.command('weekly').description('the weekly email');
  weekly
    .command('preview')
    .description('write the next edition to HTML and text files; stores and sends nothing')
    .option('--out <folder>', 'where to write them (default: SHINGLE_DATA/preview)')
    .option(...NOW_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: { out?: string; now?: string; json?: boolean }) => {
      const written = await withService((service) => preview(service, options.out), options);
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
      }, options);
      if (options.json) printJson(reportOf(sent));
      else printLine(describeSent(sent));
      done(sent.trouble === null ? EXIT.done : EXIT.failed);
    });
}

async function preview(service: Service, out: string | undefined) {
  const { openMail, formatPublicUrl } = await import('../operations/mail.ts');
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
  const { editions } = service.store;
  const decide = ({ weekly }: Pick<Mail, 'weekly'>) => decideEdition(weekly, service.now(), isDry);
  const { openMail } = await import('../operations/mail.ts'); // the other commands start faster without SMTP
  const { decided, trouble } = isDry
    ? { decided: await decide(openMail(service)), trouble: null }
    : await sendNow(service, decide);
  return { ...decided, isDry, progress: await editions.progress(decided.edition), trouble };
}

function reportOf({
  edition,
  outcome,
  early,
  content,
  recipients,
  unmatched,
  progress,
  isDry,
  trouble,
}: Sent) {
  return {
    edition,
    outcome,
    early,
    dry_run: isDry,
    total: content?.total ?? 0,
    shown: content ? countShown(content) : 0,
    recipients,
    unmatched,
    ...progress,
    trouble,
  };
}

function describeSent(sent: Sent): string {
  const { edition, outcome, early, content, recipients, unmatched, isDry } = sent;
  const name = `the edition of ${edition}${early ? ' (early: it is not due yet)' : ''}`;
  if (outcome === 'nothing-yet')
    return 'no data has been imported yet, so there is no edition to create. Run npx shingle ingest';
  if (outcome === 'already')
    return `${name} already exists; ${describeProgress(sent.progress, sent.trouble)}`;
  if (outcome === 'archive') return 'this register is an archive: there is no weekly email';
  if (outcome === 'empty') return `${name} ${isDry ? 'would be' : 'is'} skipped: there are no new businesses`;
  const nothing =
    unmatched === 0
      ? ''
      : `; nothing matches what ${unmatched} more ${unmatched === 1 ? 'subscriber' : 'subscribers'} chose`;
  const total = content?.total ?? 0;
  const news = total === 1 ? '1 new business' : `${total} new businesses`;
  const what = `${news}, to ${recipients} ${recipients === 1 ? 'person' : 'people'}${nothing}`;
  return isDry
    ? `${name} would contain ${what}; nothing was stored or sent`
    : `${name}: ${what}; ${describeProgress(sent.progress, sent.trouble)}`;
}

/** `shingle weekly`: previews the next edition, or creates and sends the one that is due. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ShingleError } from '../errors.ts';
import { countShown, renderEditionEmail } from '../mail/editions/edition-email.ts';
import { type Decision, decideEdition, previewContent } from '../mail/editions/weekly.ts';
import type { EditionProgress } from '../mail/outbox-store.ts';
import type { Mail } from '../operations/mail.ts';
import type { Service } from '../operations/service.ts';
import { refusePlaceholders } from '../operations/service.ts';
import { isInteractive, openPrompts } from './init/prompt.ts';
import { JSON_OPTION, NOW_OPTION, requireAddress, withService } from './options.ts';
import { describeProgress, printSentOne, sendNow, sendOne } from './send-now.ts';
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
    .option('--to <address>', 'send the next edition to this address alone; records nothing')
    .option(...NOW_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: SendOptions) => {
      if (options.to !== undefined) return done(await sendToOne(options.to, options));
      const sent = await withService(async (service) => {
        refusePlaceholders(service);
        const isDry = options.dryRun === true;
        if (!isDry && isInteractive()) await confirmEarlySend(service);
        return send(service, isDry);
      }, options);
      if (options.json) printJson(reportOf(sent));
      else printLine(describeSent(sent));
      done(sent.trouble === null ? EXIT.done : EXIT.failed);
    });
}

type SendOptions = { dryRun?: boolean; to?: string; now?: string; json?: boolean };

/** Returns the exit code. */
async function sendToOne(text: string, options: SendOptions): Promise<number> {
  if (options.dryRun) throw new ShingleError('usage', '--to sends one email: leave out --dry-run');
  const { address } = requireAddress(text);
  const { isExample, email, sent } = await withService(async (service) => {
    refusePlaceholders(service);
    const { isExample, email } = await renderNext(service);
    return { isExample, email, sent: await sendOne(service, { to: address, what: 'weekly', email }) };
  }, options);
  if (options.json) printJson({ subject: email.subject, example: isExample, ...sent });
  else printSentOne(sent);
  return sent.sent ? EXIT.done : EXIT.failed;
}

/** An edition that is not due yet takes the place of the one that would be. Throws `usage` if the operator does not want that. */
async function confirmEarlySend(service: Service): Promise<void> {
  const { openMail } = await import('../operations/mail.ts');
  const { early, outcome, edition, content, recipients } = await decideEdition(
    openMail(service).weekly,
    service.now(),
    true,
  );
  if (!early || outcome !== 'decided') return;
  const people = `${recipients} ${recipients === 1 ? 'person' : 'people'}`;
  const prompts = await openPrompts();
  try {
    const answer = await prompts.askChoice({
      text: `The edition of ${edition} is not due yet. Send it to ${people} now? It has ${content?.total} new businesses; nothing more is sent on ${edition}.`,
      options: [
        { value: 'no', label: 'no, send nothing' },
        { value: 'yes', label: 'yes, send it now' },
      ],
    });
    if (answer === 'no') throw new ShingleError('usage', 'nothing was sent');
  } finally {
    prompts.close();
  }
}

/** The next edition as a subscriber who chose nothing would get it, with links that do nothing; or an example. */
async function renderNext(service: Service) {
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
  const email = renderEditionEmail({ city: service.loaded.city, content, links, postalAddress, isExample });
  return { content, isExample, email };
}

async function preview(service: Service, out: string | undefined) {
  const { content, isExample, email } = await renderNext(service);
  const folder = out ?? join(service.config.dataFolder, 'preview');
  mkdirSync(folder, { recursive: true });
  const html = join(folder, `weekly-${content.edition}.html`);
  const text = join(folder, `weekly-${content.edition}.txt`);
  writeFileSync(html, email.html);
  writeFileSync(text, email.text);
  return {
    edition: content.edition,
    subject: email.subject,
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

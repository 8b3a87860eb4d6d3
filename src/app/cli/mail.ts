/** `shingle mail test` sends one message, `shingle mail bounced` reads delivery reports. Neither prints an address. */

import type { Command } from 'commander';
import { renderTestEmail } from '../../page/email/email-layout.ts';
import { handleReport, type ReportVerdict } from '../../service/mail/bounces/bounce-store.ts';
import { MOST_REPORT_BYTES } from '../../service/mail/bounces/delivery-report.ts';
import { handleMaildir } from '../../service/mail/bounces/maildir.ts';
import { ShingleError } from '../../shared/errors.ts';
import type { Service } from '../operations/service.ts';
import { addCommand, type Report, requireAddress, withService } from './options.ts';
import { sendOne, withMail } from './send-now.ts';
import { EXIT, formatCount } from './terminal.ts';

export function mailCommand(program: Command): void {
  const mail = program.command('mail').description('test the mail server, and read delivery reports');
  addCommand(mail, 'bounced', handleBounced)
    .description(
      'handle delivery reports: one message on standard input, or all unseen messages of a Maildir',
    )
    .argument('[maildir]', 'a folder with "new" and "cur"; messages that were handled are marked as seen');
  addCommand(mail, 'test', sendTest)
    .description('send a test message; if it succeeds, a mail pause ends')
    .argument('<address>', 'the address that gets the message');
}

async function sendTest(text: string): Promise<Report> {
  const { address: to } = requireAddress(text);
  return withMail((service, mail) => {
    const email = renderTestEmail(service.loaded.city, service.config.mail.postalAddress);
    return sendOne(service, mail, { to, what: 'test', email });
  });
}

type Counts = Partial<Record<ReportVerdict, number>>;

async function handleBounced(maildir: string | undefined): Promise<Report> {
  try {
    return reportCounts(await withService((service) => handleReports(service, maildir)));
  } catch (error) {
    if (!(error instanceof ShingleError && error.code === 'store')) throw error;
    return { json: undefined, text: error.message, isError: true, code: EXIT.later };
  }
}

async function handleReports({ config, store, now }: Service, maildir: string | undefined): Promise<Counts> {
  const address = config.mail.bounces;
  if (address === undefined)
    throw new ShingleError('refused', 'MAIL_BOUNCES is not set, so emails have no return path of their own');
  const counts: Counts = {};
  const handle = async (bytes: Uint8Array) => {
    const verdict = await handleReport({ bounces: store.bounces, address, now }, bytes);
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  };
  if (maildir === undefined) {
    await handle(await readStandardInput(MOST_REPORT_BYTES + 1));
    return counts;
  }
  const unreadable = await handleMaildir(maildir, MOST_REPORT_BYTES + 1, handle);
  return unreadable === 0 ? counts : { ...counts, unreadable: (counts.unreadable ?? 0) + unreadable };
}

/** Returns the first `most` bytes. Reads everything, because mail servers treat an early close as an error. */
async function readStandardInput(most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    if (size < most) chunks.push(chunk.subarray(0, most - size));
    size += chunk.length;
  }
  return Buffer.concat(chunks);
}

function reportCounts({ stopped = 0, temporary = 0, ...others }: Counts): Report {
  const left = Object.entries(others);
  const messages = left.reduce((sum, [, count]) => sum + count, stopped + temporary);
  const parts = [
    `${formatCount(messages, 'message')}: ${formatCount(stopped, 'address', 'addresses')} stopped`,
    formatCount(temporary, 'temporary failure'),
  ];
  if (left.length > 0) parts.push(`left alone: ${describeVerdicts(others)}`);
  return { json: { messages, stopped, temporary, left_alone: nameVerdicts(others) }, text: parts.join('; ') };
}

/** Names verdicts as JSON has them: `not-a-report` becomes `not_a_report`. */
export function nameVerdicts(counts: Counts): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts).map(([verdict, count]) => [verdict.replaceAll('-', '_'), count]),
  );
}

/** Lists verdicts as people read them: `2 not a report, 1 repeated`. */
export function describeVerdicts(counts: Counts): string {
  return Object.entries(counts)
    .map(([verdict, count]) => `${count} ${verdict.replaceAll('-', ' ')}`)
    .join(', ');
}

/** `shingle mail test` sends one message, `shingle mail bounced` reads delivery reports. Neither prints an address. */

import type { Command } from 'commander';
import { ShingleError } from '../errors.ts';
import { handleReport, type ReportVerdict } from '../mail/bounces/bounce-store.ts';
import { MOST_REPORT_BYTES } from '../mail/bounces/delivery-report.ts';
import { handleMaildir } from '../mail/bounces/maildir.ts';
import { renderTestEmail } from '../mail/email-layout.ts';
import { refusePlaceholders, type Service } from '../operations/service.ts';
import { addAction, type Report, requireAddress, withService } from './options.ts';
import { reportSentOne, sendOne } from './send-now.ts';
import { EXIT, formatCount } from './terminal.ts';

export function mailCommand(program: Command): void {
  const mail = program.command('mail').description('email: outgoing messages and delivery reports');
  const bounced = mail
    .command('bounced')
    .description('handle delivery reports: one message on standard input, or those of a Maildir')
    .argument('[maildir]', 'a folder with "new" and "cur"; messages that were handled are marked as seen');
  addAction(bounced, handleBounced);
  const test = mail
    .command('test')
    .description('send a test message; if it succeeds, a mail pause ends')
    .argument('<address>', 'where to');
  addAction(test, sendTest);
}

async function sendTest(text: string): Promise<Report> {
  const { address } = requireAddress(text);
  const sent = await withService((service) => {
    refusePlaceholders(service);
    const email = renderTestEmail(service.loaded.city, service.config.mail.postalAddress);
    return sendOne(service, { to: address, what: 'test', email });
  });
  return { json: sent, ...reportSentOne(sent) };
}

type Counts = Map<ReportVerdict, number>;

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
  const counts: Counts = new Map();
  const count = (verdict: ReportVerdict, more = 1) => {
    if (more > 0) counts.set(verdict, (counts.get(verdict) ?? 0) + more);
  };
  const context = { bounces: store.bounces, address, now };
  const handle = async (bytes: Uint8Array) => count(await handleReport(context, bytes));
  if (maildir === undefined) await handle(await readStandardInput(MOST_REPORT_BYTES + 1));
  else count('unreadable', await handleMaildir(maildir, MOST_REPORT_BYTES + 1, handle));
  return counts;
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

function reportCounts(counts: Counts): Report {
  const all = [...counts.values()].reduce((sum, n) => sum + n, 0);
  const [stopped, temporary] = [counts.get('stopped') ?? 0, counts.get('temporary') ?? 0];
  const others = [...counts].filter(([verdict]) => verdict !== 'stopped' && verdict !== 'temporary');
  const named = others.map(([verdict, n]) => [verdict.replaceAll('-', '_'), n]);
  const parts = [
    `${formatCount(all, 'message')}: ${formatCount(stopped, 'address', 'addresses')} stopped`,
    formatCount(temporary, 'temporary failure'),
  ];
  const left = others.map(([verdict, n]) => `${n} ${verdict.replaceAll('-', ' ')}`);
  if (left.length > 0) parts.push(`left alone: ${left.join(', ')}`);
  return {
    json: { messages: all, stopped, temporary, left_alone: Object.fromEntries(named) },
    text: parts.join('; '),
  };
}

/** `shingle mail bounced`: handles delivery reports, one on standard input or those of a Maildir. Prints no address. */

import type { Command } from 'commander';
import { ShingleError } from '../../errors.ts';
import type { ReportVerdict } from '../../mail/bounces/bounce-store.ts';
import { MOST_REPORT_BYTES } from '../../mail/bounces/delivery-report.ts';
import { handleReport } from '../../mail/bounces/handle-report.ts';
import { handleMaildir } from '../../mail/bounces/maildir.ts';
import type { Service } from '../../operations/service.ts';
import { JSON_OPTION, withService } from '../options.ts';
import { type Done, EXIT, printError, printJson, printLine } from '../terminal.ts';

type Counts = Map<ReportVerdict, number>;

export function addBouncedCommand(mail: Command, done: Done): void {
  mail
    .command('bounced')
    .description('handle delivery reports: one message on standard input, or those of a Maildir')
    .argument('[maildir]', 'a folder with "new" and "cur"; messages that were handled are marked as seen')
    .option(...JSON_OPTION)
    .action(async (maildir: string | undefined, options: { json?: boolean }) => {
      try {
        const counts = await withService((service) => handleReports(service, maildir));
        if (options.json) printJson(reportOf(counts));
        else printLine(describeCounts(counts));
      } catch (error) {
        if (!(error instanceof ShingleError && error.code === 'store')) throw error;
        printError(error.message);
        done(EXIT.later);
      }
    });
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

/** The first `most` bytes. The rest is read too, because a mail server takes a pipe that closes early for an error. */
async function readStandardInput(most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    if (size < most) chunks.push(chunk.subarray(0, most - size));
    size += chunk.length;
  }
  return Buffer.concat(chunks);
}

function splitCounts(counts: Counts) {
  const {
    stopped = 0,
    temporary = 0,
    ...others
  } = Object.fromEntries(counts) as Partial<Record<ReportVerdict, number>>;
  return { all: [...counts.values()].reduce((sum, n) => sum + n, 0), stopped, temporary, others };
}

function reportOf(counts: Counts) {
  const { all, stopped, temporary, others } = splitCounts(counts);
  const named = Object.entries(others).map(([verdict, n]) => [verdict.replaceAll('-', '_'), n]);
  return { messages: all, stopped, temporary, left_alone: Object.fromEntries(named) };
}

function describeCounts(counts: Counts): string {
  const { all, stopped, temporary, others } = splitCounts(counts);
  const left = Object.entries(others).map(([verdict, n]) => `${n} ${verdict.replaceAll('-', ' ')}`);
  const parts = [
    `${all} ${all === 1 ? 'message' : 'messages'}: ${stopped} ${stopped === 1 ? 'address' : 'addresses'} stopped`,
    `${temporary} temporary ${temporary === 1 ? 'failure' : 'failures'}`,
    ...(left.length === 0 ? [] : [`left alone: ${left.join(', ')}`]),
  ];
  return parts.join('; ');
}

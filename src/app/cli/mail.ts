/** `shingle mail test` sends one message, `shingle mail bounced` handles a delivery report. Neither prints an address. */

import { renderTestEmail } from '../../page/email/email-layout.ts';
import { handleReport, type ReportVerdict } from '../../service/mail/bounces/bounce-store.ts';
import { MOST_REPORT_BYTES } from '../../service/mail/bounces/delivery-report.ts';
import { refusedError } from '../../shared/errors.ts';
import { openMail } from '../operations/connect-mail.ts';
import type { Service } from '../operations/service.ts';
import { type Report, requireAddress, withService } from './options.ts';
import { sendOne } from './send-now.ts';

export async function sendTest(service: Service, text: string): Promise<Report> {
  const { address: to } = requireAddress(text);
  const email = renderTestEmail(service.loaded.city, service.config.mail.postalAddress);
  return sendOne(service, openMail(service), { to, what: 'test', email });
}

export async function handleBounced(): Promise<Report> {
  const verdict = await withService(handleInput);
  return { json: { verdict }, text: verdict.replaceAll('-', ' ') };
}

async function handleInput({ config, store, now }: Service): Promise<ReportVerdict> {
  const address = config.mail.bounces;
  if (address === undefined)
    throw refusedError('MAIL_BOUNCES is not set, so emails have no return path of their own');
  const message = await readStandardInput(MOST_REPORT_BYTES + 1);
  return handleReport({ bounces: store.bounces, address, now }, message);
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

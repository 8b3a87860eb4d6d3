/** What is done with a message that came to the return path. It is judged, written down and counted; nothing is sent in reply. */

import type { Instant } from '../../listings/day.ts';
import type { BounceStore, ReportVerdict } from './bounce-ports.ts';
import { type DeliveryReport, MOST_REPORT_BYTES, readDeliveryReport } from './delivery-report.ts';
import { judgeRecipients } from './judge-report.ts';
import { type BounceAddress, isGenuine } from './return-path.ts';

export type BounceContext = { bounces: BounceStore; address: BounceAddress; now(): Instant };

/** Answers what became of it. The same message again changes nothing. Throws `store` where that cannot be written down. */
export async function handleReport(context: BounceContext, bytes: Uint8Array): Promise<ReportVerdict> {
  const { bounces, address, now } = context;
  const report = bytes.length > MOST_REPORT_BYTES ? 'too-large' : readDeliveryReport(bytes, address);
  const reported = typeof report === 'string' ? undefined : await findGenuine(context, report);
  if (typeof report === 'string' || reported === undefined) {
    const verdict = typeof report === 'string' ? report : 'unknown';
    await bounces.countReport(verdict);
    return verdict;
  }
  const { is, status } = judgeRecipients(report.recipients, reported.address);
  if (is === 'permanent' || is === 'temporary')
    return bounces.recordFailure({ message: reported.message, is, status, at: now() });
  await bounces.countReport(is);
  return is;
}

/** The message that the report is about. A token that we did not make is as good as none. */
async function findGenuine({ bounces }: BounceContext, { tokens }: DeliveryReport) {
  for (const token of tokens) {
    const reported = await bounces.findReported(token.message);
    if (reported !== undefined && isGenuine(token, await bounces.key(), reported)) return reported;
  }
  return undefined;
}

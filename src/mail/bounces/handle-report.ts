/**
 * Judges, stores and counts a message to the return path. Only a permanent failure of an address stops that address.
 */

import type { Instant } from '../../listings/day.ts';
import { parseAddress } from '../../subscribers/address.ts';
import type { BounceStore, ReportVerdict } from './bounce-store.ts';
import {
  type DeliveryReport,
  MOST_REPORT_BYTES,
  type ReportedRecipient,
  readDeliveryReport,
} from './delivery-report.ts';
import { type BounceAddress, isGenuine } from './return-path.ts';

export type BounceContext = { bounces: BounceStore; address: BounceAddress; now(): Instant };

/**
 * Stores and returns the verdict. A repeated message changes nothing. Throws `store` if the verdict cannot be stored.
 */
export async function handleReport(context: BounceContext, bytes: Uint8Array): Promise<ReportVerdict> {
  const { bounces, address, now } = context;
  const count = async (verdict: ReportVerdict) => {
    await bounces.countReport(verdict);
    return verdict;
  };
  const report = bytes.length > MOST_REPORT_BYTES ? 'too-large' : readDeliveryReport(bytes, address);
  if (typeof report === 'string') return count(report);
  const reported = await findGenuine(context, report);
  if (reported === undefined) return count('unknown');
  const { is, status } = judgeRecipients(report.recipients, reported.address);
  return is === 'permanent' || is === 'temporary'
    ? bounces.recordFailure({ message: reported.message, is, status, at: now() })
    : count(is);
}

/** Finds the message that the report describes. Ignores tokens that we did not make. */
async function findGenuine({ bounces }: BounceContext, { tokens }: DeliveryReport) {
  for (const token of tokens) {
    const reported = await bounces.findReported(token.message);
    if (reported !== undefined && isGenuine(token, await bounces.key(), reported)) return reported;
  }
  return undefined;
}

/**
 * The meaning of a report. `permanent`: the mailbox does not exist. `temporary`: the server gave up on this message.
 * `arrived`: the message was delivered. `delayed`: the server still tries. `unclear`: anything else.
 */
export type ReportMeaning = {
  is: 'permanent' | 'temporary' | 'arrived' | 'delayed' | 'unclear';
  status: string;
};

const ARRIVED_ACTIONS = ['delivered', 'relayed', 'expanded'];

/**
 * RFC 3463 codes that do not mean a missing mailbox: our own address, a full mailbox, a message that is too large, a
 * delivery that took too long (5.4.7, and Exchange's 5.4.3xx), protocol, content, policy.
 */
const NOT_THE_ADDRESS = /^5\.(?:0\.0|1\.[78]|2\.[23]|3\.4|4\.7|4\.3\d\d|5\.[1-9]|6\.\d+|7\.\d+)$/;

export function judgeRecipients(recipients: readonly ReportedRecipient[], address: string): ReportMeaning {
  const judged = recipients.map((recipient) => ({ recipient, ...judgeRecipient(recipient) }));
  const find = (wanted: ReportMeaning['is']) => judged.find(({ is }) => is === wanted);
  const arrived = find('arrived');
  const permanent = judged.find(({ is, recipient }) => is === 'permanent' && isNamed(recipient, address));
  const failed = permanent ?? find('temporary') ?? find('permanent');
  const chosen = arrived ?? failed ?? find('delayed') ?? find('unclear');
  if (chosen === undefined) return { is: 'unclear', status: '' };
  // the missing mailbox is that of another person, to whom this mail was forwarded
  return {
    is: chosen.is === 'permanent' && permanent === undefined ? 'temporary' : chosen.is,
    status: chosen.status,
  };
}

function isNamed({ addresses }: ReportedRecipient, address: string): boolean {
  const identity = parseAddress(address)?.identity;
  return identity !== undefined && addresses.some((named) => parseAddress(named)?.identity === identity);
}

function judgeRecipient(recipient: ReportedRecipient): ReportMeaning {
  const { action, status } = recipient;
  if (ARRIVED_ACTIONS.includes(action)) return { is: 'arrived', status };
  if (action === 'delayed') return { is: 'delayed', status };
  if (action !== 'failed' || !/^[45]/.test(status)) return { is: 'unclear', status };
  const exact = findExactStatus(recipient);
  const isAboutAddress = exact.startsWith('5.') && !NOT_THE_ADDRESS.test(exact);
  return { is: isAboutAddress ? 'permanent' : 'temporary', status: exact };
}

/**
 * Returns the most exact status. Some servers, such as Exim, report 5.0.0 even if a remote server was only unreachable,
 * so the remote server's own code is used. Its 550, 551 or 553 means a missing mailbox (RFC 5321 section 4.2.3).
 */
function findExactStatus({ status, diagnostic }: ReportedRecipient): string {
  if (status !== '5.0.0') return status;
  const [, reply, enhanced] = /\b([45]\d\d)(?:[ -]([45]\.\d{1,3}\.\d{1,3})\b)?/.exec(diagnostic) ?? [];
  if (enhanced !== undefined) return enhanced;
  if (reply === undefined) return status;
  return ['550', '551', '553'].includes(reply) ? '5.1.0' : `${reply[0]}.0.0`;
}

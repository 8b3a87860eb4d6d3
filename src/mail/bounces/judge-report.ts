/**
 * What a delivery report means for the person it is about. Only a failure that is about the address stops it at once. Pure.
 */

import { parseAddress } from '../../subscribers/address.ts';
import type { ReportedRecipient } from './delivery-report.ts';

/**
 * `permanent`: there is no such mailbox. `temporary`: this message was given up on. `arrived`: somebody got it. `delayed`: it is
 * still being tried. `unclear`: none of these.
 */
export type ReportMeaning = {
  is: 'permanent' | 'temporary' | 'arrived' | 'delayed' | 'unclear';
  /** RFC 3463. */
  status: string;
};

const ARRIVED = ['delivered', 'relayed', 'expanded'];

/**
 * RFC 3463: our own address, a full mailbox, a message that is too large, a delivery that took too long (5.4.7, and what Exchange
 * gives as 5.4.3xx), protocol, content, policy. They do not mean that the mailbox is gone.
 */
const NOT_THE_ADDRESS = /^5\.(?:0\.0|1\.[78]|2\.[23]|3\.4|4\.7|4\.3\d\d|5\.[1-9]|6\.\d+|7\.\d+)$/;

/** What `recipients` means for the person whose address is `address`. */
export function judgeRecipients(recipients: readonly ReportedRecipient[], address: string): ReportMeaning {
  const judged = recipients.map((recipient) => ({ recipient, ...judgeRecipient(recipient) }));
  const find = (wanted: ReportMeaning['is']) => judged.find(({ is }) => is === wanted);
  const arrived = find('arrived');
  const permanent = judged.find(({ is, recipient }) => is === 'permanent' && isNamed(recipient, address));
  const failed = permanent ?? find('temporary') ?? find('permanent');
  const chosen = arrived ?? failed ?? find('delayed') ?? find('unclear');
  if (chosen === undefined) return { is: 'unclear', status: '' };
  // somebody else's mailbox is gone, to which this person's mail is forwarded: theirs may have other readers
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
  if (ARRIVED.includes(action)) return { is: 'arrived', status };
  if (action === 'delayed') return { is: 'delayed', status };
  if (action !== 'failed' || !/^[45]/.test(status)) return { is: 'unclear', status };
  const exact = findExactStatus(recipient);
  const isAboutAddress = exact.startsWith('5.') && !NOT_THE_ADDRESS.test(exact);
  return { is: isAboutAddress ? 'permanent' : 'temporary', status: exact };
}

/**
 * Some servers (Exim) always say 5.0.0, even if a remote server was only unreachable. Then the code that the remote server gave is
 * more exact, and a bare 550, 551 or 553 means the mailbox (RFC 5321 section 4.2.3).
 */
function findExactStatus({ status, diagnostic }: ReportedRecipient): string {
  if (status !== '5.0.0') return status;
  const [, reply, enhanced] = /\b([45]\d\d)(?:[ -]([45]\.\d{1,3}\.\d{1,3})\b)?/.exec(diagnostic) ?? [];
  if (enhanced !== undefined) return enhanced;
  if (reply === undefined) return status;
  return ['550', '551', '553'].includes(reply) ? '5.1.0' : `${reply[0]}.0.0`;
}

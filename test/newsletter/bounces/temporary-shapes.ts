/**
 * Delivery reports that name no lost mailbox, as common mail servers write them. Made up after RFC 3464, RFC 6522 and what each program is known to produce; all
 * names are examples.
 */

import { EXCHANGE, EXIM, GMAIL, gmailFields, POSTFIX, reportShape, type Shape } from './a-report.ts';

/** Given up on, though the mailbox may well be there. */
export const GIVEN_UP_SHAPES: Readonly<Record<string, Shape>> = {
  'Postfix: five days in the queue': reportShape('temporary', ({ address }) => ({
    ...POSTFIX,
    recipients: [
      [
        `Final-Recipient: rfc822; ${address}`,
        'Action: failed',
        'Status: 4.4.1',
        'Diagnostic-Code: X-Postfix; connect to mx.example.net[192.0.2.25]:25: Connection timed out',
      ],
    ],
  })),
  'Exim: retry time over, without a code': reportShape('temporary', ({ address }) => ({
    ...EXIM,
    recipients: [['Action: failed', `Final-Recipient: rfc822;${address}`, 'Status: 5.0.0']],
  })),
  'Exim: greylisted for too long': reportShape('temporary', ({ address }) => ({
    ...EXIM,
    recipients: [
      [
        'Action: failed',
        `Final-Recipient: rfc822;${address}`,
        'Status: 5.0.0',
        'Diagnostic-Code: smtp; 451 4.7.1 Greylisting in action, please come back later',
      ],
    ],
  })),
  'Exchange: the message expired': reportShape('temporary', ({ address }) => ({
    ...EXCHANGE,
    recipients: [
      [
        `Final-Recipient: rfc822;${address}`,
        'Action: failed',
        'Status: 4.4.7',
        'Diagnostic-Code: smtp;550 4.4.7 QUEUE.Expired; message expired',
      ],
    ],
  })),
  'Exchange Online: the message expired': reportShape('temporary', ({ address }) => ({
    ...EXCHANGE,
    recipients: [
      [
        `Final-Recipient: rfc822;${address}`,
        'Action: failed',
        'Status: 5.4.316',
        'Diagnostic-Code: smtp;550 5.4.316 Message expired, connection refused(Socket error code 10061)',
      ],
    ],
  })),
  'Gmail: over quota': reportShape('temporary', ({ address }) => ({
    ...GMAIL,
    recipients: [gmailFields(address, '5.2.2', "552-5.2.2 The recipient's inbox is out of storage space.")],
  })),
  'Gmail: our mail is not authenticated': reportShape('temporary', ({ address }) => ({
    ...GMAIL,
    recipients: [
      gmailFields(
        address,
        '5.7.26',
        '550-5.7.26 Your email has been blocked because the sender is unauthenticated.',
      ),
    ],
  })),
  'Exim: refused as spam': reportShape('temporary', ({ address }) => ({
    ...EXIM,
    recipients: [
      [
        'Action: failed',
        `Final-Recipient: rfc822;${address}`,
        'Status: 5.0.0',
        'Diagnostic-Code: smtp; 554 5.7.1 Message rejected as spam by content scanning',
      ],
    ],
  })),
  'Postfix: the address that it was forwarded to is gone': reportShape('temporary', () => ({
    ...POSTFIX,
    recipients: [
      [
        'Final-Recipient: rfc822; a.reader@elsewhere.example',
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
      ],
    ],
  })),
};

/** Nothing is known to have failed. */
export const NOT_FAILED_SHAPES: Readonly<Record<string, Shape>> = {
  'Postfix: delayed': reportShape('delayed', ({ address }) => ({
    ...POSTFIX,
    subject: 'Delayed Mail (still being retried)',
    recipients: [
      [
        `Final-Recipient: rfc822; ${address}`,
        'Action: delayed',
        'Status: 4.4.1',
        'Will-Retry-Until: Sat, 28 Nov 2026 17:05:11 +0000 (UTC)',
      ],
    ],
  })),
  'Exim: delayed': reportShape('delayed', ({ address }) => ({
    ...EXIM,
    subject: 'Warning: message 1rXyZ0-000001-AB delayed 24 hours',
    recipients: [['Action: delayed', `Final-Recipient: rfc822;${address}`, 'Status: 4.0.0']],
  })),
  'Postfix: handed on to a server without reports': reportShape('arrived', ({ address }) => ({
    ...POSTFIX,
    subject: 'Successful Mail Delivery Report',
    recipients: [[`Final-Recipient: rfc822; ${address}`, 'Action: relayed', 'Status: 2.0.0']],
  })),
  'one reader of a shared address is gone, another got it': reportShape('arrived', ({ address }) => ({
    ...POSTFIX,
    recipients: [
      [`Final-Recipient: rfc822; ${address}`, 'Action: expanded', 'Status: 2.0.0'],
      ['Final-Recipient: rfc822; gone@b.example', 'Action: failed', 'Status: 5.1.1'],
    ],
  })),
  'a failure without a status': reportShape('unclear', ({ address }) => ({
    ...EXIM,
    recipients: [[`Final-Recipient: rfc822;${address}`, 'Action: failed']],
  })),
};

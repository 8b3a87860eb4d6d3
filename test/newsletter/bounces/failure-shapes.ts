/**
 * Delivery reports as common mail servers write them. Made up after RFC 3464, RFC 6522 and what each program is known to produce; all
 * names are examples.
 */

import {
  EXCHANGE,
  EXIM,
  GMAIL,
  gmailFields,
  POSTFIX,
  reportShape,
  type Shape,
  writeReport,
} from './a-report.ts';

/** The mailbox or its domain does not exist. */
export const GONE_SHAPES: Readonly<Record<string, Shape>> = {
  'Postfix: no such user': reportShape('stopped', ({ address }) => ({
    ...POSTFIX,
    recipients: [
      [
        `Final-Recipient: rfc822; ${address}`,
        `Original-Recipient: rfc822;${address}`,
        'Action: failed',
        'Status: 5.1.1',
        'Remote-MTA: dns; mx.example.net',
        `Diagnostic-Code: smtp; 550 5.1.1 <${address}>: Recipient address rejected: User`,
        '    unknown in virtual mailbox table',
      ],
    ],
  })),
  'Postfix: no such domain': reportShape('stopped', ({ address }) => ({
    ...POSTFIX,
    recipients: [
      [
        `Final-Recipient: rfc822; ${address}`,
        'Action: failed',
        'Status: 5.4.4',
        'Diagnostic-Code: X-Postfix; Host or domain name not found. Name service error for',
        '    name=b.example type=AAAA: Host not found',
      ],
    ],
  })),
  'Postfix, into a command: with the line of a mailbox and its own headers': {
    verdict: 'stopped',
    raw: (about) => {
      const report = writeReport(
        { ...about, returnPath: 'undisclosed-recipients:;' },
        {
          ...POSTFIX,
          recipients: [[`Final-Recipient: rfc822; ${about.address}`, 'Action: failed', 'Status: 5.1.1']],
        },
      );
      const mailbox = 'From MAILER-DAEMON  Mon Nov 23 17:05:12 2026';
      return `${mailbox}\nX-Original-To: ${about.returnPath}\nDelivered-To: ${about.returnPath}\n${report}`;
    },
  },
  'Exim: the exact code is in the diagnostic': reportShape('stopped', ({ address }) => ({
    ...EXIM,
    headers: [`X-Failed-Recipients: ${address}`],
    recipients: [
      [
        'Action: failed',
        `Final-Recipient: rfc822;${address}`,
        'Status: 5.0.0',
        'Remote-MTA: dns; mx.example.net',
        'Diagnostic-Code: smtp; 550 5.1.1 The email account that you tried to reach does not exist.',
      ],
    ],
  })),
  'Exim: a bare 550': reportShape('stopped', ({ address }) => ({
    ...EXIM,
    recipients: [
      [
        'Action: failed',
        `Final-Recipient: rfc822;${address}`,
        'Status: 5.0.0',
        'Remote-MTA: dns; mx.example.net',
        `Diagnostic-Code: smtp; 550 No such recipient here: ${address}`,
      ],
    ],
  })),
  'Sendmail: user unknown': reportShape('stopped', ({ address }) => ({
    from: 'Mail Delivery Subsystem <MAILER-DAEMON@sendmail.example.net>',
    subject: 'Returned mail: see transcript for details',
    boundary: '5AN.1795453512/sendmail.example.net',
    headers: ['Auto-Submitted: auto-generated (failure)'],
    message: [
      'Reporting-MTA: dns; sendmail.example.net',
      'Received-From-MTA: DNS; relay.example.org',
      'Arrival-Date: Mon, 23 Nov 2026 17:05:11 GMT',
    ],
    recipients: [
      [
        `Final-Recipient: RFC822; ${address}`,
        `X-Actual-Recipient: X-Unix; |/usr/bin/filter`,
        'Action: failed',
        'Status: 5.1.1',
        'Remote-MTA: DNS; mx.example.net',
        `Diagnostic-Code: SMTP; 550 5.1.1 <${address}>... User unknown`,
        'Last-Attempt-Date: Mon, 23 Nov 2026 17:05:12 GMT',
      ],
    ],
  })),
  'Exchange Online: recipient not found': reportShape('stopped', ({ address }) => ({
    ...EXCHANGE,
    recipients: [
      [
        `Final-Recipient: rfc822;${address}`,
        'Action: failed',
        'Status: 5.1.10',
        'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
      ],
    ],
  })),
  'Office 365: access denied at the edge': reportShape('stopped', ({ address }) => ({
    ...EXCHANGE,
    recipients: [
      [
        `Final-Recipient: rfc822;${address}`,
        'Action: failed',
        'Status: 5.4.1',
        'Remote-MTA: dns;tenant-example.mail.protection.example',
        'Diagnostic-Code: smtp;550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [AM3PEPF0000A1B2.tenant.example]',
        'X-Display-Name: Ann Reader',
      ],
    ],
  })),
  'Outlook.com: mailbox unavailable': reportShape('stopped', ({ address }) => ({
    ...POSTFIX,
    recipients: [
      [
        `Final-Recipient: rfc822; ${address}`,
        `Original-Recipient: rfc822;${address}`,
        'Action: failed',
        'Status: 5.5.0',
        'Remote-MTA: dns; mx.example.com',
        'Diagnostic-Code: smtp; 550 5.5.0 Requested action not taken: mailbox unavailable',
      ],
    ],
  })),
  'Gmail: no such user': reportShape('stopped', ({ address }) => ({
    ...GMAIL,
    recipients: [
      gmailFields(address, '5.1.1', '550-5.1.1 The email account that you tried to reach does not exist.'),
    ],
  })),
  'Gmail: the account is disabled': reportShape('stopped', ({ address }) => ({
    ...GMAIL,
    recipients: [
      gmailFields(address, '5.2.1', '550 5.2.1 The email account that you tried to reach is disabled.'),
    ],
  })),
  'Amazon SES': reportShape('stopped', ({ address }) => ({
    from: 'MAILER-DAEMON@ses.example.com',
    subject: 'Delivery Status Notification (Failure)',
    message: ['Reporting-MTA: dns; a8-50.smtp-out.example.com'],
    recipients: [
      [
        'Action: failed',
        `Final-Recipient: rfc822; ${address}`,
        'Diagnostic-Code: smtp; 550 5.1.1 user unknown',
        'Status: 5.1.1',
      ],
    ],
  })),
  'Courier: bare line ends': {
    verdict: 'stopped',
    raw: (about) =>
      writeReport(about, {
        from: '"Courier mail server at courier.example.net" <@>',
        subject: 'NOTICE: mail delivery status.',
        recipients: [
          [
            `Final-Recipient: rfc822; ${about.address}`,
            'Action: failed',
            'Status: 5.0.0',
            'Remote-MTA: dns; mx.example.net [192.0.2.25]',
            'Diagnostic-Code: smtp; 550 5.1.1 Mailbox does not exist',
          ],
        ],
      }).replaceAll('\r\n', '\n'),
  },
  'OpenSMTPD: angle brackets and no diagnostic': reportShape('stopped', ({ address }) => ({
    from: 'Mailer Daemon <MAILER-DAEMON@opensmtpd.example.net>',
    subject: 'Delivery status notification: error',
    recipients: [[`Final-Recipient: rfc822; <${address}>`, 'Action: failed', 'Status: 5.1.1']],
  })),
  'Domino: its own address type beside ours': reportShape('stopped', ({ address }) => ({
    from: 'Postmaster@domino.example.net',
    subject: 'DELIVERY FAILURE: User ann not listed in Domino Directory',
    recipients: [
      [
        'Final-Recipient: X-Notes; CN=Ann/O=Example',
        `Original-Recipient: rfc822; ${address}`,
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: X-Notes; User ann (ann@b.example) not listed in Domino Directory',
      ],
    ],
  })),
  'a status part in base64, in capitals': reportShape('stopped', ({ address }) => ({
    from: 'postmaster@gateway.example.net',
    subject: 'Delivery failure',
    type: 'Report-Type="Delivery-Status"',
    status: { encoding: 'base64', type: 'MESSAGE/DELIVERY-STATUS; name="details.txt"' },
    recipients: [[`FINAL-RECIPIENT: RFC822; ${address.toUpperCase()}`, 'ACTION: FAILED', 'STATUS: 5.1.1']],
  })),
  'a status part in quoted-printable, with a line broken in two': reportShape('stopped', ({ address }) => ({
    ...POSTFIX,
    status: { encoding: 'quoted-printable' },
    recipients: [[`Final-Recipient: rfc822; ${address}`, 'Action: failed', 'Status: 5.1.1']],
  })),
  'RFC 6533: addresses of all scripts': reportShape('stopped', ({ address }) => ({
    ...POSTFIX,
    type: 'report-type=global-delivery-status',
    status: { type: 'message/global-delivery-status' },
    recipients: [[`Final-Recipient: utf-8; ${address}`, 'Action: failed', 'Status: 5.1.1']],
  })),
};

/** Writes delivery reports as RFC 3464 has them, for the shapes of mail that comes to a return path. */

/** Whom a report is about: the return path it comes to, and the subscriber's address. */
export type About = { returnPath: string; address: string };

export type Verdict = 'stopped' | 'temporary' | 'arrived' | 'delayed' | 'unclear' | 'not-a-report';

export type Shape = { verdict: Verdict; raw(about: About): string };

export type Report = {
  from: string;
  subject: string;
  /** Headers of the message besides the usual ones. */
  headers?: string[];
  /** Fields about the message. */
  message?: string[];
  /** Fields about each recipient. */
  recipients: string[][];
  words?: string;
  boundary?: string;
  type?: string;
  /** Of the part with the fields. */
  status?: { type?: string; encoding?: 'base64' | 'quoted-printable' };
};

const QUOTED = ['From: Openings <news@openings.example>', 'Subject: 12 new businesses'];

/** A report as RFC 3464 has it: words for people, fields for programs, and what came back. */
export function writeReport({ returnPath, address }: About, report: Report): string {
  const { boundary = '=_boundary_1', type = 'report-type=delivery-status', status = {} } = report;
  const { message = ['Reporting-MTA: dns; mx.example.net'], recipients, headers = [] } = report;
  const fields = [message, ...recipients].map((group) => `${group.join('\r\n')}\r\n`).join('\r\n');
  return [
    'Return-Path: <>',
    `From: ${report.from}`,
    `To: ${returnPath}`,
    `Subject: ${report.subject}`,
    'Date: Mon, 23 Nov 2026 17:05:12 +0000',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    ...headers,
    `Content-Type: multipart/report; ${type};\r\n\tboundary="${boundary}"`,
    '',
    'This is a MIME-encapsulated message.',
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    report.words ?? `Your message could not be delivered to ${address}.`,
    '',
    `--${boundary}`,
    `Content-Type: ${status.type ?? 'message/delivery-status'}`,
    ...(status.encoding === undefined ? [] : [`Content-Transfer-Encoding: ${status.encoding}`]),
    '',
    encode(fields, status.encoding),
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    ...QUOTED,
    `To: ${address}`,
    '',
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

function encode(fields: string, encoding: 'base64' | 'quoted-printable' | undefined): string {
  if (encoding === 'base64') return Buffer.from(fields).toString('base64');
  return encoding === undefined
    ? fields
    : fields.replaceAll('@', '=40').replaceAll('Recipient', 'Reci= \r\npient');
}

export const reportShape = (verdict: Verdict, report: (about: About) => Report): Shape => ({
  verdict,
  raw: (about) => writeReport(about, report(about)),
});

export const POSTFIX = {
  from: 'MAILER-DAEMON@relay.example.org (Mail Delivery System)',
  subject: 'Undelivered Mail Returned to Sender',
  boundary: '4Wd8xk0Q2Yz9.1795453512/relay.example.org',
  message: [
    'Reporting-MTA: dns; relay.example.org',
    'X-Postfix-Queue-ID: 4Wd8xk0Q2Yz9',
    'X-Postfix-Sender: rfc822; news@openings.example',
    'Arrival-Date: Mon, 23 Nov 2026 17:05:11 +0000 (UTC)',
  ],
};
export const EXIM = {
  from: 'Mail Delivery System <Mailer-Daemon@exim.example.net>',
  subject: 'Mail delivery failed: returning message to sender',
  boundary: '1795453512-eximdsn-1804289383',
  message: ['Reporting-MTA: dns; exim.example.net'],
};
export const EXCHANGE = {
  from: 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@tenant.example>',
  subject: 'Undeliverable: 12 new businesses',
  boundary: '_000_d2f4c7f1AM0PR01MB0001_',
  headers: ['X-MS-Exchange-Message-Is-Ndr:', 'Content-Language: en-US'],
  message: [
    'Reporting-MTA: dns;AM0PR01MB0001.tenant.example',
    'Received-From-MTA: dns;relay.example.org',
    'Arrival-Date: Mon, 23 Nov 2026 17:05:11 +0000',
  ],
};
export const GMAIL = {
  from: 'Mail Delivery Subsystem <mailer-daemon@mail.example.com>',
  subject: 'Delivery Status Notification (Failure)',
  boundary: '000000000000a1b2c305f1e2d3c4',
  message: [
    'Reporting-MTA: dns; mail.example.com',
    'Arrival-Date: Mon, 23 Nov 2026 09:05:11 -0800 (PST)',
    'X-Original-Message-ID: <00112233445566778899aabbccddeeff@openings.example>',
  ],
};
export const gmailFields = (address: string, status: string, says: string) => [
  `Final-Recipient: rfc822; ${address}`,
  'Action: failed',
  `Status: ${status}`,
  'Remote-MTA: dns; mx.example.com. (192.0.2.26, the server for the domain example.com.)',
  `Diagnostic-Code: smtp; ${says}`,
  'Last-Attempt-Date: Mon, 23 Nov 2026 09:05:12 -0800 (PST)',
];

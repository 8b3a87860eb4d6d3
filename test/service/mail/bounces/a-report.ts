/** Mail that comes to a return path: delivery reports, written as RFC 3464 has them, and everything in mail.json. */

import { readFileSync } from 'node:fs';

/** Whom a report is about: the return path it comes to, and the subscriber's address. */
export type About = { returnPath: string; address: string };

type Verdict = 'stopped' | 'temporary' | 'arrived' | 'delayed' | 'unclear' | 'not-a-report';

type Shape = { verdict: Verdict; raw(about: About): string };

type Report = {
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

type Program = 'Postfix' | 'Exim' | 'Exchange' | 'Gmail';
type Mail = {
  programs: Record<Program, Omit<Report, 'recipients'>>;
  reports: Record<string, Report & { verdict: Verdict; program?: Program; lineEnd?: string }>;
  /** The lines of what is no report. */
  others: Record<string, string[]>;
};
const MAIL = JSON.parse(readFileSync(new URL('mail.json', import.meta.url), 'utf8')) as Mail;

const QUOTED = ['From: Openings <news@openings.example>', 'Subject: 12 new businesses'];

/** A report as RFC 3464 has it: words for people, fields for programs, and what came back. */
function writeReport({ returnPath, address }: About, report: Report): string {
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

/** The same from Postfix, about one failure. */
export const reportFailure = (about: About, status = '5.1.1'): string =>
  writeReport(about, {
    ...MAIL.programs.Postfix,
    recipients: [[`Final-Recipient: rfc822; ${about.address}`, 'Action: failed', `Status: ${status}`]],
  });

/** What Exim writes without RFC 3464, as its versions before 4.83 do; `lines` is what the server said. */
export const eximText = (
  { address, returnPath }: About,
  lines = [
    'SMTP error from remote mail server after RCPT TO:<{address}>:',
    '550 5.1.1 <{address}>: User unknown',
  ],
): string =>
  [
    'Return-path: <>',
    `Envelope-to: ${returnPath}`,
    `X-Failed-Recipients: ${address}`,
    'Auto-Submitted: auto-replied',
    'From: Mail Delivery System <Mailer-Daemon@exim.example.net>',
    `To: ${returnPath}`,
    'Subject: Mail delivery failed: returning message to sender',
    '',
    'A message that you sent could not be delivered to one or more of its',
    'recipients. This is a permanent error. The following address(es) failed:',
    '',
    `  ${address}`,
    '    host mx.b.example [192.0.2.25]',
    ...lines.map((line) => `    ${line.replaceAll('{address}', address)}`),
    '',
    '------ This is a copy of the message, including all the headers. ------',
    '',
    'Subject: 550 5.7.1 new businesses',
    '',
  ].join('\r\n');

const fill = (text: string, { address, returnPath }: About): string =>
  text
    .replaceAll('{address}', address)
    .replaceAll('{ADDRESS}', address.toUpperCase())
    .replaceAll('{returnPath}', returnPath);

function readReports(): Record<string, Shape> {
  return Object.fromEntries(
    Object.entries(MAIL.reports).map(([name, { verdict, program, lineEnd = '\r\n', ...report }]) => {
      const raw = (about: About) => {
        const filled = JSON.parse(fill(JSON.stringify(report), about)) as Report;
        const whole = { ...(program && MAIL.programs[program]), ...filled };
        return writeReport(about, whole).replaceAll('\r\n', lineEnd);
      };
      return [name, { verdict, raw }];
    }),
  );
}

function readOthers(): Record<string, Shape> {
  return Object.fromEntries(
    Object.entries(MAIL.others).map(([name, lines]) => [
      name,
      { verdict: 'not-a-report', raw: (about) => fill(lines.join('\r\n'), about) },
    ]),
  );
}

/** Everything in mail.json, and one with a head that is not a report's. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  ...readReports(),
  ...readOthers(),
  'Postfix, into a command: with the line of a mailbox and its own headers': {
    verdict: 'stopped',
    raw: (about) => {
      const report = reportFailure({ ...about, returnPath: 'undisclosed-recipients:;' });
      const mailbox = 'From MAILER-DAEMON  Mon Nov 23 17:05:12 2026';
      return `${mailbox}\nX-Original-To: ${about.returnPath}\nDelivered-To: ${about.returnPath}\n${report}`;
    },
  },
};

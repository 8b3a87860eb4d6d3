/**
 * Mail that comes to a return path and is no delivery report: older formats, automatic replies, complaints, spam. Made up after what
 * common programs produce; all names are examples.
 */

import { type About, type Shape, writeReport } from './a-report.ts';

const mail = (headers: string[], body: string[]): string =>
  [...headers, 'Date: Mon, 23 Nov 2026 17:05:12 +0000', 'MIME-Version: 1.0', '', ...body, ''].join('\r\n');

const other = (raw: (about: About) => string): Shape => ({ verdict: 'not-a-report', raw });

const failure = (about: About) =>
  writeReport(about, {
    from: 'MAILER-DAEMON@relay.example.org',
    subject: 'Undelivered Mail Returned to Sender',
    boundary: 'inner',
    recipients: [[`Final-Recipient: rfc822; ${about.address}`, 'Action: failed', 'Status: 5.1.1']],
  });

/** Parts of two other kinds of reports, RFC 5965 and RFC 8098. */
const parts = (about: About, type: string, part: string, fields: string[]) =>
  mail(
    [
      'From: postmaster@provider.example',
      `To: ${about.returnPath}`,
      'Subject: A report about your message',
      `Content-Type: multipart/report; report-type=${type}; boundary="b1"`,
    ],
    [
      ...['--b1', 'Content-Type: text/plain', '', 'This is a report.', ''],
      ...['--b1', `Content-Type: ${part}`, '', ...fields, ''],
      ...[
        '--b1',
        'Content-Type: message/rfc822',
        '',
        'Subject: 12 new businesses',
        '',
        'Hello',
        '',
        '--b1--',
      ],
    ],
  );

export const OTHER_SHAPES: Readonly<Record<string, Shape>> = {
  'qmail: its own format in plain text': other(({ returnPath, address }) =>
    mail(
      ['From: MAILER-DAEMON@qmail.example.net', `To: ${returnPath}`, 'Subject: failure notice'],
      [
        'Hi. This is the qmail-send program at qmail.example.net.',
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        "This is a permanent error; I've given up. Sorry it didn't work out.",
        '',
        `<${address}>:`,
        '192.0.2.25 does not like recipient.',
        'Remote host said: 550 5.1.1 User unknown',
        'Giving up on 192.0.2.25.',
        '',
        '--- Below this line is a copy of the message.',
      ],
    ),
  ),
  'an older Exim: plain text': other(({ returnPath, address }) =>
    mail(
      [
        `X-Failed-Recipients: ${address}`,
        'Auto-Submitted: auto-replied',
        'From: Mail Delivery System <Mailer-Daemon@exim.example.net>',
        `To: ${returnPath}`,
        'Subject: Mail delivery failed: returning message to sender',
      ],
      [
        'A message that you sent could not be delivered to one or more of its recipients.',
        'This is a permanent error. The following address(es) failed:',
        '',
        `  ${address}`,
        '    Unrouteable address',
      ],
    ),
  ),
  'a failure in words alone': other(({ returnPath, address }) =>
    mail(
      [
        'From: postmaster@webmail.example.net',
        `To: ${returnPath}`,
        'Subject: Message status - undeliverable',
      ],
      [`The message was not delivered to ${address}`, 'Action: failed', 'Status: 5.1.1'],
    ),
  ),
  'a failure whose fields are an ordinary attachment': other((about) =>
    failure(about).replace('multipart/report; report-type=delivery-status', 'multipart/mixed'),
  ),
  'somebody forwards a failure': other((about) =>
    mail(
      [
        'From: Ann Reader <ann@b.example>',
        `To: ${about.returnPath}`,
        'Subject: Fwd: Undelivered Mail Returned to Sender',
        'Content-Type: multipart/mixed; boundary="outer"',
      ],
      [
        ...['--outer', 'Content-Type: text/plain', '', 'What is this?', ''],
        ...['--outer', 'Content-Type: message/rfc822', '', failure(about), '--outer--'],
      ],
    ),
  ),
  'Outlook: out of the office': other(({ returnPath }) =>
    mail(
      [
        'From: Ann Reader <ann@b.example>',
        `To: ${returnPath}`,
        'Subject: Automatic reply: 12 new businesses',
        'Auto-Submitted: auto-generated',
        'X-Auto-Response-Suppress: All',
        'Content-Type: text/html; charset=utf-8',
      ],
      ['<p>I am out of the office until 5.1.1 and have failed to leave a deputy.</p>'],
    ),
  ),
  'Gmail: a vacation responder': other(({ returnPath }) =>
    mail(
      [
        'From: Ann Reader <ann@b.example>',
        `To: ${returnPath}`,
        'Subject: On vacation Re: 12 new businesses',
        'Auto-Submitted: auto-replied',
        'Precedence: bulk',
      ],
      ['I am away. Action: failed'],
    ),
  ),
  'a request to prove that one is a person': other(({ returnPath }) =>
    mail(
      ['From: ann-confirm@b.example', `To: ${returnPath}`, 'Subject: Please confirm your message'],
      ['Reply to this message once, and all further mail will be delivered.'],
    ),
  ),
  'a complaint in the format of feedback loops': other((about) =>
    parts(about, 'feedback-report', 'message/feedback-report', [
      'Feedback-Type: abuse',
      'User-Agent: ExampleLoop/1.0',
      'Version: 1',
      `Original-Rcpt-To: ${about.address}`,
    ]),
  ),
  'a reading confirmation': other((about) =>
    parts(about, 'disposition-notification', 'message/disposition-notification', [
      `Final-Recipient: rfc822; ${about.address}`,
      'Disposition: automatic-action/MDN-sent-automatically; deleted/error',
      'Failure: 5.1.1',
    ]),
  ),
  'a report of DMARC': other(({ returnPath }) =>
    mail(
      [
        'From: noreply-dmarc@provider.example',
        `To: ${returnPath}`,
        'Subject: Report domain: openings.example',
        'Content-Type: application/gzip; name="report.xml.gz"',
        'Content-Transfer-Encoding: base64',
      ],
      ['H4sIAAAAAAAAA0tMTAQAcHsOhgUAAAA='],
    ),
  ),
  spam: other(({ returnPath }) =>
    mail(
      [
        'From: "Lucky" <win@spam.example>',
        `To: ${returnPath}`,
        'Subject: You have won',
        'Content-Type: text/html',
      ],
      ['<a href="https://spam.example/">Claim now</a>'],
    ),
  ),
};

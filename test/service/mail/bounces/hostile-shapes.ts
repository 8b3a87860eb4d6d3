/** Messages of the largest size that is read, each in a shape that could cost a reader too much. The same for the same seed. */

import { random as randomFrom } from '../../../../cities/sample/random.ts';
import { MOST_REPORT_BYTES } from '../../../../src/service/mail/bounces/delivery-report.ts';

const HEAD_BYTES = 120_000; // a little less than is read of a head

/** What fills them, repeated. */
const PIECES = [
  ...['\n', '\r\n', '\r', ' ', '\t', '\0', '\u00ff', 'a', 'a\n'],
  ...['a: b\n', ': \n', '"', '\\"', '<', '(', ';', ',', '='],
  ...['--', '--b', '--b\n', '--b\r\r\n', '--b--x\n', '--bb\n'],
  ...['--b \t \n\n', '=\n', '= \t', '=41', '=C3=', 'QQ==', '; boundary="'],
  ...[' =?utf-8?Q?=41?=', '=?utf-8?B?QQ==?= ', '; report-type='],
  ...['; boundary=b', ' boundary*0="b";', 'a@b.example, '],
  ...['Status: 5.1.1\n', 'Final-Recipient: rfc822; a\n\n'],
  ...['Content-Type: message/rfc822\n\n', 'Diagnostic-Code: smtp; 550-'],
  ...[
    'bounces+0@openings.example',
    '--b\nContent-Type: message/delivery-status\n\n',
    'Content-Type: multipart/mixed; boundary=b\n\n',
  ],
];

type Fill = (bytes: number) => string;
type Random = () => number;

const between = (random: Random, least: number, most: number): number =>
  Math.floor(least * (most / least) ** random());

const report = (parts: string, more = ''): string =>
  `Content-Type: multipart/report; report-type=delivery-status${more}; boundary=b\nTo: bounces@openings.example\n\n${parts}`;
const statusPart = (fields: string, encoding = '8bit'): string =>
  `--b\nContent-Type: message/delivery-status\nContent-Transfer-Encoding: ${encoding}\n\n${fields}\n--b\n`;
const FIELDS =
  'Reporting-MTA: dns; a\n\nFinal-Recipient: rfc822; a@b.example\nAction: failed\nStatus: 5.1.1\n';

const messagesInside = (depth: number): string => 'Content-Type: message/rfc822\n\n'.repeat(depth);
const partsInside = (depth: number): string =>
  Array.from({ length: depth }, (_, i) => `Content-Type: multipart/mixed; boundary=c${i}\n\n--c${i}\n`).join(
    '',
  );

/** Where the filling is. */
const PLACES: ((fill: Fill, random: Random) => string)[] = [
  (fill, random) => messagesInside(between(random, 1, 30_000)) + fill(MOST_REPORT_BYTES),
  (fill, random) =>
    report(statusPart(FIELDS) + messagesInside(between(random, 1, 30_000))) + fill(MOST_REPORT_BYTES),
  (fill, random) => partsInside(between(random, 1, 20_000)) + fill(MOST_REPORT_BYTES),
  (fill, random) => report(partsInside(between(random, 1, 20_000)) + fill(MOST_REPORT_BYTES)),
  (fill) => report(fill(MOST_REPORT_BYTES)),
  (fill) => report(`--b\n${fill(HEAD_BYTES)}\n\n`) + fill(MOST_REPORT_BYTES),
  (fill) => report('', fill(HEAD_BYTES).replaceAll('\n', '\n ')) + fill(MOST_REPORT_BYTES),
  (fill) =>
    `To: ${fill(HEAD_BYTES).replaceAll('\n', '\n ')}\n${report(statusPart(FIELDS))}${fill(MOST_REPORT_BYTES)}`,
  (fill) => fill(HEAD_BYTES) + report(statusPart(FIELDS) + fill(MOST_REPORT_BYTES)),
  (fill) => fill(MOST_REPORT_BYTES),
  ...['8bit', 'base64', 'quoted-printable'].flatMap((encoding) =>
    [HEAD_BYTES, MOST_REPORT_BYTES].map(
      (bytes) => (fill: Fill) => report(statusPart(FIELDS + fill(bytes), encoding) + fill(MOST_REPORT_BYTES)),
    ),
  ),
];

/** One to three pieces, over and over, in one place. */
export function aHostileShape(seed: number): Buffer {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const unit = Array.from({ length: between(random, 1, 4) }, () => pick(PIECES)).join('');
  const text = pick(PLACES)((bytes) => unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes), random);
  return Buffer.from(text.slice(0, MOST_REPORT_BYTES), 'latin1');
}

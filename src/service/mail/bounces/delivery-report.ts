/**
 * Reads messages to the return path and judges those that are delivery reports (RFC 3464, or Exim's own text). Strangers
 * can send such messages, so their size is limited and they are never shown. The work is proportional to the size.
 */

import { parseAddress } from '../../subscribers/address.ts';
import { type BounceAddress, type ReturnPathToken, readReturnPath } from './return-path.ts';

export const MOST_REPORT_BYTES = 1_048_576; // a report quotes one of our messages and needs far less
const MOST_RECIPIENTS = 20; // each of our messages has one recipient, but forwarding can add more

const MOST_HEAD_LENGTH = 131_072;
const MOST_PARTS = 20; // a report has three parts

export type ReportedRecipient = {
  /**
   * The action in lower case: `failed`, `delayed`, `delivered`, `relayed` or `expanded`. Empty if the report has none.
   */
  action: string;
  /** An RFC 3463 code such as `5.1.1`. Empty if the report has none. */
  status: string;
  /** The remote server's SMTP response. Empty if the report has none. */
  diagnostic: string;
  /** The final and the original address of the recipient, without types such as `rfc822;`. */
  addresses: readonly string[];
  /** Whether the report is text for people. It counts only if it says that this very address does not exist. */
  isText?: boolean;
};

type DeliveryReport = { tokens: readonly ReturnPathToken[]; recipients: readonly ReportedRecipient[] };

/** Headers that name a message's destination. On delivery, mail servers add all except `to`. */
const SENT_TO = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'];
const MOST_TOKENS = 20;

/** Reads a report. Returns `not-a-report` for other messages, `unreadable` for too many parts or large heads. */
export function readDeliveryReport(
  bytes: Uint8Array,
  bounces: BounceAddress,
): DeliveryReport | 'not-a-report' | 'unreadable' {
  try {
    return readReport(new TextDecoder().decode(bytes), bounces);
  } catch {
    return 'unreadable'; // does not throw, so that the following messages are still read
  }
}

function readReport(text: string, bounces: BounceAddress): DeliveryReport | 'not-a-report' {
  // removes the first line of an mbox
  const message = text.startsWith('From ') ? text.slice(text.indexOf('\n') + 1) : text;
  const { fields, body } = readPart(message);
  const tokens = fields
    .filter(({ name }) => SENT_TO.includes(name))
    // quoted text may contain anything
    .flatMap(({ value }) => value.replaceAll(/"[^"]*"/g, ' ').split(/[\s,;:<>()]/))
    .flatMap((address) => readReturnPath(bounces, address) ?? [])
    .slice(0, MOST_TOKENS);
  const boundary = findReportBoundary(findField(fields, 'content-type'));
  if (boundary === undefined) {
    const failed = readEximText(fields, { fields, body });
    return failed === undefined ? 'not-a-report' : { tokens, recipients: [failed] };
  }
  const parts = splitParts(body, boundary).map(readPart);
  const [status, ...others] = parts.filter((part) =>
    STATUS_PART.test(findField(part.fields, 'content-type')),
  );
  if (status === undefined || others.length > 0) return 'not-a-report';
  // Empty lines separate groups. The first group describes the message, and each other group a recipient.
  const [, ...groups] = decodePart(status)
    .split(/\n\s*\n/)
    .filter((group) => group.trim() !== '');
  if (groups.length === 0 || groups.length > MOST_RECIPIENTS) return 'not-a-report';
  const recipients = groups.map((group) => readRecipient(readFields(group)));
  // Exim has no code for what it found out itself, unless its text has one
  const isWithoutCode = recipients.every((one) => one.status === '5.0.0' && one.diagnostic === '');
  const failed = isWithoutCode && readEximText(fields, parts[0]!);
  return { tokens, recipients: failed ? [...recipients, failed] : recipients };
}

/** A status code (RFC 3463) at the start of a line or after a reply code, as in `550 5.1.1 User unknown`. */
const STATUS_IN_TEXT = /^(?:.*?\b[45]\d\d[ -]|[ \t]*)([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/gm;

/**
 * Reads Exim's text about one failed address. It must come from `<>`, name the address in `X-Failed-Recipients`, and have
 * no other codes than those of an address that does not exist. Returns `undefined` for any other text.
 */
function readEximText(fields: readonly Field[], part: MessagePart): ReportedRecipient | undefined {
  const senders = fields.filter(({ name }) => name === 'return-path');
  const failed = fields.filter(({ name }) => name === 'x-failed-recipients');
  const type = findField(part.fields, 'content-type');
  const isText = type === '' || /^text\/plain\b/i.test(type);
  if (senders.length === 0 || senders.some(({ value }) => value !== '<>') || failed.length !== 1 || !isText)
    return undefined;
  const start = decodePart({ ...part, body: part.body.slice(0, MOST_HEAD_LENGTH) });
  const [text = ''] = start.split(/^-{4,}/m, 1); // a copy of our message follows the dashes
  const [status, ...others] = new Set(Array.from(text.matchAll(STATUS_IN_TEXT), ([, code]) => code!));
  if (status === undefined || others.length > 0 || !/^5\.1\./.test(status)) return undefined;
  return { action: 'failed', status, diagnostic: '', addresses: [failed[0]!.value], isText: true };
}

const STATUS_PART = /^message\/(?:global-)?delivery-status(?:[\s;]|$)/i;

/** Returns the boundary of a delivery report (RFC 6522 or RFC 6533), or `undefined` for other messages. */
function findReportBoundary(contentType: string): string | undefined {
  const isReport =
    /^multipart\/report\b/i.test(contentType) &&
    /;\s*report-type\s*=\s*"?(?:global-)?delivery-status\b/i.test(contentType);
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  return isReport ? (quoted ?? bare) : undefined;
}

function readRecipient(fields: readonly Field[]): ReportedRecipient {
  const read = (name: string): string => findField(fields, name);
  const named = ['final-recipient', 'original-recipient'].map((name) => read(name).replace(/^[^;]*;\s*/, ''));
  return {
    action: /^[a-z]+/i.exec(read('action'))?.[0].toLowerCase() ?? '',
    status: /^[245]\.\d{1,3}\.\d{1,3}(?!\d)/.exec(read('status'))?.[0] ?? '',
    diagnostic: /^smtp\s*;(.*)/i.exec(read('diagnostic-code'))?.[1] ?? '',
    addresses: named.filter(Boolean).map((address) => address.replace(/^<(.*)>$/, '$1')),
  };
}

type Field = { name: string; value: string };

type MessagePart = { fields: readonly Field[]; body: string };

/** Splits a part into head and body at the first empty line. Throws if the head is too large. */
function readPart(text: string): MessagePart {
  const [head = ''] = text.split(/(?<![^\n])\r*\n/, 1);
  if (head.length > MOST_HEAD_LENGTH) throw new Error('the head is too large');
  return { fields: readFields(head), body: text.slice(head.length).replace(/^\r*\n/, '') };
}

/** Reads the fields of a head and joins folded lines. Names are in lower case. */
function readFields(head: string): Field[] {
  return head.split(/\n(?![ \t])/).map((field) => {
    const [name = ''] = field.split(':', 1);
    const value = field.slice(name.length + 1).replaceAll(/[\r\n]/g, '');
    return { name: name.trim().toLowerCase(), value: value.trim() };
  });
}

function findField(fields: readonly Field[], name: string): string {
  return fields.find((field) => field.name === name)?.value ?? '';
}

/** Splits a body into parts (RFC 2046 section 5.1.1). The last part may be incomplete. Throws if there are too many. */
export function splitParts(body: string, boundary: string): string[] {
  const delimiter = new RegExp(`(?<![^\\n])--${RegExp.escape(boundary)}(--)?[^\\S\\n]*(?:\\n|$)`, 'g');
  const parts: string[] = [];
  let start: number | undefined;
  for (const { 0: line, 1: last, index } of body.matchAll(delimiter)) {
    if (start !== undefined) parts.push(body.slice(start, index));
    if (last !== undefined) return parts;
    if (parts.length >= MOST_PARTS) throw new Error('there are too many parts');
    start = index + line.length;
  }
  return start === undefined ? parts : [...parts, body.slice(start)];
}

/** Decodes the text of a part. Throws if the text exceeds the size limit for heads. */
function decodePart({ fields, body }: MessagePart): string {
  if (body.length > MOST_HEAD_LENGTH) throw new Error('the part is too large');
  const [encoding] = /[\w-]+/.exec(findField(fields, 'content-transfer-encoding').toLowerCase()) ?? [];
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll(/=[ \t]*\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/**
 * What a report can mean. If its recipients differ, the meaning that comes first counts. `permanent`: the mailbox does not exist.
 * `temporary`: the server gave up, or the mailbox belongs to someone the mail was forwarded to. `unclear`: anything else.
 */
const MEANINGS = ['arrived', 'permanent', 'temporary', 'delayed', 'unclear'] as const;

type Judged = { is: (typeof MEANINGS)[number]; status: string };

/**
 * RFC 3463 codes that do not mean a missing mailbox: our own address, a full mailbox, a message that is too large, a
 * delivery that took too long (5.4.7, and Exchange's 5.4.3xx), protocol, content, policy.
 */
const NOT_THE_ADDRESS = /^5\.(?:0\.0|1\.[78]|2\.[23]|3\.4|4\.7|4\.3\d\d|5\.[1-9]|6\.\d+|7\.\d+)$/;

/** Judges a report about a message to `address`. */
export function judgeRecipients(recipients: readonly ReportedRecipient[], address: string): Judged {
  const judged = recipients.map((recipient) => judgeRecipient(recipient, address));
  const rank = ({ is }: Judged) => MEANINGS.indexOf(is);
  return judged.toSorted((a, b) => rank(a) - rank(b))[0] ?? { is: 'unclear', status: '' };
}

function judgeRecipient(recipient: ReportedRecipient, address: string): Judged {
  const { action, status } = recipient;
  if (/^(?:delivered|relayed|expanded)$/.test(action)) return { is: 'arrived', status };
  if (action === 'delayed') return { is: 'delayed', status };
  if (action !== 'failed' || !/^[45]/.test(status)) return { is: 'unclear', status };
  const exact = findExactStatus(recipient);
  const isAboutAddress = exact.startsWith('5.') && !NOT_THE_ADDRESS.test(exact);
  const identity = parseAddress(address)?.identity;
  const isNamed =
    identity !== undefined && recipient.addresses.some((named) => parseAddress(named)?.identity === identity);
  if (isAboutAddress && isNamed) return { is: 'permanent', status: exact };
  return { is: recipient.isText ? 'unclear' : 'temporary', status: exact };
}

/**
 * Returns the most precise status. Servers such as Exim report 5.0.0 even if a remote server was only unreachable, so
 * this uses the remote server's own code, where 550, 551 and 553 mean a missing mailbox (RFC 5321 section 4.2.3).
 */
function findExactStatus({ status, diagnostic }: ReportedRecipient): string {
  if (status !== '5.0.0') return status;
  const [, reply, enhanced] = /\b([45]\d\d)(?:[ -]([45]\.\d{1,3}\.\d{1,3})\b)?/.exec(diagnostic) ?? [];
  if (enhanced !== undefined) return enhanced;
  if (reply === undefined) return status;
  return ['550', '551', '553'].includes(reply) ? '5.1.0' : `${reply[0]}.0.0`;
}

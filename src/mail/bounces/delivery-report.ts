/**
 * Reads a message to the return path: a delivery report (RFC 3464), or anything else. Strangers wrote all of it, so its
 * size is limited and it is never shown.
 */

import { decodePart, type Field, findField, readFields, readPart, splitParts } from './message-parts.ts';
import { type BounceAddress, type ReturnPathToken, readReturnPath } from './return-path.ts';

export const MOST_REPORT_BYTES = 1_048_576; // far more than our own messages, which reports quote
const MOST_RECIPIENTS = 20; // each of our messages has one recipient, who may forward it

/** A report about a recipient. */
export type ReportedRecipient = {
  /** In lower case: `failed`, `delayed`, `delivered`, `relayed`, `expanded`. Empty if missing. */
  action: string;
  /** An RFC 3463 code such as `5.1.1`. Empty if missing. */
  status: string;
  /** The remote server's SMTP response. Empty if missing. */
  diagnostic: string;
  /** The recipient's addresses as the report and as we wrote them, without their types. */
  addresses: readonly string[];
};

export type DeliveryReport = {
  /** Tokens of the return paths that received the report. */
  tokens: readonly ReturnPathToken[];
  recipients: readonly ReportedRecipient[];
};

/** Headers with a message's destination. Mail servers add all but the first on delivery. */
const SENT_TO = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'];
const MOST_TOKENS = 20;

/** Reads a report. `not-a-report`: such as an automatic reply. `unreadable`: too many parts, or too large a head. */
export function readDeliveryReport(
  bytes: Uint8Array,
  bounces: BounceAddress,
): DeliveryReport | 'not-a-report' | 'unreadable' {
  try {
    return readReport(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), bounces);
  } catch {
    return 'unreadable'; // it must not block the messages after it
  }
}

function readReport(text: string, bounces: BounceAddress): DeliveryReport | 'not-a-report' {
  const { fields, body } = readPart(dropMailboxLine(text));
  const boundary = findReportBoundary(findField(fields, 'content-type'));
  if (boundary === undefined) return 'not-a-report';
  const [status, ...others] = splitParts(body, boundary).map(readPart).filter(isStatusPart);
  if (status === undefined || others.length > 0) return 'not-a-report';
  const [, ...groups] = splitGroups(decodePart(status));
  if (groups.length === 0 || groups.length > MOST_RECIPIENTS) return 'not-a-report';
  const tokens = fields
    .filter(({ name }) => SENT_TO.includes(name))
    .flatMap(({ value }) => splitAddresses(value))
    .flatMap((address) => readReturnPath(bounces, address) ?? [])
    .slice(0, MOST_TOKENS);
  return { tokens, recipients: groups.map((group) => readRecipient(readFields(group))) };
}

/** Returns the boundary of a delivery report (RFC 6522 or RFC 6533), or `undefined` for other messages. */
function findReportBoundary(contentType: string): string | undefined {
  const isReport =
    /^multipart\/report\b/i.test(contentType) &&
    /;\s*report-type\s*=\s*"?(?:global-)?delivery-status\b/i.test(contentType);
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  return isReport ? (quoted ?? bare) : undefined;
}

function isStatusPart({ fields }: { fields: readonly Field[] }): boolean {
  return /^message\/(?:global-)?delivery-status(?:[\s;]|$)/i.test(findField(fields, 'content-type'));
}

/** Drops the mbox line that Postfix and others put before a message that they pass to a command. */
function dropMailboxLine(text: string): string {
  return text.startsWith('From ') ? text.slice(text.indexOf('\n') + 1) : text;
}

/** Splits an address list into words, including addresses. Omits quoted text, because names can contain anything. */
function splitAddresses(list: string): string[] {
  return list.replaceAll(/"[^"]*"/g, ' ').split(/[\s,;:<>()]/);
}

/** Splits fields into groups at empty lines. The first group describes the message, each other one a recipient. */
function splitGroups(content: string): string[] {
  const groups: string[][] = [[]];
  for (const line of content.split('\n')) {
    if (line.trim() !== '') groups.at(-1)!.push(line);
    else if (groups.at(-1)!.length > 0) groups.push([]);
  }
  return groups.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
}

function readRecipient(fields: readonly Field[]): ReportedRecipient {
  const read = (name: string): string => findField(fields, name);
  const diagnostic = readTyped(read('diagnostic-code'));
  return {
    action: /^[a-z]+/i.exec(read('action'))?.[0].toLowerCase() ?? '',
    status: /^[245]\.\d{1,3}\.\d{1,3}(?!\d)/.exec(read('status'))?.[0] ?? '',
    diagnostic: diagnostic.type === 'smtp' ? diagnostic.text : '',
    addresses: ['final-recipient', 'original-recipient']
      .map((name) => readTyped(read(name)))
      .flatMap(({ text }) => (text === '' ? [] : [text.replace(/^<(.*)>$/, '$1')])),
  };
}

/** Reads a value with a type, such as `rfc822; ann@example.org`. */
function readTyped(value: string): { type: string; text: string } {
  const at = value.indexOf(';');
  return { type: value.slice(0, Math.max(0, at)).trim().toLowerCase(), text: value.slice(at + 1).trim() };
}

/**
 * Reads a message that came to the return path: a delivery report (RFC 3464), or anything else. The only file that uses the MIME
 * parser, which is loaded with the first message. Everything in a report is a stranger's text: bounded, and never shown.
 */

import { type BounceAddress, type ReturnPathToken, readReturnPath } from './return-path.ts';

export const MOST_REPORT_BYTES = 1_048_576; // our own messages, which reports quote, are far smaller
const MOST_PARTS_DEEP = 10;
const MOST_HEADER_BYTES = 131_072;
const MOST_RECIPIENTS = 20; // each of our messages goes to one, who may forward it

/** What a report says about one recipient. */
export type ReportedRecipient = {
  /** In lower case: `failed`, `delayed`, `delivered`, `relayed`, `expanded`; empty where it is missing. */
  action: string;
  /** RFC 3463, such as `5.1.1`; empty where it is missing. */
  status: string;
  /** What the remote server said, as far as it is SMTP; empty where it is missing. */
  diagnostic: string;
  /** The recipient as the report names it, and as we named it, without their types. */
  addresses: readonly string[];
};

export type DeliveryReport = {
  /** Of the return paths that it was sent to. */
  tokens: readonly ReturnPathToken[];
  recipients: readonly ReportedRecipient[];
};

/** The headers that say where a message was sent; mail servers add all but the first when they deliver it. */
const SENT_TO = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'];
const MOST_ADDRESSES = 20;

/** `not-a-report`: something else, such as an automatic reply. `unreadable`: not a message, or one that is too complicated. */
export async function readDeliveryReport(
  bytes: Uint8Array,
  bounces: BounceAddress,
): Promise<DeliveryReport | 'not-a-report' | 'unreadable'> {
  const parser = await import('postal-mime');
  try {
    return await readReport(parser, bytes, bounces);
  } catch {
    return 'unreadable'; // the parser throws at its limits
  }
}

async function readReport(
  { default: PostalMime, addressParser }: typeof import('postal-mime'),
  bytes: Uint8Array,
  bounces: BounceAddress,
): Promise<DeliveryReport | 'not-a-report'> {
  const parse = (text: Uint8Array) =>
    PostalMime.parse(text, { maxNestingDepth: MOST_PARTS_DEEP, maxHeadersSize: MOST_HEADER_BYTES });
  const { headers, attachments } = await parse(dropMailboxLine(bytes));
  if (!headers.some(isDeliveryStatusType)) return 'not-a-report';
  const status = attachments.filter(({ mimeType }) => STATUS_PART.test(mimeType));
  if (status.length !== 1) return 'not-a-report';
  const [, ...groups] = splitGroups(Buffer.from(status[0]!.content as ArrayBuffer));
  if (groups.length === 0 || groups.length > MOST_RECIPIENTS) return 'not-a-report';
  const fields = await Promise.all(groups.map(async (group) => (await parse(group)).headers));
  const sentTo = headers
    .filter(({ key }) => SENT_TO.includes(key))
    .flatMap(({ value }) => addressParser(value, { flatten: true }))
    .slice(0, MOST_ADDRESSES);
  const tokens = sentTo.flatMap(({ address = '' }) => readReturnPath(bounces, address) ?? []);
  return { tokens, recipients: fields.map(readRecipient) };
}

type Header = { key: string; value: string };

/** RFC 3464, and RFC 6533 for addresses of other scripts. */
const STATUS_PART = /^message\/(?:global-)?delivery-status$/;

function isDeliveryStatusType({ key, value }: Header): boolean {
  return (
    key === 'content-type' &&
    /^\s*multipart\/report\b/i.test(value) &&
    /;\s*report-type\s*=\s*"?(?:global-)?delivery-status\b/i.test(value)
  );
}

/** Postfix and others put a line of the mbox format before a message that they hand to a command. */
function dropMailboxLine(bytes: Uint8Array): Uint8Array {
  const isMarked = Buffer.from(bytes.subarray(0, 5)).toString('latin1') === 'From ';
  return isMarked ? bytes.subarray(bytes.indexOf(10) + 1) : bytes;
}

/** Groups of fields, with empty lines between them: about the message, and then about each recipient. */
function splitGroups(content: Buffer): Buffer[] {
  const groups: string[][] = [[]];
  for (const line of content.toString('utf8').split(/\r?\n/)) {
    if (line.trim() !== '') groups.at(-1)!.push(line);
    else if (groups.at(-1)!.length > 0) groups.push([]);
  }
  return groups
    .filter((lines) => lines.length > 0)
    .map((lines) => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
}

function readRecipient(fields: readonly Header[]): ReportedRecipient {
  const read = (name: string): string => fields.find(({ key }) => key === name)?.value.trim() ?? '';
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

/** `rfc822; ann@example.org`. */
function readTyped(value: string): { type: string; text: string } {
  const at = value.indexOf(';');
  return { type: value.slice(0, Math.max(0, at)).trim().toLowerCase(), text: value.slice(at + 1).trim() };
}

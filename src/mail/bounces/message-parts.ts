/**
 * Reads the parts of a message that a delivery report needs: the fields of its head, and its direct parts. Never parses
 * inside a part or reads a byte twice, so the work is proportional to the size of any message. Pure.
 */

const MOST_HEAD_BYTES = 131_072;
const MOST_PARTS = 20; // a report has three

export type Field = { name: string; value: string };

/** A part with its head. `body` has one character for each byte. */
export type MessagePart = { fields: readonly Field[]; body: string };

/** Splits a part into head and body. `text` has one character for each byte. Throws if the head is too large. */
export function readPart(text: string): MessagePart {
  for (let at = 0; ; ) {
    const next = text.indexOf('\n', at) + 1 || text.length;
    if (/^\r*\n?$/.test(text.slice(at, next)))
      return { fields: readFields(decodeUtf8(text.slice(0, at))), body: text.slice(next) };
    if (next > MOST_HEAD_BYTES) throw new Error('the head is too large');
    at = next;
  }
}

/** Reads the fields of a head and joins folded lines. Names are in lower case. */
export function readFields(head: string): Field[] {
  const unfolded: string[][] = [];
  for (const line of head.split('\n')) {
    if (unfolded.length > 0 && /^[ \t]/.test(line)) unfolded.at(-1)!.push(line.trimEnd());
    else unfolded.push([line.trimEnd()]);
  }
  return unfolded.map((lines) => {
    const text = lines.join('');
    const [name = ''] = text.split(':', 1);
    return { name: name.trim().toLowerCase(), value: text.slice(name.length + 1).trim() };
  });
}

/** Returns the value of the first field with this name, or `''`. */
export function findField(fields: readonly Field[], name: string): string {
  return fields.find((field) => field.name === name)?.value ?? '';
}

/** Splits a body into parts (RFC 2046 section 5.1.1). The last one may be incomplete. Throws if there are too many. */
export function splitParts(body: string, boundary: string): string[] {
  const delimiter = `--${boundary}`;
  const parts: string[] = [];
  let start: number | undefined;
  for (let at = 0; at < body.length; ) {
    const next = body.indexOf('\n', at) + 1 || body.length;
    const isDelimiter = body.startsWith(delimiter, at);
    const [line, isLast] = (isDelimiter && /^(--)?\s*$/.exec(body.slice(at + delimiter.length, next))) || [];
    if (line !== undefined) {
      if (start !== undefined) parts.push(body.slice(start, at));
      if (isLast !== undefined) return parts;
      if (parts.length >= MOST_PARTS) throw new Error('there are too many parts');
      start = next;
    }
    at = next;
  }
  return start === undefined ? parts : [...parts, body.slice(start)];
}

/** Decodes the text of a part as UTF-8. Throws if it is larger than the maximum of a head. */
export function decodePart({ fields, body }: MessagePart): string {
  if (body.length > MOST_HEAD_BYTES) throw new Error('the part is too large');
  const [encoding = ''] = /[\w-]+/.exec(findField(fields, 'content-transfer-encoding').toLowerCase()) ?? [];
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return decodeUtf8(encoding === 'quoted-printable' ? decodeQuotedPrintable(body) : body);
}

function decodeQuotedPrintable(text: string): string {
  return text
    .replaceAll(/=[ \t]*\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decodeUtf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

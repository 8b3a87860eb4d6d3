/** Reads XML as a stream of tags and texts, in little memory. Entities that a document defines are not read. */

import { Parser } from 'htmlparser2';

/** Characters of a tag, comment or CDATA section, which the parser keeps in memory. */
const LONGEST_PIECE = 1024 * 1024;
const MOST_NESTING = 500;

export type Attributes = Readonly<Record<string, string>>;

/** Handles tags, whose names and attributes have no prefix, and texts, which may come in pieces. */
export type MarkupHandler = {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text?(text: string): void;
};

/** Yields after each chunk. Throws for what would take much memory. */
export async function* readMarkup(
  chunks: AsyncIterable<Buffer>,
  handler: MarkupHandler,
): AsyncGenerator<void> {
  let [nesting, pending] = [0, 0];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        pending = 0;
        if (++nesting > MOST_NESTING) throw new Error(`its tags are nested more than ${MOST_NESTING} deep`);
        handler.open(withoutPrefix(name), removePrefixes(attributes));
      },
      onclosetag(name) {
        pending = 0;
        nesting--;
        handler.close(withoutPrefix(name));
      },
      ontext(text) {
        pending = 0;
        handler.text?.(text);
      },
      onprocessinginstruction(name) {
        if (/^!doctype/i.test(name)) throw new Error('its XML has a document type, which is not allowed');
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    pending += text.length;
    parser.write(text);
    if (pending > LONGEST_PIECE)
      throw new Error(`it has a tag or comment of more than ${LONGEST_PIECE / 1024} KiB`);
    yield;
  }
  parser.end(decoder.decode());
  yield;
}

/** Reads a document to its end. */
export async function readWholeMarkup(chunks: AsyncIterable<Buffer>, handler: MarkupHandler): Promise<void> {
  for await (const _ of readMarkup(chunks, handler));
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function removePrefixes(attributes: Attributes): Attributes {
  if (!Object.keys(attributes).some((name) => name.includes(':'))) return attributes;
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [withoutPrefix(name), value]));
}

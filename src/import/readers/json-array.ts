/**
 * The records of a JSON array of any length, wherever in the document it is, one chunk at a time.
 * Never holds the document: what is outside the array is checked and dropped.
 */

import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { ShingleError } from '../../errors.ts';

export const MOST_JSON_RECORD_BYTES = 64 * 1024;
const DEEPEST = 64;

export type NumberedRecord = { line: number; record: unknown };

type Token = Parameters<Tokenizer['onToken']>[0];

/**
 * The array's elements in batches of one chunk, numbered from 1. `records` is the dotted path of the array in the
 * document; without it the document is the array. Throws `source`; also where a `count` beside the array differs.
 */
export async function* streamArrayRecords(
  chunks: AsyncIterable<Buffer>,
  records: string | undefined,
): AsyncGenerator<NumberedRecord[]> {
  const path = records === undefined ? [] : records.split('.');
  const reading = openReading(path);
  for await (const chunk of chunks) {
    reading.write(chunk);
    const batch = reading.taken.splice(0);
    if (batch.length > 0) yield batch;
  }
  reading.finish();
}

function openReading(path: readonly string[]) {
  const taken: NumberedRecord[] = [];
  let count: unknown;
  let read = 0;
  const tokenizer = new Tokenizer();
  const parser = new TokenParser({ paths: selectorsOf(path), keepStack: false });
  const tracker = trackerOf(path, () => `record ${read + 1}`);
  tokenizer.onToken = (token) => {
    tracker.see(token);
    parser.write(token);
  };
  parser.onValue = ({ value, parent, key }) => {
    if (Array.isArray(parent)) taken.push({ line: ++read, record: value });
    else if (key === 'count') count = value;
  };
  const name = path.length === 0 ? 'the document' : `"${path.join('.')}"`;
  return {
    taken,
    write(chunk: Buffer) {
      try {
        tokenizer.write(chunk);
      } catch (error) {
        if (error instanceof ShingleError) throw error;
        // The library's own words quote the file, which may name people.
        const why = parser.isEnded ? 'there is extra text after the end of the document' : 'invalid JSON';
        throw new ShingleError('source', `record ${read + 1}: ${why}`);
      }
      tracker.passed(chunk.length);
    },
    finish() {
      if (!parser.isEnded)
        throw new ShingleError(
          'source',
          `record ${read + 1}: the file ends in the middle of the data and may be incomplete`,
        );
      if (!tracker.found())
        throw new ShingleError('source', `${name} is missing from the file or is not an array`);
      if (typeof count === 'number' && count !== read)
        throw new ShingleError('source', `the file states ${count} records but contains ${read}`);
    },
  };
}

/** The array's elements, and the `count` beside the array. */
function selectorsOf(path: readonly string[]): string[] {
  const elements = ['$', ...path, '*'].join('.');
  const beside = path.length > 0 && path.at(-1) !== 'count';
  return beside ? [elements, ['$', ...path.slice(0, -1), 'count'].join('.')] : [elements];
}

/** Watches where the tokens are: whether the array was there, and whether anything is too long or too deep. */
function trackerOf(path: readonly string[], which: () => string) {
  const keys: unknown[] = [];
  const at = {
    depth: 0,
    offset: 0,
    recordFrom: 0,
    bytes: 0,
    text: '' as unknown,
    found: false,
    inside: false,
  };
  const tooLong = () =>
    new ShingleError('source', `${which()} is larger than ${MOST_JSON_RECORD_BYTES / 1024} KiB`);
  const open = (token: Token) => {
    const isIt = token.token === TokenType.LEFT_BRACKET && at.depth === path.length;
    if (isIt && path.every((key, i) => keys[i + 1] === key)) at.found = at.inside = true;
    keys.length = ++at.depth;
    if (at.depth > DEEPEST) throw new ShingleError('source', `${which()} is nested too deeply`);
  };
  return {
    found: () => at.found,
    see(token: Token) {
      if (token.token === TokenType.STRING) at.text = token.value;
      else if (token.token === TokenType.COLON) keys[at.depth] = at.text;
      else if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) open(token);
      else if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) at.depth--;
      if (at.depth <= path.length) at.inside = false;
      if (at.inside && token.offset - at.recordFrom > MOST_JSON_RECORD_BYTES) throw tooLong();
      if (token.token === TokenType.COMMA && at.depth === path.length + 1) at.recordFrom = token.offset;
      if (!at.inside) at.recordFrom = token.offset;
      at.offset = token.offset;
    },
    /** A value that goes on and on is stopped before it is complete. */
    passed(bytes: number) {
      at.bytes += bytes;
      if (at.bytes - at.offset > MOST_JSON_RECORD_BYTES + bytes) throw tooLong();
    },
  };
}

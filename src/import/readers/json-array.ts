/**
 * Reads the records of a JSON array of any length, anywhere in a document, one chunk at a time. Never holds the whole
 * document: checks and drops the data outside the array.
 */

import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { ShingleError } from '../../errors.ts';

export const MOST_JSON_RECORD_BYTES = 64 * 1024;
const DEEPEST = 64;

export type NumberedRecord = { line: number; record: unknown };

type Token = Parameters<Tokenizer['onToken']>[0];

/**
 * Yields the array's elements in batches of one chunk, numbered from 1. `records` is the dotted path of the array;
 * without it, the document is the array. Throws `source`, also if a `count` next to the array differs.
 */
export async function* streamArrayRecords(
  chunks: AsyncIterable<Buffer>,
  records: string | undefined,
): AsyncGenerator<NumberedRecord[]> {
  const path = records === undefined ? [] : records.split('.');
  let batch: NumberedRecord[] = [];
  let count: unknown;
  let read = 0;
  const fail = (why: string) => new ShingleError('source', `record ${read + 1}${why}`);
  const tokenizer = new Tokenizer();
  const parser = new TokenParser({ paths: listSelectors(path), keepStack: false });
  const tracker = openTracker(path, fail);
  tokenizer.onToken = (token) => {
    tracker.see(token);
    parser.write(token);
  };
  parser.onValue = ({ value, parent, key }) => {
    if (Array.isArray(parent)) batch.push({ line: ++read, record: value });
    else if (key === 'count') count = value;
  };
  for await (const chunk of chunks) {
    try {
      tokenizer.write(chunk);
    } catch (error) {
      if (error instanceof ShingleError) throw error;
      // the library's messages quote the file, which may name people
      throw fail(parser.isEnded ? ': there is extra text after the end of the document' : ': invalid JSON');
    }
    tracker.checkEnd(chunk.length);
    if (batch.length > 0) yield batch;
    batch = [];
  }
  if (!parser.isEnded) throw fail(': the file ends in the middle of the data and may be incomplete');
  const name = records === undefined ? 'the document' : `"${records}"`;
  if (!tracker.isFound())
    throw new ShingleError('source', `${name} is missing from the file or is not an array`);
  if (typeof count === 'number' && count !== read)
    throw new ShingleError('source', `the file states ${count} records but contains ${read}`);
}

/** Selects the array's elements, and the `count` next to the array. */
function listSelectors(path: readonly string[]): string[] {
  const elements = ['$', ...path, '*'].join('.');
  const hasCount = path.length > 0 && path.at(-1) !== 'count';
  return hasCount ? [elements, ['$', ...path.slice(0, -1), 'count'].join('.')] : [elements];
}

/** Tracks the position of tokens in the document: finds the array, and refuses what is too long or too deep. */
function openTracker(path: readonly string[], fail: (why: string) => ShingleError) {
  const keys: unknown[] = [];
  let text: unknown = '';
  let [depth, offset, recordStart, bytes] = [0, 0, 0, 0];
  let [isFound, isInside] = [false, false];
  const tooLong = () => fail(` is larger than ${MOST_JSON_RECORD_BYTES / 1024} KiB`);
  const open = ({ token }: Token) => {
    const isArray = token === TokenType.LEFT_BRACKET && depth === path.length;
    if (isArray && path.every((key, i) => keys[i + 1] === key)) isFound = isInside = true;
    keys.length = ++depth;
    if (depth > DEEPEST) throw fail(' is nested too deeply');
  };
  return {
    isFound: () => isFound,
    see(token: Token) {
      const type = token.token;
      if (type === TokenType.STRING) text = token.value;
      else if (type === TokenType.COLON) keys[depth] = text;
      else if (type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET) open(token);
      else if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) depth--;
      if (depth <= path.length) isInside = false;
      if (isInside && token.offset - recordStart > MOST_JSON_RECORD_BYTES) throw tooLong();
      const isBetween = type === TokenType.COMMA && depth === path.length + 1;
      if (isBetween || !isInside) recordStart = token.offset;
      offset = token.offset;
    },
    /** Refuses a value that is too long before it ends. */
    checkEnd(more: number) {
      bytes += more;
      if (bytes - offset > MOST_JSON_RECORD_BYTES + more) throw tooLong();
    },
  };
}

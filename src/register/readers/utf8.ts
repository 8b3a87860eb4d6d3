/** Reads text in chunks of valid UTF-8. Never repairs text: throws at the first invalid byte, with its line. */

import { createReadStream } from 'node:fs';
import { messageOf, type ShingleError, sourceError } from '../../shared/errors.ts';
import { refuseOtherKinds } from './file-kind.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = 10;
const ENCODING_CHUNK_BYTES = 256 * 1024;
const WORDS_SHOWN = 3;
// such a single byte is frequent in Windows-1252, and invalid in UTF-8
const LONE_HIGH_BYTE = /(^|[\x00-\x7f])[\x80-\xff](?![\x80-\xff])/;

export type ReadTally = { bytes: number; repeatedHeaders: number };

export function openReadTally(): ReadTally {
  return { bytes: 0, repeatedHeaders: 0 };
}

export function measureReadShare(tally: ReadTally, { bytes }: { bytes: number }): number {
  return Math.min(1, tally.bytes / Math.max(1, bytes));
}

/** Opens a text: returns its first chunk, all chunks and its probable kind. Throws `source` if the file is not text. */
export async function openText(
  path: string,
  chunkBytes: number,
  encoding = 'utf-8',
  tally: ReadTally = openReadTally(),
) {
  await refuseOtherKinds(path);
  const chunks = readText({ path, chunkBytes, encoding, tally });
  const first = (await chunks.next()).value ?? Buffer.alloc(0);
  const beginning = first.toString('utf8', 0, 1024).trimStart();
  if (beginning === '') throw sourceError('the file is empty');
  if (beginning.startsWith('<'))
    throw sourceError('line 1 looks like a web page (HTML or XML), perhaps an error page');
  const kind = beginning.startsWith('[') ? 'array' : beginning.startsWith('{') ? 'object' : 'text';
  async function* listAll(): AsyncGenerator<Buffer> {
    yield first;
    yield* chunks;
  }
  return { kind, first, all: listAll() } as const;
}

type TextReading = { path: string; chunkBytes: number; encoding: string; tally: ReadTally };

async function* readText({ path, chunkBytes, encoding, tally }: TextReading): AsyncGenerator<Buffer> {
  const convert = /^utf-?8$/i.test(encoding) ? openUtf8(path) : openDecoder(encoding);
  for await (const chunk of readChunks(path, chunkBytes)) {
    tally.bytes += chunk.length;
    yield await convert(chunk);
  }
  const rest = await convert();
  if (rest.length > 0) yield rest;
}

export async function* readChunks(path: string, chunkBytes?: number): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw sourceError(`the file cannot be read: ${messageOf(error)}`, error);
  }
}

/** Returns a function that checks parts of a text. A call without a part ends the text. Throws at invalid bytes. */
function openUtf8(path: string): (part?: Buffer) => Promise<Buffer> {
  const isSound = openChecker();
  let isFirst = true;
  return async (part) => {
    if (part?.includes(0) || !isSound(part)) throw await findDamage(path);
    if (part === undefined) return Buffer.alloc(0);
    const hasMark = isFirst && part.subarray(0, BOM.length).equals(BOM);
    isFirst = false;
    return hasMark ? part.subarray(BOM.length) : part;
  };
}

function openDecoder(encoding: string): (part?: Buffer) => Promise<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let line = 1;
  return async (part) => {
    if (line === 1 && part !== undefined) checkEncoding(part, decoder.encoding);
    let text: string;
    try {
      text = decoder.decode(part, { stream: part !== undefined });
    } catch {
      throw sourceError(`after line ${line}, the file is not ${decoder.encoding}`);
    }
    const [sound = '', ...damaged] = text.split('\0', 2);
    if (damaged.length > 0) throw damagedByNul(line + countLineFeeds(sound));
    line += countLineFeeds(text);
    return Buffer.from(text);
  };
}

function countLineFeeds(text: string): number {
  return text.split('\n').length - 1;
}

/**
 * Throws if a text does not look like its declared encoding. Decoding alone cannot show this, because some encodings
 * accept any bytes.
 */
function checkEncoding(first: Buffer, declared: string): void {
  const found = guessEncoding(first);
  const isWide = declared.startsWith('utf-16');
  if (isWide ? found === declared : found === undefined || found === 'windows-1252') return;
  if (isWide && found === undefined && first.length < 4) return;
  throw sourceError(
    `line 1: the source is declared as ${declared}, but the file looks like ${found ?? 'UTF-8'}. Correct the "encoding" of the source`,
  );
}

/**
 * Guesses the encoding from the beginning of a file: UTF-16 by its byte order mark or by zeros between ASCII
 * characters, otherwise UTF-8 or Windows-1252. Returns `undefined` if the bytes are ASCII.
 */
export function guessEncoding(head: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | undefined {
  const start = head.toString('latin1', 0, 4);
  if (start.startsWith('\xff\xfe') || /^[^\0]\0[^\0]\0/.test(start)) return 'utf-16le';
  if (start.startsWith('\xfe\xff') || /^\0[^\0]\0[^\0]/.test(start)) return 'utf-16be';
  if (!/[\x80-\xff]/.test(head.toString('latin1'))) return undefined;
  const isUtf8 = openChecker()(head) || openChecker()(head.subarray(0, head.lastIndexOf(LINE_FEED) + 1));
  return isUtf8 ? 'utf-8' : isWindows1252(head) ? 'windows-1252' : undefined;
}

/** Finds the encoding of a file. Reads all of it, because the first accent may come late. */
export async function findEncoding(path: string): Promise<{ encoding: string; words: string[] }> {
  const isSound = openChecker();
  let encoding: string | undefined;
  for await (const chunk of readChunks(path, ENCODING_CHUNK_BYTES)) {
    encoding ??= guessEncoding(chunk.subarray(0, 4)) ?? 'utf-8';
    if (encoding.startsWith('utf-16')) return { encoding, words: [] };
    if (isSound(chunk)) continue;
    if (!isWindows1252(chunk)) break;
    const text = new TextDecoder('windows-1252').decode(chunk);
    const words = text.match(/[\p{L}’]{0,30}[^\x00-\x7f][\p{L}’]{0,30}/gu) ?? [];
    return { encoding: 'windows-1252', words: [...new Set(words)].slice(0, WORDS_SHOWN) };
  }
  return { encoding: 'utf-8', words: [] };
}

/** Returns whether most high bytes are single, unlike in UTF-8, and Windows-1252 defines all of them. */
export function isWindows1252(part: Buffer): boolean {
  const text = part.toString('latin1');
  const alone = text.match(/(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])/g)?.length ?? 0;
  const pairs = text.match(/[\xc2-\xf4][\x80-\xbf]+/g)?.length ?? 0;
  return alone > pairs && !/[\x81\x8d\x8f\x90\x9d]/.test(text);
}

/** Returns a function that tests whether a part is valid or, without a part, whether the text may end here. */
function openChecker(): (part?: Buffer) => boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (part) => {
    try {
      decoder.decode(part, { stream: part !== undefined });
      return true;
    } catch {
      return false;
    }
  };
}

async function findDamage(path: string): Promise<ShingleError> {
  const isSound = openChecker();
  let line = 1;
  let before: Buffer = Buffer.alloc(0); // a character may begin in the previous part
  for await (const chunk of readChunks(path)) {
    if (before.length === 0 && guessEncoding(chunk)?.startsWith('utf-16'))
      return sourceError(
        'line 1: the file looks like UTF-16. Save it as UTF-8, or add an encoding to the source: "utf-16le" or "utf-16be"',
      );
    for (let start = 0; start < chunk.length; start += before.length) {
      const part = chunk.subarray(start, chunk.indexOf(LINE_FEED, start) + 1 || undefined);
      if (part.includes(0)) return damagedByNul(line);
      if (!isSound(part)) return notUtf8(Buffer.concat([before, part]), line);
      if (part.at(-1) === LINE_FEED) line++;
      before = part;
    }
  }
  return notUtf8(before, line);
}

function damagedByNul(line: number): ShingleError {
  return sourceError(`line ${line} has a NUL byte: the file is damaged`);
}

function notUtf8(bytes: Buffer, line: number): ShingleError {
  const guess = LONE_HIGH_BYTE.test(bytes.toString('latin1'))
    ? '. The file looks like Windows-1252. Save it as UTF-8, or add the encoding "windows-1252" to the source'
    : '';
  return sourceError(`line ${line} is not UTF-8${guess}`);
}

/**
 * The bytes of a text file in chunks, known to be sound UTF-8 without NUL or byte order mark.
 * Never repairs: the first broken byte stops the file with the line it is on.
 */

import { createReadStream } from 'node:fs';
import { messageOf, ShingleError } from '../../errors.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = 10;
const UTF16 = /^(\xff\xfe|\xfe\xff|.\x00|\x00.)/; // with its mark, or ASCII without
const LONE_HIGH_BYTE = /(^|[\x00-\x7f])[\x80-\xff](?![\x80-\xff])/; // never in UTF-8, usual in Windows-1252

/** Bytes of the files that are being read, by their path: for progress. */
const reading = new Map<string, number>();

/** How much of a file has been read so far; `undefined` when it is not being read. */
export function countBytesRead(path: string): number | undefined {
  return reading.get(path);
}

/** Chunks of at most `chunkBytes`; characters may be split between them. Throws `source`. */
async function* utf8Chunks(path: string, chunkBytes: number): AsyncGenerator<Buffer> {
  const isSound = openChecker();
  let isFirst = true;
  let bytes = 0;
  try {
    for await (const chunk of readChunks(path, chunkBytes)) {
      bytes += chunk.length;
      reading.set(path, bytes);
      if (chunk.includes(0) || !isSound(chunk)) throw await findDamage(path);
      yield isFirst && chunk.subarray(0, BOM.length).equals(BOM) ? chunk.subarray(BOM.length) : chunk;
      isFirst = false;
    }
    if (!isSound()) throw await findDamage(path);
  } finally {
    reading.delete(path);
  }
}

/** Whether each next part of a text is UTF-8; without a part, whether the text may end there. */
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

/** What a file seems to be by how it begins: enough to tell a web page from data. */
function detectEncoding(beginning: Buffer): 'nothing' | 'html' | 'array' | 'object' | 'text' {
  const text = beginning.toString('utf8', 0, 1024).trimStart();
  if (text === '') return 'nothing';
  if (text.startsWith('<')) return 'html';
  if (text.startsWith('[')) return 'array';
  return text.startsWith('{') ? 'object' : 'text';
}

/** The file's first chunk and all of it, the first included. Throws `source` for an empty file or a web page. */
export async function openText(path: string, chunkBytes: number) {
  const chunks = utf8Chunks(path, chunkBytes);
  const first = (await chunks.next()).value ?? Buffer.alloc(0);
  const kind = detectEncoding(first);
  if (kind === 'nothing') throw new ShingleError('source', 'the file is empty');
  if (kind === 'html')
    throw new ShingleError('source', 'line 1 looks like a web page (HTML or XML), perhaps an error page');
  return { kind, first, all: joinChunks(first, chunks) };
}

async function* joinChunks(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* readChunks(path: string, chunkBytes?: number): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new ShingleError('source', `the file cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** Reads a file again, line by line, up to what is wrong with it: only damaged files need that. */
async function findDamage(path: string): Promise<ShingleError> {
  const isSound = openChecker();
  let line = 1;
  let before: Buffer = Buffer.alloc(0);
  for await (const chunk of readChunks(path)) {
    if (before.length === 0 && UTF16.test(chunk.toString('latin1', 0, 2)))
      return new ShingleError('source', 'line 1: the file looks like UTF-16. Save it as UTF-8');
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, chunk.indexOf(LINE_FEED, start) + 1 || undefined);
      if (part.includes(0))
        return new ShingleError('source', `line ${line} has a NUL byte: the file is damaged`);
      if (!isSound(part)) return notUtf8(Buffer.concat([before, part]), line);
      if (part.at(-1) === LINE_FEED) line++;
      start += part.length;
      before = part;
    }
  }
  return notUtf8(before, line);
}

/** `bytes` end with those that cannot be read: a character may begin in the part before. */
function notUtf8(bytes: Buffer, line: number): ShingleError {
  const windows = LONE_HIGH_BYTE.test(bytes.toString('latin1'));
  const guess = windows ? '. The file looks like Windows-1252. Save it as UTF-8' : '';
  return new ShingleError('source', `line ${line} is not UTF-8${guess}`);
}

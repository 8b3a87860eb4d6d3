/**
 * The bytes of a text file in chunks, known to be sound UTF-8 without NUL or byte order mark.
 * Never repairs: the first broken byte stops the file with the line it is on.
 */

import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { messageOf, ShingleError } from '../errors.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = 10;
const LONE_HIGH_BYTE = /(^|[\x00-\x7f])[\x80-\xff](?![\x80-\xff])/; // never in UTF-8, usual in Windows-1252

/** Chunks of at most `chunkBytes`; characters may be split between them. Throws `source`. */
async function* utf8Chunks(path: string, chunkBytes: number): AsyncGenerator<Buffer> {
  let offset = 0;
  let split: Buffer = Buffer.alloc(0);
  for await (const chunk of bytesOf(path, { highWaterMark: chunkBytes })) {
    const whole = split.length === 0 ? chunk : Buffer.concat([split, chunk]);
    const sound = whole.subarray(0, whole.length - unfinished(whole));
    if (sound.includes(0) || !isUtf8(sound)) throw await damage(path, whole, offset - split.length);
    const marked = offset === 0 && chunk.subarray(0, BOM.length).equals(BOM);
    split = whole.subarray(sound.length);
    offset += chunk.length;
    yield marked ? chunk.subarray(BOM.length) : chunk;
  }
  if (split.length > 0) throw await damage(path, split, offset - split.length);
}

/** What a file seems to be by how it begins: enough to tell a web page from data. */
function nature(beginning: Buffer): 'nothing' | 'html' | 'array' | 'object' | 'text' {
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
  const kind = nature(first);
  if (kind === 'nothing') throw new ShingleError('source', 'the file is empty');
  if (kind === 'html')
    throw new ShingleError(
      'source',
      'line 1 begins a web page (HTML or XML), not data: perhaps an error page',
    );
  return { kind, first, all: joined(first, chunks) };
}

async function* joined(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* bytesOf(path: string, options: object): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, options) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new ShingleError('source', `the file cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** How many of the last bytes begin a character that the chunk does not finish: 0 to 3. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

async function damage(path: string, bytes: Buffer, offset: number): Promise<ShingleError> {
  const utf16 = offset === 0 && /^(\xff\xfe|\xfe\xff|.\x00|\x00.)/.test(bytes.toString('latin1', 0, 2));
  if (utf16) return new ShingleError('source', 'line 1: this looks like UTF-16; save the file as UTF-8');
  let start = 0;
  let line = 1 + (await linesBefore(path, offset));
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, start);
    const piece = bytes.subarray(start, end === -1 ? bytes.length : end);
    if (piece.includes(0))
      return new ShingleError('source', `line ${line} has a NUL byte: the file is damaged`);
    if (!isUtf8(piece) || end === -1) return notUtf8(piece, line);
    start = end + 1;
    line++;
  }
}

function notUtf8(piece: Buffer, line: number): ShingleError {
  const windows = LONE_HIGH_BYTE.test(piece.toString('latin1'));
  const guess = windows ? '; this looks like Windows-1252: save the file as UTF-8' : '';
  return new ShingleError('source', `line ${line} is not UTF-8${guess}`);
}

/** Line feeds before a byte: read again, since only damaged files ask. */
async function linesBefore(path: string, offset: number): Promise<number> {
  let lines = 0;
  if (offset <= 0) return lines;
  for await (const chunk of bytesOf(path, { end: offset - 1 })) {
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
  }
  return lines;
}

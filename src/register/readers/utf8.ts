/**
 * Reads text in chunks of UTF-8. Never repairs text: a damaged character of a UTF-8 file, or of another encoding, is a
 * byte that is not UTF-8, so that its row can be rejected. Throws for a file that is in another encoding than declared.
 */

import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { messageOf, type ShingleError, sourceError } from '../../shared/errors.ts';
import {
  ENCODING_NAMES,
  type FoundEncoding,
  findWideEncoding,
  openDecoder,
  openEncodingFinder,
} from './encodings.ts';
import { refuseOtherKinds } from './file-kind.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LOST = Buffer.from('\ufffd');
export const LINE_FEED = 10;
const ENCODING_CHUNK_BYTES = 256 * 1024;

export type ReadTally = {
  repeatedHeaders: number;
  /** Whether a damaged character was seen. */
  isDamaged: boolean;
};

export function openReadTally(): ReadTally {
  return { repeatedHeaders: 0, isDamaged: false };
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
  if (beginning.startsWith('<')) throw sourceError(describePage(first.toString('latin1')));
  const kind = beginning.startsWith('[') ? 'array' : beginning.startsWith('{') ? 'object' : 'text';
  async function* listAll(): AsyncGenerator<Buffer> {
    yield first;
    yield* chunks;
  }
  return { kind, first, all: listAll() } as const;
}

/** Says what a web page is. Some programs name a page with a table .xls, and a spreadsheet program opens it. */
function describePage(text: string): string {
  if (!/<table[\s>]|urn:schemas-microsoft-com:office:spreadsheet/i.test(text))
    return 'line 1 looks like a web page (HTML or XML), perhaps an error page';
  return 'the file is a web page (HTML or XML) with a table, whatever its name. Open it in a spreadsheet program and save it as .xlsx or CSV';
}

type TextReading = { path: string; chunkBytes: number; encoding: string; tally: ReadTally };

async function* readText({ path, chunkBytes, encoding, tally }: TextReading): AsyncGenerator<Buffer> {
  const convert = /^utf-?8$/i.test(encoding) ? openUtf8(path, tally) : openConverter(encoding, tally);
  for await (const chunk of readChunks(path, chunkBytes)) yield await convert(chunk);
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

type Convert = (part?: Buffer) => Promise<Buffer>;

/** Returns a function that checks parts of a text. A call without a part ends the text. */
function openUtf8(path: string, tally: ReadTally): Convert {
  const isSound = openChecker();
  let isFirst = true;
  return async (part) => {
    if (!tally.isDamaged && (part?.includes(0) || !isSound(part))) {
      tally.isDamaged = true;
      const found = await findEncoding(path);
      if (found.encoding !== 'utf-8' || part === undefined) throw notUtf8(found);
    }
    if (part === undefined) return Buffer.alloc(0);
    const hasMark = isFirst && part.subarray(0, BOM.length).equals(BOM);
    isFirst = false;
    return hasMark ? part.subarray(BOM.length) : part;
  };
}

function openConverter(encoding: string, tally: ReadTally): Convert {
  const decoder = openDecoder(encoding);
  let isFirst = true;
  return async (part) => {
    if (isFirst && part !== undefined) checkEncoding(part, decoder.encoding);
    isFirst = false;
    const text = decoder.decode(part);
    const bytes = Buffer.from(text);
    if (!text.includes('\ufffd') && !text.includes('\0')) return bytes;
    tally.isDamaged = true;
    for (let at = bytes.indexOf(LOST); at !== -1; at = bytes.indexOf(LOST, at + 1))
      bytes.fill(0xff, at, at + 3);
    return bytes;
  };
}

/**
 * Throws if a text does not look like its declared encoding. Decoding alone cannot show this, because some encodings
 * accept any bytes.
 */
function checkEncoding(first: Buffer, declared: string): void {
  const wide = findWideEncoding(first);
  const isWide = declared.startsWith('utf-16');
  if (isWide && (wide === declared || first.length < 4)) return;
  const lines = first.subarray(0, first.lastIndexOf(LINE_FEED) + 1);
  const isUtf = !isWide && !isAscii(lines) && isUtf8(lines);
  if (!isWide && wide === undefined && !isUtf) return;
  throw sourceError(
    `line 1: the source is declared as ${declared}, but the file looks like ${wide ?? 'utf-8'}. Correct the "encoding" of the source`,
  );
}

/** The encoding of a file, and the first line that is not UTF-8. */
type FileEncoding = FoundEncoding & { line: number };

/** Finds the encoding of a file. Reads all of it, because the first accent may come late. */
export async function findEncoding(path: string): Promise<FileEncoding> {
  const found = { words: [], others: [] };
  const finder = openEncodingFinder();
  let [isFirst, isSound, line] = [true, true, 1];
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readChunks(path, ENCODING_CHUNK_BYTES)) {
    const wide = isFirst ? findWideEncoding(chunk) : undefined;
    if (wide !== undefined) return { encoding: wide, ...found, line };
    isFirst = false;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1 || bytes.length;
    const part = bytes.subarray(0, end);
    rest = bytes.subarray(end);
    const isPartSound = !isDamaged(part);
    if (isSound) line += isPartSound ? countLineEnds(part) : countSoundLines(part);
    isSound &&= isPartSound;
    finder.see(part, isPartSound);
  }
  if (isSound && isUtf8(rest)) return { encoding: 'utf-8', ...found, line };
  finder.see(rest, isUtf8(rest));
  return { encoding: 'utf-8', ...found, ...finder.find(), line };
}

export function countLineEnds(part: Buffer): number {
  let count = 0;
  for (let at = part.indexOf(LINE_FEED); at !== -1; at = part.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

/** Counts the lines before the first one that is damaged. */
function countSoundLines(part: Buffer): number {
  const lines = part.toString('latin1').split('\n');
  return lines.findIndex((one) => isDamaged(Buffer.from(one, 'latin1')));
}

export function isDamaged(bytes: Buffer): boolean {
  return !isUtf8(bytes) || bytes.includes(0);
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

/** Describes the words of a file in the encodings that fit it: `Windows-1252 ("Café"), or Windows-1250 ("Cafę")`. */
export function describeEncodings({ encoding, words, others }: FoundEncoding): string {
  const all = [{ encoding, words }, ...others].map((one) => {
    const shown = one.words.length === 0 ? '' : ` (${one.words.map((word) => `"${word}"`).join(', ')})`;
    return `${ENCODING_NAMES[one.encoding]}${shown}`;
  });
  return all.join(', or ');
}

function notUtf8(found: FileEncoding): ShingleError {
  const { line, encoding, others } = found;
  if (encoding === 'utf-8') return sourceError(`line ${line} is not UTF-8. The file may be cut off`);
  const choices = [encoding, ...others.map((one) => one.encoding)].map((one) => `encoding: ${one}`);
  return sourceError(
    `line ${line} is not UTF-8. The file looks like ${describeEncodings(found)}. Add "${choices.join('" or "')}" to "from" in city.yaml`,
  );
}

/**
 * Keeps an index in a file of the data folder, so that the next start need not build it: a digest, all values as JSON, and
 * the columns, of which the JSON has the places. A file about other data, or with another digest, is not used.
 */

import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../../shared/remember.ts';

const COLUMNS = { Uint8Array, Uint16Array, Uint32Array };
type Column = InstanceType<(typeof COLUMNS)[keyof typeof COLUMNS]>;
type Place = { column: keyof typeof COLUMNS; at: number; length: number };

const DIGEST = 32;
/** Columns begin at multiples of this many bytes, as numbers in memory must. */
const ALIGNED = 8;
const align = (bytes: number) => Math.ceil(bytes / ALIGNED) * ALIGNED;

/** The code and the words that decide what the buffers of an index are and mean. */
const MAKERS = ['..', '../../../shared', '../../../data'].map((folder) => join(import.meta.dirname, folder));

/** `Built`: what is kept. `about` describes all that it depends on besides the program. */
export function openIndexFile<Built>(folder: string) {
  const path = join(folder, 'index.bin');
  return {
    /** Returns what was kept, or `undefined` if there is none for `about`. */
    read(about: string): Built | undefined {
      try {
        // copied, because Node reads small files into memory that cannot be transferred
        const bytes = new Uint8Array(readFileSync(path));
        const body = bytes.subarray(DIGEST);
        if (!digestOf(about, [body]).equals(bytes.subarray(0, DIGEST))) return undefined;
        return unpack(bytes) as Built;
      } catch {
        return undefined; // it is made again
      }
    },
    /** Throws if the disk is full or the folder cannot be written. */
    write(about: string, built: Built): void {
      const pieces = pack(built);
      const part = `${path}.part-${process.pid}`;
      try {
        const file = openSync(part, 'w', 0o600);
        try {
          for (const piece of [digestOf(about, pieces), ...pieces])
            for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
        } finally {
          closeSync(file);
        }
        renameSync(part, path);
      } finally {
        rmSync(part, { force: true });
      }
    },
    remove: () => rmSync(path, { force: true }),
  };
}

function digestOf(about: string, pieces: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(JSON.stringify(about)).update(digestMakers());
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

const digestMakers = lazy(() => {
  const hash = createHash('sha256');
  for (const folder of MAKERS)
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile()) hash.update(readFileSync(join(file.parentPath, file.name)));
  return hash.digest();
});

/** Returns the length of the JSON, the JSON, and the columns, each padded. */
function pack(built: unknown): Uint8Array[] {
  const columns: Column[] = [];
  let at = 0;
  const text = JSON.stringify(built, (_, value: unknown) => {
    if (!ArrayBuffer.isView(value)) return value;
    const column = value as Column;
    columns.push(column);
    const place = { column: column.constructor.name, at, length: column.length };
    at += align(column.byteLength);
    return place;
  });
  const head = Buffer.from(text);
  const length = new Uint8Array(new BigUint64Array([BigInt(head.length)]).buffer);
  return [length, pad(head), ...columns.map(pad)];
}

/** Returns the bytes of a column with what is missing to a multiple of `ALIGNED`. */
function pad({ buffer, byteOffset, byteLength }: Uint8Array | Column): Uint8Array {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  if (byteLength % ALIGNED === 0) return bytes;
  const padded = new Uint8Array(align(byteLength));
  padded.set(bytes);
  return padded;
}

function unpack(bytes: Uint8Array<ArrayBuffer>): unknown {
  const start = DIGEST + ALIGNED;
  const length = Number(new BigUint64Array(bytes.buffer, DIGEST, 1)[0]);
  const first = start + align(length);
  const text = Buffer.from(bytes.buffer, start, length).toString();
  return JSON.parse(text, (_, value) => {
    const { column, at, length } = (value ?? {}) as Partial<Place>;
    return column === undefined ? value : new COLUMNS[column](bytes.buffer, first + at!, length);
  });
}

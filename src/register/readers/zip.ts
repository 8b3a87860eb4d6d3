/** Reads zip archives as a stream, entry by entry. Drops unwanted entries without unpacking them. */

import { createReadStream } from 'node:fs';
import { Unzip, type UnzipDecoderConstructor, UnzipInflate, UnzipPassThrough } from 'fflate';

const MOST_ENTRIES = 1_000; // archives of data have a few entries, workbooks have dozens
const KNOWN_COMPRESSIONS = [0, 8];

type EntryReader = (chunk: Uint8Array, isLast: boolean) => void;

/** Reads an archive in pieces, and awaits `settle` after each. `chooseReader` returns `undefined` to drop an entry. */
export async function readZip(
  path: string,
  chooseReader: (name: string) => EntryReader | undefined,
  settle: (piece: Buffer) => Promise<void> | void = () => undefined,
): Promise<void> {
  const archive = openZipStream(chooseReader);
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    archive.push(piece);
    await settle(piece);
  }
  archive.push(new Uint8Array(), true);
  await settle(Buffer.alloc(0));
}

function openZipStream(chooseReader: (name: string) => EntryReader | undefined): Unzip {
  let entries = 0;
  const archive = new Unzip((entry) => {
    if (++entries > MOST_ENTRIES) throw new Error(`the archive has more than ${MOST_ENTRIES} entries`);
    const read = chooseReader(entry.name);
    if (read !== undefined && !KNOWN_COMPRESSIONS.includes(entry.compression))
      throw new Error(`unknown compression type ${entry.compression}`);
    entry.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      read?.(chunk, isLast);
    };
    // otherwise fflate would buffer the dropped entry
    if (read === undefined) archive.register(dropAll(entry.compression));
    entry.start();
    for (const decoder of [UnzipInflate, UnzipPassThrough]) archive.register(decoder);
  });
  for (const decoder of [UnzipInflate, UnzipPassThrough]) archive.register(decoder);
  return archive;
}

function dropAll(compression: number): UnzipDecoderConstructor {
  return class {
    static compression = compression;
    ondata = () => undefined;
    push() {}
  };
}

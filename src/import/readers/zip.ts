/** Zip archives, entry by entry as they stream by. Entries that nobody reads are dropped as they come, without being unpacked. */

import { createReadStream } from 'node:fs';
import { Unzip, type UnzipDecoderConstructor, UnzipInflate, UnzipPassThrough, unzipSync } from 'fflate';

const MOST_ENTRIES = 1_000; // a bound of work: an archive of data has a few, a workbook some dozens
const KNOWN_COMPRESSIONS = [0, 8];

type EntryReader = (chunk: Uint8Array, isLast: boolean) => void;

/**
 * Takes the bytes of an archive. `chooseReader` is asked at each entry and answers what reads it; without an answer the entry is
 * dropped. Throws what fflate throws, and where there are too many entries.
 */
export function openZipStream(chooseReader: (name: string) => EntryReader | undefined): Unzip {
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
    // fflate keeps the bytes of an entry that is not started, in case it will be
    if (read === undefined) archive.register(dropAll(entry.compression));
    entry.start();
    for (const decoder of [UnzipInflate, UnzipPassThrough]) archive.register(decoder);
  });
  for (const decoder of [UnzipInflate, UnzipPassThrough]) archive.register(decoder);
  return archive;
}

/** A decoder that takes bytes and gives none. */
function dropAll(compression: number): UnzipDecoderConstructor {
  function makeDecoder() {
    return { ondata: () => undefined, push: () => undefined };
  }
  return Object.assign(makeDecoder, { compression }) as unknown as UnzipDecoderConstructor;
}

/**
 * The XML of an archive that unpacks to `most` bytes in all; nothing where that is more. Throws what fflate throws, and where the
 * archive's own list says something else than its entries.
 */
export async function unpackXml(path: string, most: number): Promise<Map<string, Uint8Array> | undefined> {
  const found: string[] = [];
  const parts = new Map<string, Uint8Array>();
  let unpacked = 0;
  const archive = openZipStream((name) => {
    const chunks: Uint8Array[] = [];
    let own = 0;
    return (chunk, isLast) => {
      own += chunk.length;
      unpacked += chunk.length;
      if (unpacked <= most && /\.(xml|rels)$/i.test(name)) chunks.push(chunk);
      if (!isLast) return;
      found.push(`${name} ${own}`);
      if (chunks.length > 0) parts.set(name, Buffer.concat(chunks));
    };
  });
  const packed: Buffer[] = [];
  for await (const chunk of createReadStream(path)) {
    archive.push(chunk);
    packed.push(chunk);
    if (unpacked > most) return undefined;
  }
  if (`${listEntries(Buffer.concat(packed))}` !== `${found.toSorted()}`)
    throw new Error('the file list of the archive does not match its entries');
  return parts;
}

/** What the list at the end of an archive says of its entries. */
function listEntries(archive: Uint8Array): string[] {
  const listed: string[] = [];
  unzipSync(archive, {
    filter({ name, originalSize }) {
      listed.push(`${name} ${originalSize}`);
      return false;
    },
  });
  return listed.toSorted();
}

/** Reads zip archives by the list at their end. Nothing is unpacked but the entries that are read. */

import type { Readable } from 'node:stream';
import { openPromise } from 'yauzl';

const MOST_ENTRIES = 1_000; // archives of data have a few entries, workbooks have dozens

export type ZipEntry = {
  /** Its path, with slashes. */
  name: string;
  /** Its unpacked size. An entry that unpacks to another size throws when it is read. */
  bytes: number;
  read(): Promise<Readable>;
};

export type Zip = AsyncDisposable & { entries: readonly ZipEntry[] };

/** Opens an archive. Throws if it is damaged, or has more than 1,000 entries. */
export async function openZip(path: string): Promise<Zip> {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(explainProblem);
  const close = async () => archive.close();
  try {
    if (archive.entryCount > MOST_ENTRIES)
      throw new Error(`the archive has more than ${MOST_ENTRIES} entries`);
    const entries: ZipEntry[] = [];
    for await (const entry of archive.eachEntry())
      entries.push({
        name: entry.fileName.replace(/^\/+/, ''),
        bytes: entry.uncompressedSize,
        read: () => {
          if (entry.isEncrypted()) throw new Error('it has a password. Save it without one');
          return archive.openReadStreamPromise(entry);
        },
      });
    return { entries, [Symbol.asyncDispose]: close };
  } catch (error) {
    archive.close();
    throw error;
  }
}

function explainProblem(error: Error): never {
  if (!/end of central directory/i.test(error.message)) throw error;
  throw new Error('its end is missing. The file may be cut off. Download it again', { cause: error });
}

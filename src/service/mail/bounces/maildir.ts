/** Reads the unread messages of a Maildir, and marks each as read after handling it. Deletes no message. */

import { constants, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ShingleError } from '../../../shared/errors.ts';

/** An unread message is in `new`, or in `cur` without the flag S for "seen". */
type Unread = { folder: 'new' | 'cur'; name: string };

/** Passes the first `mostBytes` of each unread message to `handle`, by name. Returns how many were unreadable. */
export async function handleMaildir(
  path: string,
  mostBytes: number,
  handle: (bytes: Uint8Array) => Promise<void>,
): Promise<number> {
  let unreadable = 0;
  for (const message of await listUnread(path)) {
    const bytes = await readStart(join(path, message.folder, message.name), mostBytes);
    if (bytes === undefined) unreadable++;
    else {
      await handle(bytes);
      await markSeen(path, message);
    }
  }
  return unreadable;
}

async function listUnread(path: string): Promise<Unread[]> {
  const list = async (folder: Unread['folder']): Promise<Unread[]> => {
    const names = await readdir(join(path, folder)).catch(() => {
      throw new ShingleError('usage', `${path} is not a Maildir: it needs the folders "new" and "cur"`);
    });
    return names.map((name) => ({ folder, name }));
  };
  const all = [...(await list('cur')), ...(await list('new'))];
  return all
    .filter(
      ({ folder, name }) => !name.startsWith('.') && (folder === 'new' || !readFlags(name).includes('S')),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads the start of a file, or `undefined` if that fails. Does not follow links, because they can lead anywhere. */
async function readStart(file: string, most: number): Promise<Uint8Array | undefined> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants; // opening a named pipe must not wait for a writer
  try {
    await using handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stat = await handle.stat();
    if (!stat.isFile()) return undefined;
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(Math.min(most, stat.size)) });
    return buffer.subarray(0, bytesRead);
  } catch {
    return undefined;
  }
}

/** Returns the flags of a file name: the letters after `:2,`. */
function readFlags(name: string): string {
  return name.includes(':2,') ? name.slice(name.lastIndexOf(':2,') + 3) : '';
}

async function markSeen(path: string, { folder, name }: Unread): Promise<void> {
  const [bare = name] = name.split(':2,');
  const flags = [...new Set(`${readFlags(name)}S`)].toSorted().join('');
  await rename(join(path, folder, name), join(path, 'cur', `${bare}:2,${flags}`)).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return; // another process has already moved it
    throw new ShingleError('source', `messages in ${path} cannot be marked as seen: ${code}`);
  });
}

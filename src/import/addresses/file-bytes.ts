/** Reads the bytes of a file from beginning to end in pieces, with at most one piece and one chunk in memory. */

import { type FileHandle, open } from 'node:fs/promises';
import { ShingleError } from '../../errors.ts';

const CHUNK_BYTES = 1 << 20;
/** Maximum bytes of a piece. No street has that many corners. */
const MOST_PIECE_BYTES = 1 << 20;

/** Opens a file and returns the result of `read`. Closes it if `read` fails, else when the bytes are disposed of. */
export async function openBinaryFile<T>(
  path: string,
  name: string,
  read: (bytes: FileBytes) => Promise<T>,
): Promise<T> {
  const bytes = toFileBytes(await open(path, 'r'), name);
  try {
    return await read(bytes);
  } catch (error) {
    await bytes[Symbol.asyncDispose]();
    throw error;
  }
}

export type FileBytes = ReturnType<typeof toFileBytes>;

function toFileBytes(handle: FileHandle, what: string) {
  let chunk = Buffer.alloc(0);
  let at = 0;
  async function fill(size: number): Promise<void> {
    const room = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, size));
    const left = chunk.copy(room, 0, at);
    let filled = left;
    while (filled < size) {
      const { bytesRead } = await handle.read(room, filled, room.length - filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    chunk = room.subarray(0, filled);
    at = 0;
  }
  return {
    /** Returns `size` bytes, valid until the next call, or `undefined` at the end. Throws `source` for fewer bytes. */
    async take(size: number): Promise<Buffer | undefined> {
      if (size > MOST_PIECE_BYTES)
        throw new ShingleError('source', `${what} is damaged: a record of ${size} bytes`);
      if (chunk.length - at < size) await fill(size);
      if (chunk.length === at && size > 0) return undefined;
      if (chunk.length - at < size)
        throw new ShingleError('source', `${what} ends in the middle of a record: it may be incomplete`);
      const piece = chunk.subarray(at, at + size);
      at += size;
      return piece;
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

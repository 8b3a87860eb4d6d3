/** Replaces a file whole: who reads it finds the old text or the new one, also after a crash. */

import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** `mode`: the permissions of the file, whatever they were. `check`: looks at the new file before it takes the place of the old one. */
export async function replaceFile(
  path: string,
  text: string,
  { mode, check }: { mode: number; check?: (part: string) => Promise<unknown> },
): Promise<void> {
  const part = join(dirname(path), `.shingle-${randomUUID()}${extname(path)}`);
  try {
    const file = openSync(part, 'wx', mode);
    try {
      fchmodSync(file, mode); // whatever the umask is
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    await check?.(part);
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

/** Replaces a file atomically: readers find either the old text or the new one, even after a crash. */

import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** Replaces a file and sets its permissions to `mode`. */
export function replaceFile(path: string, text: string, mode: number): void {
  const part = join(dirname(path), `.shingle-${randomUUID()}${extname(path)}`);
  try {
    const file = openSync(part, 'wx', mode);
    try {
      fchmodSync(file, mode); // `openSync` applies the umask
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

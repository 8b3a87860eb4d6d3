/** Folders of their own for tests, which are removed at the end of the process. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.on('exit', () => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

export function aFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'shingle-test-'));
  made.push(path);
  return path;
}

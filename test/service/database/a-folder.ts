/** A separate folder for a test. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function aFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'shingle-store-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

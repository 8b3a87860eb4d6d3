/** Another program that writes to the database of a service, for as long as a test wants. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { PATIENCE_MS } from '../patience.ts';

/** As long as another process writes, no signup can be stored, and each waits. */
export function writingElsewhere(t: TestContext, folder: string): { end(): void } {
  const db = new DatabaseSync(join(folder, 'shingle.db'), { timeout: PATIENCE_MS }); // for what the service writes just now
  t.after(() => db.isOpen && db.close());
  db.exec('begin immediate');
  return { end: () => db.close() };
}

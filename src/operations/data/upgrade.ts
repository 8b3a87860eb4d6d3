/** Brings the tables of an older version up to date. The database of a data folder is copied first, so that you can go back. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../database/engines/engine.ts';
import type { SqliteEngine } from '../../database/engines/sqlite.ts';
import { findStepTrouble, lastStep, migrate, readStep } from '../../database/migrations.ts';
import { MARK_COPY } from '../../subscribers/restore.ts';

const WAIT_MS = 60_000; // while another process does it

/** Returns a sentence for the operator if the tables were those of an older version. */
export async function upgradeFolder(engine: SqliteEngine, folder: string): Promise<string | undefined> {
  if (!isOlder(await readStep(engine))) return undefined;
  return engine.exclusively('tables', WAIT_MS, async () => {
    const done = await readStep(engine);
    if (!isOlder(done)) return undefined;
    const backups = join(folder, 'backups');
    const file = join(backups, `before-step-${done + 1}.db`);
    mkdirSync(backups, { recursive: true, mode: 0o700 });
    rmSync(file, { force: true }); // of an upgrade that did not take place
    await engine.backup(file, MARK_COPY);
    await migrate(engine);
    return `the tables were upgraded to step ${lastStep()}. The database from before is in ${file}`;
  });
}

/** The same for PostgreSQL, which is not ours to copy. The caller holds the lock. */
export async function upgradeServer(engine: Engine): Promise<string | undefined> {
  const done = await readStep(engine);
  await migrate(engine);
  if (!isOlder(done)) return undefined;
  return `the tables were upgraded from step ${done} to ${lastStep()}. To go back to the previous version, restore the dump from before the upgrade`;
}

/** Tables that cannot be upgraded are left to `migrate`, which refuses them. */
function isOlder(done: number): boolean {
  return done > 0 && done < lastStep() && findStepTrouble(done) === undefined;
}

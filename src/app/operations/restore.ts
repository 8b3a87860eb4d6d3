/** Restores a backup. */

import type { Config } from '../../config.ts';
import { type Replaced, readCityOfFile, replaceDatabase } from '../../service/data/backups.ts';
import { openStoreAt } from '../../service/data/store.ts';
import { requireSameCity } from '../../service/data/stored-city.ts';
import { databaseIn } from '../../service/database/data-folder.ts';
import type { CopyFacts } from '../../service/database/engines/sqlite-files.ts';
import { ShingleError } from '../../shared/errors.ts';
import { readClock } from './clock.ts';
import { loadConfiguredCity } from './configured-city.ts';

/**
 * Replaces the database with a backup. Throws `source` if it is unusable, `refused` if the folder is in use or one of them
 * is of another city.
 */
export async function restoreBackup(
  config: Config,
  file: string,
  now = readClock,
): Promise<Pick<CopyFacts, 'listings' | 'subscribers'> & Replaced> {
  const { dataFolder, databaseUrl } = config;
  if (databaseUrl !== undefined)
    throw new ShingleError('usage', 'the data is in PostgreSQL: restore a dump with pg_restore or psql');
  // a city that cannot be loaded must not prevent a restore: `start` compares them again
  const loaded = await loadConfiguredCity(config).catch(() => undefined);
  if (loaded !== undefined)
    for (const one of [file, databaseIn(dataFolder)]) {
      const stored = readCityOfFile(one);
      requireSameCity(stored, loaded, { ...config, where: one });
    }
  const replaced = await replaceDatabase(file, dataFolder, now());
  const store = await openStoreAt({ dataFolder, databaseUrl, mustExist: true });
  try {
    await store.repairAfterRestore(now());
    const { listings } = await store.describe();
    return { listings, subscribers: (await store.subscribers.all()).length, ...replaced };
  } finally {
    await store.close();
  }
}

/** `shingle backup` copies the data, `shingle restore` replaces it, and `shingle move` moves it to PostgreSQL. */

import { resolve } from 'node:path';
import { type Config, readConfig } from '../../config.ts';
import { type Replaced, readCityOfFile, replaceDatabase, verifyBackup } from '../../service/data/backups.ts';
import { openStoreAt } from '../../service/data/store.ts';
import { requireSameCity } from '../../service/data/stored-city.ts';
import { databaseIn } from '../../service/database/data-folder.ts';
import type { CopyFacts } from '../../service/database/engines/sqlite-files.ts';
import { messageOf, refusedError, ShingleError, sourceError, usageError } from '../../shared/errors.ts';
import { formatCount, formatNumber } from '../../shared/text/numbers.ts';
import { readClock } from '../operations/clock.ts';
import { loadConfiguredCity } from '../operations/configured-city.ts';
import { type Report, withService } from './options.ts';
import { openProgressLine, printLine } from './terminal.ts';

export async function backUp(name: string, { verify }: { verify?: boolean }): Promise<Report> {
  const file = resolve(name);
  if (verify) {
    const { listings, subscribers } = verifyBackup(file);
    if (listings === 0) throw sourceError(`${file} is sound, but has no listings`);
    const facts = { listings, subscribers };
    return { json: { file, ...facts }, text: `${file} can be restored: ${describeCopy(facts)}` };
  }
  await withService((service) => service.store.backup(file), { ofAnyCity: true }).catch((error) => {
    if (error instanceof ShingleError) throw error;
    const sentence = `${file} cannot be written (${messageOf(error)}): name a file in another folder`;
    throw refusedError(sentence, error);
  });
  return { json: { file }, text: `backed up to ${file}` };
}

function describeCopy({ listings, subscribers }: Omit<CopyFacts, 'step'>): string {
  return `${formatCount(listings, 'listing')}, ${formatCount(subscribers, 'subscriber')}`;
}

function describeKept(old: string | undefined, kept: Replaced['kept']): string {
  const lost =
    'listings that you removed or corrected since the backup are served again as the register has them';
  const redo = 'compare "npx shingle suppress list" and "npx shingle correct list" with your notes';
  if ('problem' in kept)
    return `the removals and corrections of the previous database cannot be read (${kept.problem}): ${lost}. To be sure, ${redo}`;
  if (old === undefined) return `no database was there before: ${lost}. To be sure, ${redo}`;
  const { suppressions, corrections } = kept;
  return `kept from the previous database: ${formatCount(suppressions, 'removal')} and ${formatCount(corrections, 'correction')} made since the backup`;
}

export async function restore(name: string): Promise<Report> {
  const file = resolve(name);
  const { old, kept, listings, subscribers } = await restoreBackup(readConfig(), file);
  const facts = { listings, subscribers };
  const lines = [`restored ${file}: ${describeCopy(facts)}`, describeKept(old, kept)];
  if (old !== undefined) lines.push(`the previous database is ${old}; the service deletes it after 7 days`);
  return { json: { file, ...facts, previous: old ?? null, kept }, text: lines.join('\n') };
}

/**
 * Replaces the database with a backup. Throws `source` if it is unusable, `refused` if the folder is in use or one of them
 * is of another city.
 */
async function restoreBackup(config: Config, file: string) {
  const { dataFolder, databaseUrl } = config;
  if (databaseUrl !== undefined)
    throw usageError('the data is in PostgreSQL: restore a dump with pg_restore or psql');
  // a city that cannot be loaded must not prevent a restore: `start` compares them again
  const loaded = await loadConfiguredCity(config).catch(() => undefined);
  if (loaded !== undefined)
    for (const one of [file, databaseIn(dataFolder)]) {
      const stored = readCityOfFile(one);
      requireSameCity(stored, loaded, { ...config, where: one });
    }
  const replaced = await replaceDatabase(file, dataFolder, readClock());
  const store = await openStoreAt({ dataFolder, databaseUrl, mustExist: true });
  try {
    await store.repairAfterRestore(readClock());
    const { listings } = await store.describe();
    return { listings, subscribers: (await store.subscribers.all()).length, ...replaced };
  } finally {
    await store.close();
  }
}

export async function renameCity(): Promise<Report> {
  const { before, after } = await withService(
    async (service) => ({ before: await service.rename(), after: service.loaded.city }),
    { ofAnyCity: true },
  );
  const json = { from: before ?? null, to: { name: after.name, region: after.region } };
  const now = `${after.name}, ${after.region}`;
  if (before === undefined) return { json, text: `the data is already of ${now}` };
  return { json, text: `the data of ${before.name}, ${before.region} is now of ${now}` };
}

/** Moves the data, all or nothing. Never prints a password. */
export async function moveData(options: { json?: boolean }): Promise<Report> {
  const config = readConfig();
  if (config.databaseUrl === undefined) throw usageError('name the database in DATABASE_URL');
  const line = openProgressLine();
  // loads the PostgreSQL driver, which few processes need
  const { moveStore } = await import('../../service/data/move.ts');
  const { to, tables } = await moveStore({
    folder: config.dataFolder,
    url: config.databaseUrl,
    now: readClock(),
    city: await loadConfiguredCity(config),
    progress: ({ doing, table, rows }) => line.show(() => `${doing}: ${table}: ${formatNumber(rows)} rows`),
  }).finally(line.clear);
  const counts = Object.entries(tables).filter(([, rows]) => rows > 0);
  const moved = counts.map(([table, rows]) => `${table} ${formatNumber(rows)}`).join(', ');
  const text = `moved to ${to}: ${moved}
set DATABASE_URL=postgres://USER:PASSWORD@${to} and start Shingle again. The old data folder can no longer be used`;
  if (options.json) printLine(text); // tells the operator the next step, which the JSON does not contain
  return { json: { to, tables }, text };
}

/** `shingle backup` copies the data, `shingle restore` replaces it, and `shingle move` moves it to PostgreSQL. */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, readConfig } from '../../config.ts';
import { type Replaced, readCityOfFile, replaceDatabase, verifyBackup } from '../../service/data/backups.ts';
import { openStoreAt } from '../../service/data/store.ts';
import { requireSameCity } from '../../service/data/stored-city.ts';
import { databaseIn } from '../../service/database/data-folder.ts';
import type { CopyFacts } from '../../service/database/engines/sqlite-files.ts';
import { messageOf, ShingleError } from '../../shared/errors.ts';
import { formatCount, formatNumber } from '../../shared/text/numbers.ts';
import { readClock } from '../operations/clock.ts';
import { loadConfiguredCity } from '../operations/configured-city.ts';
import { addCommand, type Report, withService } from './options.ts';
import { openProgressLine, printLine } from './terminal.ts';

export function backupCommand(program: Command): void {
  program
    .command('backup')
    .description('write a consistent copy of the database; safe while the service runs')
    .argument('<file>', 'the file to write, which must not exist yet')
    .option('--verify', 'check every page of an existing copy instead, and show what it contains')
    .action(async (name: string, options: { verify?: boolean }) => {
      const file = resolve(name);
      if (options.verify) {
        const facts = verifyBackup(file);
        if (facts.listings === 0) throw new ShingleError('source', `${file} is sound, but has no listings`);
        return printLine(`${file} can be restored: ${describeCopy(facts)}`);
      }
      await withService((service) => service.store.backup(file), { ofAnyCity: true }).catch((error) => {
        if (error instanceof ShingleError) throw error;
        const sentence = `${file} cannot be written (${messageOf(error)}): name a file in another folder`;
        throw new ShingleError('refused', sentence, { cause: error });
      });
      printLine(`backed up to ${file}`);
    });
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

export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description('verify a backup and replace the database with it; stop the service first')
    .argument('<file>', 'a file made by "shingle backup", or one of the daily backups')
    .action(async (file: string) => {
      const { old, kept, ...facts } = await restoreBackup(readConfig(), resolve(file));
      printLine(`restored ${resolve(file)}: ${describeCopy(facts)}`);
      printLine(describeKept(old, kept));
      if (old !== undefined)
        printLine(`the previous database is ${old}; the service deletes it after 7 days`);
    });
}

/**
 * Replaces the database with a backup. Throws `source` if it is unusable, `refused` if the folder is in use or one of them
 * is of another city.
 */
async function restoreBackup(config: Config, file: string) {
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

export function renameCommand(program: Command): void {
  addCommand(program, 'rename', renameCity).description(
    'give the data the new name of the city, after you changed it in city.yaml',
  );
}

async function renameCity(): Promise<Report> {
  const { before, after } = await withService(
    async (service) => ({ before: await service.rename(), after: service.loaded.city }),
    { ofAnyCity: true },
  );
  const json = { from: before ?? null, to: { name: after.name, region: after.region } };
  const now = `${after.name}, ${after.region}`;
  if (before === undefined) return { json, text: `the data is already of ${now}` };
  return { json, text: `the data of ${before.name}, ${before.region} is now of ${now}` };
}

export function moveCommand(program: Command): void {
  addCommand(program, 'move', moveData).description(
    'move the data to the empty PostgreSQL database of DATABASE_URL; the data folder can no longer be used afterwards',
  );
}

/** Moves the data, all or nothing. Never prints a password. */
async function moveData(options: { json?: boolean }): Promise<Report> {
  const config = readConfig();
  if (config.databaseUrl === undefined) throw new ShingleError('usage', 'name the database in DATABASE_URL');
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

/** Makes and restores copies of a data folder: daily backups, copies before an upgrade, and replaced databases. */

import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Instant } from '../../shared/day.ts';
import { messageOf, refusedError, sourceError } from '../../shared/errors.ts';
import {
  databaseIn,
  describeMove,
  findFileError,
  openPart,
  readOrigin,
  syncFile,
  syncNames,
} from '../database/data-folder.ts';
import type { PostgresEngine } from '../database/engines/postgres.ts';
import type { SqliteEngine } from '../database/engines/sqlite.ts';
import {
  type CopyFacts,
  changeFile,
  copyRemovals,
  findDamage,
  type Kept,
  readCopy,
  readFileRow,
  withFileLock,
} from '../database/engines/sqlite-files.ts';
import { findStepProblem, lastStep, migrate, readStep } from '../database/migrations.ts';
import { MARK_COPY } from '../subscribers/restore.ts';
import { mergeUnsubscribeLog, UNSUBSCRIBE_LOG } from '../subscribers/unsubscribe-log.ts';
import { STORED_CITY, type StoredCity } from './stored-city.ts';

const TABLES_WAIT_MS = 60_000; // another process may be upgrading the tables
const DAILY = /^shingle-\d{4}-\d\d-\d\d\.db$/;
const TEMPORARY = /^(?:before-step-\d+|replaced-[\dTZ-]+)\.db(?:-wal|-shm)?$/;
const LOCKS = ['ingest', 'mail', 'service'];

export type BackupFacts = {
  /** When the first kept run ended, or the time of a later restore. Before that, there is nothing to back up. */
  neededSince: Instant | null;
  newestAt: Instant | null;
  /** Why backups fail or the newest backup is unusable. `summary` is for the public, `detail` for the operator. */
  problem: { summary: string; detail: string } | null;
};

export const backupsIn = (dataFolder: string): string => join(dataFolder, 'backups');

/** Lists daily backups, the oldest first. Those that a wrong clock has dated in the future come before all others. */
export function listDailyBackups(dataFolder: string, now: Instant): string[] {
  const folder = backupsIn(dataFolder);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => DAILY.test(name)) : [];
  const isDue = (name: string) => Number(!isDatedAhead(name, now));
  return names.toSorted().sort((a, b) => isDue(a) - isDue(b));
}

const isDatedAhead = (name: string, now: Instant): boolean => name > `shingle-${now.slice(0, 10)}.db`;

export function readBackups(dataFolder: string, now: Instant): Omit<BackupFacts, 'neededSince'> {
  const folder = backupsIn(dataFolder);
  try {
    const newest = listDailyBackups(dataFolder, now).at(-1);
    accessSync(existsSync(folder) ? folder : dataFolder, constants.W_OK);
    if (newest === undefined || isDatedAhead(newest, now)) return { newestAt: null, problem: null };
    const path = join(folder, newest);
    return { newestAt: statSync(path).mtime.toISOString(), problem: findCopyProblem(path) };
  } catch (error) {
    const summary = 'no backup can be made';
    return {
      newestAt: null,
      problem: { summary, detail: `${summary}: ${messageOf(findFileError(error) ?? error)}` },
    };
  }
}

function findCopyProblem(path: string): BackupFacts['problem'] {
  const summary = 'the newest backup cannot be used';
  try {
    if (readFileRow(path, 'select 1 from listing limit 1') !== undefined) return null;
    return { summary, detail: `${summary}: ${path} has no listings` };
  } catch (error) {
    return { summary, detail: `${summary}: ${path}: ${messageOf(error)}` };
  }
}

/** Deletes copies that are older than `before`, because they may contain people who have since been erased. */
export function deleteOldCopies(dataFolder: string, before: Instant): void {
  for (const folder of [dataFolder, backupsIn(dataFolder)])
    for (const name of readdirSync(folder).filter((one) => TEMPORARY.test(one))) {
      const path = join(folder, name);
      if (statSync(path).ctimeMs < Date.parse(before)) rmSync(path);
    }
}

/** Reads the facts of a backup. Throws `source` if the file cannot be restored. */
export function verifyBackup(file: string): CopyFacts {
  const wrong = (what: string) => sourceError(`${file} ${what}`);
  const stat = statSync(file, { throwIfNoEntry: false });
  const size = stat?.size ?? -1;
  if (stat?.isDirectory()) throw wrong('is a folder: name a file made by "shingle backup"');
  if (size <= 0) throw wrong(size === 0 ? 'is empty' : 'does not exist');
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw wrong('is a database in use: make a copy of it with "npx shingle backup FILE"');
  if (readOrigin(file) === 'live')
    throw wrong(
      'was copied from a database in use, so its newest changes may be missing. Make a copy with "npx shingle backup FILE". If this file is all that is left, put it as shingle.db into an empty folder, and run "npx shingle backup FILE" with SHINGLE_DATA set to that folder',
    );
  const facts = readCopy(file);
  const problem = findStepProblem(facts.step);
  if (problem !== undefined) throw wrong(problem);
  return facts;
}

/** Reads whose data a file is. Returns `undefined` if it cannot be read. */
export function readCityOfFile(file: string): StoredCity | undefined {
  try {
    return existsSync(file) ? (readFileRow(file, STORED_CITY) as StoredCity | undefined) : undefined;
  } catch {
    return undefined;
  }
}

export type Replaced = {
  /** The path of the old database, if there was one. */
  old: string | undefined;
  /** How many removals and corrections of the old database were carried over, or why they could not be read. */
  kept: Kept | { problem: string };
};

/**
 * Replaces the database, and keeps what was removed and corrected since the backup. Throws `source` for a bad backup,
 * `refused` if in use.
 */
export async function replaceDatabase(file: string, folder: string, now: Instant): Promise<Replaced> {
  const path = databaseIn(folder);
  const moved = describeMove(folder);
  if (moved !== undefined) throw refusedError(moved);
  verifyBackup(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  using part = openPart(path);
  copyFileSync(file, part.path);
  syncFile(part.path);
  return await whileUnused(folder, () => {
    const old = join(folder, `replaced-${now.slice(0, 19).replaceAll(':', '-')}Z.db`);
    const kept = existsSync(path) ? carryRemovals(path, part.path) : { suppressions: 0, corrections: 0 };
    changeFile(part.path, MARK_COPY); // a file not made by `backup` has no mark
    const parts = ['', '-wal', '-shm'].filter((end) => existsSync(path + end));
    for (const end of parts) renameSync(path + end, old + end);
    mergeUnsubscribeLog(join(dirname(file), UNSUBSCRIBE_LOG), join(folder, UNSUBSCRIBE_LOG));
    renameSync(part.path, path);
    syncNames(folder);
    return { old: parts.length === 0 ? undefined : old, kept };
  });
}

/** Carries over removals and corrections. Makes the old database a complete copy, which can be restored in turn. */
function carryRemovals(path: string, part: string): Replaced['kept'] {
  try {
    const damage = findDamage(path);
    const kept = copyRemovals(path, part);
    if (damage === undefined) changeFile(path, 'pragma journal_mode = delete');
    return kept;
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Runs `work` while holding the folder's locks. Throws `refused` if another process uses the folder. */
function whileUnused<T>(folder: string, work: () => T): Promise<T> {
  const locked = LOCKS.reduce<() => Promise<T>>(
    (inner, name) => () => withFileLock(join(folder, `${name}.lock`), 0, inner),
    async () => work(),
  );
  return locked().catch((error: unknown) => {
    if (!/^another process/.test(messageOf(error))) throw error;
    throw refusedError(`${folder} is in use: stop Shingle first`, error);
  });
}

/**
 * Upgrades the tables of an older version, in one process at a time. Copies a file first, so operators can go back. Returns a
 * sentence for them.
 */
export async function upgradeTables(
  engine: SqliteEngine | PostgresEngine,
  folder: string,
): Promise<string | undefined> {
  if (!isOlder(await readStep(engine))) return undefined;
  return engine.exclusively('tables', TABLES_WAIT_MS, async () => {
    const done = await readStep(engine);
    if (!isOlder(done)) return undefined;
    const file = join(backupsIn(folder), `before-step-${done + 1}.db`);
    const isCopied = 'backup' in engine;
    if (isCopied) {
      mkdirSync(backupsIn(folder), { recursive: true, mode: 0o700 });
      rmSync(file, { force: true }); // an interrupted upgrade may have left this file
      await engine.backup(file, MARK_COPY);
    }
    await migrate(engine);
    const way = isCopied
      ? `The previous database is in ${file}`
      : 'To go back to the previous version, restore the dump from before the upgrade';
    return `the tables were upgraded from step ${done} to ${lastStep()}. ${way}`;
  });
}

/** Returns whether the database needs an upgrade. `migrate` refuses newer databases. */
function isOlder(done: number): boolean {
  return done > 0 && done < lastStep() && findStepProblem(done) === undefined;
}

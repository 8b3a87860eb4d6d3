/**
 * Checks, reads and locks SQLite's files. Checks and reads cannot write. If a process dies, the system releases its
 * locks.
 */

import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { messageOf, refusedError, ShingleError, sourceError, storeError } from '../../../shared/errors.ts';
import { describeRestore, describeUnusable, touchPrivate } from '../data-folder.ts';
import { findFullDiskError, hasRoomForJournal } from '../disk-room.ts';
import { NO_TABLE } from './postgres-errors.ts';

export const APPLICATION_ID = 0x53684e67; // identifies a database as ours
export const READ_WAIT_MS = 5_000;
const DAMAGED = [11, 26]; // SQLITE_CORRUPT and SQLITE_NOTADB: the file was read and is invalid

export const READING_PRAGMAS = [
  'trusted_schema = off',
  'cell_size_check = on',
  'mmap_size = 0',
  'cache_size = -8000',
];

/** Describes damage to a database or backup, or returns `undefined`. Cannot write, so a damaged file stays as it is. */
export function findDamage(path: string, what: 'database' | 'backup' = 'database'): string | undefined {
  try {
    using db = openToRead(path);
    if (readPragma(db, 'application_id') !== APPLICATION_ID) return `${path} belongs to another program`;
    const check = readPragma(db, 'quick_check', '(1)');
    if (check !== 'ok') return `the ${what} ${path} is damaged (${check})`;
    if (!areAddressesChanged(db)) return undefined;
    return `the ${what} ${path} is damaged: email addresses in it were changed`;
  } catch (error) {
    if (!DAMAGED.includes(readResultCode(error))) throw error;
    return `the ${what} ${path} is damaged (${messageOf(error)})`;
  }
}

function readPragma(db: DatabaseSync, name: string, argument = '') {
  return db.prepare(`pragma ${name}${argument}`).get()?.[name];
}

export type CopyFacts = ReturnType<typeof readCopy>;

/** Checks every page of a copy. Throws `source` if it cannot be restored. */
export function readCopy(path: string) {
  const refuse = (what: string) => sourceError(`${what}. Nothing was changed: try another backup`);
  const damage = findDamage(path, 'backup');
  if (damage !== undefined) throw refuse(damage);
  using db = openToRead(path);
  const check = readPragma(db, 'integrity_check', '(1)');
  if (check !== 'ok') throw refuse(`the backup ${path} is damaged (${check})`);
  const count = (sql: string) => Number(db.prepare(`select ${sql} as n`).get()?.n ?? 0);
  return {
    listings: count('(select count(*) from listing)'),
    subscribers: count('(select count(*) from subscriber)'),
    step: count('(select max(number) from migration)'),
  };
}

/** Runs a query on a file. Throws SQLite's error if the file is not a database. */
export function readFileRow(path: string, sql: string): Record<string, unknown> | undefined {
  using db = openToRead(path);
  return db.prepare(sql).get();
}

/** Runs a statement on a database that nothing else uses. */
export function changeFile(path: string, sql: string): void {
  using db = new DatabaseSync(path, { timeout: READ_WAIT_MS });
  db.exec(sql);
}

export type Kept = { suppressions: number; corrections: number };

/**
 * Copies what the operator removed, corrected and left out of the weekly email from one database into another, which keeps its own. Of two corrections
 * of one listing, the later one stays. Returns how many were missing.
 */
export function copyRemovals(from: string, to: string): Kept {
  using target = openWith(READING_PRAGMAS, to);
  target.prepare('attach ? as old').run(`${pathToFileURL(from)}?mode=ro`);
  const copy = (sql: string) => Number(target.prepare(sql).run().changes);
  target.exec('begin');
  const suppressions = copy(`insert into suppression (value, reason, added_at)
    select value, reason, added_at from old.suppression where true on conflict do nothing`);
  const corrections =
    copy(`insert into correction (value, name, category, neighborhood, status, reason, added_at)
    select value, name, category, neighborhood, status, reason, added_at from old.correction where true
    on conflict do update set name = excluded.name, category = excluded.category, neighborhood = excluded.neighborhood,
      status = excluded.status, reason = excluded.reason, added_at = excluded.added_at
      where excluded.added_at > correction.added_at`);
  copy(`insert into left_out (source, key, added_at)
    select source, key, added_at from old.left_out where true on conflict do nothing`);
  target.exec('commit');
  return { suppressions, corrections };
}

/** Returns whether bytes of an address were damaged. SQLite cannot detect that, so addresses are stored twice. */
function areAddressesChanged(db: DatabaseSync): boolean {
  const isThere = db.prepare("select 1 from sqlite_schema where name = 'subscriber'").get() !== undefined;
  if (!isThere) return false;
  const changed = db.prepare('select 1 from subscriber where identity <> lower(address) limit 1').get();
  return changed !== undefined || readPragma(db, 'integrity_check', '(subscriber)') !== 'ok';
}

/** Opens a database to read. Without room for its journal, it is read as it is: a database without one is complete. */
export function openToRead(path: string): DatabaseSync {
  try {
    return openReader(path);
  } catch (error) {
    const isComplete = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
    if (!isComplete || findFullDiskError(error, dirname(path)) === undefined) throw error;
    const file = pathToFileURL(path);
    file.searchParams.set('immutable', '1');
    return openReader(file);
  }
}

function openReader(file: string | URL): DatabaseSync {
  return openWith([...READING_PRAGMAS, 'query_only = on'], file, { readOnly: true });
}

/** Opens a database, and closes it if its pragmas or its journal fail. */
export function openWith(pragmas: readonly string[], file: string | URL, options = {}): DatabaseSync {
  using opened = new DisposableStack();
  const db = opened.use(new DatabaseSync(file, { timeout: READ_WAIT_MS, ...options }));
  for (const pragma of pragmas) db.exec(`pragma ${pragma}`);
  db.prepare('select count(*) from sqlite_schema').get(); // opens the journal
  opened.move();
  return db;
}

export const LOCK_POLL_MS = 20;

/** Begins a transaction. Waits for the lock without blocking the event loop. Throws `store` after `waitMs`. */
export async function beginSqlite(db: DatabaseSync, sql: string, waitMs: number): Promise<void> {
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    try {
      db.exec(sql);
      return;
    } catch (error) {
      if (!isBusy(error) || waited >= waitMs) throw toSqliteError(error, db.location()!);
    }
    await sleep(LOCK_POLL_MS);
  }
}

const LOCK = 'pragma journal_mode = memory; begin exclusive'; // a full disk may have no room for a journal

// keeps references, because a lock that is garbage-collected is released
const locks = new Set<DatabaseSync>();

/** Runs `work` while a transaction locks the file `path`. Throws `store` if another process locks it for `waitMs`. */
export async function withFileLock<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  touchPrivate(path);
  const db = new DatabaseSync(path);
  locks.add(db);
  try {
    await beginSqlite(db, LOCK, waitMs).catch((error: unknown) => {
      if (!(error instanceof ShingleError) || !isBusy(error.cause)) throw error;
      throw storeError(`another process has locked ${path} for ${waitMs / 1000} seconds`);
    });
    return await work();
  } finally {
    locks.delete(db);
    db.close();
  }
}

/**
 * Takes a shared lock on a file. The lock ends when the returned function is called, or with the process. Takes none on a
 * disk without room for the file.
 */
export function shareFileLock(path: string): () => void {
  try {
    touchPrivate(path);
  } catch (error) {
    if (findFullDiskError(error, dirname(path)) === undefined) throw error;
    return () => undefined;
  }
  const db = new DatabaseSync(path, { timeout: READ_WAIT_MS }); // `status` may be looking at the lock
  try {
    db.exec('begin; select count(*) from sqlite_schema');
  } catch (error) {
    throw toSqliteError(error, path);
  }
  locks.add(db);
  return () => {
    if (locks.delete(db)) db.close();
  };
}

/**
 * Returns whether a process holds the lock of a file, or may run without one, on a disk without room for the file.
 * `undefined`: a file that cannot be written cannot be locked, so nobody knows.
 */
export async function isFileLocked(path: string): Promise<boolean | undefined> {
  if (!existsSync(path)) return !hasRoomForJournal(dirname(path));
  if (describeUnusable(path) !== undefined) return undefined;
  return withFileLock(path, 0, async () => false).catch(() => true);
}

const SQLITE_BUSY = 5;

export function isBusy(error: unknown): boolean {
  return readResultCode(error) === SQLITE_BUSY;
}

export function readResultCode(error: unknown): number {
  return ((error as { errcode?: number } | undefined)?.errcode ?? 0) % 256;
}

/** Converts errors of SQLite to our own. Returns other errors unchanged. `path` is the file in use. */
export function toSqliteError(error: unknown, path: string): unknown {
  const full = findFullDiskError(error, dirname(path));
  const isSqlite = (error as { code?: string }).code === 'ERR_SQLITE_ERROR';
  if (full !== undefined || !isSqlite) return full ?? error;
  return storeError(describeSqliteError(error, path), error);
}

const [PERM, READONLY, IOERR, CANTOPEN] = [3, 8, 10, 14];

/** Describes an error with the file, the cause and what to do. */
function describeSqliteError(error: unknown, path: string): string {
  const reason = readResultCode(error);
  const said = messageOf(error);
  if (DAMAGED.includes(reason)) return `the database ${path} is damaged (${said}). ${describeRestore(path)}`;
  if ([PERM, READONLY, CANTOPEN].includes(reason))
    return describeUnusable(path) ?? `the database ${path} cannot be written: ${said}`;
  if (reason === IOERR)
    return (
      describeUnusable(path) ??
      `the disk of ${path} reports an error (${said}): see "dmesg". ${describeRestore(path)}`
    );
  if (NO_TABLE.test(said)) return `the database ${path} is not complete (${said}). ${describeRestore(path)}`;
  return `the database is temporarily unavailable: ${said}`;
}

/** Converts an error of opening. What this user cannot write is `refused`, because another try would not help. */
export function toOpeningError(error: unknown, path: string): unknown {
  const known = toSqliteError(error, path);
  const isKeptOut =
    [PERM, READONLY, CANTOPEN].includes(readResultCode(error)) && known instanceof ShingleError;
  const isFull = findFullDiskError(error, dirname(path)) !== undefined;
  return isKeptOut && !isFull ? refusedError(known.message, error) : known;
}

/**
 * The SQLite engine: one database file in a data folder, safe with several processes. The only file that uses SQLite.
 * Never closes a handle of its own on the database file: that would drop the locks SQLite holds on it.
 */

import { existsSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, ShingleError } from '../../errors.ts';
import { probe } from '../../listings/probe.ts';
import {
  databaseIn,
  ensureDatabase,
  readFileIdentity,
  sweepDead,
  syncFile,
  syncNames,
  touchPrivate,
  unsafeFolderError,
} from '../data-folder.ts';
import { describeMigration } from '../migration-marker.ts';
import { findFullDiskError } from '../room.ts';
import type { Engine, Reading, Transaction, Value } from './engine.ts';
import { openWriteQueue } from './write-queue.ts';

const APPLICATION_ID = 0x53684e67; // identifies a database as ours
const OLDEST_SQLITE = [3, 53, 2]; // older versions can corrupt a WAL database that two processes write to
const SQLITE_BATCH_ROWS = 2_000;
const LOCK_POLL_MS = 20;
const READ_WAIT_MS = 5_000;
const SQLITE_WRITE_WAIT_MS = 15_000; // a big run is kept in one transaction of several seconds
const SQLITE_BUSY = 5;
const DAMAGED = [11, 26]; // SQLITE_CORRUPT and SQLITE_NOTADB: the file itself was read, and is wrong

const READING_PRAGMAS = [
  'trusted_schema = off',
  'cell_size_check = on',
  'mmap_size = 0',
  'cache_size = -8000',
];
const WRITING_PRAGMAS = [
  ...READING_PRAGMAS,
  'journal_mode = wal',
  'synchronous = full',
  'foreign_keys = on',
  'secure_delete = on', // deleted data must not remain in free pages
  'journal_size_limit = 67108864',
  'wal_autocheckpoint = 1000',
  'busy_timeout = 0', // waiting inside SQLite would stop the whole process: `begin` waits instead
];

export type SqliteEngine = Engine & {
  /** Copies a snapshot of the database to a new file; `mark` is applied to the copy. Throws `refused` if the file exists. */
  backup(file: string, mark: string): Promise<void>;
  /** Empties the journal, so that deleted data is in no file. What others still read after `waitMs` stays until the next time. */
  scrub(waitMs: number): Promise<void>;
  /** Until the function that it returns is called, this process counts as a service of the folder. */
  markServing(): () => void;
  /** Whether the opened files still exist under their names: the database, its journal and its shared memory. */
  healthy(): boolean;
};

/**
 * Opens the database of a folder, and creates it if the folder never had one. Throws `refused` for a damaged, foreign, empty, lost
 * or moved database, and does not change it. With `mustExist` it creates nothing, with `readOnly` it also checks nothing and cannot write.
 */
export function openSqlite(folder: string, { readOnly = false, mustExist = false } = {}): SqliteEngine {
  const path = databaseIn(folder);
  refuseOldSqlite(process.versions.sqlite);
  if (!readOnly) {
    const moved = describeMigration(folder);
    if (moved !== undefined) throw new ShingleError('refused', moved);
    try {
      ensureDatabase(path, mustExist ? undefined : makeDatabase);
      checkDatabase(path);
    } catch (error) {
      throw toSqliteError(error, path);
    }
  }
  const opened = readFileIdentity(path);
  if (opened === undefined) throw unsafeFolderError(path, `the database ${path} is missing`);
  const { writer, reader } = connectSqlite(path, readOnly);
  // commits to a deleted journal are lost with this process, and another process would create its own next to it
  const beside = [`${path}-wal`, `${path}-shm`].map((file) => [file, readFileIdentity(file)] as const);
  const healthy = () =>
    readFileIdentity(path) === opened &&
    beside.every(([file, identity]) => readFileIdentity(file) === identity);
  const { enqueue: queued, idle } = openWriteQueue(SQLITE_WRITE_WAIT_MS); // two transactions on one connection would become one
  return {
    read: (sql, params) => asReading(reader).read(sql, params),
    stream: (sql, params) => streamSqlite(path, sql, params),
    transaction: (work) =>
      queued(async (waitMs) => {
        if (writer === undefined) throw new ShingleError('store', 'this connection is read-only');
        if (!healthy())
          throw new ShingleError(
            'store',
            `the database ${path} or its journal was deleted or replaced: restart Shingle`,
          );
        return transactSqlite(writer, waitMs, (tx) => {
          const moved = describeMigration(folder); // it may have been moved while this waited to write
          if (moved !== undefined) throw new ShingleError('store', moved);
          return work(tx);
        });
      }),
    exclusively: (name, waitMs, work) => withFileLock(join(folder, `${name}.lock`), waitMs, work),
    async close() {
      await idle();
      if (!reader.isOpen) return;
      reader.close();
      writer?.close();
    },
    backup: (file, mark) => backup(path, file, mark),
    async scrub(waitMs) {
      const until = performance.now() + waitMs;
      const isDone = async () => writer?.isOpen !== true || isJournalEmptied(writer);
      while (!(await queued(isDone).catch(() => false)) && performance.now() < until)
        await sleep(LOCK_POLL_MS);
    },
    healthy: () => healthy() && describeMigration(folder) === undefined,
    markServing: () => shareFileLock(join(folder, 'service.lock')),
  };
}

/** Throws `refused` for a SQLite version that is not safe with two writing processes. */
export function refuseOldSqlite(version: string | undefined): void {
  const parts = (version ?? '').split('.').map(Number);
  const at = OLDEST_SQLITE.findIndex((part, i) => part !== parts[i]);
  if (at === -1 || parts[at]! > OLDEST_SQLITE[at]!) return;
  throw new ShingleError(
    'refused',
    `this version of Node includes SQLite ${version}, which is not safe; Shingle needs ${OLDEST_SQLITE.join('.')} or later`,
  );
}

function makeDatabase(path: string): void {
  using db = new DatabaseSync(path);
  db.exec(`pragma synchronous = full; pragma application_id = ${APPLICATION_ID}`);
}

function checkDatabase(path: string): void {
  const damage = findDamage(path);
  if (damage !== undefined) throw unsafeFolderError(path, damage);
}

/** Reads through a connection that cannot write, so that a refused file is not changed and can be examined. */
function findDamage(path: string): string | undefined {
  let found: { application_id?: number; quick_check?: string; isChanged: boolean };
  try {
    using db = openToRead(path);
    const { application_id } = db.prepare('pragma application_id').get() as { application_id: number };
    found = {
      application_id,
      ...db.prepare('pragma quick_check(1)').get(),
      isChanged: areAddressesChanged(db),
    };
  } catch (error) {
    if (!DAMAGED.includes(readResultCode(error))) throw error;
    return `the database ${path} is damaged (${messageOf(error)})`;
  }
  if (found.application_id !== APPLICATION_ID) return `${path} belongs to another program`;
  if (found.quick_check !== 'ok') return `the database ${path} is damaged (${found.quick_check})`;
  return found.isChanged ? `the database ${path} is damaged: email addresses in it were changed` : undefined;
}

/** What a copy holds, and how many steps of migration it has behind it. */
export type CopyFacts = { listings: number; subscribers: number; steps: number };

/** Looks at every page. Throws `source` for a copy that cannot be restored. */
export function readCopy(path: string): CopyFacts {
  const damage = findDamage(path);
  if (damage !== undefined) throw new ShingleError('source', damage);
  using db = openToRead(path);
  const check = db.prepare('pragma integrity_check(1)').get()?.integrity_check;
  if (check !== 'ok') throw new ShingleError('source', `the database ${path} is damaged (${check})`);
  const count = (sql: string) => Number(db.prepare(`select ${sql} as n`).get()?.n ?? 0);
  return {
    listings: count('(select count(*) from listing)'),
    subscribers: count('(select count(*) from subscriber)'),
    steps: count('(select max(number) from migration)'),
  };
}

/** Whether a copy has any listing. Throws SQLite's error for a file that is none. */
export function hasListings(path: string): boolean {
  using db = openToRead(path);
  return db.prepare('select 1 from listing limit 1').get() !== undefined;
}

/** SQLite does not notice a changed byte. Addresses are stored twice and indexed, so a changed one is found before anything is sent to it. */
function areAddressesChanged(db: DatabaseSync): boolean {
  const isThere = db.prepare("select 1 from sqlite_schema where name = 'subscriber'").get() !== undefined;
  if (!isThere) return false;
  const changed = db.prepare('select 1 from subscriber where identity <> lower(address) limit 1').get();
  const index = db.prepare('pragma integrity_check(subscriber)').get()?.integrity_check;
  return changed !== undefined || index !== 'ok';
}

/** From here on the journal files exist. */
function connectSqlite(
  path: string,
  readOnly: boolean,
): { writer: DatabaseSync | undefined; reader: DatabaseSync } {
  const opened: DatabaseSync[] = [];
  try {
    const writer = readOnly ? undefined : openToWrite(path);
    if (writer !== undefined) opened.push(writer);
    const reader = openToRead(path);
    opened.push(reader);
    reader.prepare('select count(*) from sqlite_schema').get();
    return { writer, reader };
  } catch (error) {
    for (const db of opened) db.close();
    throw toSqliteError(error, path);
  }
}

function openToRead(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: READ_WAIT_MS });
  for (const pragma of [...READING_PRAGMAS, 'query_only = on']) db.exec(`pragma ${pragma}`);
  return db;
}

function openToWrite(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: READ_WAIT_MS });
  for (const pragma of WRITING_PRAGMAS) db.exec(`pragma ${pragma}`);
  const is = db.prepare('pragma journal_mode').get()?.journal_mode;
  if (is === 'wal') return db;
  db.close();
  throw new ShingleError('refused', `${path} is on a file system that is not safe for databases`);
}

/** Returns false while another connection reads or writes. */
function isJournalEmptied(db: DatabaseSync): boolean {
  try {
    return db.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0;
  } catch (error) {
    if (isBusy(error)) return false;
    throw toSqliteError(error, db.location()!);
  }
}

async function transactSqlite<T>(
  db: DatabaseSync,
  waitMs: number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  await begin(db, 'begin immediate', waitMs);
  try {
    const result = await work(asTransaction(db));
    db.exec('commit');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw toSqliteError(error, db.location()!);
  }
}

/** Begins as soon as no other process writes. Does not block the event loop while it waits. */
async function begin(db: DatabaseSync, sql: string, waitMs: number): Promise<void> {
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

const LOCK = 'pragma journal_mode = memory; begin exclusive'; // on a full disk there may be no room for a journal

const locks = new Set<DatabaseSync>(); // keeps a reference: a lock that is garbage collected would be released

/** A separate lock file, held by a transaction on it: the system releases it when the process dies. Throws `store` after `waitMs`. */
export async function withFileLock<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  touchPrivate(path);
  const db = new DatabaseSync(path);
  locks.add(db);
  try {
    await begin(db, LOCK, waitMs).catch((error: unknown) => {
      if (!(error instanceof ShingleError) || !isBusy(error.cause)) throw error;
      throw new ShingleError('store', `another process has locked ${path} for ${waitMs / 1000} seconds`);
    });
    return await work();
  } finally {
    locks.delete(db);
    db.close();
  }
}

/** Holds a lock that others may share, until it is called back or the process dies. Throws `store` while someone holds it alone. */
function shareFileLock(path: string): () => void {
  touchPrivate(path);
  const db = new DatabaseSync(path);
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

function asTransaction(db: DatabaseSync): Transaction {
  return {
    ...asReading(db),
    async write(sql, rows) {
      if (rows.length === 0) return 0;
      const statement = prepareStatement(db, sql);
      return rows.reduce((changed, row) => changed + Number(statement.run(...row).changes), 0);
    },
  };
}

function asReading(db: DatabaseSync): Reading {
  return {
    async read<R>(sql: string, params: readonly Value[] = []) {
      try {
        const rows = prepareStatement(db, sql).all(...params);
        return rows.map((row) => ({ ...row })) as R[]; // SQLite's own rows have no prototype
      } catch (error) {
        throw toSqliteError(error, db.location()!);
      }
    },
    stream: (sql, params) => iterateBatches(db, sql, params),
  };
}

const MOST_STATEMENTS = 200;
const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Preparing most of our statements costs more than running them, and there are few different ones. */
function prepareStatement(db: DatabaseSync, sql: string): StatementSync {
  const known = statements.getOrInsertComputed(db, () => new Map());
  const statement = known.get(sql) ?? db.prepare(sql);
  if (known.size >= MOST_STATEMENTS) known.clear();
  known.set(sql, statement);
  return statement;
}

/** Rows as arrays: a million take 0.75 s, as objects 1.35 s, and 2.5 s all at once. */
async function* iterateBatches<R>(db: DatabaseSync, sql: string, params: readonly Value[] = []) {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  let batch: R[] = [];
  for (const row of statement.iterate(...params)) {
    if (batch.push(row as unknown as R) < SQLITE_BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** A separate connection keeps its snapshot until the end, whatever else is read. */
async function* streamSqlite<R>(path: string, sql: string, params: readonly Value[] = []) {
  using db = openToRead(path);
  try {
    yield* iterateBatches<R>(db, sql, params);
  } catch (error) {
    throw toSqliteError(error, path);
  }
}

async function backup(path: string, file: string, mark: string): Promise<void> {
  if (existsSync(file)) throw new ShingleError('refused', `${file} already exists and is not overwritten`);
  sweepDead(dirname(file), new RegExp(`^${RegExp.escape(basename(file))}\\.part-(\\d+)`));
  const part = `${file}.part-${process.pid}`;
  rmSync(part, { force: true }); // left by a dead process with the same number: in containers, numbers repeat
  try {
    touchPrivate(part);
    {
      using db = new DatabaseSync(path, { readOnly: true, timeout: READ_WAIT_MS });
      db.prepare('vacuum into ?').run(part);
    }
    probe('backup:copied');
    {
      using copy = new DatabaseSync(part);
      copy.exec(mark);
    }
    syncFile(part);
    probe('backup:synced');
    renameSync(part, file);
    syncNames(dirname(file));
    probe('backup:renamed');
  } catch (error) {
    throw toSqliteError(error, file);
  } finally {
    rmSync(part, { force: true });
  }
}

function isBusy(error: unknown): boolean {
  return readResultCode(error) === SQLITE_BUSY;
}

/** SQLite's primary result code; 0 for other errors. */
function readResultCode(error: unknown): number {
  return ((error as { errcode?: number } | undefined)?.errcode ?? 0) % 256;
}

/** SQLite's own errors and those of a full disk become `store`; all others stay unchanged. `path`: the file that it was about. */
function toSqliteError(error: unknown, path: string): unknown {
  const full = findFullDiskError(error, dirname(path));
  const isSqlite = (error as { code?: string }).code === 'ERR_SQLITE_ERROR';
  if (full !== undefined || !isSqlite) return full ?? error;
  return new ShingleError('store', `the database is temporarily unavailable: ${messageOf(error)}`, {
    cause: error,
  });
}

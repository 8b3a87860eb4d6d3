/** Opens SQLite. Never closes its own handles on the database file, because that would release SQLite's locks. */

import { existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { refusedError, type ShingleError, storeError } from '../../../shared/errors.ts';
import { probe } from '../../../shared/probe.ts';
import {
  databaseIn,
  describeMove,
  describeUnusable,
  ensureDatabase,
  openPart,
  readDatabaseBytes,
  readFileIdentity,
  syncFile,
  syncNames,
  unsafeFolderError,
} from '../data-folder.ts';
import { findFullDiskError, hasRoomForJournal } from '../disk-room.ts';
import { type Engine, openWriteQueue, type Reader, type Transaction, type Value } from './engine.ts';
import {
  APPLICATION_ID,
  beginSqlite,
  changeFile,
  findDamage,
  isBusy,
  isFileLocked,
  LOCK_POLL_MS,
  openToRead,
  openWith,
  READ_WAIT_MS,
  READING_PRAGMAS,
  shareFileLock,
  toOpeningError,
  toSqliteError,
  withFileLock,
} from './sqlite-files.ts';

const OLDEST_SQLITE = '3.53.2'; // older versions can corrupt a WAL database if two processes write
const SQLITE_BATCH_ROWS = 2_000;
const SQLITE_WRITE_WAIT_MS = 15_000; // keeping a large run is one transaction of several seconds
const WRITING_PRAGMAS = [
  ...READING_PRAGMAS,
  'journal_mode = wal',
  'synchronous = full',
  'foreign_keys = on',
  'secure_delete = on', // deleted data must not remain in free pages
  'journal_size_limit = 67108864',
  'wal_autocheckpoint = 1000',
  'busy_timeout = 0', // waiting inside SQLite would block the entire process, so `begin` waits
];

const LOST =
  'was deleted or replaced, or its disk was unmounted: stop Shingle, mount the disk, restore a backup if the file is gone, and start it again';
const MAKE = `pragma synchronous = full; pragma application_id = ${APPLICATION_ID}`;

export type SqliteEngine = ReturnType<typeof openSqlite>;

/**
 * Opens the engine. Throws `refused`, and changes nothing, if the database is damaged, foreign, lost or moved. With
 * `readOnly`, neither checks nor writes.
 */
export function openSqlite(folder: string, { readOnly = false, mustExist = false } = {}) {
  const path = databaseIn(folder);
  refuseOldSqlite(process.versions.sqlite);
  if (!readOnly) {
    const moved = describeMove(folder);
    if (moved !== undefined) throw refusedError(moved);
    try {
      ensureDatabase(path, mustExist ? undefined : (fresh) => changeFile(fresh, MAKE));
      const damage = findDamage(path);
      if (damage !== undefined) throw unsafeFolderError(path, damage);
    } catch (error) {
      throw toOpeningError(error, path);
    }
  }
  const opened = readFileIdentity(path);
  if (opened === undefined) throw unsafeFolderError(path, `the database ${path} is missing`);
  let { writer, reader, beside } = connectSqlite(path, readOnly);
  const healthy = () =>
    readFileIdentity(path) === opened &&
    beside.every(([file, identity]) => readFileIdentity(file) === identity);
  /** Connects again if the disk had no room for a journal, and has now. Throws if it has none. */
  const connect = (): DatabaseSync => {
    if (readOnly) throw storeError('this connection is read-only');
    if (writer !== undefined) return writer;
    const again = connectSqlite(path, readOnly);
    if (again.writer === undefined) {
      again.reader.close();
      throw again.full;
    }
    reader.close();
    ({ writer, reader, beside } = again);
    return again.writer;
  };
  /** Looks for room before a read, too: others may write then, and a reader without a journal would not notice. */
  const readFrom = (): DatabaseSync => {
    if (!readOnly && writer === undefined && hasRoomForJournal(folder)) connect();
    return reader;
  };
  // transactions on one connection cannot overlap
  const { enqueue: queued, idle } = openWriteQueue(SQLITE_WRITE_WAIT_MS);
  const engine: Engine = {
    read: async (sql, params) => asReading(readFrom()).read(sql, params),
    stream: (sql, params) => streamSqlite(path, sql, params),
    transaction: (work) =>
      queued(async (waitMs) => {
        const connection = connect();
        if (!healthy())
          throw storeError(describeUnusable(path) ?? `the database ${path} or its journal ${LOST}`);
        return transactSqlite(connection, waitMs, (tx) => {
          const moved = describeMove(folder); // the store may have been moved while this waited to write
          if (moved !== undefined) throw storeError(moved);
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
  };
  return {
    ...engine,
    /** Copies the database to a new file, and applies `mark` to the copy. Throws `refused` if the file exists. */
    backup: (file: string, mark: string) => backup(path, file, mark),
    /** Empties the journal to purge deleted data. Pages still being read after `waitMs` stay until the next call. */
    async scrub(waitMs: number): Promise<void> {
      const until = performance.now() + waitMs;
      const isDone = async () => writer?.isOpen !== true || isJournalEmptied(writer);
      while (!(await queued(isDone).catch(() => false)) && performance.now() < until)
        await sleep(LOCK_POLL_MS);
    },
    /** Rewrites the database, to purge old copies of moved rows. Needs free disk space of the database's size. */
    async compact(): Promise<void> {
      await queued((waitMs) => beginSqlite(connect(), 'vacuum', waitMs));
    },
    /** Says for the public why the database is lost to this process, if it is. */
    findLoss(): string | undefined {
      if (describeMove(folder) !== undefined)
        return 'the data was moved to PostgreSQL: set DATABASE_URL and restart Shingle';
      if (healthy()) return undefined;
      if (describeUnusable(path) === undefined) return `the database ${LOST}`;
      return 'the service may not use its data folder any more: "npx shingle status" shows what to do';
    },
    /** Marks the folder as in use, which prevents a restore, until the returned function is called. */
    markServing: () => shareFileLock(join(folder, 'service.lock')),
    /** Returns whether a process serves this folder. */
    isServed: () => isFileLocked(join(folder, 'service.lock')),
    describe: async () => ({
      database: `SQLite ${process.versions.sqlite}`,
      databaseBytes: readDatabaseBytes(folder),
    }),
    listWarnings: async (): Promise<string[]> => [],
  };
}

export function refuseOldSqlite(version = ''): void {
  if (new Intl.Collator('en', { numeric: true }).compare(version, OLDEST_SQLITE) >= 0) return;
  throw refusedError(
    `this version of Node includes SQLite ${version}, which is not safe; Shingle needs ${OLDEST_SQLITE} or later`,
  );
}

/** Connects to the files. On a disk without room for a journal, there is only a reader, and `full` says so. */
function connectSqlite(path: string, readOnly: boolean) {
  using opened = new DisposableStack();
  let full: ShingleError | undefined;
  try {
    let writer: DatabaseSync | undefined;
    try {
      if (!readOnly) writer = opened.use(openToWrite(path));
    } catch (error) {
      full = findFullDiskError(error, dirname(path));
      if (full === undefined) throw error;
    }
    const reader = opened.use(openToRead(path));
    opened.move();
    // commits to a deleted journal would be lost with this process; other processes would create a new journal
    const journal = writer === undefined ? [] : [`${path}-wal`, `${path}-shm`];
    const beside = journal.map((file) => [file, readFileIdentity(file)] as const);
    return { writer, reader, beside, full };
  } catch (error) {
    throw toOpeningError(error, path);
  }
}

function openToWrite(path: string): DatabaseSync {
  const db = openWith(WRITING_PRAGMAS, path);
  if (db.prepare('pragma journal_mode').get()?.journal_mode === 'wal') return db;
  db.close();
  throw refusedError(`${path} is on a file system that is not safe for databases`);
}

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
  await beginSqlite(db, 'begin immediate', waitMs);
  try {
    const result = await work(asTransaction(db));
    db.exec('commit');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw toSqliteError(error, db.location()!);
  }
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

function asReading(db: DatabaseSync): Reader {
  return {
    async read<R>(sql: string, params: readonly Value[] = []) {
      try {
        const rows = prepareStatement(db, sql).all(...params);
        return rows.map((row) => ({ ...row })) as R[]; // objects of SQLite have no prototype
      } catch (error) {
        throw toSqliteError(error, db.location()!);
      }
    },
    stream: (sql, params) => iterateBatches(db, sql, params),
  };
}

const MOST_STATEMENTS = 200;
const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Prepares a statement once, because preparing most of our statements takes longer than running them. */
function prepareStatement(db: DatabaseSync, sql: string): StatementSync {
  const known = statements.getOrInsertComputed(db, () => new Map());
  const statement = known.get(sql) ?? db.prepare(sql);
  if (known.size >= MOST_STATEMENTS) known.clear();
  known.set(sql, statement);
  return statement;
}

/** Yields batches of rows as arrays. A million rows take 0.75 s; as objects 1.35 s, and in one batch 2.5 s. */
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

/** Streams rows over a separate connection, which keeps one snapshot until the end. */
async function* streamSqlite<R>(path: string, sql: string, params: readonly Value[] = []) {
  using db = openToRead(path);
  try {
    yield* iterateBatches<R>(db, sql, params);
  } catch (error) {
    throw toSqliteError(error, path);
  }
}

async function backup(path: string, file: string, mark: string): Promise<void> {
  if (existsSync(file)) throw refusedError(`${file} already exists and is not overwritten`);
  try {
    using part = openPart(file);
    {
      using db = new DatabaseSync(path, { readOnly: true, timeout: READ_WAIT_MS });
      // otherwise the copy may have two copies of a moved row, and an erasure would miss one
      db.exec('pragma secure_delete = on');
      db.prepare('vacuum into ?').run(part.path);
    }
    probe('backup:copied');
    changeFile(part.path, mark);
    syncFile(part.path);
    probe('backup:synced');
    renameSync(part.path, file);
    syncNames(dirname(file));
    probe('backup:renamed');
  } catch (error) {
    throw toSqliteError(error, file);
  }
}

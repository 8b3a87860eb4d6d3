/** Locks databases and lock files. The system releases the locks when the process dies. */

import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, ShingleError } from '../../errors.ts';
import { touchPrivate } from '../data-folder.ts';
import { findFullDiskError } from '../room.ts';

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

const locks = new Set<DatabaseSync>(); // keeps references, because a lock that is garbage-collected is released

/** Does work while a transaction locks the file `path`. Throws `store` if another process holds it for `waitMs`. */
export async function withFileLock<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  touchPrivate(path);
  const db = new DatabaseSync(path);
  locks.add(db);
  try {
    await beginSqlite(db, LOCK, waitMs).catch((error: unknown) => {
      if (!(error instanceof ShingleError) || !isBusy(error.cause)) throw error;
      throw new ShingleError('store', `another process has locked ${path} for ${waitMs / 1000} seconds`);
    });
    return await work();
  } finally {
    locks.delete(db);
    db.close();
  }
}

/** Locks a file together with others that share it, until the returned function is called or the process dies. */
export function shareFileLock(path: string): () => void {
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
  return new ShingleError('store', `the database is temporarily unavailable: ${messageOf(error)}`, {
    cause: error,
  });
}

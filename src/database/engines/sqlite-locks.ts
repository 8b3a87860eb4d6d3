/** Locks databases and lock files. The system releases the locks when the process dies. */

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ShingleError } from '../../errors.ts';
import { touchPrivate } from '../data-folder.ts';
import { isBusy, toSqliteError } from './sqlite-errors.ts';

export const LOCK_POLL_MS = 20;

/** Begins a transaction once no other process writes. Does not block the event loop while waiting. */
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

const locks = new Set<DatabaseSync>(); // references, because a garbage-collected lock would be released

/** Runs work under a separate lock file, which a transaction holds. Throws `store` after `waitMs`. */
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

/** Takes a shared lock until the returned function is called or the process dies. Throws `store` if it is not free. */
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

import { dirname } from 'node:path';
import { messageOf, ShingleError } from '../../errors.ts';
import { findFullDiskError } from '../room.ts';

const SQLITE_BUSY = 5;

export function isBusy(error: unknown): boolean {
  return readResultCode(error) === SQLITE_BUSY;
}

/** Returns SQLite's primary result code, or 0 for other errors. */
export function readResultCode(error: unknown): number {
  return ((error as { errcode?: number } | undefined)?.errcode ?? 0) % 256;
}

/** Converts SQLite's errors and those of a full disk to `store`. Returns others unchanged. `path`: the file in use. */
export function toSqliteError(error: unknown, path: string): unknown {
  const full = findFullDiskError(error, dirname(path));
  const isSqlite = (error as { code?: string }).code === 'ERR_SQLITE_ERROR';
  if (full !== undefined || !isSqlite) return full ?? error;
  return new ShingleError('store', `the database is temporarily unavailable: ${messageOf(error)}`, {
    cause: error,
  });
}

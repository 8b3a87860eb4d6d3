/** Errors of SQLite in our own words. */

import { dirname } from 'node:path';
import { messageOf, ShingleError } from '../../errors.ts';
import { findFullDiskError } from '../room.ts';

const SQLITE_BUSY = 5;

export function isBusy(error: unknown): boolean {
  return readResultCode(error) === SQLITE_BUSY;
}

/** SQLite's primary result code; 0 for other errors. */
export function readResultCode(error: unknown): number {
  return ((error as { errcode?: number } | undefined)?.errcode ?? 0) % 256;
}

/** SQLite's own errors and those of a full disk become `store`; all others stay unchanged. `path`: the file that it was about. */
export function toSqliteError(error: unknown, path: string): unknown {
  const full = findFullDiskError(error, dirname(path));
  const isSqlite = (error as { code?: string }).code === 'ERR_SQLITE_ERROR';
  if (full !== undefined || !isSqlite) return full ?? error;
  return new ShingleError('store', `the database is temporarily unavailable: ${messageOf(error)}`, {
    cause: error,
  });
}

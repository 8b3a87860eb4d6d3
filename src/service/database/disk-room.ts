/** Finds how much room the disk of a data folder has, and tells a full disk from other errors. */

import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type ShingleError, storeError } from '../../shared/errors.ts';
import { formatNumber } from '../../shared/text/numbers.ts';

// Shingle refuses new data before the disk is full, so people can still unsubscribe.
export const LEAST_BYTES = 1_048_576; // with less, SQLite may be unable to create files next to its database
const LEAST_FILES = 4; // a journal, its index and a lock
const [SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN] = [10, 13, 14];

export type Room = { dataFolder: string; databaseUrl: string | undefined; minFreeBytes: number };

export function findRoomProblem({ dataFolder, databaseUrl, minFreeBytes }: Room): string | undefined {
  const freeBytes = readFreeBytes(dataFolder);
  if (databaseUrl !== undefined || freeBytes >= minFreeBytes) return undefined;
  const what =
    freeBytes < LEAST_BYTES
      ? 'full: nothing can be stored. Signups, confirmations, unsubscribes, emails'
      : 'nearly full: signups';
  return `the disk of ${dataFolder} is ${what}, imports and backups wait until it has ${formatMegabytes(minFreeBytes)} free (MIN_FREE_BYTES)`;
}

export function requireRoom(room: Room): void {
  const problem = findRoomProblem(room);
  if (problem !== undefined) throw storeError(problem);
}

const formatMegabytes = (bytes: number): string =>
  `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

/** Returns the free bytes of a disk: none if it has no room for the entry of another file (inodes). */
export function readFreeBytes(folder: string): number {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return files > 0 && ffree < LEAST_FILES ? 0 : bavail * bsize; // some file systems do not count files
  } catch {
    return 0;
  }
}

export const hasRoomForJournal = (folder: string): boolean => readFreeBytes(folder) >= LEAST_BYTES;

/** Returns an error if the disk is full. SQLite may only report that it cannot read or open a file. */
export function findFullDiskError(error: unknown, folder: string): ShingleError | undefined {
  const { code = '', errcode = 0 } = Object(error) as { code?: string; errcode?: number };
  const reason = errcode % 256;
  const freeBytes = readFreeBytes(folder);
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || reason === SQLITE_FULL;
  const isStarved = (reason === SQLITE_IOERR || reason === SQLITE_CANTOPEN) && freeBytes < LEAST_BYTES;
  if (!isFull && !isStarved) return undefined;
  const free = `${formatNumber(freeBytes)} bytes are free on the disk of ${folder}`;
  const other = freeBytes < LEAST_BYTES ? '' : `, so the disk of ${tmpdir()} is full, or a quota is used up`;
  const full = storeError(`make room: ${free}${other}`, error);
  fullDiskErrors.add(full);
  return full;
}

const fullDiskErrors = new WeakSet<object>();

/** Returns whether an error is of a full disk, which the concerns report once for all that fails. */
export const isFullDisk = (error: unknown): boolean => fullDiskErrors.has(Object(error));

/** Monitors free disk space: refuses new data before the disk is full, so that people can still unsubscribe. */

import { statfsSync } from 'node:fs';
import { ShingleError } from '../errors.ts';

const LEAST_BYTES = 1_048_576; // with less, SQLite may be unable to create files next to its database
const [SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN] = [10, 13, 14];

export type Room = { dataFolder: string; databaseUrl: string | undefined; minFreeBytes: number };

export function findRoomTrouble({ dataFolder, databaseUrl, minFreeBytes }: Room): string | undefined {
  if (databaseUrl !== undefined || readFreeBytes(dataFolder) >= minFreeBytes) return undefined;
  return `the disk is nearly full: signups and ingest are paused until ${dataFolder} has ${minFreeBytes} bytes free (MIN_FREE_BYTES)`;
}

export function readFreeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Returns an error if the disk is full. SQLite may only report that it cannot read or open a file. */
export function findFullDiskError(error: unknown, folder: string): ShingleError | undefined {
  const { code = '', errcode = 0 } = Object(error) as { code?: string; errcode?: number };
  const reason = errcode % 256;
  const freeBytes = readFreeBytes(folder);
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || reason === SQLITE_FULL;
  const isStarved = (reason === SQLITE_IOERR || reason === SQLITE_CANTOPEN) && freeBytes < LEAST_BYTES;
  if (!isFull && !isStarved) return undefined;
  const sentence = `make room: ${freeBytes.toLocaleString('en')} bytes are free on the disk of ${folder}`;
  return new ShingleError('store', sentence, { cause: error });
}

export function requireRoom(room: Room): void {
  const trouble = findRoomTrouble(room);
  if (trouble !== undefined) throw new ShingleError('store', trouble);
}

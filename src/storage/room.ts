/** Free disk space: new data is refused before the disk is full, so that people can still unsubscribe. */

import { statfsSync } from 'node:fs';
import { ShingleError } from '../errors.ts';

export type Room = { dataFolder: string; databaseUrl: string | undefined; minFreeBytes: number };

/** Describes a lack of space on the disk of the data folder; `undefined` if there is enough. */
export function findRoomTrouble({ dataFolder, databaseUrl, minFreeBytes }: Room): string | undefined {
  if (databaseUrl !== undefined || readFreeBytes(dataFolder) >= minFreeBytes) return undefined;
  return `the disk is nearly full: signups and ingest are paused until ${dataFolder} has ${minFreeBytes} bytes free (MIN_FREE_BYTES)`;
}

/** 0 where the folder cannot be read. */
export function readFreeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Throws `store` if there is not enough space. */
export function requireRoom(room: Room): void {
  const trouble = findRoomTrouble(room);
  if (trouble !== undefined) throw new ShingleError('store', trouble);
}

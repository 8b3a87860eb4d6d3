/** How much the disk has left: what is asked for is refused before it is full, so that whoever leaves still can. */

import { statfsSync } from 'node:fs';
import { ShingleError } from '../errors.ts';

export type Room = { dataFolder: string; databaseUrl: string | undefined; minFreeBytes: number };

/** What is wrong with the room on the disk of the data folder, as a sentence; `undefined` where there is enough. */
export function findRoomTrouble({ dataFolder, databaseUrl, minFreeBytes }: Room): string | undefined {
  if (databaseUrl !== undefined || freeIn(dataFolder) >= minFreeBytes) return undefined;
  return `the disk is nearly full: signups and ingest are paused until ${dataFolder} has ${minFreeBytes} bytes free (MIN_FREE_BYTES)`;
}

function freeIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Throws `store` where there is not enough room. */
export function requireRoom(room: Room): void {
  const trouble = findRoomTrouble(room);
  if (trouble !== undefined) throw new ShingleError('store', trouble);
}

/**
 * Remembers outside a data folder that it has the database of a city, because a folder whose disk is not mounted is empty.
 * The memory is a file in `.shingle` beside the city; where it cannot be written, as in a container, nothing is remembered.
 */

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Day } from '../../shared/day.ts';
import { refusedError } from '../../shared/errors.ts';
import { readNote, writeDurably } from './data-folder.ts';

const memoryIn = (cityFolder: string): string => join(cityFolder, '.shingle', 'data.json');

/** Throws `refused` if a folder is empty, or gone, and had a database. */
export function refuseLostFolder(cityFolder: string, dataFolder: string): void {
  const day = readMemory(cityFolder)[dataFolder];
  if (day === undefined || (existsSync(dataFolder) && readdirSync(dataFolder).length > 0)) return;
  throw refusedError(
    `the data folder ${dataFolder} is empty, but had a database on ${day}: is its disk mounted? Mount it, or restore a backup ("npx shingle restore FILE"). To start with an empty database instead, remove ${memoryIn(cityFolder)}`,
  );
}

export function rememberFolder(cityFolder: string, dataFolder: string, today: Day): void {
  const known = readMemory(cityFolder);
  if (known[dataFolder] === today) return;
  try {
    mkdirSync(dirname(memoryIn(cityFolder)), { recursive: true, mode: 0o700 });
    writeDurably(memoryIn(cityFolder), JSON.stringify({ ...known, [dataFolder]: today }), 'w');
  } catch {
    // a folder that cannot be written does not prevent a start
  }
}

/** Reads the day on which each data folder was last seen with a database. */
function readMemory(cityFolder: string): Record<string, Day> {
  return readNote(memoryIn(cityFolder)) ?? {};
}

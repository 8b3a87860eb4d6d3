/** `moved.txt` in a data folder: its data was moved, and must not be served from here by accident. */

import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '../listings/day.ts';
import { syncNames, writeDurably } from './data-folder.ts';

const markerPath = (folder: string): string => join(folder, 'moved.txt');

/** Describes where a folder's data was moved and how to undo that; `undefined` if it was not moved. */
export function describeMigration(folder: string): string | undefined {
  const note = markerPath(folder);
  if (!existsSync(note)) return undefined;
  const [where = ''] = readFileSync(note, 'utf8').split('\n');
  return `the data in ${folder} was moved${where === '' ? '' : ` to ${where}`}: set DATABASE_URL to that database. To use this older copy again, remove ${note}. The copy does not include later changes, such as unsubscribes`;
}

/** Written in advance, so that a full disk is noticed in time. It takes effect with `set`. */
export function prepareMigrationMarker(
  folder: string,
  where: string,
  at: Instant,
): { set(): void; drop(): void } {
  const part = `${markerPath(folder)}.part`;
  const rule = 'Shingle does not use this folder while it contains this file.';
  writeDurably(part, `PostgreSQL at ${where} on ${at}\n\n${rule}\n`, 'w');
  return {
    set() {
      renameSync(part, markerPath(folder));
      syncNames(folder);
    },
    drop: () => rmSync(part, { force: true }),
  };
}

/** The data folder as files: what is there, what must not be, and how to get back what is lost. Opens no database. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ShingleError } from '../errors.ts';
import { probe } from '../listings/probe.ts';

export const databaseIn = (folder: string): string => join(folder, 'shingle.db');

/** Refuses to go on, with how to restore. `what` is a sentence's beginning: what is wrong with the database. */
export function unsafeFolderError(path: string, what: string, cause?: unknown): ShingleError {
  const folder = dirname(path);
  return new ShingleError(
    'refused',
    `${what}. Nothing was changed. To restore: stop Shingle, remove ${path}, ${path}-wal and ${path}-shm, and copy a file made by "shingle backup" (daily ones are in ${join(folder, 'backups')}) to ${path}`,
    { cause },
  );
}

/**
 * Makes sure there is a database file, made by `make` in a folder that never held one. A database appears whole under
 * its name or not at all, so a zero-byte one is always damage. Throws `refused`.
 */
export function ensureDatabase(path: string, make: (fresh: string) => void): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) {
    if (statSync(path).size === 0) throw unsafeFolderError(path, `the database ${path} is empty`);
    if (isBesideForeignJournal(path))
      throw unsafeFolderError(
        path,
        `${path} is a copy, but the journal of the database it replaced is still next to it`,
      );
    if (hasLostJournal(path))
      throw unsafeFolderError(
        path,
        `the journal ${path}-wal was deleted. If Shingle is still running, stop it cleanly now to keep the data in the journal. If it was killed, that data is lost; to continue without it, remove ${path}-shm`,
      );
    sweepDead(dirname(path), newFilesOf(path));
    return;
  }
  const [trace] = tracesOf(path);
  if (trace !== undefined)
    throw unsafeFolderError(path, `the database ${path} is missing, but ${trace} shows that it existed`);
  const fresh = `${path}.new-${process.pid}`;
  try {
    touchPrivate(fresh);
    make(fresh);
    probe('database:made');
    linkSync(fresh, path);
  } catch (error) {
    if (!existsSync(path)) throw error; // another process was faster
  } finally {
    rmSync(fresh, { force: true });
  }
  sweepDead(dirname(path), newFilesOf(path));
}

const newFilesOf = (path: string) => new RegExp(`^${RegExp.escape(basename(path))}\\.new-(\\d+)`);

/** Removes what processes left that died amid their work. `names` matches theirs and has the process's number as its group. */
export function sweepDead(folder: string, names: RegExp): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const pid = Number(names.exec(name)?.[1] ?? process.pid);
    if (!isAlive(pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** An empty file that only its owner may read; what SQLite puts beside it inherits that. */
export function touchPrivate(path: string): void {
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: 0o600 });
}

/** Whole and durable when it returns, or it throws. Node 26 heeds `flush` for bytes only, so text is synced here. */
export function writeDurably(path: string, text: string, flag: 'a' | 'w'): void {
  const handle = openSync(path, flag, 0o600);
  try {
    writeFileSync(handle, text); // `writeSync` would be content with a part
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** After it, a file's bytes are durable. */
export function syncFile(path: string, flags: 'r' | 'r+' = 'r+'): void {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** After it, the names in a folder are durable, where the system can do that: Windows opens no folder. */
export function syncNames(folder: string): void {
  try {
    syncFile(folder, 'r');
  } catch (error) {
    if (!UNABLE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const UNABLE = ['EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP'];

/** Names the file as long as it is the same file: another one of that name has another identity. */
export function readFileIdentity(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}

/** What only a folder has that held a database: its journal, a lock, copies. */
function tracesOf(path: string): string[] {
  const folder = dirname(path);
  const names = readdirSync(folder).filter(
    (name) => name.endsWith('.lock') || name === `${basename(path)}-wal` || name === `${basename(path)}-shm`,
  );
  const backups = join(folder, 'backups');
  const copies = existsSync(backups) ? readdirSync(backups).map((name) => join('backups', name)) : [];
  return [...names, ...copies].map((name) => join(folder, name));
}

/**
 * A fresh copy has never been in WAL mode (byte 18 of its header is 1), so a journal beside it is another database's,
 * and SQLite would write that into it. The handle stays open: closing it would drop the locks of any connection.
 */
function isBesideForeignJournal(path: string): boolean {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  const header = Buffer.alloc(19);
  readSync(openSync(path, 'r'), header);
  return header[18] === 1;
}

/** SQLite removes the journal after what processes share of it: by itself one is never there without the other. */
function hasLostJournal(path: string): boolean {
  return existsSync(`${path}-shm`) && !existsSync(`${path}-wal`);
}

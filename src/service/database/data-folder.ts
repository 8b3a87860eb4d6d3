/**
 * Checks the files of a data folder, explains how to restore it or to make it usable, marks a moved folder, and keeps notes
 * in it. Opens no database.
 */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Instant } from '../../shared/day.ts';
import { refusedError, type ShingleError } from '../../shared/errors.ts';
import { probe } from '../../shared/probe.ts';

export const databaseIn = (folder: string): string => join(folder, 'shingle.db');

export function readDatabaseBytes(folder: string): number {
  // a folder of another user says that it has no files, instead of an error
  const files = ['', '-wal'].map((end) => `${databaseIn(folder)}${end}`).filter((file) => existsSync(file));
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

export function unsafeFolderError(path: string, what: string): ShingleError {
  return refusedError(`${what.replace(/[^?]$/, '$&.')} Nothing was changed. ${describeRestore(path)}`);
}

export function describeRestore(path: string): string {
  return `To restore: stop Shingle, and run "npx shingle restore FILE" with a file made by "shingle backup" (daily ones are in ${join(dirname(path), 'backups')})`;
}

/** Throws if the database is damaged or lost. `make` creates it in a new folder; without `make`, it must exist. */
export function ensureDatabase(path: string, make: ((fresh: string) => void) | undefined): void {
  const damage = existsSync(path) ? findFileDamage(path) : findTrace(path);
  if (damage !== undefined) throw unsafeFolderError(path, damage);
  if (!existsSync(path)) {
    if (make === undefined) {
      const folder = dirname(path);
      const what = existsSync(folder) ? 'no database in the data folder' : 'no data folder at';
      throw refusedError(
        `${what} ${folder}: run this in the folder of your city, or set SHINGLE_DATA. The first "npx shingle start" or "npx shingle ingest" makes one`,
      );
    }
    makeDatabaseFile(path, make);
  }
  sweepParts(path); // they may contain addresses
}

function makeDatabaseFile(path: string, make: (fresh: string) => void): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    using fresh = openPart(path);
    make(fresh.path);
    probe('database:made');
    linkSync(fresh.path, path);
  } catch (error) {
    if (!existsSync(path)) throw error; // another process has just created it
  }
}

/**
 * Creates a private file next to `path`, to be filled and then renamed. Deletes it at the end of the block, and those
 * that dead processes have left.
 */
export function openPart(path: string) {
  const part = `${path}.part-${process.pid}`;
  const remove = () => rmSync(part, { force: true });
  sweepParts(path);
  remove(); // a dead process with the same id may have left it; in containers, ids repeat
  touchPrivate(part);
  return { path: part, [Symbol.dispose]: remove };
}

function sweepParts(path: string): void {
  sweepDead(dirname(path), new RegExp(`^${RegExp.escape(basename(path))}\\.part-(\\d+)`));
}

/** Deletes files of processes that have died. `names` matches file names and captures the process id. */
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

/** Creates an empty file that only its owner can read. SQLite gives the files next to it the same permissions. */
export function touchPrivate(path: string): void {
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: 0o600 });
}

/** Writes a file and waits until it is on disk. Writes bytes, because `flush` has no effect on text. */
export function writeDurably(path: string, text: string, flag: 'a' | 'w'): void {
  writeFileSync(path, Buffer.from(text), { flag, mode: 0o600, flush: true });
}

export function syncFile(path: string, flags: 'r' | 'r+' = 'r+'): void {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Writes a folder's list of files to disk. Does nothing on systems that cannot open a folder, such as Windows. */
export function syncNames(folder: string): void {
  try {
    syncFile(folder, 'r');
  } catch (error) {
    if (!UNABLE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const UNABLE = ['EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP'];

/** Returns what tells a file from one that replaces it. `undefined`: it is gone, or in a folder that this user cannot use. */
export function readFileIdentity(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function findTrace(path: string): string | undefined {
  const folder = dirname(path);
  const list = (place: string) =>
    (existsSync(place) ? readdirSync(place) : []).map((name) => join(place, name));
  const journal = [`${path}-wal`, `${path}-shm`];
  const names = list(folder).filter((name) => name.endsWith('.lock') || journal.includes(name));
  const [trace] = [...names, ...list(join(folder, 'backups'))];
  return trace && `the database ${path} is missing, but ${trace} shows that it existed: is its disk mounted?`;
}

function findFileDamage(path: string): string | undefined {
  if (statSync(path).size === 0) return `the database ${path} is empty`;
  const hasJournal = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasJournal && readOrigin(path) === 'copy')
    return `${path} is a copy, but the journal of the database it replaced is still next to it`;
  // SQLite removes the journal after the shared memory file
  if (existsSync(`${path}-shm`) && !existsSync(`${path}-wal`))
    return `the journal ${path}-wal was deleted. If Shingle is still running, stop it cleanly now to keep the data in the journal. If it was killed, that data is lost; to continue without it, remove ${path}-shm`;
  return undefined;
}

/**
 * Tells a `live` database, or a file that was copied from one, from a `copy` by `backup`, which has never been in WAL mode: SQLite
 * would write the journal of another database into it. Does not close the file, because that would release all locks.
 */
export function readOrigin(path: string): 'copy' | 'live' | undefined {
  const header = Buffer.alloc(19);
  readSync(openSync(path, 'r'), header);
  return ([undefined, 'copy', 'live'] as const)[header[18]!];
}

const markerPath = (folder: string): string => join(folder, 'moved.txt');

export function describeMove(folder: string): string | undefined {
  const note = markerPath(folder);
  if (!existsSync(note)) return undefined;
  const [where = ''] = readFileSync(note, 'utf8').split('\n');
  return `the data in ${folder} was moved${where === '' ? '' : ` to ${where}`}: set DATABASE_URL to that database. To use this older copy again, remove ${note}. The copy does not include later changes, such as unsubscribes`;
}

/** Writes the marker of a moved folder before the move, to notice a full disk in time. `set` activates it. */
export function prepareMoveMarker(folder: string, where: string, at: Instant): Disposable & { set(): void } {
  const part = `${markerPath(folder)}.part`;
  const rule = 'Shingle does not use this folder while it contains this file.';
  writeDurably(part, `PostgreSQL at ${where} on ${at}\n\n${rule}\n`, 'w');
  return {
    set() {
      renameSync(part, markerPath(folder));
      syncNames(folder);
    },
    [Symbol.dispose]: () => rmSync(part, { force: true }),
  };
}

/** Returns an error for a file or folder that this user cannot use. */
export function findFileError(error: unknown): ShingleError | undefined {
  const { code, syscall, path, dest = path } = Object(error) as NodeJS.ErrnoException & { dest?: string };
  if (dest === undefined) return undefined;
  // a recursive mkdir says ENOENT on a file system that is mounted read-only
  const sentence = describeUnusable(dest, syscall === 'mkdir' && code === 'ENOENT' ? undefined : code);
  return sentence === undefined ? undefined : refusedError(sentence, error);
}

/** Describes why this user cannot use a path: the code of an error, or else what the system says about writing there. */
export function describeUnusable(path: string, code = findWriteError(path)): string | undefined {
  const at = firstExisting(path);
  if (code === 'EPERM' && findWriteError(path) === code)
    return `${at} is protected against changes (see "lsattr -d ${at}")`;
  // names no command: of a parent, such as /etc, one would ruin the machine
  if (code === 'EACCES' || code === 'EPERM')
    return `the user ${userName()} may not use ${path}. Give it to that user, or set SHINGLE_DATA to a folder that only Shingle uses`;
  if (code === 'EROFS')
    return `${path} is on a file system that is mounted read-only. Mount it for writing (see "dmesg" if it was), or set SHINGLE_DATA to another folder`;
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${at} is not a folder. Set SHINGLE_DATA to a folder`;
  return undefined;
}

function findWriteError(path: string): string | undefined {
  const files = [firstExisting(dirname(path)), path, `${path}-wal`, `${path}-shm`];
  for (const one of files.filter((name) => existsSync(name)))
    try {
      accessSync(one, constants.W_OK);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  return undefined;
}

function firstExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : firstExisting(dirname(path));
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.()); // without an entry in passwd, as in containers
  }
}

/** The process that imports into a folder, and since when. `source` is `undefined` if it imports all sources. */
export type Importing = { pid: number; since: Instant; source?: string | undefined };

const importingIn = (folder: string): string => join(folder, 'importing.json');

/** Tells other processes of an import, until the returned value is disposed. */
export function noteImport(folder: string, importing: Importing): Disposable {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(importingIn(folder), JSON.stringify(importing), { mode: 0o600 });
  return { [Symbol.dispose]: () => rmSync(importingIn(folder), { force: true }) };
}

/** Returns the import in progress by a process of this machine, if it began after `since`: later, its id is another's. */
export function readImport(folder: string, since: Instant): Importing | undefined {
  const importing = readNote<Importing>(importingIn(folder));
  return importing && importing.since > since && isAlive(importing.pid) ? importing : undefined;
}

/** Reads a note that a process left as JSON, or `undefined` if there is none. */
export function readNote<Note>(path: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Why a start was refused. */
type Refusal = { at: Instant; why: string };

const refusalIn = (folder: string): string => join(folder, 'refused.json');

/** Notes for `status` why the last start was refused or ended; `undefined` once one succeeds. Never throws. */
export function noteRefusal(folder: string, at: Instant, why: string | undefined): void {
  try {
    if (why === undefined) rmSync(refusalIn(folder), { force: true });
    else writeDurably(refusalIn(folder), JSON.stringify({ at, why } satisfies Refusal), 'w');
  } catch {
    // the log has it
  }
}

export const readRefusal = (folder: string): Refusal | undefined => readNote(refusalIn(folder));

/** Checks database files for damage and reads copies, through connections that cannot write. */

import { DatabaseSync } from 'node:sqlite';
import { messageOf, sourceError } from '../../errors.ts';
import { readResultCode } from './sqlite-locks.ts';

export const APPLICATION_ID = 0x53684e67; // identifies a database as ours
export const READ_WAIT_MS = 5_000;
const DAMAGED = [11, 26]; // SQLITE_CORRUPT and SQLITE_NOTADB: the file was read and is invalid

export const READING_PRAGMAS = [
  'trusted_schema = off',
  'cell_size_check = on',
  'mmap_size = 0',
  'cache_size = -8000',
];

/** Describes damage to a database, or returns `undefined`. Cannot write, so a damaged file stays as it is. */
export function findDamage(path: string): string | undefined {
  try {
    using db = openToRead(path);
    if (readPragma(db, 'application_id') !== APPLICATION_ID) return `${path} belongs to another program`;
    const check = readPragma(db, 'quick_check', '(1)');
    if (check !== 'ok') return `the database ${path} is damaged (${check})`;
    if (!areAddressesChanged(db)) return undefined;
    return `the database ${path} is damaged: email addresses in it were changed`;
  } catch (error) {
    if (!DAMAGED.includes(readResultCode(error))) throw error;
    return `the database ${path} is damaged (${messageOf(error)})`;
  }
}

function readPragma(db: DatabaseSync, name: string, argument = '') {
  return db.prepare(`pragma ${name}${argument}`).get()?.[name];
}

export type CopyFacts = { listings: number; subscribers: number; step: number };

/** Checks every page of a copy. Throws `source` if it cannot be restored. */
export function readCopy(path: string): CopyFacts {
  const damage = findDamage(path);
  if (damage !== undefined) throw sourceError(damage);
  using db = openToRead(path);
  const check = readPragma(db, 'integrity_check', '(1)');
  if (check !== 'ok') throw sourceError(`the database ${path} is damaged (${check})`);
  const count = (sql: string) => Number(db.prepare(`select ${sql} as n`).get()?.n ?? 0);
  return {
    listings: count('(select count(*) from listing)'),
    subscribers: count('(select count(*) from subscriber)'),
    step: count('(select max(number) from migration)'),
  };
}

/** Returns whether a database has listings. Throws SQLite's error if the file is not a database. */
export function hasListings(path: string): boolean {
  using db = openToRead(path);
  return db.prepare('select 1 from listing limit 1').get() !== undefined;
}

/** Returns whether bytes of an address changed. SQLite does not notice that, so addresses are stored twice. */
function areAddressesChanged(db: DatabaseSync): boolean {
  const isThere = db.prepare("select 1 from sqlite_schema where name = 'subscriber'").get() !== undefined;
  if (!isThere) return false;
  const changed = db.prepare('select 1 from subscriber where identity <> lower(address) limit 1').get();
  return changed !== undefined || readPragma(db, 'integrity_check', '(subscriber)') !== 'ok';
}

export function openToRead(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: READ_WAIT_MS });
  for (const pragma of [...READING_PRAGMAS, 'query_only = on']) db.exec(`pragma ${pragma}`);
  return db;
}

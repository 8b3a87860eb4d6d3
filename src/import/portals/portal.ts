/**
 * What all portals that answer in pages have in common: asking for JSON, and writing the declared columns of every record to
 * a file, one JSON object on each line, that is then judged like any other. Knows no portal.
 */

import { open, readFile } from 'node:fs/promises';
import { ShingleError } from '../../errors.ts';
import type { Instant } from '../../listings/day.ts';
import { isRecord } from '../../listings/record.ts';
import { FETCH_LIMITS, fetchTo } from '../readers/fetch.ts';
import { openTemporaryFile, type PlaceOptions } from '../readers/place.ts';
import { type Aliases, findMissingColumn, findName } from '../readers/row.ts';

const PAGE_BYTES = 64 * 1024 * 1024;
const CUT = 0.999;
const MOST_COLUMNS_NOTED = 200;
const GROWN = 1.1; // more than that is no register that grew while it was read

export type Portal = {
  /** The address that pages are asked of, without a query of its own but for what names the data set. */
  address: URL;
  /** Columns that must be there, and those that may be. */
  columns: readonly string[];
  optional: readonly string[];
  /** Other names of a column, where the data set does not have the column itself. */
  aliases?: Aliases | undefined;
  timeZone: string;
  /** What the portal dates later than this cannot be. Without it, anything can. */
  now?: Instant | undefined;
  /** What the last kept pull was known by; only where the same profile judged it. */
  known: Record<string, unknown> | undefined;
  /** Asks and parses. Throws `source`. */
  get(address: URL): Promise<Record<string, unknown>>;
  getList(address: URL): Promise<Record<string, unknown>[]>;
  /** Remembers the columns of the data set, so that a later pull can say what has changed. */
  noteColumns(there: readonly string[]): void;
  /** Adds records to the file. */
  write(records: readonly Record<string, unknown>[]): Promise<void>;
};

/** `same`: nothing has changed since `known`. `whole`: every record there is; else only those that changed. */
export type Pulled = 'same' | { whole: boolean; mark: Record<string, unknown> | undefined };

/** Opens `path` for what `pull` writes; the caller removes it. All pages together have the time of one fetch. Throws `source`. */
export async function savePulled(
  path: string,
  options: PlaceOptions,
  what: Omit<Portal, 'get' | 'getList' | 'noteColumns' | 'write'>,
  pull: (portal: Portal) => Promise<Pulled>,
): Promise<Pulled> {
  await using file = await open(path, 'wx', 0o600);
  const most = options.limits?.unpackedBytes ?? FETCH_LIMITS.unpackedBytes; // pages may come without end
  const deadline = AbortSignal.timeout(options.limits?.totalMs ?? FETCH_LIMITS.totalMs);
  const asking = { ...options, deadline };
  let bytes = 0;
  let columns: readonly string[] = [];
  const portal: Portal = {
    ...what,
    get: async (address) => objectIn(await fetchJson(address, asking), address),
    getList: async (address) => requireRecords(await fetchJson(address, asking), address),
    noteColumns: (there) => {
      columns = there.slice(0, MOST_COLUMNS_NOTED).toSorted();
    },
    write: async (records) => {
      const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      bytes += text.length;
      if (bytes > most) throw portalError(what.address, `the response is larger than ${most} bytes`);
      await file.appendFile(text);
    },
  };
  try {
    const pulled = await pull(portal);
    return pulled === 'same' ? pulled : { ...pulled, mark: { ...pulled.mark, columns } };
  } catch (error) {
    // JSON may hold an object where a text or number belongs, and some objects cannot be made one
    if (error instanceof TypeError)
      throw portalError(what.address, 'the response is not what it should be', error);
    throw error;
  }
}

/** Fetches one page into a temporary file, with all the limits of a download, and parses it. */
export async function fetchJson(address: URL, options: PlaceOptions): Promise<unknown> {
  await using temporary = await openTemporaryFile(options, 'page');
  const { path } = temporary;
  const limits = { ...options.limits, unpackedBytes: PAGE_BYTES };
  try {
    await fetchTo(address.href, path, { ...options, limits, known: undefined });
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof ShingleError) throw error;
    throw portalError(address, 'the response is not JSON');
  }
}

function objectIn(value: unknown, address: URL): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw portalError(address, 'the response is not an object');
}

function requireRecords(value: unknown, address: URL): Record<string, unknown>[] {
  if (Array.isArray(value) && value.every(isRecord)) return value;
  throw portalError(address, 'the response is not a list of records');
}

/** What went wrong with a portal, without its query, which may hold a token. */
export function portalError(address: URL, why: string, cause?: unknown): ShingleError {
  return new ShingleError('source', `${address.origin}${address.pathname}: ${why}`, { cause });
}

/** Throws `source` where a portal gave too few of what it says it has: some may come and go while it is read. */
export function checkRead(address: URL, read: number, total: number, what: 'records' | 'rows'): void {
  if (read < total * CUT)
    throw portalError(address, `the portal reports ${total} ${what} but returned ${read}`);
}

/**
 * Throws `source` if paging would not end: a page brought nothing new, or the portal has far more than it says (some may
 * come while it is read). `total` is what it says, where it does.
 */
export function checkPage(
  address: URL,
  page: { records: number; fresh: number },
  pulled: { read: number; total: number | undefined },
): void {
  if (page.records > 0 && page.fresh === 0)
    throw portalError(address, 'it returned a page without a new record, so it does not page as it should');
  const { read, total } = pulled;
  if (total !== undefined && read > total * GROWN + page.records)
    throw portalError(address, `it reports ${total} records but keeps returning more`);
}

/** Throws `source` where the data set lacks a column that must be there, before anything is read. */
export function checkColumns(portal: Portal, there: readonly string[]): void {
  const { columns, address, aliases } = portal;
  portal.noteColumns(there);
  for (const column of columns) {
    if (!there.includes(fieldOf(column, aliases, there)))
      throw findMissingColumn(column, there, {
        where: `the data set at ${address.origin}${address.pathname} has`,
      });
  }
}

/** The fields of the data set that hold the declared columns: `location` for `location.latitude`. */
export function selectFields({ columns, optional, aliases }: Portal, there: readonly string[]): string[] {
  const fields = [...columns, ...optional].map((column) => fieldOf(column, aliases, there));
  return [...new Set(fields)].filter((field) => there.includes(field));
}

function fieldOf(column: string, aliases: Aliases | undefined, there: readonly string[]): string {
  const base = (name: string) => name.replace(/\.(latitude|longitude)$/, '');
  return base(findName(column, aliases, (name) => there.includes(base(name))));
}

const LONGEST_VERSION = 64;

/** When a portal says that it changed, to compare it later; `undefined` for anything but a plain value. It is stored with every run. */
export function readVersion(value: unknown): string | number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.length <= LONGEST_VERSION ? value : undefined;
}

/** Keeps only the fields that were asked for, so that nothing undeclared reaches the disk. */
export function pickFields(
  record: Record<string, unknown>,
  fields: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter((field) => Object.hasOwn(record, field)).map((field) => [field, record[field]]),
  );
}

/** The same address with other parameters. */
export function addQuery(address: URL, parameters: Record<string, string | number>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return url;
}

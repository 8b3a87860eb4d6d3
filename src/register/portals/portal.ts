/**
 * Downloads the records of a portal: requests JSON, and writes the declared columns of each record to a line of a file.
 */

import { type FileHandle, open, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Instant } from '../../shared/day.ts';
import { type ShingleError, sourceError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/record.ts';
import type { PortalSource } from '../profile/formats.ts';
import { FETCH_LIMITS, fetchTo } from '../readers/fetch.ts';
import { openTemporaryFile, type PlaceOptions } from '../readers/place.ts';
import { type Aliases, findName, refuseMissing } from '../readers/row.ts';

const PAGE_BYTES = 64 * 1024 * 1024;
const LONGEST_VERSION = 64;
const LEAST_READ_SHARE = 0.999; // a few records may be added or deleted during a download
const MOST_READ_SHARE = 1.1; // no register grows by more than a tenth during a download

type PortalRecord = Record<string, unknown>;

export type DataSet = {
  /** The address of the data set. Its query never contains a secret. */
  address: URL;
  columns: readonly string[];
  optional: readonly string[];
  aliases: Aliases | undefined;
  timeZone: string;
  /** The current time: later times in the data are ignored. If it is `undefined`, all times count. */
  now: Instant | undefined;
  /** The mark of the last kept pull, if the same profile judged it. */
  known: Record<string, unknown> | undefined;
};

/** The result of a download. `same`: nothing changed since `known`. `whole`: all records, not only changed ones. */
export type Pulled = 'same' | { whole: boolean; mark: Record<string, unknown> | undefined };

/** The default export of the reader of a portal. */
export type Pull<Format = PortalSource['format']> = (
  portal: Portal,
  from: Extract<PortalSource, { format: Format }>,
) => Promise<Pulled>;

/** Loads the reader of a portal where it is used: the file with its name in this folder. */
export async function loadPull(format: PortalSource['format']): Promise<Pull> {
  return (await import(`./${format}${extname(import.meta.filename)}`)).default;
}

/** A page of records. `fresh` has the records that no earlier page had. */
export type Page = { fresh: readonly PortalRecord[]; isLast: boolean };

/** What a portal returns from an offset on. A page of fewer records than `limit` is the last one only if all of `total` were read. */
type OffsetPage = { records: readonly PortalRecord[]; limit: number; total: number };

/** Yields pages one after the other, up to an empty one or the last record. Some portals cut pages short, or repeat records. */
export async function* fetchByOffset(
  id: string,
  fetchPage: (offset: number) => Promise<OffsetPage>,
): AsyncGenerator<Page> {
  const seen = new Set<unknown>();
  for (let isLast = false; !isLast; ) {
    const { records, limit, total } = await fetchPage(seen.size);
    const fresh = records.filter((record) => !seen.has(record[id]));
    for (const record of fresh) seen.add(record[id]);
    isLast = records.length === 0 || (records.length < limit && seen.size >= total);
    yield { fresh, isLast };
  }
}

export type Portal = DataSet & ReturnType<typeof openPortal>;

/** Downloads a data set to a file, which the caller removes. All pages share the time limit of one download. */
export async function savePulled(
  path: string,
  options: PlaceOptions,
  dataSet: DataSet,
  pull: (portal: Portal) => Promise<Pulled>,
): Promise<Pulled> {
  await using file = await open(path, 'wx', 0o600);
  const portal = openPortal(dataSet, options, file);
  try {
    return await pull({ ...dataSet, ...portal });
  } catch (error) {
    // for example, a JSON object that cannot be converted to text
    if (error instanceof TypeError)
      throw portalError(dataSet.address, 'the response has an unexpected form', error);
    throw error;
  }
}

function openPortal(dataSet: DataSet, options: PlaceOptions, file: FileHandle) {
  const { address } = dataSet;
  const { unpackedBytes, totalMs } = { ...FETCH_LIMITS, ...options.limits };
  const request = { ...options, deadline: AbortSignal.timeout(totalMs) };
  let bytes = 0;

  async function write(records: readonly PortalRecord[], fields: readonly string[]): Promise<void> {
    const text = records.map((record) => `${JSON.stringify(pickFields(record, fields))}\n`).join('');
    bytes += text.length;
    if (bytes > unpackedBytes)
      throw portalError(address, `the response is larger than ${unpackedBytes} bytes`);
    await file.appendFile(text);
  }

  return {
    async get(url: URL): Promise<PortalRecord> {
      const value = await fetchJson(url, request);
      if (isRecord(value)) return value;
      throw portalError(url, 'the response is not an object');
    },
    async getList(url: URL): Promise<PortalRecord[]> {
      const value = await fetchJson(url, request);
      if (Array.isArray(value) && value.every(isRecord)) return value;
      throw portalError(url, 'the response is not a list of records');
    },
    /** Selects the fields to request: without declared columns, all. Throws `source` if one of these is missing. */
    selectFields: (found: readonly string[]) => selectFields(dataSet, found),
    /** Writes all pages. Throws `source` if the number of records differs too much from `total`. */
    async writePages(
      fields: readonly string[],
      pages: AsyncIterable<Page>,
      total: number | undefined,
      unit: 'records' | 'rows' = 'records',
    ): Promise<void> {
      let read = 0;
      for await (const { fresh, isLast } of pages) {
        if (fresh.length === 0 && !isLast)
          throw portalError(address, 'it returned a page without a new record, so its paging does not work');
        await write(fresh, fields);
        read += fresh.length;
        if (total !== undefined && read > total * MOST_READ_SHARE + fresh.length)
          throw portalError(address, `it reports ${total} records but keeps returning more`);
      }
      if (total !== undefined && read < total * LEAST_READ_SHARE)
        throw portalError(address, `the portal reports ${total} ${unit} but returned ${read}`);
    },
  };
}

export async function fetchJson(address: URL, options: PlaceOptions): Promise<unknown> {
  await using temporary = await openTemporaryFile(options, 'page');
  const { path } = temporary;
  const limits = { ...options.limits, unpackedBytes: PAGE_BYTES };
  await fetchTo(address.href, path, { ...options, limits, known: undefined });
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw portalError(address, 'the response is not JSON');
  }
}

/** Makes an error that names the address without its query, which may contain a token. */
export function portalError(address: URL, why: string, cause?: unknown): ShingleError {
  return sourceError(`${address.origin}${address.pathname}: ${why}`, cause);
}

function selectFields({ address, columns, optional, aliases }: DataSet, found: readonly string[]): string[] {
  const isDeclared = columns.length + optional.length > 0;
  if (!isDeclared) return found.filter((field) => !field.startsWith(':')); // not the regions that a portal adds
  const fieldOf = (column: string) => findName(column, aliases, (name) => found.includes(name));
  const missing = columns.filter((column) => !found.includes(fieldOf(column)));
  refuseMissing(missing, found, { where: `the data set at ${address.origin}${address.pathname} has` });
  const fields = [...columns, ...optional].map(fieldOf);
  return [...new Set(fields)].filter((field) => found.includes(field));
}

/** Keeps only the selected fields, because other data must not reach the disk. */
function pickFields(record: PortalRecord, fields: readonly string[]): PortalRecord {
  const found = fields.filter((field) => Object.hasOwn(record, field));
  return Object.fromEntries(found.map((field) => [field, record[field]]));
}

/** Reads a version. Returns `undefined` for a long value, because every run stores the version. */
export function readVersion(value: unknown): string | number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.length <= LONGEST_VERSION ? value : undefined;
}

export function addQuery(address: URL, parameters: Record<string, string | number>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return url;
}

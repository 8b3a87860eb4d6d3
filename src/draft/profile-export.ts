/**
 * Looks at an unknown file or data set: what it is, which columns it has, and all rows of its files (of a portal's data set a first
 * part). For drafting a profile; keeps nothing.
 */

import { open, readFile } from 'node:fs/promises';
import { dayFromMs } from '../city/days.ts';
import { ShingleError } from '../errors.ts';
import { listCells, readCsvRecords } from '../ingest/sources/csv.ts';
import { listFiles, type PlaceFile, type PlaceOptions } from '../ingest/sources/place.ts';
import { listFieldNames } from '../ingest/sources/portals/arcgis.ts';
import { addQuery, fetchJson } from '../ingest/sources/portals/portal.ts';
import { unpackFiles } from '../ingest/sources/unpack.ts';
import { countBytesRead } from '../ingest/sources/utf8.ts';
import { filterRecords, isRecord } from '../listings/record.ts';
import { removeInvisibles } from '../listings/visible-text.ts';
import { type ExportTable, openTable } from './table.ts';

const PORTAL_ROWS = 5_000;
const MOST_ROWS = 2_000_000;
const MOST_JSON = 64 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

/** What was found: the rows as text by column, and the `from` of a profile. */
export type ExportProfile = {
  table: ExportTable;
  from: ExportFormat;
  /** How many files hold the rows. */
  files: number;
  /** `--from` for a check: the place, unless the profile names it itself. */
  place: string | undefined;
};

/** A constructor that profiles have, and what it is given besides the place. */
export type ExportFormat = {
  uses: 'csv' | 'json' | 'excel' | 'socrata' | 'arcgis';
  options: Readonly<Record<string, string>>;
};

export type ExportOptions = PlaceOptions & {
  timeZone: string;
  /** Told how much of a file is read: its name, and from 0 to 1. */
  progress(name: string, share: number): void;
};

type Rows = ReturnType<typeof openTable>;

/** Throws `source` for what cannot be read as data. */
export async function profileExport(place: string, options: ExportOptions): Promise<ExportProfile> {
  const socrata =
    /^https?:\/\/([^/]+)\/(?:.*\/)?([a-z0-9]{4}-[a-z0-9]{4})(?:\.json|\/about_data|\/data)?\/?$/i.exec(place);
  if (socrata !== null) return socrataSurvey(place, socrata[1]!, socrata[2]!, options);
  if (/\/(?:Feature|Map)Server\/\d+\/?$/i.test(place)) return arcgisSurvey(place, options);
  const rows = openTable();
  let from: ExportFormat | undefined;
  let files = 0;
  for await (const file of listFiles(place, options)) {
    const isWorkbook = /\.xlsx$/i.test(file.name);
    for await (const one of unpackFiles(file, { ...options, isWorkbook })) {
      const format = isWorkbook ? await workbookSurvey(one, rows) : await textSurvey(one, rows, options);
      from ??= format;
      files++;
    }
  }
  if (from === undefined) throw new ShingleError('source', `no data at ${place}`);
  return { table: rows.close(), from, files, place };
}

async function textSurvey(file: PlaceFile, rows: Rows, options: ExportOptions): Promise<ExportFormat> {
  await using handle = await open(file.path, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer
    .toString('utf8', 0, bytesRead)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (head === '') throw new ShingleError('source', 'the file is empty');
  if (head.startsWith('<'))
    throw new ShingleError('source', 'the file is a web page (HTML or XML), not data');
  // awaited, because an error would be unhandled while the file is closed
  return /^[[{]/.test(head) ? await jsonSurvey(file, rows) : await csvSurvey(file, head, { rows, options });
}

/** The delimiter that splits the first line most often. Rows that the header does not fit are left to the check. */
async function csvSurvey(
  file: PlaceFile,
  head: string,
  { rows, options }: { rows: Rows; options: ExportOptions },
): Promise<ExportFormat> {
  const line = head.split(/\r?\n/, 1)[0]!;
  const [delimiter] = [',', ';', '\t', '|'].toSorted((a, b) => line.split(b).length - line.split(a).length);
  let header: string[] = [];
  const records = readCsvRecords(file.path, delimiter!, (names) => {
    header = openHeader(names, rows);
    return listCells;
  });
  try {
    for await (const batch of records) {
      for (const one of batch) if (Array.isArray(one)) addCells(header, one, rows);
      options.progress(file.name, (countBytesRead(file.path) ?? 0) / Math.max(1, file.bytes));
      if (rows.rows() >= MOST_ROWS) break;
    }
  } catch (error) {
    // The check says where the damage is; a draft is made of what comes before it.
    if (rows.rows() === 0) throw error;
  }
  return { uses: 'csv', options: delimiter === ',' ? {} : { delimiter: delimiter! } };
}

function openHeader(cells: readonly string[], rows: Rows): string[] {
  const header = cells.map(tidyCell);
  rows.addColumns(header);
  return header;
}

function addCells(header: readonly string[], cells: readonly string[], rows: Rows): void {
  rows.addRow(header.map((name, i) => [name, tidyCell(cells[i] ?? '')] as const));
}

/** As ingest reads it. */
function tidyCell(text: string): string {
  return removeInvisibles(text).trim();
}

async function workbookSurvey(file: PlaceFile, rows: Rows): Promise<ExportFormat> {
  const { readCells, formatCell } = await import('../ingest/sources/excel.ts'); // and its library, where there is a workbook
  const [first = [], ...lines] = await readCells(file.path);
  const header = openHeader(first.map(formatCell), rows);
  for (const line of lines)
    if (line.some((cell) => cell !== null)) addCells(header, line.map(formatCell), rows);
  return { uses: 'excel', options: {} };
}

async function jsonSurvey(file: PlaceFile, rows: Rows): Promise<ExportFormat> {
  const text = await readFile(file.path, 'utf8');
  if (text.length > MOST_JSON)
    throw new ShingleError('source', 'the JSON is larger than 64 MiB. Use a part of it');
  const { records, options } = recordsIn(text.replace(/^\ufeff/, ''));
  addRecords(filterRecords(records), rows);
  return { uses: 'json', options };
}

/** A list, a list somewhere in an object, or one object on each line. */
function recordsIn(text: string): { records: unknown[]; options: Record<string, string> } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    try {
      return { records: lines.map((line) => JSON.parse(line)), options: {} };
    } catch {
      throw new ShingleError('source', 'the file looks like JSON but is not valid');
    }
  }
  if (Array.isArray(value)) return { records: value, options: {} };
  const path = findRecordList(value);
  if (path === undefined) throw new ShingleError('source', 'the JSON contains no list of records');
  const records = path.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], value) as unknown[];
  return { records, options: { records: path.join('.') } };
}

const USUAL = ['records', 'features', 'results', 'rows', 'items', 'data'];

/** The keys to the list of records, at most three deep: one of a usual name, else the longest. Columns and facets are lists, too. */
function findRecordList(value: unknown): string[] | undefined {
  const lists = listsIn(value, []);
  const usual = lists.find(({ path }) => USUAL.includes(path.at(-1)!));
  const [longest] = lists.toSorted((a, b) => b.length - a.length);
  return (usual ?? longest)?.path;
}

function listsIn(value: unknown, path: readonly string[]): { path: string[]; length: number }[] {
  if (!isRecord(value) || path.length > 2) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = [...path, key];
    if (!Array.isArray(inner)) return listsIn(inner, here);
    return inner.some(isRecord) ? [{ path: here, length: inner.length }] : [];
  });
}

function addRecords(records: readonly Record<string, unknown>[], rows: Rows): void {
  const text = (value: unknown) =>
    tidyCell(typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''));
  for (const record of records)
    rows.addRow(Object.entries(record).map(([name, value]) => [name, text(value)] as const));
}

async function socrataSurvey(
  given: string,
  host: string,
  dataset: string,
  options: ExportOptions,
): Promise<ExportProfile> {
  const address = new URL(`/resource/${dataset}.json`, given);
  const records = await fetchJson(addQuery(address, { $limit: PORTAL_ROWS }), options);
  const rows = openTable();
  addRecords(filterRecords(records), rows);
  const place = address.protocol === 'http:' ? address.href : undefined;
  return { table: rows.close(), from: { uses: 'socrata', options: { host, dataset } }, files: 1, place };
}

async function arcgisSurvey(place: string, options: ExportOptions): Promise<ExportProfile> {
  const layer = await fetchJson(addQuery(new URL(place), { f: 'json' }), options);
  const dates = isRecord(layer) ? listFieldNames(layer, 'esriFieldTypeDate') : [];
  const query = new URL(`${place.replace(/\/+$/, '')}/query`);
  const asked = { where: '1=1', outFields: '*', resultRecordCount: 2_000, outSR: 4326, f: 'json' };
  const answer = await fetchJson(addQuery(query, asked), options);
  const features = isRecord(answer) ? answer.features : [];
  const records = filterRecords(features).map(({ attributes, geometry }) => {
    const record: Record<string, unknown> = { ...(attributes as object) };
    for (const name of dates)
      if (typeof record[name] === 'number') record[name] = dayFromMs(record[name], options.timeZone) ?? '';
    return isRecord(geometry) && 'x' in geometry
      ? { ...record, longitude: geometry.x, latitude: geometry.y }
      : record;
  });
  const rows = openTable();
  addRecords(records, rows);
  const from: ExportFormat = { uses: 'arcgis', options: { url: place } };
  return { table: rows.close(), from, files: 1, place: place.startsWith('http:') ? place : undefined };
}

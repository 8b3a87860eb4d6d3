/**
 * Examines an unknown file or data set: its format, its columns and its first few thousand rows. For drafting a profile; stores
 * nothing.
 */

import { open, readFile } from 'node:fs/promises';
import { dayFromMs } from '../city/days.ts';
import { ShingleError } from '../errors.ts';
import { listFieldNames } from '../ingest/sources/arcgis.ts';
import { listCells, readCsvRecords } from '../ingest/sources/csv.ts';
import { listFiles, type PlaceOptions } from '../ingest/sources/place.ts';
import { addQuery, fetchJson } from '../ingest/sources/portal.ts';
import { unpackFiles } from '../ingest/sources/unpack.ts';
import { filterRecords, isRecord } from '../listings/record.ts';
import type { Sample } from './columns.ts';

const MOST_PROFILED_ROWS = 5_000;
const MOST_JSON = 64 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

/** The result: the rows as text by column, and the `from` of a profile as source text. */
export type ExportProfile = Sample & {
  /** The `from` of the source, such as `csv({ delimiter: ';' })`. */
  from: string;
  /** The constructor it uses. */
  uses: 'csv' | 'json' | 'excel' | 'socrata' | 'arcgis';
  /** The `--from` option for a check, unless the profile contains the place itself. */
  place: string | undefined;
};

/** Throws `source` if it cannot be read as data. */
export async function profileExport(
  place: string,
  options: PlaceOptions & { timeZone: string },
): Promise<ExportProfile> {
  const socrata =
    /^https?:\/\/([^/]+)\/(?:.*\/)?([a-z0-9]{4}-[a-z0-9]{4})(?:\.json|\/about_data|\/data)?\/?$/i.exec(place);
  if (socrata !== null) return socrataSurvey(place, socrata[1]!, socrata[2]!, options);
  if (/\/(?:Feature|Map)Server\/\d+\/?$/i.test(place)) return arcgisSurvey(place, options);
  for await (const file of listFiles(place, options)) {
    const isWorkbook = /\.xlsx$/i.test(file.name);
    for await (const one of unpackFiles(file, { ...options, isWorkbook })) {
      const found = isWorkbook ? await workbookSurvey(one.path) : await textSurvey(one.path);
      return { ...found, place };
    }
  }
  throw new ShingleError('source', `no data at ${place}`);
}

type ProfiledTable = Omit<ExportProfile, 'place'>;

async function textSurvey(path: string): Promise<ProfiledTable> {
  await using handle = await open(path, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer
    .toString('utf8', 0, bytesRead)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (head === '') throw new ShingleError('source', 'the file is empty');
  if (head.startsWith('<'))
    throw new ShingleError('source', 'the file is a web page (HTML or XML), not data');
  return /^[[{]/.test(head) ? jsonSurvey(path) : csvSurvey(path, head);
}

/** The delimiter that splits the first line most often. */
async function csvSurvey(path: string, head: string): Promise<ProfiledTable> {
  const line = head.split(/\r?\n/, 1)[0]!;
  const [delimiter] = [',', ';', '\t', '|'].toSorted((a, b) => line.split(b).length - line.split(a).length);
  let header: string[] = [];
  const lines: string[][] = [];
  const records = readCsvRecords(path, delimiter!, (names) => {
    header = names;
    return listCells;
  });
  for await (const batch of records) {
    for (const one of batch) if (Array.isArray(one)) lines.push(one);
    if (lines.length >= MOST_PROFILED_ROWS) break;
  }
  const from = delimiter === ',' ? 'csv()' : `csv({ delimiter: ${JSON.stringify(delimiter)} })`;
  return { from, uses: 'csv', ...toSample(header, lines.slice(0, MOST_PROFILED_ROWS)) };
}

function toSample(header: readonly string[], lines: readonly (readonly string[])[]): Sample {
  const columns = header.map((name) => name.trim());
  const rows = lines.map((cells) =>
    Object.fromEntries(columns.map((name, i) => [name, (cells[i] ?? '').trim()])),
  );
  return { columns: columns.filter((name) => name !== ''), rows };
}

async function workbookSurvey(path: string): Promise<ProfiledTable> {
  const { readCells, formatCell } = await import('../ingest/sources/excel.ts'); // loads the workbook library only if it is needed
  const cells = (await readCells(path)).slice(0, MOST_PROFILED_ROWS + 1);
  const [header = [], ...lines] = cells.map((row) => row.map(formatCell));
  return { from: 'excel()', uses: 'excel', ...toSample(header, lines) };
}

async function jsonSurvey(path: string): Promise<ProfiledTable> {
  const text = await readFile(path, 'utf8');
  if (text.length > MOST_JSON)
    throw new ShingleError('source', 'the JSON is larger than 64 MiB. Use a part of it');
  const { records, from } = recordsIn(text.replace(/^\ufeff/, ''));
  return { from, uses: 'json', ...recordTable(filterRecords(records.slice(0, MOST_PROFILED_ROWS))) };
}

/** A list, a list somewhere in an object, or one object on each line. */
function recordsIn(text: string): { records: unknown[]; from: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const lines = text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, MOST_PROFILED_ROWS);
    try {
      return { records: lines.map((line) => JSON.parse(line)), from: 'json()' };
    } catch {
      throw new ShingleError('source', 'the file looks like JSON but is not valid');
    }
  }
  if (Array.isArray(value)) return { records: value, from: 'json()' };
  const path = findRecordList(value);
  if (path === undefined) throw new ShingleError('source', 'the JSON contains no list of records');
  const records = path.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], value) as unknown[];
  return { records, from: `json({ records: ${JSON.stringify(path.join('.'))} })` };
}

const USUAL = ['records', 'features', 'results', 'rows', 'items', 'data'];

/** The path to the list of records, at most three levels deep: the one with a usual name, else the longest. Columns and facets are lists, too. */
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

function recordTable(records: readonly Record<string, unknown>[]): Sample {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const text = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '').trim();
  const rows = records.map((record) => Object.fromEntries(columns.map((name) => [name, text(record[name])])));
  return { columns, rows };
}

async function socrataSurvey(
  given: string,
  host: string,
  dataset: string,
  options: PlaceOptions,
): Promise<ExportProfile> {
  const address = new URL(`/resource/${dataset}.json`, given);
  const records = await fetchJson(addQuery(address, { $limit: MOST_PROFILED_ROWS }), options);
  const from = `socrata({ host: ${JSON.stringify(host)}, dataset: ${JSON.stringify(dataset)} })`;
  const isHere = address.protocol === 'http:';
  const place = isHere ? address.href : undefined;
  return { from, uses: 'socrata', place, ...recordTable(filterRecords(records)) };
}

async function arcgisSurvey(
  place: string,
  options: PlaceOptions & { timeZone: string },
): Promise<ExportProfile> {
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
  const isHere = place.startsWith('http:');
  const from = `arcgis({ url: ${JSON.stringify(place)} })`;
  return { from, uses: 'arcgis', place: isHere ? place : undefined, ...recordTable(records) };
}

/**
 * Reads JSON as rows: an array of objects, an object that contains such an array, or one object on each line. Keeps at
 * most a chunk and a record in memory, and never quotes the file in an error.
 */

import type { Row, SourceFormat } from '../../city/define.ts';
import { ShingleError } from '../../errors.ts';
import { isRecord } from '../../listings/record.ts';
import { readHead } from './file-kind.ts';
import { MOST_JSON_RECORD_BYTES, type NumberedRecord, streamArrayRecords } from './json-array.ts';
import {
  findMissingColumn,
  findName,
  formatValue,
  type NumberedRow,
  openRowReader,
  type RowSpec,
} from './row.ts';
import { openText, type ReadTally } from './utf8.ts';

const JSON_CHUNK_BYTES = 64 * 1024;
const JSON_LINE_FEED = 10;

type JsonFormat = Extract<SourceFormat, { format: 'json' }>;
type RecordBatch = { what: 'line' | 'record'; records: NumberedRecord[] };

/**
 * Yields rows in batches of one chunk, in file order; `line` is the record's number, or the line if each line has a
 * record. Null and missing values become `''`; numbers, booleans and nested values become their JSON text. Throws
 * `source` at the first damage, or at the end if no record had a declared column. Then the caller must discard all
 * earlier rows.
 */
export function readJson(
  path: string,
  format: Partial<JsonFormat>,
  spec: RowSpec,
): AsyncGenerator<NumberedRow[]> {
  return readRows(readJsonRecords(path, format, spec.tally), spec);
}

/** Yields features as rows, like `readJson`: a FeatureCollection, a list of features, or a feature on each line. */
export function readGeoJson(path: string, spec: RowSpec): AsyncGenerator<NumberedRow[]> {
  return readRows(readFeatures(path, spec.tally), spec);
}

async function* readRows(batches: AsyncIterable<RecordBatch>, spec: RowSpec): AsyncGenerator<NumberedRow[]> {
  const { readRow, checkColumns } = openRecordReader(spec);
  for await (const { what, records } of batches)
    yield records.map(({ line, record }) => ({ line, row: readRow(record, `${what} ${line}`) }));
  checkColumns();
}

/** Makes rows of records. Throws `source` for what is not a record; `which` names it. */
export function openRecordReader(spec: RowSpec) {
  const columns = [...new Set([...spec.columns, ...spec.optional])];
  const { rowOf } = openRowReader(columns, spec);
  const unseen = new Set(spec.columns);
  let keys: string[] | undefined;
  return {
    readRow(record: unknown, which: string): Row {
      if (!isRecord(record)) throw new ShingleError('source', `${which} is not a JSON object`);
      keys ??= Object.keys(record);
      const nameOf = (column: string) =>
        findName(column, spec.aliases, (name) => Object.hasOwn(record, name));
      for (const column of unseen)
        if (Object.hasOwn(record, nameOf(column)) || readPointPart(record, column) !== null)
          unseen.delete(column);
      const cells = columns.map((column) => readColumn(record, nameOf(column), which));
      return rowOf(cells, spec.others === undefined ? undefined : addPointParts(record));
    },
    /** Throws `source` if no record had a declared column. */
    checkColumns(): void {
      const [missing] = unseen;
      if (keys === undefined || missing === undefined) return;
      const where = 'no record has it. The first record has';
      throw findMissingColumn(missing, keys, { where, line: spec.locate?.(missing) });
    },
  };
}

/** Finds the path of the features in GeoJSON. Returns `undefined` if it is a list or has a feature on each line. */
function findFeatures(beginning: string): 'features' | undefined {
  return /"FeatureCollection"|"features"\s*:/.test(beginning) ? 'features' : undefined;
}

const GEOJSON_HEAD_BYTES = 4_096;

/**
 * Yields features as plain records: the properties, and `longitude` and `latitude` of a point unless properties have
 * these names.
 */
async function* readFeatures(path: string, tally?: ReadTally): AsyncGenerator<RecordBatch> {
  const records = findFeatures((await readHead(path, GEOJSON_HEAD_BYTES)).toString('utf8'));
  for await (const batch of readJsonRecords(path, { records }, tally))
    yield {
      ...batch,
      records: batch.records.map(({ line, record }) => ({
        line,
        record: flattenFeature(record, `${batch.what} ${line}`),
      })),
    };
}

function flattenFeature(feature: unknown, which: string): Record<string, unknown> {
  if (!isRecord(feature) || !('properties' in feature))
    throw new ShingleError('source', `${which} is not a GeoJSON feature`);
  const { properties, geometry } = feature;
  const isPoint = isRecord(geometry) && geometry.type === 'Point' && Array.isArray(geometry.coordinates);
  const [longitude = null, latitude = null]: unknown[] = isPoint ? (geometry.coordinates as unknown[]) : [];
  return { longitude, latitude, ...(isRecord(properties) ? properties : {}) };
}

/** Yields records unchanged, in batches of one chunk; `what` is the unit of their `line`. Throws `source` like `readJson`. */
async function* readJsonRecords(
  path: string,
  format: Partial<JsonFormat>,
  tally?: ReadTally,
): AsyncGenerator<RecordBatch> {
  const { kind, all } = await openText(path, JSON_CHUNK_BYTES, undefined, tally);
  if (kind === 'text')
    throw new ShingleError(
      'source',
      'line 1 does not look like JSON. The source is declared as JSON, but the file may be CSV',
    );
  const byLine = kind === 'object' && format.records === undefined;
  const what = byLine ? 'line' : 'record';
  for await (const records of byLine ? lineRecords(all) : streamArrayRecords(all, format.records))
    yield { what, records };
}

async function* lineRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<NumberedRecord[]> {
  let line = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    const records: NumberedRecord[] = [];
    let start = 0;
    for (let end = bytes.indexOf(JSON_LINE_FEED); end !== -1; end = bytes.indexOf(JSON_LINE_FEED, start)) {
      records.push(...recordOn(++line, bytes.subarray(start, end)));
      start = end + 1;
    }
    rest = bytes.subarray(start);
    checkLineSize(line + 1, rest);
    if (records.length > 0) yield records;
  }
  const last = recordOn(line + 1, rest);
  if (last.length > 0) yield last;
}

/** Parses the record on a line. Returns none if the line is blank. */
function recordOn(line: number, bytes: Buffer): NumberedRecord[] {
  checkLineSize(line, bytes);
  const text = bytes.toString('utf8').trim();
  if (text === '') return [];
  try {
    return [{ line, record: JSON.parse(text) }];
  } catch {
    const hint = line === 1 ? '. If the file is one object, name its array with json({ records })' : '';
    throw new ShingleError('source', `line ${line} is not a complete JSON value${hint}`);
  }
}

function checkLineSize(line: number, bytes: Buffer): void {
  if (bytes.length > MOST_JSON_RECORD_BYTES)
    throw new ShingleError('source', `line ${line} is larger than ${MOST_JSON_RECORD_BYTES / 1024} KiB`);
}

function readColumn(record: Record<string, unknown>, column: string, which: string): string {
  const value = Object.hasOwn(record, column) ? record[column] : readPointPart(record, column);
  // JavaScript would round it, so that two keys could become one
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new ShingleError('source', `${which}: the number in "${column}" has too many digits`);
  return formatValue(value);
}

const PART = /^(.+)\.(latitude|longitude)$/;
const WKT = /^POINT ?\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*\)$/i;

/** Reads a part of a record's point, such as `location.latitude`. Returns `null` for other columns. */
export function readPointPart(record: Record<string, unknown>, column: string): unknown {
  const [, field = '', part] = PART.exec(column) ?? [];
  if (part === undefined || !Object.hasOwn(record, field)) return null;
  const [longitude, latitude] = readCoordinates(record[field]);
  return (part === 'latitude' ? latitude : longitude) ?? null;
}

/** Returns a record with the parts of its points as columns. */
function addPointParts(record: Record<string, unknown>): Record<string, unknown> {
  const parts: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(record)) {
    const [longitude, latitude] = readCoordinates(value);
    if (longitude === undefined) continue;
    parts[`${field}.longitude`] = longitude;
    parts[`${field}.latitude`] = latitude;
  }
  return { ...record, ...parts, ...record };
}

/** Reads GeoJSON, `{ latitude, longitude }` or WKT. In WKT the longitude comes first. */
function readCoordinates(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return WKT.exec(value.trim())?.slice(1) ?? [];
  if (typeof value !== 'object' || value === null) return [];
  if ('coordinates' in value && Array.isArray(value.coordinates)) return value.coordinates;
  return 'latitude' in value && 'longitude' in value ? [value.longitude, value.latitude] : [];
}

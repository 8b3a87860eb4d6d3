/**
 * JSON as rows: an array of objects, an object that holds such an array, or one object on each line.
 * Never keeps more of a file in memory than a chunk and a record, and never quotes the file in an error.
 */

import type { Row, SourceFormat } from '../../city/define.ts';
import { ShingleError } from '../../errors.ts';
import { isRecord } from '../../listings/record.ts';
import { readHead } from './file-kind.ts';
import { MOST_JSON_RECORD_BYTES, type NumberedRecord, streamArrayRecords } from './json-array.ts';
import {
  findMissingColumn,
  findName,
  type NumberedRow,
  openRowReader,
  type RowSpec,
  tidyText,
} from './row.ts';
import { openText, type ReadTally } from './utf8.ts';

const JSON_CHUNK_BYTES = 64 * 1024;
const JSON_LINE_FEED = 10;

type JsonFormat = Extract<SourceFormat, { format: 'json' }>;
type RecordBatch = { what: 'line' | 'record'; records: NumberedRecord[] };
type Reader = { row(record: unknown, which: string): Row; finish(): void };

/**
 * Rows in batches of one chunk, in file order; `line` is the record's number, in newline-delimited files its line.
 * Null and missing values read as `''`; numbers, booleans and what is nested as their JSON text. Throws `source` at
 * the first damage, or at the end where no record ever had a declared column: nothing before it may be kept.
 */
export async function* readJson(
  path: string,
  format: JsonFormat,
  spec: RowSpec,
): AsyncGenerator<NumberedRow[]> {
  yield* readRecords(readJsonRecords(path, format, spec.tally), spec);
}

/** Features as rows, as `readJson` does: a FeatureCollection, a list of features, or a feature on each line. */
export async function* readGeoJson(path: string, spec: RowSpec): AsyncGenerator<NumberedRow[]> {
  yield* readRecords(readFeatures(path, spec.tally), spec);
}

async function* readRecords(
  batches: AsyncIterable<RecordBatch>,
  spec: RowSpec,
): AsyncGenerator<NumberedRow[]> {
  const reader = recordReader(spec);
  for await (const { what, records } of batches)
    yield records.map(({ line, record }) => ({ line, row: reader.row(record, `${what} ${line}`) }));
  reader.finish();
}

/** Says where the features are in GeoJSON that begins like this; `undefined` for a list, or a feature on each line. */
export function findFeatures(beginning: string): 'features' | undefined {
  return /"FeatureCollection"|"features"\s*:/.test(beginning) ? 'features' : undefined;
}

const GEOJSON_HEAD_BYTES = 4_096;

/** Features as plain records: the properties, and `longitude` and `latitude` of a point unless there are properties of that name. */
export async function* readFeatures(path: string, tally?: ReadTally): AsyncGenerator<RecordBatch> {
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

/** The records as they are, in batches of one chunk; `what` is what their `line` counts. Throws `source` as `readJson` does. */
export async function* readJsonRecords(
  path: string,
  format: Pick<JsonFormat, 'records'>,
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

/** The record of a line; none where the line is blank. */
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

function recordReader(spec: RowSpec): Reader {
  const columns = [...new Set([...spec.columns, ...spec.optional])];
  const { rowOf } = openRowReader(columns, spec);
  const unseen = new Set(spec.columns);
  let keys: string[] | undefined;
  return {
    row(record, which) {
      if (!isRecord(record)) throw new ShingleError('source', `${which} is not a JSON object`);
      keys ??= Object.keys(record);
      const nameOf = (column: string) =>
        findName(column, spec.aliases, (name) => Object.hasOwn(record, name));
      for (const column of unseen)
        if (Object.hasOwn(record, nameOf(column)) || readPointPart(record, column) !== null)
          unseen.delete(column);
      return rowOf(
        columns.map((column) => readColumn(record, nameOf(column), which)),
        spec.others === undefined ? undefined : record,
      );
    },
    finish() {
      const [column] = unseen;
      if (keys !== undefined && column !== undefined)
        throw findMissingColumn(column, keys, {
          where: 'no record has it. The first record has',
          line: spec.locate?.(column),
        });
    },
  };
}

function readColumn(record: Record<string, unknown>, column: string, which: string): string {
  const value = Object.hasOwn(record, column) ? record[column] : readPointPart(record, column);
  if (value === null) return '';
  if (typeof value === 'string') return value.toWellFormed();
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    // JavaScript would round it, so that two such keys become one
    throw new ShingleError('source', `${which}: the number in "${column}" has too many digits`);
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** All columns of a record as rows have them: its own, and the parts of points. */
export function listRecordTexts(record: Record<string, unknown>): (readonly [string, string])[] {
  return [...Object.keys(record), ...listPointParts(record)].map(
    (column) => [column, tidyText(readColumn(record, column, 'a record'))] as const,
  );
}

const PART = /^(.+)\.(latitude|longitude)$/;
const WKT = /^POINT ?\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*\)$/i;

/** The part of a record's point that the column names; `null` if the column names none, or there is no point. */
export function readPointPart(record: Record<string, unknown>, column: string): unknown {
  const [, field = '', part] = PART.exec(column) ?? [];
  if (part === undefined || !Object.hasOwn(record, field)) return null;
  const [longitude, latitude] = readCoordinates(record[field]);
  return (part === 'latitude' ? latitude : longitude) ?? null;
}

/** The columns that a record's points make, besides its own. */
export function listPointParts(record: Record<string, unknown>): string[] {
  return Object.keys(record)
    .filter((field) => readCoordinates(record[field]).length > 0)
    .flatMap((field) => [`${field}.longitude`, `${field}.latitude`])
    .filter((column) => !Object.hasOwn(record, column));
}

/** GeoJSON, `{ latitude, longitude }`, or WKT, where the longitude comes first. */
function readCoordinates(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return WKT.exec(value.trim())?.slice(1) ?? [];
  if (typeof value !== 'object' || value === null) return [];
  if ('coordinates' in value && Array.isArray(value.coordinates)) return value.coordinates;
  return 'latitude' in value && 'longitude' in value ? [value.longitude, value.latitude] : [];
}

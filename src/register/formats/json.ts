/**
 * Reads JSON as rows: an array, an object that contains an array, or an object on each line. The rows of an array may be
 * arrays, too, of which the first or another list has the names of their columns. Errors never quote the file.
 */

import { isUtf8 } from 'node:buffer';
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { ShingleError, sourceError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/record.ts';
import type { Row } from '../profile/define.ts';
import {
  findName,
  formatValue,
  type NumberedRow,
  nameColumns,
  openRowReader,
  type RejectedRow,
  type RowSpec,
  refuseMissing,
} from '../readers/row.ts';
import { LINE_FEED, openReadTally, openText, type ReadTally } from '../readers/utf8.ts';
import type { FileReader, Reading } from './read-file.ts';

const JSON_CHUNK_BYTES = 64 * 1024;

/** Yields rows. `line` is the number of the record or line. If this throws `source`, discard all earlier rows. */
export async function* readJson(
  path: string,
  { records, columns }: Partial<Reading<'json'>>,
  spec: RowSpec,
  flatten = (record: unknown, _which: string) => record,
): AsyncGenerator<(NumberedRow | RejectedRow)[]> {
  const { tally = openReadTally() } = spec;
  const { kind, all } = await openText(path, JSON_CHUNK_BYTES, undefined, tally);
  if (kind === 'text')
    throw sourceError(
      'line 1 does not look like JSON. The source is declared as JSON, but the file may be CSV',
    );
  const byLine = kind === 'object' && records === undefined;
  const what = byLine ? 'line' : 'record';
  const { readRow, checkColumns } = openRecordReader(spec);
  const nameCells = openCellNames(columns === undefined ? undefined : await readColumnNames(path, columns));
  for await (const batch of byLine
    ? lineRecords(all)
    : streamArrayRecords(replaceDamage(all, tally), records)) {
    const rows: (NumberedRow | RejectedRow)[] = [];
    for (const one of batch) {
      const { line } = one;
      const record = 'reason' in one ? undefined : nameCells(flattenAttributes(one.record));
      const reason = 'reason' in one ? one.reason : findProblem(record, tally);
      if (record === 'header') continue;
      const which = `${what} ${line}`;
      rows.push(
        reason === undefined ? { line, row: readRow(flatten(record, which), which) } : { line, reason },
      );
    }
    if (rows.length > 0) yield rows;
  }
  checkColumns();
}

export default {
  read: readJson,
  async survey(path) {
    const { findRecords } = await import('../layout/detect-records.ts');
    return { reading: await findRecords(path), notes: [] };
  },
} satisfies FileReader<'json'>;

function findProblem(record: unknown, { isDamaged }: ReadTally): string | undefined {
  if (record === 'ragged row') return record;
  if (record !== 'header' && !isRecord(record)) return 'damaged JSON';
  return isDamaged && JSON.stringify(record).includes('\ufffd') ? 'damaged characters' : undefined;
}

/**
 * Returns a function that makes a record of a row that is an array. Without known names, the first row has them. Returns
 * other values as they are.
 */
function openCellNames(known: readonly string[] | undefined) {
  let names = known;
  return (row: unknown): unknown => {
    if (!Array.isArray(row)) return row;
    if (names === undefined) {
      names = nameColumns(row.map(formatValue));
      return 'header';
    }
    if (row.length !== names.length) return 'ragged row';
    return Object.fromEntries(names.map((name, at) => [name, row[at]]));
  };
}

/**
 * Returns the cells of a record that holds them as one value, as ArcGIS (`attributes`) and Opendatasoft (`fields`) export
 * it, with its point as `longitude` and `latitude`.
 */
function flattenAttributes(record: unknown): unknown {
  if (!isRecord(record)) return record;
  const inner = record.attributes ?? record.fields;
  if (!isRecord(inner)) return record;
  const isAbout = (key: string) => record[key] === inner || ABOUT_RECORDS.has(key);
  if (!Object.keys(record).every(isAbout)) return record;
  const { x, y, coordinates } = isRecord(record.geometry) ? record.geometry : {};
  const [longitude, latitude] = Array.isArray(coordinates) ? coordinates : [x, y];
  return { ...(typeof longitude === 'number' && { longitude, latitude }), ...inner };
}

/** What portals say of a record beside its cells. */
const ABOUT_RECORDS = new Set(
  'datasetid recordid record_timestamp id createdTime links geometry centroid type'.split(' '),
);

/** Reads the names of columns from the array at a path: texts, or objects with a name. */
async function readColumnNames(path: string, columns: string): Promise<string[]> {
  const { all } = await openText(path, JSON_CHUNK_BYTES);
  const names: string[] = [];
  for await (const batch of streamArrayRecords(all, columns, true))
    for (const one of batch) {
      const named = 'record' in one ? one.record : '';
      const name = isRecord(named)
        ? NAME_KEYS.map((key) => named[key]).find((found) => found !== undefined)
        : named;
      names.push(formatValue(name));
    }
  return nameColumns(names);
}

const NAME_KEYS = ['name', 'label', 'title', 'fieldName', 'id', 'field'];

/** Replaces damaged characters, on which the tokenizer would end, once the reader of text has seen one. */
async function* replaceDamage(chunks: AsyncIterable<Buffer>, tally: ReadTally): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks)
    yield tally.isDamaged ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk;
}

/** Opens a reader that turns records into rows. It throws `source`, naming `which`, for any other value. */
export function openRecordReader(spec: RowSpec) {
  const columns = [...new Set([...spec.columns, ...spec.optional])];
  const rowOf = openRowReader(columns, spec);
  const unseen = new Set(spec.columns);
  let keys: string[] | undefined;
  return {
    readRow(record: unknown, which: string): Row {
      if (!isRecord(record)) throw sourceError(`${which} is not a JSON object`);
      keys ??= Object.keys(record);
      const nameOf = (column: string) =>
        findName(column, spec.aliases, (name) => Object.hasOwn(record, name));
      for (const column of unseen) if (Object.hasOwn(record, nameOf(column))) unseen.delete(column);
      const readText = (at: number) => readColumn(record, nameOf(columns[at]!), which);
      return rowOf(readText, spec.others === undefined ? undefined : record);
    },
    checkColumns(): void {
      const where = 'no record has it. The first record has';
      if (keys !== undefined) refuseMissing([...unseen], keys, { where, locate: spec.locate });
    },
  };
}

async function* lineRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadRecord[]> {
  let line = 0;
  let rest: Buffer = Buffer.alloc(0);
  let isSkipping = false; // the rest of a line that is too long
  for await (const chunk of chunks) {
    const bytes = isSkipping ? chunk : Buffer.concat([rest, chunk]);
    const records: ReadRecord[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      records.push(...recordOn(++line, bytes.subarray(start, end), isSkipping));
      isSkipping = false;
      start = end + 1;
    }
    rest = bytes.subarray(start);
    isSkipping ||= rest.length > MOST_JSON_RECORD_BYTES;
    if (records.length > 0) yield records;
  }
  const last = recordOn(line + 1, rest, isSkipping);
  if (last.some((one) => 'reason' in one)) throw notComplete(line + 1);
  if (last.length > 0) yield last;
}

function recordOn(line: number, bytes: Buffer, isTooLong: boolean): ReadRecord[] {
  if (isTooLong || bytes.length > MOST_JSON_RECORD_BYTES) return [{ line, reason: 'row too large' }];
  const text = bytes.toString('utf8').trim();
  if (text === '') return [];
  if (!isUtf8(bytes)) return [{ line, reason: 'damaged characters' }];
  try {
    return [{ line, record: JSON.parse(text) }];
  } catch {
    if (line === 1) throw notComplete(line);
    return [{ line, reason: 'damaged JSON' }];
  }
}

function notComplete(line: number): ShingleError {
  const hint = line === 1 ? '. If the file is one object, name its array with json({ records })' : '';
  return sourceError(`line ${line} is not a complete JSON value${hint}`);
}

function readColumn(record: Record<string, unknown>, column: string, which: string): string {
  const value = Object.hasOwn(record, column) ? record[column] : undefined;
  // JavaScript would round the number, so two keys could become equal
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw sourceError(`${which}: the number in "${column}" has too many digits`);
  return formatValue(value);
}

/** A record that is larger is rejected, and a file with one that is many times larger refused: it would fill memory. */
export const MOST_JSON_RECORD_BYTES = 1024 * 1024;
const MOST_BYTES_IN_MEMORY = 8 * MOST_JSON_RECORD_BYTES;
const DEEPEST = 64;

type NumberedRecord = { line: number; record: unknown };
type ReadRecord = NumberedRecord | RejectedRow;

type Token = Parameters<Tokenizer['onToken']>[0];

/**
 * Yields the records of the array at the path `records`, or of the whole document. Throws `source` for invalid JSON, or
 * if the document states a different `count`. With `isPart`, it ends with the array and reads no more of the document.
 */
export async function* streamArrayRecords(
  chunks: AsyncIterable<Buffer>,
  records: string | undefined,
  isPart = false,
): AsyncGenerator<ReadRecord[]> {
  const path = records === undefined ? [] : records.split('.');
  let batch: ReadRecord[] = [];
  let count: unknown;
  let read = 0;
  const fail = (why: string) => sourceError(`record ${read + 1}${why}`);
  const tokenizer = new Tokenizer();
  const parser = new TokenParser({ paths: listSelectors(path), keepStack: false });
  const tracker = openTracker(path, fail);
  tokenizer.onToken = (token) => {
    tracker.see(token);
    parser.write(token);
  };
  parser.onValue = ({ value, parent, key }) => {
    if (Array.isArray(parent))
      batch.push(
        tracker.isTooLarge() ? { line: ++read, reason: 'row too large' } : { line: ++read, record: value },
      );
    else if (key === 'count') count = value;
  };
  for await (const chunk of chunks) {
    try {
      tokenizer.write(chunk);
    } catch (error) {
      if (error instanceof ShingleError) throw error;
      // the library's messages quote the file, which may name people
      throw fail(parser.isEnded ? ': there is extra text after the end of the document' : ': invalid JSON');
    }
    tracker.checkEnd(chunk.length);
    if (batch.length > 0) yield batch;
    batch = [];
    if (isPart && tracker.isOver()) return;
  }
  if (!parser.isEnded) throw fail(': the file ends in the middle of the data and may be incomplete');
  const name = records === undefined ? 'the document' : `"${records}"`;
  if (!tracker.isFound()) throw sourceError(`${name} is missing from the file or is not an array`);
  if (typeof count === 'number' && count !== read)
    throw sourceError(`the file states ${count} records but contains ${read}`);
}

function listSelectors(path: readonly string[]): string[] {
  const elements = ['$', ...path, '*'].join('.');
  const hasCount = path.length > 0 && path.at(-1) !== 'count';
  return hasCount ? [elements, ['$', ...path.slice(0, -1), 'count'].join('.')] : [elements];
}

/** Tracks the position of tokens in the document: finds the array, and refuses values that are too long or too deep. */
function openTracker(path: readonly string[], fail: (why: string) => ShingleError) {
  const keys: unknown[] = [];
  let text: unknown = '';
  let [depth, offset, recordStart, bytes] = [0, 0, 0, 0];
  let [isFound, isInside] = [false, false];
  const tooLong = () => fail(` is larger than ${MOST_BYTES_IN_MEMORY / 1024} KiB`);
  const open = ({ token }: Token) => {
    const isArray = token === TokenType.LEFT_BRACKET && depth === path.length;
    if (isArray && path.every((key, i) => keys[i + 1] === key)) isFound = isInside = true;
    keys.length = ++depth;
    if (depth > DEEPEST) throw fail(' is nested too deeply');
  };
  return {
    isFound: () => isFound,
    isOver: () => isFound && !isInside,
    isTooLarge: () => offset - recordStart > MOST_JSON_RECORD_BYTES,
    see(token: Token) {
      const type = token.token;
      if (type === TokenType.STRING) text = token.value;
      else if (type === TokenType.COLON) keys[depth] = text;
      else if (type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET) open(token);
      else if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) depth--;
      if (depth <= path.length) isInside = false;
      if (isInside && token.offset - recordStart > MOST_BYTES_IN_MEMORY) throw tooLong();
      const isBetween = type === TokenType.COMMA && depth === path.length + 1;
      if (isBetween || !isInside) recordStart = token.offset;
      offset = token.offset;
    },
    /** Throws as soon as a value is too long. */
    checkEnd(more: number) {
      bytes += more;
      if (bytes - offset > MOST_BYTES_IN_MEMORY + more) throw tooLong();
    },
  };
}

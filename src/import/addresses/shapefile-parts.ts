/**
 * Reads the parts of a shapefile record by record: points and lines (`.shp`), as specified by ESRI in 1998, and their
 * table (`.dbf`, dBASE III). Keeps at most one record and one chunk of each file in memory.
 */

import { closeSync, openSync, readSync } from 'node:fs';
import type { Spot } from '../../city/places/addresses/spot.ts';
import { ShingleError } from '../../errors.ts';

const CHUNK_BYTES = 1 << 20;
const MOST_PIECE_BYTES = 1 << 20; // no street has that many corners

type FileBytes = ReturnType<typeof openBytes>;

/** Opens a file to read its bytes in pieces, from beginning to end. `name` is for messages. */
export function openBytes(path: string, name: string) {
  const file = openSync(path, 'r');
  let chunk = Buffer.alloc(0);
  let at = 0;
  function fill(size: number): void {
    const next = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, size));
    let filled = chunk.copy(next, 0, at);
    for (let read = 1; read > 0 && filled < size; filled += read)
      read = readSync(file, next, filled, next.length - filled, null);
    chunk = next.subarray(0, filled);
    at = 0;
  }
  return {
    name,
    /** Returns `size` bytes, valid until the next call, or `undefined` at the end. Throws `source` for fewer bytes. */
    take(size: number): Buffer | undefined {
      if (size > MOST_PIECE_BYTES)
        throw new ShingleError('source', `${name} is damaged: a record of ${size} bytes`);
      if (chunk.length - at < size) fill(size);
      if (chunk.length === at && size > 0) return undefined;
      if (chunk.length - at < size)
        throw new ShingleError('source', `${name} ends in the middle of a record: it may be incomplete`);
      at += size;
      return chunk.subarray(at - size, at);
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

const SHAPES_HEADER_BYTES = 100;
const FILE_CODE = 9994;
const RECORD_HEADER_BYTES = 8;
const LINE_HEADER_BYTES = 44;
const NO_SHAPE = 0;
/** Codes of shape types: plain, with heights, and with measures. */
const POINTS = [1, 11, 21];
const LINES = [3, 13, 23];

/**
 * Opens the shapes. Returns a function that returns the corners of the next line or the next point: no spots for an
 * empty record, `undefined` after the last. Throws `source` if the file does not contain points or lines in degrees.
 */
export function openShapes(bytes: FileBytes): () => readonly Spot[] | undefined {
  const { name } = bytes;
  const header = bytes.take(SHAPES_HEADER_BYTES);
  if (header === undefined || header.readInt32BE(0) !== FILE_CODE)
    throw new ShingleError('source', `${name} is not a shapefile, or it is damaged`);
  const type = header.readInt32LE(32);
  if (![...POINTS, ...LINES].includes(type))
    throw new ShingleError('source', `${name} has neither points nor lines (its shape type is ${type})`);
  return () => {
    const head = bytes.take(RECORD_HEADER_BYTES);
    if (head === undefined) return undefined;
    const which = `${name}: record ${head.readInt32BE(0)} is`;
    const damaged = (what: string) => new ShingleError('source', `${which} damaged: ${what}`);
    const size = head.readInt32BE(4) * 2;
    if (size < 4) throw damaged(`it has ${size} bytes`);
    const record = bytes.take(size);
    if (record === undefined) throw damaged('the file ends before it');
    const spots = readShape(record);
    if (spots === undefined) throw damaged('its lengths do not fit');
    const outside = spots.find(([x, y]) => !(Math.abs(x) <= 180 && Math.abs(y) <= 90));
    if (outside === undefined) return spots;
    throw new ShingleError(
      'source',
      `${which} not in degrees (${outside.join(', ')}). The file seems to be projected; export it as WGS 84`,
    );
  };
}

/** Reads a shape, only the first part of a line. Returns `undefined` if its counts exceed its bytes. */
function readShape(record: Buffer): Spot[] | undefined {
  const type = record.readInt32LE(0);
  if (type === NO_SHAPE) return [];
  if (POINTS.includes(type)) return record.length < 20 ? undefined : [readSpotAt(record, 4)];
  if (!LINES.includes(type) || record.length < LINE_HEADER_BYTES) return undefined;
  const parts = record.readInt32LE(36);
  const count = record.readInt32LE(40);
  const start = LINE_HEADER_BYTES + parts * 4;
  if (parts < 1 || count < 1 || start + count * 16 > record.length) return undefined;
  const end = parts > 1 ? record.readInt32LE(LINE_HEADER_BYTES + 4) : count;
  if (end < 1 || end > count) return undefined;
  return Array.from({ length: end }, (_, i) => readSpotAt(record, start + i * 16));
}

function readSpotAt(record: Buffer, at: number): Spot {
  return [record.readDoubleLE(at), record.readDoubleLE(at + 8)];
}

const TABLE_HEADER_BYTES = 32;
const FIELD_BYTES = 32;
const MOST_FIELDS = 255;
const END_OF_FIELDS = 0x0d;
const END_OF_FILE = 0x1a;
const DELETED = 0x2a;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** A record of a table. Valid only until the next one is read. */
export type TableRecord = {
  /** Reads a trimmed cell, or `''` if there is no such field. Text that is not UTF-8 is Latin-1, as in old tables. */
  read(field: string): string;
};

/** Opens a table: a header of fields, and records of equal length. Throws `source` if the file is not a dBASE table. */
export function openTable(bytes: FileBytes) {
  const { name } = bytes;
  const header = bytes.take(TABLE_HEADER_BYTES);
  const records = header?.readUInt32LE(4) ?? 0;
  const headerBytes = header?.readUInt16LE(8) ?? 0;
  const recordBytes = header?.readUInt16LE(10) ?? 0;
  const list = headerBytes > TABLE_HEADER_BYTES ? bytes.take(headerBytes - TABLE_HEADER_BYTES) : undefined;
  const { fields, end } = readFields(list ?? Buffer.alloc(0));
  if (fields.size === 0 || end > recordBytes)
    throw new ShingleError('source', `${name} is not a dBASE table, or it is damaged`);
  let record: Buffer = Buffer.alloc(0);
  const read = (field: string): string => {
    const cell = record.subarray(...(fields.get(field) ?? [0, 0]));
    try {
      return UTF8.decode(cell).trim();
    } catch {
      return cell.toString('latin1').trim();
    }
  };
  let left = records;
  return {
    fields: [...fields.keys()],
    records,
    /** Returns the next record, `deleted` for a deleted one, or `undefined` after the last. */
    next(): TableRecord | 'deleted' | undefined {
      if (left === 0) return undefined;
      record = bytes.take(recordBytes) ?? Buffer.alloc(0);
      if (record.length === 0 || record[0] === END_OF_FILE)
        throw new ShingleError(
          'source',
          `${name} has ${records - left} of ${records} records: it may be incomplete`,
        );
      left--;
      return record[0] === DELETED ? 'deleted' : { read };
    },
  };
}

/** Reads the start and end of each field in a record. */
function readFields(list: Buffer) {
  const fields = new Map<string, [start: number, end: number]>();
  const count = Math.min(MOST_FIELDS, Math.floor((list.length - 1) / FIELD_BYTES));
  let end = 1; // after the mark of deleted records
  for (let i = 0; i < count && list[i * FIELD_BYTES] !== END_OF_FIELDS; i++) {
    const field = list.subarray(i * FIELD_BYTES, (i + 1) * FIELD_BYTES);
    const start = end;
    end += field[16]!;
    fields.set(field.toString('latin1', 0, 11).replace(/\0.*/s, '').trim(), [start, end]);
  }
  return { fields, end };
}

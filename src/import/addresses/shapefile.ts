/** Reads addresses from a shapefile: Census ranges (TIGER/Line ADDRFEAT), or a city's address points. */

import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressFileColumns } from '../../city/define.ts';
import type { AddressIndexBuilder, StreetRanges } from '../../city/places/addresses/address-index.ts';
import { readHouseNumber, readStreet } from '../../city/places/addresses/read-address.ts';
import type { Point } from '../../city/places/points.ts';
import { messageOf, sourceError } from '../../errors.ts';
import { isZip } from '../readers/file-kind.ts';
import { openTemporaryFile, type PlaceFile, type PlaceOptions } from '../readers/place.ts';
import { unpackEntries } from '../readers/unpack.ts';
import { openAddressRows } from './address-rows.ts';

type Parts = { '.shp': string; '.dbf': string; '.prj': string };

/** Reads a shapefile from its folder or zip archive. Returns `false` if the file is not a shapefile. */
export async function useShapefile(
  file: PlaceFile,
  options: PlaceOptions,
  use: (parts: Parts) => Promise<void>,
): Promise<boolean> {
  if (/\.shp$/i.test(file.name)) {
    await checkParts(findBeside(file.path));
    await use(findBeside(file.path));
    return true;
  }
  if (!(await isZip(file.path))) return false;
  await using shapes = await openTemporaryFile(options, 'shapes');
  await using table = await openTemporaryFile(options, 'table');
  await using projection = await openTemporaryFile(options, 'projection');
  const parts = { '.shp': shapes.path, '.dbf': table.path, '.prj': projection.path };
  if (!(await unpackParts(file, parts, options))) return false;
  await checkParts(parts);
  await use(parts);
  return true;
}

function findBeside(path: string): Parts {
  const stem = path.replace(/\.shp$/i, '');
  const find = (part: string) =>
    [part, part.toUpperCase()].map((end) => stem + end).find(existsSync) ?? stem + part;
  return { '.shp': path, '.dbf': find('.dbf'), '.prj': find('.prj') };
}

/** Unpacks a shapefile. Returns `false` for any other archive, whose own reader reports damage. */
async function unpackParts(file: PlaceFile, parts: Parts, options: PlaceOptions): Promise<boolean> {
  const names = Object.keys(parts) as (keyof Parts)[];
  const found: string[] = [];
  try {
    await unpackEntries(file, options, (name) => {
      const part = names.find((one) => name.toLowerCase().endsWith(one));
      if (part === undefined || name.includes('__MACOSX')) return undefined;
      return found.push(part) > new Set(found).size ? undefined : parts[part];
    });
  } catch (error) {
    if (!found.includes('.shp')) return false;
    throw sourceError(`it cannot be unpacked: ${messageOf(error)}`, error);
  }
  const repeated = found.find((part, at) => found.indexOf(part) !== at);
  if (found.includes('.shp') && repeated !== undefined)
    throw sourceError(`the archive has several ${repeated} files. Unpack it and use one`);
  return found.includes('.shp');
}

async function checkParts(parts: Parts): Promise<void> {
  for (const part of ['.shp', '.dbf'] as const)
    if (!existsSync(parts[part])) throw sourceError(`the shapefile has no ${part} file`);
  const projection = existsSync(parts['.prj']) ? await readFile(parts['.prj'], 'utf8') : '';
  if (/^\s*PROJ/.test(projection)) throw sourceError('it is projected, not in degrees. Export it as WGS 84');
}

/** Reads the shapes with their table. Throws `source` if either is damaged, or if they do not match. */
export function readShapefile(
  { name, parts, columns }: { name: string; parts: Parts; columns: AddressFileColumns },
  builder: AddressIndexBuilder,
  report: (read: number, all: number) => void,
): void {
  using tableBytes = openBytes(parts['.dbf'], `${name} (.dbf)`);
  using shapeBytes = openBytes(parts['.shp'], `${name} (.shp)`);
  const table = openTable(tableBytes);
  const nextShape = openShapes(shapeBytes);
  const add = isCensus(table.fields) ? openRanges(builder) : openPoints(builder, table.fields, columns);
  for (let read = 1; ; read++) {
    const [record, spots] = [table.next(), nextShape()];
    if (record === undefined && spots === undefined) return;
    if (record === undefined || spots === undefined)
      throw sourceError(
        `${name} has ${table.records} records in its table, but ${record ? 'fewer' : 'more'} shapes`,
      );
    if (record !== 'deleted') add(record, spots, read);
    report(read, table.records);
  }
}

type AddRecord = (record: TableRecord, spots: StreetRanges['line'], number: number) => void;

function isCensus(fields: readonly string[]): boolean {
  return ['FULLNAME', 'LFROMHN', 'LTOHN', 'RFROMHN', 'RTOHN'].every((field) => fields.includes(field));
}

function openRanges(builder: AddressIndexBuilder): AddRecord {
  return (record, line) => {
    const street = readStreet(record.read('FULLNAME'));
    if (street === undefined) return;
    const ranges = [readSide(record, 'L'), readSide(record, 'R')].filter((side) => side !== undefined);
    builder.addRanges({ street, line, ranges });
  };
}

const PARITIES = { E: 'even', O: 'odd', B: 'both' } as const;

function readSide(record: TableRecord, side: 'L' | 'R'): StreetRanges['ranges'][number] | undefined {
  const from = readHouseNumber(record.read(`${side}FROMHN`))?.number;
  const to = readHouseNumber(record.read(`${side}TOHN`))?.number;
  if (from === undefined || to === undefined) return undefined;
  const stated = record.read(`PARITY${side}`) as keyof typeof PARITIES;
  const parity = PARITIES[stated] ?? (from % 2 !== to % 2 ? 'both' : from % 2 === 0 ? 'even' : 'odd');
  return { from, to, parity, side: side === 'L' ? 'left' : 'right', zip: record.read(`ZIP${side}`) };
}

function openPoints(
  builder: AddressIndexBuilder,
  fields: readonly string[],
  columns: AddressFileColumns,
): AddRecord {
  const headers = ['longitude', 'latitude', ...fields];
  const addRow = openAddressRows(builder, {
    headers,
    columns: { longitude: 'longitude', latitude: 'latitude', ...columns },
  });
  return (record, [spot], number) => {
    if (spot === undefined) return;
    const read = (field: string) =>
      field === 'longitude' ? String(spot[0]) : field === 'latitude' ? String(spot[1]) : record.read(field);
    addRow({ read, where: `record ${number}` });
  };
}

const CHUNK_BYTES = 1 << 20;
const MOST_PIECE_BYTES = 1 << 20; // no street has that many corners

type FileBytes = ReturnType<typeof openBytes>;

/** Opens a file for reading in pieces, from beginning to end. Errors show `name`. */
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
    /**
     * Returns `size` bytes, valid until the next call, or `undefined` at the end. Throws `source` if fewer remain.
     */
    take(size: number): Buffer | undefined {
      if (size > MOST_PIECE_BYTES) throw sourceError(`${name} is damaged: a record of ${size} bytes`);
      if (chunk.length - at < size) fill(size);
      if (chunk.length === at && size > 0) return undefined;
      if (chunk.length - at < size)
        throw sourceError(`${name} ends in the middle of a record: it may be incomplete`);
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

/** Returns a function that reads the next shape: its points, `[]` if empty, `undefined` at the end. Throws `source`. */
export function openShapes(bytes: FileBytes): () => readonly Point[] | undefined {
  const { name } = bytes;
  const header = bytes.take(SHAPES_HEADER_BYTES);
  if (header === undefined || header.readInt32BE(0) !== FILE_CODE)
    throw sourceError(`${name} is not a shapefile, or it is damaged`);
  const type = header.readInt32LE(32);
  if (![...POINTS, ...LINES].includes(type))
    throw sourceError(`${name} has neither points nor lines (its shape type is ${type})`);
  return () => {
    const head = bytes.take(RECORD_HEADER_BYTES);
    if (head === undefined) return undefined;
    const which = `${name}: record ${head.readInt32BE(0)} is`;
    const damaged = (what: string) => sourceError(`${which} damaged: ${what}`);
    const size = head.readInt32BE(4) * 2;
    if (size < 4) throw damaged(`it has ${size} bytes`);
    const record = bytes.take(size);
    if (record === undefined) throw damaged('the file ends before it');
    const spots = readShape(record);
    if (spots === undefined) throw damaged('its lengths do not fit');
    const outside = spots.find(([x, y]) => !(Math.abs(x) <= 180 && Math.abs(y) <= 90));
    if (outside === undefined) return spots;
    throw sourceError(
      `${which} not in degrees (${outside.join(', ')}). The file seems to be projected; export it as WGS 84`,
    );
  };
}

/** Reads a point, or the first part of a line. Returns `undefined` if the record is too short for its counts. */
function readShape(record: Buffer): Point[] | undefined {
  const type = record.readInt32LE(0);
  if (type === NO_SHAPE) return [];
  if (POINTS.includes(type)) return record.length < 20 ? undefined : [readPointAt(record, 4)];
  if (!LINES.includes(type) || record.length < LINE_HEADER_BYTES) return undefined;
  const parts = record.readInt32LE(36);
  const count = record.readInt32LE(40);
  const start = LINE_HEADER_BYTES + parts * 4;
  if (parts < 1 || count < 1 || start + count * 16 > record.length) return undefined;
  const end = parts > 1 ? record.readInt32LE(LINE_HEADER_BYTES + 4) : count;
  if (end < 1 || end > count) return undefined;
  return Array.from({ length: end }, (_, i) => readPointAt(record, start + i * 16));
}

function readPointAt(record: Buffer, at: number): Point {
  return [record.readDoubleLE(at), record.readDoubleLE(at + 8)];
}

const TABLE_HEADER_BYTES = 32;
const FIELD_BYTES = 32;
const MOST_FIELDS = 255;
const END_OF_FIELDS = 0x0d;
const END_OF_FILE = 0x1a;
const DELETED = 0x2a;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** A record of the table, valid only until the next record is read. */
export type TableRecord = {
  /** Reads a field. Text that is not UTF-8 is read as Latin-1, as in old tables. */
  read(field: string): string;
};

export function openTable(bytes: FileBytes) {
  const { name } = bytes;
  const header = bytes.take(TABLE_HEADER_BYTES);
  const records = header?.readUInt32LE(4) ?? 0;
  const headerBytes = header?.readUInt16LE(8) ?? 0;
  const recordBytes = header?.readUInt16LE(10) ?? 0;
  const list = headerBytes > TABLE_HEADER_BYTES ? bytes.take(headerBytes - TABLE_HEADER_BYTES) : undefined;
  const { fields, end } = readFields(list ?? Buffer.alloc(0));
  if (fields.size === 0 || end > recordBytes)
    throw sourceError(`${name} is not a dBASE table, or it is damaged`);
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
    /** Reads the next record. Returns `undefined` after the last record. */
    next(): TableRecord | 'deleted' | undefined {
      if (left === 0) return undefined;
      record = bytes.take(recordBytes) ?? Buffer.alloc(0);
      if (record.length === 0 || record[0] === END_OF_FILE)
        throw sourceError(`${name} has ${records - left} of ${records} records: it may be incomplete`);
      left--;
      return record[0] === DELETED ? 'deleted' : { read };
    },
  };
}

function readFields(list: Buffer) {
  const fields = new Map<string, [start: number, end: number]>();
  const count = Math.min(MOST_FIELDS, Math.floor((list.length - 1) / FIELD_BYTES));
  let end = 1; // the first byte of a record says whether it is deleted
  for (let i = 0; i < count && list[i * FIELD_BYTES] !== END_OF_FIELDS; i++) {
    const field = list.subarray(i * FIELD_BYTES, (i + 1) * FIELD_BYTES);
    const start = end;
    end += field[16]!;
    fields.set(field.toString('latin1', 0, 11).replace(/\0.*/s, '').trim(), [start, end]);
  }
  return { fields, end };
}

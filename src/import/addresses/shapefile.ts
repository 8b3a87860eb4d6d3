/**
 * Reads addresses from a shapefile: the ranges of house numbers that the US Census publishes for each county
 * (TIGER/Line ADDRFEAT), or a city's own address points. Reads shapes (`.shp`) and their table (`.dbf`) in parallel.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressFileColumns } from '../../city/define.ts';
import type { AddressIndexBuilder, StreetRanges } from '../../city/places/addresses/address-index.ts';
import { readHouseNumber, readStreet } from '../../city/places/addresses/read-address.ts';
import { messageOf, ShingleError } from '../../errors.ts';
import { isZip } from '../readers/file-kind.ts';
import { openTemporaryFile, type PlaceFile, type PlaceOptions } from '../readers/place.ts';
import { unpackEntries } from '../readers/unpack.ts';
import { openAddressRows } from './address-rows.ts';
import { openBytes, openShapes, openTable, type TableRecord } from './shapefile-parts.ts';

type Parts = { '.shp': string; '.dbf': string; '.prj': string };

/**
 * Passes the paths of a shapefile's parts to `use`: files next to each other in a folder, or in a zip archive, as the
 * Census publishes it. Returns whether the file is a shapefile. Throws `source` if a part is missing or projected.
 */
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

/** Unpacks the parts. Returns whether the archive contains shapes. If not, its other readers report any damage. */
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
    throw new ShingleError('source', `it cannot be unpacked: ${messageOf(error)}`, { cause: error });
  }
  const repeated = found.find((part, at) => found.indexOf(part) !== at);
  if (found.includes('.shp') && repeated !== undefined)
    throw new ShingleError('source', `the archive has several ${repeated} files. Unpack it and use one`);
  return found.includes('.shp');
}

async function checkParts(parts: Parts): Promise<void> {
  for (const part of ['.shp', '.dbf'] as const)
    if (!existsSync(parts[part])) throw new ShingleError('source', `the shapefile has no ${part} file`);
  const projection = existsSync(parts['.prj']) ? await readFile(parts['.prj'], 'utf8') : '';
  if (/^\s*PROJ/.test(projection))
    throw new ShingleError('source', 'it is projected, not in degrees. Export it as WGS 84');
}

/** Adds all records to the builder. Throws `source` if a file is damaged or the two do not match. */
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
      throw new ShingleError(
        'source',
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

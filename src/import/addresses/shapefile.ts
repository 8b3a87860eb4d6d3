/**
 * Reads addresses from a shapefile: the ranges of house numbers that the US Census publishes for each county
 * (TIGER/Line ADDRFEAT), or a city's own address points. Reads shapes (`.shp`) and their table (`.dbf`) in parallel.
 */

import type { AddressFileColumns } from '../../city/define.ts';
import type { AddressIndexBuilder, StreetRanges } from '../../city/places/addresses/address-index.ts';
import { readHouseNumber, readStreet } from '../../city/places/addresses/read-address.ts';
import { ShingleError } from '../../errors.ts';
import { findAddressColumns } from './address-columns.ts';
import { openAddressRows } from './address-rows.ts';
import { openDbase, type TableRecord } from './dbase.ts';
import { openShapes } from './shapes.ts';

export type ShapefilePaths = { shapes: string; table: string; name: string };

/** Called after each record. */
type ReportRecord = (read: number, all: number) => void;

/** Adds all records to the builder. Throws `source` if a file is damaged or the two do not match. */
export async function readShapefile(
  { shapes: shapesPath, table: tablePath, name }: ShapefilePaths,
  builder: AddressIndexBuilder,
  columns: AddressFileColumns,
  report: ReportRecord,
): Promise<void> {
  await using table = await openDbase(tablePath, `${name} (.dbf)`);
  await using shapes = await openShapes(shapesPath, `${name} (.shp)`);
  const take = isCensus(table.fields) ? openRanges(builder) : openPoints(builder, table.fields, columns);
  for (let read = 1; ; read++) {
    const [record, spots] = [await table.next(), await shapes.next()];
    if (record === undefined && spots === undefined) return;
    if (record === undefined || spots === undefined)
      throw new ShingleError(
        'source',
        `${name} has ${table.records} records in its table, but ${record ? 'fewer' : 'more'} shapes`,
      );
    if (record !== 'deleted') take(record, spots, read);
    report(read, table.records);
  }
}

type TakeRecord = (record: TableRecord, spots: StreetRanges['line'], number: number) => void;

const CENSUS = ['FULLNAME', 'LFROMHN', 'LTOHN', 'RFROMHN', 'RTOHN'];

function isCensus(fields: readonly string[]): boolean {
  return CENSUS.every((field) => fields.includes(field));
}

function openRanges(builder: AddressIndexBuilder): TakeRecord {
  return (record, line) => {
    const street = readStreet(record.read('FULLNAME'));
    if (street === undefined) return;
    const ranges = [readSide(record, 'L'), readSide(record, 'R')].filter((side) => side !== undefined);
    builder.addRanges({ street, line, ranges });
  };
}

const PARITIES = { E: 'even', O: 'odd', B: 'both' } as const;

function readSide(record: TableRecord, side: 'L' | 'R'): StreetRanges['ranges'][number] | undefined {
  const from = readHouseNumber(record.read(`${side}FROMHN`));
  const to = readHouseNumber(record.read(`${side}TOHN`));
  if (from === undefined || to === undefined) return undefined;
  const said = record.read(`PARITY${side}`) as keyof typeof PARITIES;
  const parity =
    PARITIES[said] ?? (from.number % 2 !== to.number % 2 ? 'both' : from.number % 2 === 0 ? 'even' : 'odd');
  const zip = record.read(`ZIP${side}`);
  return { from: from.number, to: to.number, parity, side: side === 'L' ? 'left' : 'right', zip };
}

function openPoints(
  builder: AddressIndexBuilder,
  fields: readonly string[],
  said: AddressFileColumns,
): TakeRecord {
  const addRow = openAddressRows(builder, findAddressColumns(fields, said, true));
  return (record, [spot], number) =>
    spot && addRow({ read: record.read, geometry: spot, where: `record ${number}` });
}

/** Loads the address files of a city (CSV, GeoJSON or shapefiles) into an index, and identifies their content. */

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { AddressFileColumns } from '../../city/define.ts';
import {
  type AddressIndex,
  type AddressIndexBuilder,
  MOST_ADDRESSES,
  openAddressIndexBuilder,
} from '../../city/places/addresses/address-index.ts';
import { findDelimiter } from '../../data/csv-text.ts';
import { messageOf, ShingleError } from '../../errors.ts';
import { isRecord } from '../../listings/record.ts';
import { readCsvRecords } from '../readers/csv.ts';
import type { CsvCells } from '../readers/csv-scanner.ts';
import { readHead } from '../readers/file-kind.ts';
import { findFeatures, readJsonRecords } from '../readers/json.ts';
import { describeFile, listFiles, type PlaceFile, type PlaceOptions, removeQuery } from '../readers/place.ts';
import { unpackFiles } from '../readers/unpack.ts';
import { measureReadShare, openReadTally, type ReadTally } from '../readers/utf8.ts';
import { type AddressRow, openAddressRows } from './address-rows.ts';
import { readShapefile, useShapefile } from './shapefile.ts';

const BEGINNING_BYTES = 4_096;

export type AddressPlace = { place: string; columns: AddressFileColumns };

export type OpenedAddresses = {
  index: AddressIndex;
  /** SHA-256 of all files, in hex. */
  content: string;
};

/** Called while a file is read. `share` is the share of the file, 0 to 1. */
export type ReportAddresses = (at: { place: string; rows: number; share: number }) => void;

type ReportRows = (rows: number, share: number) => void;

/** Loads address files. Throws `source` with one sentence if a file cannot be read completely. */
export async function openAddresses(
  places: readonly AddressPlace[],
  options: PlaceOptions,
  report: ReportAddresses,
): Promise<OpenedAddresses> {
  const builder = openAddressIndexBuilder();
  const hash = createHash('sha256');
  for (const { place, columns } of places) {
    try {
      for await (const file of listFiles(place, options)) {
        const reportRows: ReportRows = (rows, share) => {
          if (Math.max(rows, countAddresses(builder)) > MOST_ADDRESSES) throw tooManyAddresses();
          report({ place: removeQuery(file.name), rows, share });
        };
        const content = await readAddressFile({ file, columns, builder }, options, reportRows);
        hash.update(`${content} ${JSON.stringify(columns)}`);
      }
    } catch (error) {
      if (error instanceof ShingleError && error.code !== 'source') throw error;
      const sentence = `the addresses in ${basename(removeQuery(place))} cannot be used: ${messageOf(error)}`;
      throw new ShingleError('source', sentence, { cause: error });
    }
  }
  return { index: builder.build(), content: hash.digest('hex') };
}

type Reading = { file: PlaceFile; columns: AddressFileColumns; builder: AddressIndexBuilder };

/** Adds the addresses of a file. Returns its content hash. */
async function readAddressFile(reading: Reading, options: PlaceOptions, report: ReportRows): Promise<string> {
  const { file, builder } = reading;
  const before = countAddresses(builder);
  let { content } = file;
  const isShapefile = await useShapefile(file, options, async (parts) => {
    content += (await describeFile(parts['.dbf'], file.name)).content;
    readShapefile({ ...reading, name: file.name, parts }, builder, (rows, all) => report(rows, rows / all));
  });
  if (!isShapefile)
    for await (const text of unpackFiles(file, options))
      await readAddressText({ ...reading, file: text }, report);
  if (countAddresses(builder) === before)
    throw new ShingleError('source', 'no row has a house number, a street and coordinates');
  return content;
}

function countAddresses({ size }: AddressIndexBuilder): number {
  return size.points + size.ranges;
}

function tooManyAddresses(): ShingleError {
  const most = MOST_ADDRESSES.toLocaleString('en');
  return new ShingleError('source', `it has more than ${most} addresses. Cut it to your county`);
}

async function readAddressText({ file, columns, builder }: Reading, report: ReportRows): Promise<void> {
  const head = (await readHead(file.path, BEGINNING_BYTES)).toString('utf8').replace(/^\ufeff/, '');
  const tally = openReadTally();
  const hasGeometry = /^\s*[{[]/.test(head);
  const openRows: OpenRows = (headers) => openAddressRows(builder, { headers, columns, hasGeometry });
  const read = hasGeometry ? readFeatures : readTable;
  let rows = 0;
  for await (const added of read({ file, tally, head }, openRows)) {
    rows += added;
    report(rows, measureReadShare(tally, file));
  }
}

type AddRow = (row: AddressRow) => void;
type OpenRows = (headers: readonly string[]) => AddRow;
type TextReading = { file: PlaceFile; tally: ReadTally; head: string };

/** Adds the rows of a CSV file. Yields the size of each batch. */
async function* readTable({ file, tally, head }: TextReading, openRows: OpenRows): AsyncGenerator<number> {
  const delimiter = findDelimiter(head.split('\n', 1)[0]!) ?? ',';
  const open = (header: string[]) => {
    const headers = header.map((name) => name.trim());
    const add = openRows(headers);
    const positions = new Map(headers.map((name, at) => [name, at]));
    let cells: CsvCells;
    const read = (column: string) => cells.text(positions.get(column)!).trim();
    return (record: CsvCells, line: number) => {
      cells = record;
      add({ read, where: `line ${line}` });
    };
  };
  for await (const batch of readCsvRecords(file.path, { delimiter }, open, tally)) yield batch.length;
}

/** Adds the points of a FeatureCollection, a list of features, or a feature on each line. Yields the size of each batch. */
async function* readFeatures({ file, tally, head }: TextReading, openRows: OpenRows): AsyncGenerator<number> {
  let add: AddRow | undefined;
  for await (const batch of readJsonRecords(file.path, { records: findFeatures(head) }, tally)) {
    for (const { line, record } of batch.records) {
      const { properties, geometry } = isRecord(record) ? record : {};
      if (!isRecord(properties) || !isRecord(geometry) || geometry.type !== 'Point') continue;
      add ??= openRows(Object.keys(properties));
      const coordinates = Array.isArray(geometry.coordinates) ? geometry.coordinates : [];
      const read = (column: string) => readProperty(properties, column);
      add({ read, geometry: coordinates, where: `${batch.what} ${line}` });
    }
    yield batch.records.length;
  }
  if (add === undefined) throw new ShingleError('source', 'no feature is a Point with properties');
}

function readProperty(properties: Record<string, unknown>, column: string): string {
  const value = Object.hasOwn(properties, column) ? properties[column] : undefined;
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

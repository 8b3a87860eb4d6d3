/** Reads an address file of any known format into an index: CSV, GeoJSON or a shapefile, compressed or not. */

import type { AddressFileColumns } from '../../city/define.ts';
import { type AddressIndexBuilder, MOST_ADDRESSES } from '../../city/places/addresses/address-index.ts';
import { findDelimiter } from '../../data/csv-text.ts';
import { ShingleError } from '../../errors.ts';
import { isRecord } from '../../listings/record.ts';
import { readCsvRecords } from '../readers/csv.ts';
import type { CsvCells } from '../readers/csv-scanner.ts';
import { readHead } from '../readers/file-kind.ts';
import { findFeatures, readJsonRecords } from '../readers/json.ts';
import type { PlaceFile } from '../readers/place.ts';
import { measureReadShare, openReadTally, type ReadTally } from '../readers/utf8.ts';
import { findAddressColumns } from './address-columns.ts';
import { type AddressRowReader, openAddressRows } from './address-rows.ts';

/** Reports the rows so far and the share of the file, 0 to 1. */
export type ReportRows = (rows: number, share: number) => void;

export type AddressText = { file: PlaceFile; columns: AddressFileColumns };

/** Adds the rows of a text file to the index. Throws `source`. */
export async function readAddressText(
  { file, columns }: AddressText,
  builder: AddressIndexBuilder,
  report: ReportRows,
): Promise<void> {
  const beginning = await readBeginning(file.path);
  const tally = openReadTally();
  const batches = /^\s*[{[]/.test(beginning)
    ? readFeatures({ file, tally }, beginning, (headers) => openRows(builder, headers, columns, true))
    : readTable({ file, tally }, findDelimiter(beginning.split('\n', 1)[0]!) ?? ',', (headers) =>
        openRows(builder, headers, columns, false),
      );
  let rows = 0;
  for await (const added of batches) {
    rows += added;
    if (rows > MOST_ADDRESSES) throw tooManyAddresses();
    report(rows, measureReadShare(tally, file));
  }
}

export function tooManyAddresses(): ShingleError {
  const most = MOST_ADDRESSES.toLocaleString('en');
  return new ShingleError('source', `it has more than ${most} addresses. Cut it to your county`);
}

const BEGINNING_BYTES = 4_096;

async function readBeginning(path: string): Promise<string> {
  return (await readHead(path, BEGINNING_BYTES)).toString('utf8').replace(/^\ufeff/, '');
}

function openRows(
  builder: AddressIndexBuilder,
  headers: readonly string[],
  columns: AddressFileColumns,
  hasGeometry: boolean,
): AddressRowReader {
  return openAddressRows(builder, findAddressColumns(headers, columns, hasGeometry));
}

type OpenRows = (headers: readonly string[]) => AddressRowReader;

type Reading = { file: PlaceFile; tally: ReadTally };

async function* readTable(
  { file, tally }: Reading,
  delimiter: string,
  openRows: OpenRows,
): AsyncGenerator<number> {
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

/** Reads a FeatureCollection, a list of features, or a feature on each line. Yields the size of each batch. */
async function* readFeatures(
  { file, tally }: Reading,
  beginning: string,
  openRows: OpenRows,
): AsyncGenerator<number> {
  const records = findFeatures(beginning);
  let add: AddressRowReader | undefined;
  for await (const batch of readJsonRecords(file.path, { records }, tally)) {
    for (const { line, record } of batch.records) {
      const { properties, geometry } = isRecord(record) ? record : {};
      if (!isRecord(properties) || !isRecord(geometry) || geometry.type !== 'Point') continue;
      add ??= openRows(Object.keys(properties));
      const read = (column: string) => readProperty(properties, column);
      const coordinates = Array.isArray(geometry.coordinates) ? geometry.coordinates : [];
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

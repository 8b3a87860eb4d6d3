/** Loads the address files of a city (CSV or GeoJSON) into an index, and hashes their content. */

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { messageOf, ShingleError, sourceError } from '../../shared/errors.ts';
import { findDelimiter } from '../../shared/text/csv-text.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import { LINE } from '../formats/geojson.ts';
import { readFileRows } from '../formats/read-file.ts';
import type { AddressFileColumns } from '../profile/define.ts';
import type { FileReading } from '../profile/formats.ts';
import {
  type AddressIndexBuilder,
  MOST_ADDRESSES,
  openAddressIndexBuilder,
} from '../profile/places/addresses/address-index.ts';
import { readHead } from '../readers/file-kind.ts';
import { listFiles, type PlaceFile, type PlaceOptions, removeQuery } from '../readers/place.ts';
import { ALL_COLUMNS, listColumns, readCell } from '../readers/row.ts';
import { unpackFiles } from '../readers/unpack.ts';
import { type AddressRow, openAddressRows, openRangeRows } from './address-rows.ts';

const BEGINNING_BYTES = 4_096;
const MOST = formatNumber(MOST_ADDRESSES);

type ReportRows = (rows: number) => void;

/** Loads address files. Throws `source` if a file cannot be read completely. */
export async function openAddresses(
  places: readonly { place: string; columns: AddressFileColumns }[],
  options: PlaceOptions,
  report: (at: { place: string; rows: number }) => void,
) {
  const builder = openAddressIndexBuilder();
  const hash = createHash('sha256');
  for (const { place, columns } of places) {
    try {
      for await (const file of listFiles(place, options)) {
        const reportRows: ReportRows = (rows) => {
          if (Math.max(rows, countAddresses(builder)) > MOST_ADDRESSES)
            throw sourceError(`it has more than ${MOST} addresses. Cut it to your county`);
          report({ place: removeQuery(file.name), rows });
        };
        await readAddressFile({ file, columns, builder }, options, reportRows);
        hash.update(`${file.content} ${JSON.stringify(columns)}`);
      }
    } catch (error) {
      if (error instanceof ShingleError && error.code !== 'source') throw error;
      const sentence = `the addresses in ${basename(removeQuery(place))} cannot be used: ${messageOf(error)}`;
      throw sourceError(sentence, error);
    }
  }
  return { index: builder.build(), content: hash.digest('hex') };
}

type Reading = { file: PlaceFile; columns: AddressFileColumns; builder: AddressIndexBuilder };

async function readAddressFile(reading: Reading, options: PlaceOptions, report: ReportRows): Promise<void> {
  const { file, builder } = reading;
  const before = countAddresses(builder);
  for await (const text of unpackFiles(file, options))
    await readAddressText({ ...reading, file: text }, report);
  if (countAddresses(builder) === before)
    throw sourceError('no row has a house number, a street and coordinates');
}

function countAddresses({ size }: AddressIndexBuilder): number {
  return size.points + size.ranges;
}

async function readAddressText({ file, columns, builder }: Reading, report: ReportRows): Promise<void> {
  const head = (await readHead(file.path, BEGINNING_BYTES)).toString('utf8').replace(/^\ufeff/, '');
  const isJson = /^\s*[{[]/.test(head);
  const format: FileReading = isJson
    ? { format: 'geojson' }
    : { format: 'csv', delimiter: findDelimiter(head.split('\n', 1)[0]!) };
  const named = isJson ? { longitude: 'longitude', latitude: 'latitude', ...columns } : columns;
  const others = { used: undefined as ReadonlySet<string> | undefined };
  let rows = 0;
  let add: (((row: AddressRow) => void) & { used: ReadonlySet<string> }) | undefined;
  for await (const batch of readFileRows(file.path, format, { ...ALL_COLUMNS, others })) {
    for (const one of batch) {
      const read = (column: string) => ('row' in one ? readCell(one.row, column) : '');
      const hasLine = isJson && read(LINE) !== '';
      if (!('row' in one) || (isJson && !hasLine && read('longitude') === '')) continue;
      const headers = listColumns(one.row);
      add ??= hasLine
        ? openRangeRows(builder, { headers, columns })
        : openAddressRows(builder, { headers, columns: named });
      add?.({ read, where: `line ${one.line}` });
    }
    others.used ??= add?.used;
    rows += batch.length;
    report(rows);
  }
  if (isJson && add === undefined)
    throw sourceError(
      'no feature is a point with properties, or a line with ranges of house numbers (LFROMHN, LTOHN)',
    );
}

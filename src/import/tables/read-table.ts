/**
 * Reads an unknown file or data set: what it is, how it is read, and all rows of its files (of a portal's data set a first
 * part). The rows are read by the readers of ingest, so that a profile made from them reads the same.
 */

import type { HeaderRows } from '../../city/define.ts';
import type { MappedFormat } from '../../city/mapping/mapping.ts';
import { ShingleError } from '../../errors.ts';
import { isRecord } from '../../listings/record.ts';
import { openTable, type Table, type TableBuilder } from '../../registers/table.ts';
import type { CsvReading } from '../readers/csv.ts';
import { findFileKind, readHead } from '../readers/file-kind.ts';
import { readFeatures, readJsonRecords } from '../readers/json.ts';
import { isSecretAddress, listFiles, type PlaceFile, type PlaceOptions } from '../readers/place.ts';
import { unpackFiles } from '../readers/unpack.ts';
import { guessEncoding, measureReadShare, openReadTally } from '../readers/utf8.ts';
import { findRecords } from './find-records.ts';
import { addPortalRows, addRecords, findPortalPlace } from './read-portal.ts';
import { addTextRows, findReading } from './read-text.ts';

const HEAD_BYTES = 64 * 1024;

export type ReadTable = {
  table: Table;
  /**
   * The `from` of `city.yaml`. It names an address (unless that may hold a secret) and a portal's data set, but no local file: there the
   * key of the format is present and its value is `undefined`.
   */
  from: MappedFormat;
  files: number;
  /** `--from` for a check: the place, unless `from` names it itself. */
  place: string | undefined;
  /** Sentences for the operator: what is unusual in how the file was read. */
  notes: readonly string[];
  /** Rows that could not be read, by reason. */
  damaged: ReadonlyMap<string, number>;
};

export type ReadTableOptions = PlaceOptions & {
  timeZone: string;
  /** Called with the name of a file and how much of it is read, from 0 to 1. */
  progress(name: string, share: number): void;
};

/** How the first file is read, and therefore all of them. */
type Reading =
  | ({ format: 'csv' } & CsvReading)
  | { format: 'json'; records: string | undefined }
  | { format: 'geojson' }
  | { format: 'excel'; sheet?: string | undefined; header?: HeaderRows | undefined };

type Reports = {
  notes: string[];
  damaged: Map<string, number>;
  repeatedHeaders: number;
};

/** Throws `source` in a sentence if the place cannot be read as data, or has no rows. */
export async function readTable(place: string, options: ReadTableOptions): Promise<ReadTable> {
  const rows = openTable();
  const reports: Reports = { notes: [], damaged: new Map(), repeatedHeaders: 0 };
  const portal = await addPortalRows(place, rows, options);
  if (portal !== undefined)
    return { ...finishTable(rows, reports), from: portal, files: 1, place: findPortalPlace(place, portal) };
  let reading: Reading | undefined;
  let files = 0;
  for await (const file of listFiles(place, options)) {
    for await (const one of unpackFiles(file, options)) {
      reading = await readFile(one, reading, { rows, reports, options }).catch((error: unknown) => {
        throw files === 0 ? error : nameFile(file, error);
      });
      files++;
    }
  }
  if (reading === undefined) throw new ShingleError('source', `no data at ${place}`);
  const address = /^https?:/i.test(place) && !isSecretAddress(place) ? place : undefined;
  return { ...finishTable(rows, reports), from: describeReading(reading, address), files, place };
}

/** All files of a folder are read as the first one: the one that cannot be is named. */
function nameFile({ name }: PlaceFile, error: unknown): unknown {
  if (!(error instanceof ShingleError)) return error;
  return new ShingleError(error.code, `${name}: ${error.message}`, { cause: error });
}

type Collecting = { rows: TableBuilder; reports: Reports; options: ReadTableOptions };

async function readFile(file: PlaceFile, known: Reading | undefined, to: Collecting): Promise<Reading> {
  const { rows, reports, options } = to;
  const tally = openReadTally();
  const progress = () => options.progress(file.name, measureReadShare(tally, file));
  const reading = known ?? (await findFormat(file, reports));
  if (reading.format === 'csv') {
    await addTextRows(file.path, reading, rows, { damaged: reports.damaged, tally, progress });
    reports.repeatedHeaders += tally.repeatedHeaders;
    return reading;
  }
  if (reading.format === 'excel') return { ...reading, ...(await addWorkbook(file, known && reading, to)) };
  const batches =
    reading.format === 'json' ? readJsonRecords(file.path, reading, tally) : readFeatures(file.path, tally);
  for await (const { what, records } of batches) {
    for (const { line, record } of records)
      if (!isRecord(record)) throw new ShingleError('source', `${what} ${line} is not a JSON object`);
    addRecords(records.map(({ record }) => record).filter(isRecord), rows);
    progress();
  }
  return reading;
}

async function addWorkbook(file: PlaceFile, known: Reading | undefined, { rows, reports }: Collecting) {
  const { addWorkbookRows } = await import('./read-workbook.ts'); // loads the library, so only for a workbook
  const format = known?.format === 'excel' ? known : undefined;
  const report = await addWorkbookRows(file.path, format, rows);
  reports.notes.push(...(format === undefined ? report.notes : []));
  reports.repeatedHeaders += report.repeatedHeaders;
  return report.reading;
}

/** What a file is by its contents, whatever its name says. */
async function findFormat(file: PlaceFile, { notes }: Reports): Promise<Reading> {
  if ((await findFileKind(file.path)) === 'workbook') return { format: 'excel' };
  const bytes = await readHead(file.path, HEAD_BYTES);
  const head = guessEncoding(bytes)?.startsWith('utf-16')
    ? ''
    : bytes.toString('utf8').replace(/^\ufeff/, '');
  if (!/^\s*[[{]/.test(head)) {
    const found = await findReading(file.path);
    notes.push(...found.notes);
    return { format: 'csv', ...found.reading };
  }
  if (/"type"\s*:\s*"Feature(Collection)?"/.test(head)) return { format: 'geojson' };
  return { format: 'json', records: await findRecords(file.path) };
}

function describeReading(reading: Reading, address = ''): MappedFormat {
  if (reading.format === 'geojson') return { geojson: address };
  if (reading.format === 'json')
    return { json: address, ...(reading.records !== undefined && { records: reading.records }) };
  if (reading.format === 'excel') {
    const { format: _, ...rest } = reading;
    return { excel: address, ...rest };
  }
  const { format: _, delimiter, ...rest } = reading;
  return { csv: address, ...(delimiter !== ',' && { delimiter }), ...rest };
}

function finishTable(rows: TableBuilder, reports: Reports) {
  const table = rows.close();
  const damaged = [...reports.damaged.values()].reduce((sum, count) => sum + count, 0);
  if (table.total === 0)
    throw new ShingleError(
      'source',
      damaged === 0
        ? 'the file has a header and no rows'
        : `no row can be read: ${damaged} are damaged (${[...reports.damaged.keys()].join(', ')})`,
    );
  const { notes, repeatedHeaders } = reports;
  if (repeatedHeaders > 0)
    notes.push(
      repeatedHeaders === 1
        ? '1 repeated header row was dropped'
        : `${repeatedHeaders} repeated header rows were dropped`,
    );
  return { table, damaged: reports.damaged, notes };
}

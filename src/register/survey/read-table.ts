/** Reads an unknown file or data set with the readers of ingest, so a drafted profile reads the same rows. */

import { ShingleError, sourceError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/text/numbers.ts';
import { loadReader, readFileRows } from '../formats/read-file.ts';
import type { Row } from '../profile/define.ts';
import { arcgis, type FileReading, socrata } from '../profile/formats.ts';
import type { MappedFormat } from '../profile/mapping/mapping.ts';
import { findFileFormat } from '../readers/file-kind.ts';
import { isSecretAddress, type PlaceFile, type PlaceOptions } from '../readers/place.ts';
import { ALL_COLUMNS, listColumns, readCell } from '../readers/row.ts';
import { openReadTally } from '../readers/utf8.ts';
import { listSourceFiles } from '../rows/source-files.ts';
import { openTable, type Table, type TableBuilder } from './table.ts';

const SOCRATA = /^https?:\/\/([^/]+)\/(?:.*\/)?([a-z0-9]{4}-[a-z0-9]{4})(?:\.json|\/about_data|\/data)?\/?$/i;
const ARCGIS = /^https?:.*\/(?:Feature|Map)Server\/\d+\/?$/i;

export type ReadTable = {
  table: Table;
  /** How the profile reads the file. For a local file, the address is `undefined`. */
  from: MappedFormat;
  files: number;
  /** The value of `--from` for a check, if `from` does not name the place. */
  place: string | undefined;
  notes: readonly string[];
  damaged: ReadonlyMap<string, number>;
};

export type ReadTableOptions = PlaceOptions & {
  timeZone: string;
  progress(name: string, rows: number): void;
};

type Collected = {
  rows: TableBuilder;
  notes: string[];
  damaged: Map<string, number>;
  repeatedHeaders: number;
};

/** Reads a table. Throws `source` if the place cannot be read as data, or has no rows. */
export async function readTable(place: string, options: ReadTableOptions): Promise<ReadTable> {
  const found: Collected = { rows: openTable(), notes: [], damaged: new Map(), repeatedHeaders: 0 };
  const portal = findPortal(place);
  let reading: FileReading | undefined = portal && { format: 'json' };
  let files = 0;
  const source = { from: portal?.format ?? { format: 'csv' as const }, columns: [] };
  const given = { ...options, known: undefined };
  for await (const file of listSourceFiles(source, portal?.address ?? place, given)) {
    if (file === 'same') continue;
    try {
      reading ??= await findFormat(file, found.notes);
      await addFileRows(file, reading, found, (rows) => options.progress(file.name, rows));
    } catch (error) {
      if (!(error instanceof ShingleError)) throw error;
      throw new ShingleError(error.code, `${file.name}: ${error.message}`, { cause: error });
    }
    files++;
  }
  if (reading === undefined) throw sourceError(`no data at ${place}`);
  const table = finishTable(found);
  if (portal !== undefined) {
    const isNamed = portal.address.startsWith('https:'); // a profile always uses https
    return { ...table, from: portal.from, files, place: isNamed ? undefined : portal.address };
  }
  const address = /^https?:/i.test(place) && !isSecretAddress(place) ? place : undefined;
  return { ...table, from: describeReading(reading, address), files, place };
}

/** Finds the data set or layer of a portal that an address names. */
function findPortal(place: string) {
  const [, host, dataset] = SOCRATA.exec(place) ?? [];
  if (host !== undefined && dataset !== undefined) {
    const address = new URL(`/resource/${dataset}.json`, place).href;
    return { from: { socrata: { host, dataset } }, format: socrata({ host, dataset }), address };
  }
  if (!ARCGIS.test(place)) return undefined;
  return { from: { arcgis: place }, format: arcgis({ url: place }), address: place };
}

function openAdding(rows: TableBuilder): (row: Row) => void {
  let names: readonly string[] = [];
  let add = rows.openRows(names);
  return (row) => {
    const columns = listColumns(row);
    if (columns !== names) [names, add] = [columns, rows.openRows(columns)];
    add((at) => readCell(row, columns[at]!));
  };
}

async function addFileRows(
  file: PlaceFile,
  reading: FileReading,
  found: Collected,
  report: (rows: number) => void,
): Promise<void> {
  const { rows, damaged } = found;
  const tally = openReadTally();
  const add = openAdding(rows);
  for await (const batch of readFileRows(file.path, reading, { ...ALL_COLUMNS, tally })) {
    for (const one of batch)
      if ('row' in one) add(one.row);
      else damaged.set(one.reason, (damaged.get(one.reason) ?? 0) + 1);
    report(rows.rows());
  }
  found.repeatedHeaders += tally.repeatedHeaders;
}

async function findFormat({ path }: PlaceFile, notes: string[]): Promise<FileReading> {
  const format = await findFileFormat(path);
  const found = await (await loadReader(format)).survey(path);
  notes.push(...found.notes);
  return { format, ...found.reading } as FileReading;
}

function describeReading({ format, ...options }: FileReading, address = ''): MappedFormat {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { [format]: address, ...Object.fromEntries(given) } as MappedFormat;
}

function finishTable({ rows, notes, damaged, repeatedHeaders }: Collected) {
  const table = rows.close();
  const damagedRows = [...damaged.values()].reduce((sum, count) => sum + count, 0);
  if (table.total === 0)
    throw sourceError(
      damagedRows === 0
        ? 'the file has a header and no rows'
        : `no row can be read: ${damagedRows} are damaged (${[...damaged.keys()].join(', ')})`,
    );
  if (repeatedHeaders > 0)
    notes.push(
      `${formatCount(repeatedHeaders, 'repeated header row was', 'repeated header rows were')} dropped`,
    );
  return { table, damaged, notes };
}

/**
 * Comma-separated text as rows with the line they begin on, streamed in batches.
 * Never pads or cuts a damaged row: its line is rejected with a reason, and reading goes on at the next line.
 */

import type { SourceFormat } from '../../city/define.ts';
import { ShingleError } from '../../errors.ts';
import { openCsvSplitter } from './csv-records.ts';
import { CARRIAGE_RETURN, CSV_LINE_FEED, type CsvCells } from './csv-scanner.ts';
import { type NumberedRow, openRowReader, type RejectedRow, type RowSpec } from './row.ts';
import { openText } from './utf8.ts';

const CSV_CHUNK_BYTES = 256 * 1024; // about 600 rows of the widest real files: one batch
const MOST_COLUMNS = 300;
const OTHER_DELIMITERS = [
  [';', '";"'],
  ['\t', 'a tab'],
  ['|', '"|"'],
  [',', '","'],
] as const;

type CsvFormat = Extract<SourceFormat, { format: 'csv' }>;

/**
 * Rows in batches of one chunk (about 500), in file order, `line` 1 being the header. Memory does not depend on the
 * size of the file. Throws `source` naming the line or column where no row can be trusted: nothing before it may be kept.
 */
export function readCsv(
  path: string,
  { delimiter }: CsvFormat,
  spec: RowSpec,
): AsyncGenerator<(NumberedRow | RejectedRow)[]> {
  return readCsvRecords(path, delimiter, (header) => {
    checkHeader(header, delimiter, spec);
    const { positions, rowOf } = openRowReader(header, spec);
    const text = (cells: CsvCells) => (at: number) => (at < 0 ? '' : cells.text(at));
    return (cells, line) => ({ line, row: rowOf(positions.map(text(cells))) });
  });
}

/** What each record of a file becomes, once its header is known. */
type OpenRecords<T> = (header: string[]) => (cells: CsvCells, line: number) => T;

/** Each record as `open` makes it, in batches: also for columns that no profile declares. Throws as `readCsv` does. */
export async function* readCsvRecords<T>(
  path: string,
  delimiter: string,
  open: OpenRecords<T>,
): AsyncGenerator<(T | RejectedRow)[]> {
  const { kind, first, all } = await openText(path, CSV_CHUNK_BYTES);
  if (kind === 'array' || kind === 'object')
    throw new ShingleError('source', 'line 1 looks like JSON, but the source is declared as CSV');
  if (first.includes(CARRIAGE_RETURN) && !first.includes(CSV_LINE_FEED))
    throw new ShingleError(
      'source',
      'line 1 does not end: lines end in CR only. Save the file with LF line endings',
    );
  let batch: (T | RejectedRow)[] = [];
  let convert: ReturnType<OpenRecords<T>>;
  const splitter = openCsvSplitter(delimiter, {
    header(cells) {
      convert = open(listCells(cells));
    },
    record: (cells, line) => batch.push(convert(cells, line)),
    reject: (reason, line) => batch.push({ line, reason }),
  });
  for await (const chunk of all) {
    splitter.push(chunk);
    if (batch.length > 0) yield batch;
    batch = [];
  }
  splitter.end();
  if (batch.length > 0) yield batch;
}

/** All cells of a record as text. */
export function listCells(cells: CsvCells): string[] {
  return Array.from({ length: cells.count() }, (_, at) => cells.text(at));
}

function checkHeader(cells: readonly string[], delimiter: string, spec: RowSpec): void {
  if (cells.length > MOST_COLUMNS)
    throw new ShingleError(
      'source',
      `line 1 has ${cells.length} columns. At most ${MOST_COLUMNS} are allowed`,
    );
  const [only = ''] = cells;
  if (cells.length !== 1 || spec.columns.includes(only.trim())) return;
  const [found] = OTHER_DELIMITERS.filter(([other]) => only.includes(other));
  if (found === undefined) return;
  const said = OTHER_DELIMITERS.find(([other]) => other === delimiter)?.[1];
  throw new ShingleError(
    'source',
    `line 1 is a single cell: the delimiter seems to be ${found[1]}, not ${said ?? `"${delimiter}"`}`,
  );
}

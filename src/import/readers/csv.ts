/**
 * Reads delimited or fixed-width text as rows, streamed in batches. Never pads or cuts a damaged row: its line is
 * rejected.
 */

import type { SourceFormat } from '../../city/define.ts';
import { findDelimiter } from '../../data/csv-text.ts';
import { sourceError } from '../../errors.ts';
import { type CsvRecordHandler, openCsvSplitter, openFixedWidthSplitter } from './csv-records.ts';
import { CARRIAGE_RETURN, CSV_LINE_FEED, type CsvCells, listCells } from './csv-scanner.ts';
import { isRepeatedHeader, joinHeaderRows, listHeaderLines, numberColumns } from './header-names.ts';
import { type NumberedRow, openRowReader, type RejectedRow, type RowSpec } from './row.ts';
import { openReadTally, openText } from './utf8.ts';

const CSV_CHUNK_BYTES = 256 * 1024; // about 600 rows of the widest real files: one batch
const MOST_COLUMNS = 300;

type CsvFormat = Extract<SourceFormat, { format: 'csv' }>;

export type CsvReading = Partial<CsvFormat> & Pick<CsvFormat, 'delimiter'>;

/**
 * Yields rows in batches of one chunk (about 500), without those that repeat the header. Throws `source` if no row can
 * be trusted. Then the caller must discard all earlier rows.
 */
export async function* readCsv(
  path: string,
  reading: CsvReading,
  spec: RowSpec,
): AsyncGenerator<(NumberedRow | RejectedRow)[]> {
  const { tally = openReadTally() } = spec;
  const { kind, first, all } = await openText(path, CSV_CHUNK_BYTES, reading.encoding, tally);
  if (kind !== 'text') throw sourceError('line 1 looks like JSON, but the source is declared as CSV');
  const endsInCr = hasCrLines(first);
  let batch: (NumberedRow | RejectedRow)[] = [];
  const headers: string[][] = [];
  let sizes: number[] = [];
  let rows: ReturnType<typeof openRowReader> | undefined;
  const headerLines = listHeaderLines(reading.header);

  function openRows(header: string[], headerLine: number | undefined) {
    checkHeader(header, reading, { ...spec, headerLine });
    return openRowReader(header, { ...spec, headerLine });
  }

  /** Returns whether the record is part of the header. After the header, `rows` is known. */
  function takeHeader(cells: CsvCells, line: number): boolean {
    const count = cells.count();
    if (count > MOST_COLUMNS)
      throw sourceError(
        `line ${line} has ${count} columns. At most ${MOST_COLUMNS} are allowed: delete those that are not needed`,
      );
    if (headerLines.length === 0) rows = openRows(numberColumns(count), undefined);
    else headers.push(listCells(cells));
    if (headers.length < headerLines.length) return true;
    rows ??= openRows(joinHeaderRows(headers), headerLines[0]);
    sizes = headers.map(([name = '']) => Buffer.byteLength(name));
    return headers.length > 0;
  }

  const handler: CsvRecordHandler = {
    record(cells, line) {
      if (rows === undefined && takeHeader(cells, line)) return;
      if (sizes.includes(cells.size(0)) && isRepeatedHeader(headers, cells.text)) tally.repeatedHeaders++;
      else
        batch.push({
          line,
          row: rows!.rowOf(rows!.listPositions().map((at) => (at < 0 ? '' : cells.text(at)))),
        });
    },
    reject: (reason, line) => batch.push({ line, reason }),
  };
  const { widths } = reading;
  const splitter =
    widths === undefined
      ? openCsvSplitter(reading, handler)
      : openFixedWidthSplitter(widths, reading.header, handler);
  for await (const chunk of all) {
    splitter.push(endsInCr ? endLinesInLf(chunk) : chunk);
    if (batch.length > 0) yield batch;
    batch = [];
  }
  splitter.end();
  if (batch.length > 0) yield batch;
}

export function hasCrLines(first: Buffer): boolean {
  return first.includes(CARRIAGE_RETURN) && !first.includes(CSV_LINE_FEED);
}

export function endLinesInLf(chunk: Buffer): Buffer {
  for (let at = chunk.indexOf(CARRIAGE_RETURN); at !== -1; at = chunk.indexOf(CARRIAGE_RETURN, at + 1))
    chunk[at] = CSV_LINE_FEED;
  return chunk;
}

function checkHeader(cells: readonly string[], { delimiter, widths }: CsvReading, spec: RowSpec): void {
  const [only = ''] = cells;
  if (cells.length !== 1 || widths !== undefined || spec.columns.includes(only.trim())) return;
  const found = findDelimiter(only);
  if (found === undefined) return;
  const nameOf = (one: string) => (one === '\t' ? 'a tab' : `"${one}"`);
  throw sourceError(
    `line ${spec.headerLine ?? 1} is a single cell: the delimiter seems to be ${nameOf(found)}, not ${nameOf(delimiter)}`,
  );
}

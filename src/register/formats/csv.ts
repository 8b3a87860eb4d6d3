/**
 * Reads delimited or fixed-width text as rows. A quote must surround a cell or be doubled inside one. A row that breaks
 * this rule, or has more or fewer cells than the header, is rejected; reading continues at the next line.
 */

import { sourceError } from '../../shared/errors.ts';
import { findDelimiter } from '../../shared/text/csv-text.ts';
import type { RAGGED_REASONS } from '../findings/register.ts';
import type { SourceFormat } from '../profile/formats.ts';
import {
  CARRIAGE_RETURN,
  CSV_LINE_FEED,
  type CsvCells,
  endLinesInLf,
  hasCrLines,
  INCOMPLETE,
  listCells,
  openFixedWidthScanner,
  openScanner,
  QUOTE_IN_BARE_CELL,
  TEXT_AFTER_QUOTE,
} from '../readers/csv-scanner.ts';
import {
  isRepeatedHeader,
  joinHeaderRows,
  listHeaderLines,
  type NumberedRow,
  numberColumns,
  openRowReader,
  type RejectedRow,
  type RowSpec,
} from '../readers/row.ts';
import { openReadTally, openText } from '../readers/utf8.ts';
import type { FileReader } from './reader.ts';

// a chunk is a batch; with 256 KiB, an ingest took a tenth more time for memory
const CSV_CHUNK_BYTES = 64 * 1024;
const MOST_COLUMNS = 300;

type CsvFormat = Extract<SourceFormat, { format: 'csv' }>;

export type CsvReading = Partial<CsvFormat>;

/** Yields the rows of each chunk as a batch. If this throws `source`, the caller must discard all earlier rows. */
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
  let rowOf: ReturnType<typeof openRowReader> | undefined;
  const headerLines = listHeaderLines(reading.header);

  /** Takes the header. Returns whether the record is part of it: without a header, the first record is a row. */
  function takeHeader(cells: CsvCells, line: number): boolean {
    const count = cells.count();
    if (count > MOST_COLUMNS)
      throw sourceError(
        `line ${line} has ${count} columns. At most ${MOST_COLUMNS} are allowed: delete those that are not needed`,
      );
    if (headerLines.length > 0) headers.push(listCells(cells));
    if (headers.length < headerLines.length) return true;
    const names = headers.length === 0 ? numberColumns(count) : joinHeaderRows(headers);
    const known = { ...spec, headerLine: headerLines[0] };
    checkHeader(names, reading, known);
    rowOf = openRowReader(names, known);
    sizes = headers.map(([name = '']) => Buffer.byteLength(name));
    return headers.length > 0;
  }

  const handler: CsvRecordHandler = {
    record(cells, line) {
      if (rowOf === undefined && takeHeader(cells, line)) return;
      if (sizes.includes(cells.size(0)) && isRepeatedHeader(headers, cells.text)) tally.repeatedHeaders++;
      else batch.push({ line, row: rowOf!(cells.text) });
    },
    reject: (reason, line) => batch.push({ line, reason }),
  };
  const splitter = openCsvSplitter(reading, handler);
  for await (const chunk of all) {
    splitter.push(endsInCr ? endLinesInLf(chunk) : chunk);
    if (batch.length > 0) yield batch;
    batch = [];
  }
  splitter.end();
  if (batch.length > 0) yield batch;
}

export default {
  read: readCsv,
  survey: async (path) => (await import('../tables/read-text.ts')).findReading(path),
} satisfies FileReader<'csv'>;

function checkHeader(cells: readonly string[], { delimiter = ',', widths }: CsvReading, spec: RowSpec): void {
  const [only = ''] = cells;
  if (cells.length !== 1 || widths !== undefined || spec.columns.includes(only.trim())) return;
  const found = findDelimiter(only);
  if (found === undefined) return;
  const nameOf = (one: string) => (one === '\t' ? 'a tab' : `"${one}"`);
  throw sourceError(
    `line ${spec.headerLine ?? 1} is a single cell: the delimiter seems to be ${nameOf(found)}, not ${nameOf(delimiter)}`,
  );
}

const MOST_RECORD_BYTES = 64 * 1024;
const LIMIT = `${MOST_RECORD_BYTES / 1024} KiB`;

/** Handles each record in file order, including the header. All records must have as many cells as the first. */
export type CsvRecordHandler = {
  record(cells: CsvCells, line: number): void;
  reject(reason: string, line: number): void;
};

/** Splits chunks into records. Throws `source` for a damaged header or last line, or a line over 64 KiB. */
export function openCsvSplitter(dialect: CsvReading, handler: CsvRecordHandler) {
  const { find, cells, lineBreaks } =
    dialect.widths === undefined
      ? openScanner(dialect.delimiter ?? ',', dialect.quote)
      : openFixedWidthScanner(dialect.widths);
  const headerLines = listHeaderLines(dialect.header);
  const [firstLine = 1] = headerLines;
  let headerRows = headerLines.length;
  let width: number | undefined;
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);

  /** Reads the record at `start`. Returns where the next record begins, or `INCOMPLETE` if bytes are missing. */
  function takeRecord(data: Buffer, start: number, isEnd: boolean): number {
    const isFull = data.length - start >= MOST_RECORD_BYTES;
    const stop = isFull ? start + MOST_RECORD_BYTES : data.length;
    const isFinal = isFull || isEnd;
    const next = find(data, start, stop, isEnd && !isFull);
    if (next === INCOMPLETE && !isFinal) return INCOMPLETE;
    if (next >= 0 && isBlank(data[start])) {
      line++;
      return next;
    }
    if (next < 0 || (width !== undefined && cells.count() !== width))
      return rejectLine(data, next, { start, stop, isFull, isFinal });
    handler.record(cells, line);
    width ??= cells.count();
    headerRows--;
    line += 1 + lineBreaks();
    return next;
  }

  function isBlank(first: number | undefined): boolean {
    const isLineEnd = first === CSV_LINE_FEED || first === CARRIAGE_RETURN;
    return cells.count() === 0 || (isLineEnd && cells.count() === 1 && cells.size(0) === 0);
  }

  type Window = { start: number; stop: number; isFull: boolean; isFinal: boolean };

  function rejectLine(data: Buffer, next: number, { start, stop, isFull, isFinal }: Window): number {
    const length = data.subarray(start, stop).indexOf(CSV_LINE_FEED);
    if (length === -1 && !isFinal) return INCOMPLETE;
    if (length === -1 || width === undefined || headerRows > 0)
      throw sourceError(`line ${line}${explainFault(next, length === -1 && isFull)}`);
    handler.reject(nameFault(next, lineBreaks()), line++);
    return start + length + 1;
  }

  function explainFault(next: number, isTooLong: boolean): string {
    if (isTooLong) return `: the record is larger than ${LIMIT}`;
    if (next === INCOMPLETE) return `: a quote is not closed within ${LIMIT}`;
    if (next === TEXT_AFTER_QUOTE) return ': there is text after a closing quote';
    if (next === QUOTE_IN_BARE_CELL) return ': there is a quote inside an unquoted cell';
    return ` has ${cells.count()} cells, but the header${firstLine > 1 ? ` on line ${firstLine}` : ''} has ${width}. The file may be cut off`;
  }

  function split(data: Buffer, isEnd: boolean): void {
    let start = 0;
    while (line < firstLine && start < data.length) {
      const end = data.indexOf(CSV_LINE_FEED, start);
      start = end === -1 ? data.length : end + 1;
      if (end !== -1) line++;
    }
    for (let next = start; next !== INCOMPLETE && start < data.length; ) {
      next = takeRecord(data, start, isEnd);
      if (next !== INCOMPLETE) start = next;
    }
    rest = data.subarray(start);
  }

  return {
    push: (chunk: Buffer): void => split(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), false),
    end: (): void => split(rest, true),
  };
}

/** Describes a fault. If it is not on the record's first line, that line probably has an unclosed quote. */
function nameFault(next: number, lineBreaks: number): (typeof RAGGED_REASONS)[number] {
  if (next >= 0) return 'ragged row';
  return next === INCOMPLETE || lineBreaks > 0 ? 'unclosed quote' : 'stray quote';
}

/**
 * Delimited text, or text of fixed width, as rows with the line they begin on, streamed in batches.
 * Never pads or cuts a damaged row: its line is rejected with a reason, and reading goes on at the next line.
 */

import type { HeaderRows, SourceFormat } from '../../city/define.ts';
import { findDelimiter } from '../../data/csv-text.ts';
import { ShingleError } from '../../errors.ts';
import {
  type CsvRecordHandler,
  type CsvSplitter,
  countHeaderRows,
  firstHeaderLine,
  openCsvSplitter,
} from './csv-records.ts';
import { CARRIAGE_RETURN, CSV_LINE_FEED, type CsvCells } from './csv-scanner.ts';
import { joinHeaderRows, numberColumns } from './header-names.ts';
import { type NumberedRow, openRowReader, type RejectedRow, type RowSpec } from './row.ts';
import { openReadTally, openText, type ReadTally } from './utf8.ts';

const CSV_CHUNK_BYTES = 256 * 1024; // about 600 rows of the widest real files: one batch
const MOST_COLUMNS = 300;

type CsvFormat = Extract<SourceFormat, { format: 'csv' }>;

/** How the text of a file is read. */
export type CsvReading = Omit<CsvFormat, 'format' | 'place'>;

/**
 * Rows in batches of one chunk (about 500), in file order. Memory does not depend on the size of the file. Throws `source` naming the
 * line or column where no row can be trusted: nothing before it may be kept.
 */
export function readCsv(
  path: string,
  reading: CsvFormat,
  spec: RowSpec,
): AsyncGenerator<(NumberedRow | RejectedRow)[]> {
  const open: OpenRecords<NumberedRow> = (header, headerLine) => {
    checkHeader(header, reading, { ...spec, headerLine });
    const { listPositions, rowOf } = openRowReader(header, { ...spec, headerLine });
    const text = (cells: CsvCells) => (at: number) => (at < 0 ? '' : cells.text(at));
    return (cells, line) => ({ line, row: rowOf(listPositions().map(text(cells))) });
  };
  return readCsvRecords(path, reading, open, spec.tally);
}

/** What each record of a file becomes, once its header is known; `undefined` as `headerLine` where it has none. */
type OpenRecords<T> = (
  header: string[],
  headerLine: number | undefined,
) => (cells: CsvCells, line: number) => T;

/**
 * Each record as `open` makes it, in batches: also for columns that no profile declares. Rows that repeat the header are dropped, and
 * counted. Throws as `readCsv` does.
 */
export async function* readCsvRecords<T>(
  path: string,
  reading: CsvReading,
  open: OpenRecords<T>,
  tally: ReadTally = openReadTally(),
): AsyncGenerator<(T | RejectedRow)[]> {
  const { kind, first, all } = await openText(path, CSV_CHUNK_BYTES, reading.encoding, tally);
  if (kind === 'array' || kind === 'object')
    throw new ShingleError('source', 'line 1 looks like JSON, but the source is declared as CSV');
  const endsInCr = first.includes(CARRIAGE_RETURN) && !first.includes(CSV_LINE_FEED);
  let batch: (T | RejectedRow)[] = [];
  const { header, record, isHeader } = openHeaderRows(reading, open);
  const handler: CsvRecordHandler = {
    header,
    record(cells, line) {
      if (isHeader(cells)) tally.repeatedHeaders++;
      else batch.push(record(cells, line));
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

/** Takes the header, and then makes records and recognizes rows that repeat the header. */
function openHeaderRows<T>({ header: rows = 1 }: CsvReading, open: OpenRecords<T>) {
  const headers: string[][] = [];
  let [firstSize, secondSize] = [-1, -1];
  let convert: ReturnType<OpenRecords<T>>;
  return {
    header(cells: CsvCells, line: number) {
      if (cells.count() > MOST_COLUMNS)
        throw new ShingleError(
          'source',
          `line ${line} has ${cells.count()} columns. At most ${MOST_COLUMNS} are allowed: delete those that are not needed`,
        );
      if (rows === 'none') convert = open(numberColumns(cells.count()), undefined);
      else if (headers.push(listCells(cells)) === countHeaderRows(rows))
        convert = open(joinHeaderRows(headers), firstHeaderLine(rows));
      [firstSize = -1, secondSize = -1] = headers.map(([name = '']) => Buffer.byteLength(name));
    },
    record: (cells: CsvCells, line: number) => convert(cells, line),
    isHeader(cells: CsvCells) {
      const size = cells.size(0);
      if (size !== firstSize && size !== secondSize) return false;
      return headers.some((names) => isNamed(names) && names.every((name, i) => cells.text(i) === name));
    },
  };
}

/** Whether a later row like this one must be the header again: empty rows and single names may be data. */
export function isNamed(names: readonly string[]): boolean {
  return names.filter((name) => name !== '').length > 1;
}

/** Changes the line ends of a file whose lines end in CR alone. */
export function endLinesInLf(chunk: Buffer): Buffer {
  for (let at = chunk.indexOf(CARRIAGE_RETURN); at !== -1; at = chunk.indexOf(CARRIAGE_RETURN, at + 1))
    chunk[at] = CSV_LINE_FEED;
  return chunk;
}

/** All cells of a record as text. */
export function listCells(cells: CsvCells): string[] {
  return Array.from({ length: cells.count() }, (_, at) => cells.text(at));
}

function checkHeader(cells: readonly string[], { delimiter, widths }: CsvReading, spec: RowSpec): void {
  const { headerLine = 1 } = spec;
  const [only = ''] = cells;
  if (cells.length !== 1 || widths !== undefined || spec.columns.includes(only.trim())) return;
  const found = findDelimiter(only);
  if (found === undefined) return;
  throw new ShingleError(
    'source',
    `line ${headerLine} is a single cell: the delimiter seems to be ${nameDelimiter(found)}, not ${nameDelimiter(delimiter)}`,
  );
}

function nameDelimiter(delimiter: string): string {
  return delimiter === '\t' ? 'a tab' : `"${delimiter}"`;
}

const MOST_LINE_BYTES = 64 * 1024;

/** Splits text whose columns have a fixed number of characters, in chunks as `openCsvSplitter` takes them. Throws `source` for a line of 64 KiB. */
function openFixedWidthSplitter(
  widths: readonly number[],
  header: HeaderRows | undefined,
  handler: CsvRecordHandler,
): CsvSplitter {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  let headerRows = countHeaderRows(header);
  let isFirst = true;

  function takeLine(text: string): void {
    line++;
    if (line < firstHeaderLine(header) || text.trim() === '') return;
    const cells = toCells(cutLine(text, widths));
    if (isFirst || headerRows > 0) handler.header(cells, line);
    if (headerRows > 0) headerRows--;
    else handler.record(cells, line);
    isFirst = false;
  }

  function split(data: Buffer): void {
    let start = 0;
    for (let end = data.indexOf(CSV_LINE_FEED); end !== -1; end = data.indexOf(CSV_LINE_FEED, start)) {
      takeLine(data.toString('utf8', start, end));
      start = end + 1;
    }
    rest = data.subarray(start);
    if (rest.length > MOST_LINE_BYTES)
      throw new ShingleError('source', `line ${line + 1} is larger than ${MOST_LINE_BYTES / 1024} KiB`);
  }

  return {
    push: (chunk) => split(rest.length === 0 ? chunk : Buffer.concat([rest, chunk])),
    end() {
      if (rest.length > 0) takeLine(rest.toString('utf8'));
    },
  };
}

/** The cells of a line of fixed width, trimmed. The last one goes to the end of the line. */
export function cutLine(line: string, widths: readonly number[]): string[] {
  let from = 0;
  return widths.map((width, at) => {
    from += width;
    return line.slice(from - width, at === widths.length - 1 ? undefined : from).trim();
  });
}

function toCells(texts: readonly string[]): CsvCells {
  const text = (at: number) => texts[at] ?? '';
  return { count: () => texts.length, text, size: (at) => Buffer.byteLength(text(at)) };
}

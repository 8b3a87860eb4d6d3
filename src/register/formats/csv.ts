/**
 * Reads delimited or fixed-width text as rows. A quote must surround a cell or be doubled inside one. A row that breaks
 * this rule, has more or fewer cells than the header, is too large, or has damaged characters is rejected; reading
 * continues at the next line.
 */

import { sourceError } from '../../shared/errors.ts';
import { findDelimiter } from '../../shared/text/csv-text.ts';
import {
  CARRIAGE_RETURN,
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
  refuseColumns,
} from '../readers/row.ts';
import { countLineEnds, isDamaged, LINE_FEED, openReadTally, openText } from '../readers/utf8.ts';
import type { FileReader, Reading } from './read-file.ts';

// a chunk is a batch; with 256 KiB, an ingest took a tenth more time for memory
const CSV_CHUNK_BYTES = 64 * 1024;

export type CsvReading = Partial<Reading<'csv'>>;

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
  let rowOf: ReturnType<typeof openRowReader> | undefined;
  const headerLines = listHeaderLines(reading.header);

  /** Takes the header. Returns whether the record is part of it: without a header, the first record is a row. */
  function takeHeader(cells: CsvCells, line: number): boolean {
    const count = cells.count();
    refuseColumns(count, `line ${line}`);
    if (headerLines.length > 0) headers.push(listCells(cells));
    if (headers.length < headerLines.length) return true;
    const names = headers.length === 0 ? numberColumns(count) : joinHeaderRows(headers);
    const known = { ...spec, headerLine: headerLines[0] };
    checkHeader(names, reading, known);
    rowOf = openRowReader(names, known);
    return headers.length > 0;
  }

  const handler: CsvRecordHandler = {
    record(cells, line) {
      if (rowOf === undefined && takeHeader(cells, line)) return;
      if (isRepeatedHeader(headers, cells.text)) tally.repeatedHeaders++;
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
  survey: async (path) => (await import('../layout/detect-dialect.ts')).findReading(path),
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

/** Limits of a record. Beyond its first part, a record may only have a few line ends: they betray an unclosed quote. */
const PART_BYTES = 64 * 1024;
const MOST_RECORD_BYTES = 1024 * 1024;
const FEW_LINE_ENDS = 16;
const LIMIT = `${MOST_RECORD_BYTES / 1024} KiB`;

/** Handles each record in file order, including the header. All records must have as many cells as the first. */
export type CsvRecordHandler = {
  record(cells: CsvCells, line: number): void;
  reject(reason: string, line: number): void;
};

/** Splits chunks into records. Throws `source` for a damaged header or last line, or a header over 1 MiB. */
export function openCsvSplitter(dialect: CsvReading, handler: CsvRecordHandler) {
  const { find, cells, lineBreaks } =
    dialect.widths === undefined
      ? openScanner(dialect.delimiter ?? ',', dialect.quote, dialect.escape)
      : openFixedWidthScanner(dialect.widths);
  const headerLines = listHeaderLines(dialect.header);
  const [firstLine = 1] = headerLines;
  let headerRows = headerLines.length;
  let width: number | undefined;
  /** The number of columns up to the last one with a name. */
  let named = 0;
  /** The number of cells of the first row, which may have a delimiter at its end that the header lacks. */
  let usual: number | undefined;
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  let isSkipping = false; // the rest of a line that is too long

  /** Reads the record at `start`. Returns where the next record begins, or `INCOMPLETE` if bytes are missing. */
  function takeRecord(data: Buffer, start: number, isEnd: boolean, isSound: boolean): number {
    let stop = Math.min(data.length, start + PART_BYTES);
    let next = find(data, start, stop, isEnd && stop === data.length);
    if (next === INCOMPLETE && stop === start + PART_BYTES) {
      stop = findLongEnd(data, start, stop);
      if (stop > start + PART_BYTES) next = find(data, start, stop, isEnd && stop === data.length);
    }
    const isFull = stop < data.length || stop === start + MOST_RECORD_BYTES;
    if (next === INCOMPLETE && !isFull && !isEnd) return INCOMPLETE;
    if (next >= 0 && isBlank(data[start])) {
      line++;
      return next;
    }
    let isFit = next >= 0 && fitsHeader();
    if (next >= 0 && !isFit) {
      next = findReturnEnd(data, start, next);
      isFit = fitsHeader();
    }
    if (!isFit) return rejectLine(data, next, { start, stop, isFull, isFinal: isFull || isEnd });
    const isHeader = width === undefined || headerRows > 0;
    if (!isHeader) usual ??= cells.count();
    if (isSound || !isDamaged(data.subarray(start, next))) handler.record(cells, line);
    else if (isHeader) throw sourceError(`line ${line}, the header, has damaged characters`);
    else handler.reject('damaged characters', line);
    if (isHeader) named = Math.max(named, countNamed());
    width ??= cells.count();
    headerRows--;
    line += 1 + lineBreaks();
    return next;
  }

  /** Finds where the line ends that the first part of a record breaks off, unless the part has many lines. */
  function findLongEnd(data: Buffer, start: number, stop: number): number {
    if (countLineEnds(data.subarray(start, stop)) > FEW_LINE_ENDS) return stop;
    const most = Math.min(data.length, start + MOST_RECORD_BYTES);
    return data.subarray(0, most).indexOf(LINE_FEED, stop) + 1 || most;
  }

  /** Looks for the end of a record at a carriage return alone. Leaves a record as it is that still does not fit. */
  function findReturnEnd(data: Buffer, start: number, next: number): number {
    if (!data.subarray(start, next).includes(CARRIAGE_RETURN)) return next;
    const end = find(data, start, next, true, true);
    return end >= 0 && fitsHeader() ? end : find(data, start, next, true);
  }

  function fitsHeader(): boolean {
    const count = cells.count();
    if (width === undefined || count === width) return true;
    if (headerRows > 0 || count < named || (usual !== undefined && count !== usual)) return false;
    for (let at = width; at < count; at++) if (cells.size(at) > 0) return false;
    return true;
  }

  function countNamed(): number {
    let count = cells.count();
    while (headerLines.length > 0 && count > 0 && cells.size(count - 1) === 0) count--;
    return count;
  }

  function isBlank(first: number | undefined): boolean {
    const isLineEnd = first === LINE_FEED || first === CARRIAGE_RETURN;
    return cells.count() === 0 || (isLineEnd && cells.count() === 1 && cells.size(0) === 0);
  }

  type Window = { start: number; stop: number; isFull: boolean; isFinal: boolean };

  function rejectLine(data: Buffer, next: number, { start, stop, isFull, isFinal }: Window): number {
    const length = data.subarray(start, stop).indexOf(LINE_FEED);
    if (length === -1 && !isFinal) return INCOMPLETE;
    isSkipping = length === -1 && isFull;
    if ((length === -1 && !isFull) || width === undefined || headerRows > 0)
      throw sourceError(`line ${line}${explainProblem(next, isSkipping)}`);
    const isTooLarge = isSkipping && next === INCOMPLETE;
    handler.reject(isTooLarge ? 'row too large' : nameProblem(next, lineBreaks()), line);
    if (isSkipping) return stop;
    line++;
    return start + length + 1;
  }

  function explainProblem(next: number, isTooLong: boolean): string {
    if (isTooLong) return `: the record is larger than ${LIMIT}`;
    if (next === INCOMPLETE) return `: a quote is not closed within ${LIMIT}`;
    if (next === TEXT_AFTER_QUOTE) return ': there is text after a closing quote';
    if (next === QUOTE_IN_BARE_CELL) return ': there is a quote inside an unquoted cell';
    return ` has ${cells.count()} cells, but the header${firstLine > 1 ? ` on line ${firstLine}` : ''} has ${width}. The file may be cut off`;
  }

  function skipLines(data: Buffer): number {
    let start = 0;
    while ((line < firstLine || isSkipping) && start < data.length) {
      const end = data.indexOf(LINE_FEED, start);
      start = end === -1 ? data.length : end + 1;
      if (end === -1) continue;
      isSkipping = false;
      line++;
    }
    return start;
  }

  function split(data: Buffer, isEnd: boolean): void {
    let start = skipLines(data);
    const last = isEnd ? data.length : data.lastIndexOf(LINE_FEED) + 1;
    const isSound = start >= last || !isDamaged(data.subarray(start, last));
    for (let next = start; next !== INCOMPLETE && start < data.length; ) {
      next = takeRecord(data, start, isEnd, isSound);
      if (next === INCOMPLETE) break;
      start = isSkipping ? next + skipLines(data.subarray(next)) : next;
    }
    rest = data.subarray(start);
  }

  return {
    push: (chunk: Buffer): void => split(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), false),
    end(): void {
      if (isSkipping) throw sourceError(`line ${line}: the record is larger than ${LIMIT}`);
      split(rest, true);
    },
  };
}

/** Describes a problem. If it is not on the record's first line, that line probably has an unclosed quote. */
function nameProblem(next: number, lineBreaks: number): string {
  if (next >= 0) return 'ragged row';
  return next === INCOMPLETE || lineBreaks > 0 ? 'unclosed quote' : 'stray quote';
}

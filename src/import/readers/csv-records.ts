/**
 * The bytes of a CSV file as records, each with the line of the file it begins on. Strict: a quote is either around a
 * cell or doubled inside one. A record that breaks this rule, or has more or fewer cells than the header, is damaged:
 * its first line is rejected, and reading goes on at the next line, even inside what looked like quotes.
 */

import type { HeaderRows } from '../../city/define.ts';
import { ShingleError } from '../../errors.ts';
import {
  CARRIAGE_RETURN,
  CSV_LINE_FEED,
  type CsvCells,
  INCOMPLETE,
  openScanner,
  QUOTE_IN_BARE_CELL,
  TEXT_AFTER_QUOTE,
} from './csv-scanner.ts';

const MOST_CSV_RECORD_BYTES = 64 * 1024;

/**
 * Called with each record in file order. The first decides how many cells the others must have. `header` is called with each row of the
 * header; without a header, with the first record, which then is a record, too.
 */
export type CsvRecordHandler = {
  header(cells: CsvCells, line: number): void;
  record(cells: CsvCells, line: number): void;
  reject(reason: string, line: number): void;
};

export type CsvSplitter = { push(chunk: Buffer): void; end(): void };

export type CsvDialect = {
  delimiter: string;
  quote?: '"' | "'" | undefined;
  header?: HeaderRows | undefined;
};

/** The line on which the header begins; of a file without one, the first. */
export function firstHeaderLine(header: HeaderRows = 1): number {
  if (header === 'none') return 1;
  return typeof header === 'number' ? header : header[0];
}

/** How many records at the beginning are the header. */
export function countHeaderRows(header: HeaderRows = 1): number {
  if (header === 'none') return 0;
  return typeof header === 'number' ? 1 : 2;
}

/**
 * Splits chunks of sound UTF-8 without a byte order mark; they may end anywhere. `delimiter` and `quote` are ASCII characters.
 * Keeps at most one record of 64 KiB between chunks. Throws `source` for a damaged header, for a line of 64 KiB
 * without an end, and for a damaged last line without a line end: then the file was cut off.
 */
export function openCsvSplitter(dialect: CsvDialect, handler: CsvRecordHandler): CsvSplitter {
  const { find, cells, lineBreaks } = openScanner(dialect.delimiter, dialect.quote);
  const firstLine = firstHeaderLine(dialect.header);
  let rest: Buffer = Buffer.alloc(0);
  let width: number | undefined;
  let line = 1;
  let headerRows = countHeaderRows(dialect.header);

  /** Takes the record at `start`. Answers where the next one begins, or `INCOMPLETE` if that takes more bytes. */
  function takeRecord(data: Buffer, start: number, isEnd: boolean): number {
    const isFull = data.length - start >= MOST_CSV_RECORD_BYTES;
    const stop = isFull ? start + MOST_CSV_RECORD_BYTES : data.length;
    const isFinal = isFull || isEnd;
    const next = find(data, start, stop, isEnd && !isFull);
    if (next === INCOMPLETE && !isFinal) return INCOMPLETE;
    if (next < 0 || (width !== undefined && cells.count() !== width))
      return rejectLine(data, next, { start, stop, isFull, isFinal });
    if (width === undefined || headerRows > 0) handler.header(cells, line);
    if (headerRows > 0) headerRows--;
    else handler.record(cells, line);
    width ??= cells.count();
    line += 1 + lineBreaks();
    return next;
  }

  type Window = { start: number; stop: number; isFull: boolean; isFinal: boolean };

  function rejectLine(data: Buffer, next: number, { start, stop, isFull, isFinal }: Window): number {
    const length = data.subarray(start, stop).indexOf(CSV_LINE_FEED);
    if (length === -1 && !isFinal) return INCOMPLETE;
    if (length === -1 || width === undefined || headerRows > 0)
      throw new ShingleError('source', `line ${line}${explainFault(next, length === -1 && isFull)}`);
    handler.reject(reasonOf(next, lineBreaks()), line++);
    return start + length + 1;
  }

  function explainFault(next: number, isTooLong: boolean): string {
    const limit = `${MOST_CSV_RECORD_BYTES / 1024} KiB`;
    if (isTooLong) return `: the record is larger than ${limit}`;
    if (next === INCOMPLETE) return `: a quote is not closed within ${limit}`;
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
    while (start < data.length) {
      const blank = measureBlank(data, start, isEnd);
      if (blank > 0) line++;
      const next = blank > 0 ? start + blank : takeRecord(data, start, isEnd);
      if (next === INCOMPLETE) break;
      start = next;
    }
    rest = data.subarray(start);
  }

  return {
    push: (chunk) => split(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), false),
    end: () => split(rest, true),
  };
}

/** The bytes of an empty line, or 0 where the line at `start` is not empty. */
function measureBlank(data: Buffer, start: number, isEnd: boolean): number {
  if (data[start] === CSV_LINE_FEED) return 1;
  if (data[start] !== CARRIAGE_RETURN) return 0;
  if (data[start + 1] === CSV_LINE_FEED) return 2;
  return isEnd && start + 1 === data.length ? 1 : 0;
}

/** A fault on a later line than the record's first: most likely a quote on the first line was not closed. */
function reasonOf(next: number, lineBreaks: number): string {
  if (next >= 0) return 'ragged row';
  return next === INCOMPLETE || lineBreaks > 0 ? 'unclosed quote' : 'stray quote';
}

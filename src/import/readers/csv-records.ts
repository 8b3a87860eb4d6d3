/**
 * Splits text into records, each with its first line. A quote must surround a cell or be doubled inside one. A record
 * that breaks this rule, or has more or fewer cells than the header, is damaged: its first line is rejected, and
 * reading continues at the next line, even inside an open quote.
 */

import type { HeaderRows } from '../../city/define.ts';
import { sourceError } from '../../errors.ts';
import {
  CARRIAGE_RETURN,
  CSV_LINE_FEED,
  type CsvCells,
  INCOMPLETE,
  openScanner,
  QUOTE_IN_BARE_CELL,
  TEXT_AFTER_QUOTE,
} from './csv-scanner.ts';
import { listHeaderLines } from './header-names.ts';

const MOST_RECORD_BYTES = 64 * 1024;
const LIMIT = `${MOST_RECORD_BYTES / 1024} KiB`;

/** Handles each record in file order, including the header. The first record sets the number of cells of all others. */
export type CsvRecordHandler = {
  record(cells: CsvCells, line: number): void;
  reject(reason: string, line: number): void;
};

/** Splits chunks, which must be valid UTF-8 without a byte order mark. They may end anywhere. */
export type CsvSplitter = { push(chunk: Buffer): void; end(): void };

export type CsvDialect = {
  delimiter: string;
  quote?: '"' | "'" | undefined;
  header?: HeaderRows | undefined;
};

/**
 * Keeps at most one record of 64 KiB. Throws `source` for a damaged header, a line of 64 KiB, and a damaged last line
 * (a file cut off).
 */
export function openCsvSplitter(dialect: CsvDialect, handler: CsvRecordHandler): CsvSplitter {
  const { find, cells, lineBreaks } = openScanner(dialect.delimiter, dialect.quote);
  const headerLines = listHeaderLines(dialect.header);
  const [firstLine = 1] = headerLines;
  let headerRows = headerLines.length;
  let width: number | undefined;
  let line = 1;

  /** Reads the record at `start`. Returns where the next one begins, or `INCOMPLETE` if the record needs more bytes. */
  function takeRecord(data: Buffer, start: number, isEnd: boolean): number {
    const isFull = data.length - start >= MOST_RECORD_BYTES;
    const stop = isFull ? start + MOST_RECORD_BYTES : data.length;
    const isFinal = isFull || isEnd;
    const next = find(data, start, stop, isEnd && !isFull);
    if (next === INCOMPLETE && !isFinal) return INCOMPLETE;
    if (next < 0 || (width !== undefined && cells.count() !== width))
      return rejectLine(data, next, { start, stop, isFull, isFinal });
    handler.record(cells, line);
    width ??= cells.count();
    headerRows--;
    line += 1 + lineBreaks();
    return next;
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

  return openLineSplitter((data, isEnd) => {
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
    return start;
  });
}

/** `split` returns how many bytes it used. It gets the others again with the next chunk. */
function openLineSplitter(split: (data: Buffer, isEnd: boolean) => number): CsvSplitter {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      rest = data.subarray(split(data, false));
    },
    end: () => void split(rest, true),
  };
}

function measureBlank(data: Buffer, start: number, isEnd: boolean): number {
  if (data[start] === CSV_LINE_FEED) return 1;
  if (data[start] !== CARRIAGE_RETURN) return 0;
  if (data[start + 1] === CSV_LINE_FEED) return 2;
  return isEnd && start + 1 === data.length ? 1 : 0;
}

/** Names a fault. If it is on a later line than the record begins, the first line probably has an unclosed quote. */
function nameFault(next: number, lineBreaks: number): string {
  if (next >= 0) return 'ragged row';
  return next === INCOMPLETE || lineBreaks > 0 ? 'unclosed quote' : 'stray quote';
}

export function openFixedWidthSplitter(
  widths: readonly number[],
  header: HeaderRows | undefined,
  { record }: CsvRecordHandler,
): CsvSplitter {
  const [firstLine = 1] = listHeaderLines(header);
  let line = 0;
  return openLineSplitter((data, isEnd) => {
    let start = 0;
    while (start < data.length) {
      const found = data.indexOf(CSV_LINE_FEED, start);
      if (found === -1 && !isEnd) break;
      const end = found === -1 ? data.length : found;
      const text = data.toString('utf8', start, end);
      if (++line >= firstLine && text.trim() !== '') record(toCells(cutLine(text, widths)), line);
      start = end + 1;
    }
    if (data.length - start > MOST_RECORD_BYTES)
      throw sourceError(`line ${line + 1} is larger than ${LIMIT}`);
    return start;
  });
}

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

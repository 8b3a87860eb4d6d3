/** Finds the cells of one record of text in bytes. Reads each byte once, and decodes only the requested cells. */

import { LINE_FEED } from './utf8.ts';

export const CARRIAGE_RETURN = 13;
const APOSTROPHE = 39;
const SPACE = 32;
const EQUALS = 61;

/** Results of `find` when it cannot find the end of a record. */
export const INCOMPLETE = -1;
export const TEXT_AFTER_QUOTE = -2;
export const QUOTE_IN_BARE_CELL = -3;

/** The cells of a record, valid only until the next record is read. */
export type CsvCells = {
  count(): number;
  /** Returns the text of a cell, `''` for a cell that is missing. */
  text(at: number): string;
  /** Returns the size of a cell in bytes, without quotes. Only cells of equal size can have equal texts. */
  size(at: number): number;
};

export function listCells(cells: CsvCells): string[] {
  return Array.from({ length: cells.count() }, (_, at) => cells.text(at));
}

type Scan = {
  separator: number;
  quote: number;
  /** Whether the quote is an apostrophe. It quotes a cell only at both ends, because names contain apostrophes. */
  isLenient: boolean;
  /** The byte before a quote that does not end a quoted cell, or -1. */
  escapeByte: number;
  /** Whether a carriage return alone ends a record. */
  crEnds: boolean;
  isSpecial: Uint8Array;
  data: Buffer;
  stop: number;
  isEnd: boolean;
  /** The start and end of each cell. The end is stored as `~end` if the cell has doubled or escaped quotes. */
  bounds: Int32Array;
  count: number;
  breaks: number;
};

/**
 * Opens a scanner. `delimiter`, the quote `mark` and `escapeMark` must be ASCII. Spaces around a quoted cell are skipped, and
 * the equals sign with which some programs keep a spreadsheet from reading a number: `="001"`.
 */
export function openScanner(delimiter: string, mark = '"', escapeMark?: string) {
  const separator = delimiter.charCodeAt(0);
  const quote = mark.charCodeAt(0);
  const isLenient = quote === APOSTROPHE;
  const isSpecial = new Uint8Array(256);
  for (const byte of [CARRIAGE_RETURN, LINE_FEED, separator]) isSpecial[byte] = 1;
  if (!isLenient) isSpecial[quote] = 1;
  const record = { data: Buffer.alloc(0), stop: 0, isEnd: false, count: 0, breaks: 0 };
  const marks = { separator, quote, isLenient, escapeByte: escapeMark?.charCodeAt(0) ?? -1, crEnds: false };
  const scan: Scan = { ...marks, isSpecial, bounds: new Int32Array(128), ...record };
  return {
    /**
     * Returns where the record ends, or a result such as `INCOMPLETE`. `isEnd`: the file ends at `stop`. `crEnds`: a
     * carriage return alone ends the record.
     */
    find(data: Buffer, start: number, stop: number, isEnd: boolean, crEnds = false): number {
      scan.crEnds = crEnds;
      scan.data = data;
      scan.stop = stop;
      scan.isEnd = isEnd;
      scan.count = 0;
      scan.breaks = 0;
      return findRecordEnd(scan, start);
    },
    lineBreaks: () => scan.breaks,
    cells: {
      count: () => scan.count,
      text: (at: number) => (at < scan.count ? readCell(scan, at) : ''),
      size: (at: number) => measureCell(scan, at),
    } satisfies CsvCells,
  };
}

function findRecordEnd(scan: Scan, start: number): number {
  const { data, stop, separator, quote } = scan;
  for (let at = start; ; at++) {
    const byte = at < stop ? data[at]! : 0;
    if (byte === quote) at = findQuotedEnd(scan, at);
    else if (byte !== SPACE) at = findBareEnd(scan, at);
    else at = findSpacedEnd(scan, at);
    if (at < 0) return at;
    if (at >= stop) return scan.isEnd ? at : INCOMPLETE;
    if (data[at] === separator) continue;
    return data[at] === CARRIAGE_RETURN && data[at + 1] === LINE_FEED ? at + 2 : at + 1;
  }
}

/** Adds the cell at `from`, which begins with spaces and may continue with a quote. */
function findSpacedEnd(scan: Scan, from: number): number {
  const { data, stop, separator, quote } = scan;
  let at = from;
  if (separator !== SPACE) while (at < stop && data[at] === SPACE) at++;
  return at < stop && data[at] === quote ? findQuotedEnd(scan, at) : findBareEnd(scan, from);
}

function findBareEnd(scan: Scan, from: number): number {
  const { data, stop, isEnd, isSpecial, quote } = scan;
  let at = from;
  for (; ; at++) {
    while (at < stop && isSpecial[data[at]!] === 0) at++;
    if (at >= stop) {
      if (!isEnd) return INCOMPLETE;
      break;
    }
    if (data[at] === quote && at === from + 1 && data[from] === EQUALS) return findQuotedEnd(scan, at);
    if (data[at] === quote) return QUOTE_IN_BARE_CELL;
    if (data[at] !== CARRIAGE_RETURN || scan.crEnds) break;
    if (at + 1 >= stop && !isEnd) return INCOMPLETE;
    // a carriage return elsewhere is part of the text
    if (at + 1 >= stop || data[at + 1] === LINE_FEED) break;
  }
  addCell(scan, from, at);
  return at;
}

function findQuotedEnd(scan: Scan, from: number): number {
  const { data, stop, quote, separator, isLenient, escapeByte } = scan;
  let isDoubled = false;
  let at = from + 1;
  for (; ; at++) {
    for (let byte = data[at]; at < stop && byte !== quote; byte = data[++at]) {
      if (byte === escapeByte) {
        isDoubled = true;
        byte = data[++at];
      }
      if (byte === LINE_FEED) scan.breaks++;
    }
    if (at >= stop) return INCOMPLETE;
    if (at + 1 < stop && data[at + 1] === quote) {
      isDoubled = true;
      at++;
      continue;
    }
    const end = at + 1 < stop && data[at + 1] === separator ? at + 1 : findEndAfterQuote(scan, at + 1);
    if (isLenient && end === TEXT_AFTER_QUOTE) continue;
    if (end >= 0) addCell(scan, from + 1, isDoubled ? ~at : at);
    return end;
  }
}

function findEndAfterQuote({ data, stop, isEnd, separator, crEnds }: Scan, after: number): number {
  let at = after;
  if (separator !== SPACE) while (at < stop && data[at] === SPACE) at++;
  if (at >= stop || data[at] === separator || data[at] === LINE_FEED) return at;
  if (data[at] !== CARRIAGE_RETURN) return TEXT_AFTER_QUOTE;
  if (crEnds) return at;
  if (at + 1 >= stop) return isEnd ? at : INCOMPLETE;
  return data[at + 1] === LINE_FEED ? at : TEXT_AFTER_QUOTE;
}

function addCell(scan: Scan, from: number, to: number): void {
  const { bounds, count } = scan;
  if (2 * count === bounds.length) {
    scan.bounds = new Int32Array(2 * bounds.length);
    scan.bounds.set(bounds);
  }
  scan.bounds[2 * count] = from;
  scan.bounds[2 * count + 1] = to;
  scan.count++;
}

function measureCell({ bounds }: Scan, at: number): number {
  const to = bounds[2 * at + 1]!;
  return (to < 0 ? ~to : to) - bounds[2 * at]!;
}

function readCell({ data, bounds, isLenient, escapeByte }: Scan, at: number): string {
  const from = bounds[2 * at]!;
  const to = bounds[2 * at + 1]!;
  if (to >= 0) return from === to ? '' : data.toString('utf8', from, to);
  const quoted = data.toString('utf8', from, ~to);
  const text =
    escapeByte === -1
      ? quoted.replaceAll(isLenient ? "''" : '""', isLenient ? "'" : '"')
      : quoted.replace(/\\(["'\\])|""/g, (_, escaped?: string) => escaped ?? '"');
  return text.startsWith('="') && text.endsWith('"') ? text.slice(2, -1) : text;
}

/** Opens a scanner in which each line is a record. A blank line has no cells. */
export function openFixedWidthScanner(widths: readonly number[]) {
  let texts: string[] = [];
  const text = (at: number) => texts[at] ?? '';
  return {
    find(data: Buffer, start: number, stop: number, isEnd: boolean): number {
      const length = data.subarray(start, stop).indexOf(LINE_FEED);
      if (length === -1 && !isEnd) return INCOMPLETE;
      const end = length === -1 ? stop : start + length;
      const line = data.toString('utf8', start, end);
      texts = line.trim() === '' ? [] : cutLine(line, widths);
      return Math.min(stop, end + 1);
    },
    lineBreaks: () => 0,
    cells: {
      count: () => texts.length,
      text,
      size: (at: number) => Buffer.byteLength(text(at)),
    },
  };
}

export function cutLine(line: string, widths: readonly number[]): string[] {
  let from = 0;
  return widths.map((width, at) => {
    from += width;
    return line.slice(from - width, at === widths.length - 1 ? undefined : from).trim();
  });
}

/** Returns whether records end in a carriage return alone: whether it is the first line end outside quotes. */
export function hasCrLines(first: Buffer): boolean {
  if (!first.includes(CARRIAGE_RETURN)) return false;
  if (!first.includes(LINE_FEED)) return true;
  const unquoted = first.toString('latin1').replace(/"[^"]*"/g, '');
  return /^[^\r\n]*\r(?!\n)/.test(unquoted);
}

/** Exchanges carriage returns and line feeds in a text whose records end in carriage returns. */
export function endLinesInLf(chunk: Buffer): Buffer {
  for (let at = 0; at < chunk.length; at++) {
    if (chunk[at] === CARRIAGE_RETURN) chunk[at] = LINE_FEED;
    else if (chunk[at] === LINE_FEED) chunk[at] = CARRIAGE_RETURN;
  }
  return chunk;
}

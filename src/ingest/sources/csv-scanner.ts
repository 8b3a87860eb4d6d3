/** Finds the cells of one CSV record in bytes. Looks at each byte once and makes text only of the cells it is asked for. */

export const CSV_LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;
const QUOTE = 34;

/** What `find` answers instead of where the record ends. */
export const INCOMPLETE = -1;
export const TEXT_AFTER_QUOTE = -2;
export const QUOTE_IN_BARE_CELL = -3;

/** The cells of one record. Valid only until the next record is read. */
export type CsvCells = {
  count(): number;
  text(at: number): string;
};

export type CsvScanner = {
  cells: CsvCells;
  /** Line ends inside the record that was found. */
  lineBreaks(): number;
  /**
   * Where the record at `start` ends, its line end included, or one of the three faults above. Looks at no byte from `stop`
   * on; `isEnd` says that the file ends there.
   */
  find(data: Buffer, start: number, stop: number, isEnd: boolean): number;
};

/** The record under way. */
type Scan = {
  separator: number;
  isSpecial: Uint8Array;
  data: Buffer;
  stop: number;
  isEnd: boolean;
  /** From and to of each cell; `~to` where quotes are doubled inside. */
  bounds: Int32Array;
  count: number;
  breaks: number;
};

/** `delimiter` is one ASCII character. */
export function openScanner(delimiter: string): CsvScanner {
  const separator = delimiter.charCodeAt(0);
  const isSpecial = new Uint8Array(256);
  for (const byte of [QUOTE, CARRIAGE_RETURN, CSV_LINE_FEED, separator]) isSpecial[byte] = 1;
  const record = { data: Buffer.alloc(0), stop: 0, isEnd: false, count: 0, breaks: 0 };
  const scan: Scan = { separator, isSpecial, bounds: new Int32Array(128), ...record };
  return {
    find(data, start, stop, isEnd) {
      scan.data = data;
      scan.stop = stop;
      scan.isEnd = isEnd;
      scan.count = 0;
      scan.breaks = 0;
      return findRecordEnd(scan, start);
    },
    lineBreaks: () => scan.breaks,
    cells: { count: () => scan.count, text: (at) => readCell(scan, at) },
  };
}

function findRecordEnd(scan: Scan, start: number): number {
  const { data, stop, separator } = scan;
  for (let at = start; ; at++) {
    at = at < stop && data[at] === QUOTE ? findQuotedEnd(scan, at) : findBareEnd(scan, at);
    if (at < 0) return at;
    if (at >= stop) return scan.isEnd ? at : INCOMPLETE;
    if (data[at] === separator) continue;
    return data[at] === CARRIAGE_RETURN && data[at + 1] === CSV_LINE_FEED ? at + 2 : at + 1;
  }
}

/** Adds the unquoted cell at `from`; answers where it ends. */
function findBareEnd(scan: Scan, from: number): number {
  const { data, stop, isEnd, isSpecial } = scan;
  let at = from;
  for (; ; at++) {
    while (at < stop && isSpecial[data[at]!] === 0) at++;
    if (at >= stop) {
      if (!isEnd) return INCOMPLETE;
      break;
    }
    if (data[at] === QUOTE) return QUOTE_IN_BARE_CELL;
    if (data[at] !== CARRIAGE_RETURN) break;
    if (at + 1 >= stop && !isEnd) return INCOMPLETE;
    if (at + 1 >= stop || data[at + 1] === CSV_LINE_FEED) break; // a CR elsewhere is text
  }
  addCell(scan, from, at);
  return at;
}

/** Adds the quoted cell at `from`; answers where it ends, after its closing quote. */
function findQuotedEnd(scan: Scan, from: number): number {
  const { data, stop, isEnd, separator } = scan;
  let isDoubled = false;
  let at = from + 1;
  for (; ; at += 2) {
    for (; at < stop && data[at] !== QUOTE; at++) if (data[at] === CSV_LINE_FEED) scan.breaks++;
    if (at >= stop) return INCOMPLETE;
    if (at + 1 === stop || data[at + 1] !== QUOTE) break;
    isDoubled = true;
  }
  addCell(scan, from + 1, isDoubled ? ~at : at);
  at++;
  if (at >= stop || data[at] === separator || data[at] === CSV_LINE_FEED) return at;
  if (data[at] !== CARRIAGE_RETURN) return TEXT_AFTER_QUOTE;
  if (at + 1 >= stop) return isEnd ? at : INCOMPLETE;
  return data[at + 1] === CSV_LINE_FEED ? at : TEXT_AFTER_QUOTE;
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

function readCell({ data, bounds }: Scan, at: number): string {
  const from = bounds[2 * at]!;
  const to = bounds[2 * at + 1]!;
  if (to < 0) return data.toString('utf8', from, ~to).replaceAll('""', '"');
  return from === to ? '' : data.toString('utf8', from, to);
}

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

/** `delimiter` is one ASCII character. */
export function openScanner(delimiter: string): CsvScanner {
  const separator = delimiter.charCodeAt(0);
  const isSpecial = new Uint8Array(256);
  for (const byte of [QUOTE, CARRIAGE_RETURN, CSV_LINE_FEED, separator]) isSpecial[byte] = 1;
  let bytes: Buffer = Buffer.alloc(0);
  let bounds = new Int32Array(128); // from and to of each cell; `~to` where quotes are doubled inside
  let count = 0;
  let breaks = 0;

  function addCell(from: number, to: number): void {
    if (2 * count === bounds.length) {
      const larger = new Int32Array(2 * bounds.length);
      larger.set(bounds);
      bounds = larger;
    }
    bounds[2 * count] = from;
    bounds[2 * count + 1] = to;
    count++;
  }

  /** Adds the unquoted cell at `from`; answers where it ends. */
  function findBareEnd(data: Buffer, from: number, stop: number, isEnd: boolean): number {
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
    addCell(from, at);
    return at;
  }

  /** Adds the quoted cell at `from`; answers where it ends, after its closing quote. */
  function findQuotedEnd(data: Buffer, from: number, stop: number, isEnd: boolean): number {
    let isDoubled = false;
    let at = from + 1;
    for (; ; at += 2) {
      for (; at < stop && data[at] !== QUOTE; at++) if (data[at] === CSV_LINE_FEED) breaks++;
      if (at >= stop) return INCOMPLETE;
      if (at + 1 === stop || data[at + 1] !== QUOTE) break;
      isDoubled = true;
    }
    addCell(from + 1, isDoubled ? ~at : at);
    at++;
    if (at >= stop || data[at] === separator || data[at] === CSV_LINE_FEED) return at;
    if (data[at] !== CARRIAGE_RETURN) return TEXT_AFTER_QUOTE;
    if (at + 1 >= stop) return isEnd ? at : INCOMPLETE;
    return data[at + 1] === CSV_LINE_FEED ? at : TEXT_AFTER_QUOTE;
  }

  return {
    find(data, start, stop, isEnd) {
      bytes = data;
      count = 0;
      breaks = 0;
      for (let at = start; ; at++) {
        const isQuoted = at < stop && data[at] === QUOTE;
        at = isQuoted ? findQuotedEnd(data, at, stop, isEnd) : findBareEnd(data, at, stop, isEnd);
        if (at < 0) return at;
        if (at >= stop) return isEnd ? at : INCOMPLETE;
        if (data[at] !== separator)
          return data[at + 1] === CSV_LINE_FEED && data[at] === CARRIAGE_RETURN ? at + 2 : at + 1;
      }
    },
    lineBreaks: () => breaks,
    cells: {
      count: () => count,
      text(at) {
        const from = bounds[2 * at]!;
        const to = bounds[2 * at + 1]!;
        if (to < 0) return bytes.toString('utf8', from, ~to).replaceAll('""', '"');
        return from === to ? '' : bytes.toString('utf8', from, to);
      },
    },
  };
}

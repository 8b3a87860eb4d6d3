/**
 * Comma-separated text as rows with the line they begin on, streamed in batches.
 * Never pads, cuts or skips a damaged row: the first one stops the file with its line.
 */

import { CsvError, type Parser, parse } from 'csv-parse';
import type { Row, SourceFormat } from '../../city/define.ts';
import { messageOf, ShingleError } from '../../errors.ts';
import { type NumberedRow, openRowReader, type RowSpec } from './row.ts';
import { openText } from './utf8.ts';

const CSV_CHUNK_BYTES = 256 * 1024; // about 600 rows of the widest real files: one batch
const MOST_CSV_RECORD_BYTES = 64 * 1024;
const MOST_COLUMNS = 300;
const CR = 13;
const CSV_LINE_FEED = 10;
const OTHER_DELIMITERS = [
  [';', '";"'],
  ['\t', 'a tab'],
  ['|', '"|"'],
  [',', '","'],
] as const;

type CsvFormat = Extract<SourceFormat, { format: 'csv' }>;

const FAULTS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quote',
  INVALID_OPENING_QUOTE: 'there is a quote inside an unquoted cell',
  CSV_MAX_RECORD_SIZE: `the record is larger than ${MOST_CSV_RECORD_BYTES / 1024} KiB. A quote may not be closed`,
};

/**
 * Rows in batches of one chunk (about 500), in file order, `line` 1 being the header. Memory does not depend on the
 * size of the file. Throws `source` naming the line or column at the first damage: nothing before it may be kept.
 */
export async function* readCsv(
  path: string,
  format: CsvFormat,
  spec: RowSpec,
): AsyncGenerator<NumberedRow[]> {
  const { kind, first, all } = await openText(path, CSV_CHUNK_BYTES);
  if (kind === 'array' || kind === 'object')
    throw new ShingleError('source', 'line 1 looks like JSON, but the source is declared as CSV');
  if (first.includes(CR) && !first.includes(CSV_LINE_FEED))
    throw new ShingleError(
      'source',
      'line 1 does not end: lines end in CR only. Save the file with LF line endings',
    );
  const reading: CsvReading = { batch: [], lines: lineCounter(), format, spec };
  const parser = parserInto(reading);
  for await (const chunk of all) {
    reading.lines.see(chunk);
    await feedParser(parser, reading, chunk);
    if (reading.batch.length > 0) yield reading.batch;
    reading.batch = [];
  }
  await feedParser(parser, reading);
  if (reading.batch.length > 0) yield reading.batch;
}

type CsvReading = {
  batch: NumberedRow[];
  lines: LineCounter;
  format: CsvFormat;
  spec: RowSpec;
  header?: { width: number; rowOf: (cells: string[]) => Row };
};

/** Records leave the parser through `on_record`: a third faster than through its stream. */
function parserInto(reading: CsvReading): Parser {
  const parser = parse({
    delimiter: reading.format.delimiter,
    record_delimiter: ['\n', '\r\n'],
    skip_empty_lines: true,
    relax_column_count: true, // counted here, so that the message has the record's own line
    max_record_size: MOST_CSV_RECORD_BYTES,
    on_record(cells: string[], info) {
      take(reading, cells, reading.lines.pass(info));
      return null;
    },
  });
  return parser.on('error', () => undefined); // `feed` hears of it too
}

function take(reading: CsvReading, cells: string[], line: number): void {
  const { header } = reading;
  if (header === undefined) {
    checkHeader(cells, reading);
    reading.header = { width: cells.length, rowOf: openRowReader(cells, reading.spec) };
  } else if (cells.length === header.width) {
    reading.batch.push({ line, row: header.rowOf(cells) });
  } else {
    const message = `line ${line} has ${cells.length} cells, but the header has ${header.width}`;
    throw new ShingleError('source', message);
  }
}

function checkHeader(cells: readonly string[], { format, spec }: CsvReading): void {
  if (cells.length > MOST_COLUMNS)
    throw new ShingleError(
      'source',
      `line 1 has ${cells.length} columns. At most ${MOST_COLUMNS} are allowed`,
    );
  const [only = ''] = cells;
  if (cells.length !== 1 || spec.columns.includes(only.trim())) return;
  const [found] = OTHER_DELIMITERS.filter(([delimiter]) => only.includes(delimiter));
  if (found === undefined) return;
  const said = OTHER_DELIMITERS.find(([delimiter]) => delimiter === format.delimiter)?.[1];
  throw new ShingleError(
    'source',
    `line 1 is a single cell: the delimiter seems to be ${found[1]}, not ${said ?? `"${format.delimiter}"`}`,
  );
}

/** Parses a chunk, or without one the end of the file, into `reading`. */
function feedParser(parser: Parser, reading: CsvReading, chunk?: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => {
      if (!error) resolve();
      else if (error instanceof ShingleError) reject(error);
      else reject(toCsvError(error, reading.lines.current(parser.info)));
    };
    if (chunk === undefined) parser.end(done);
    else parser.write(chunk, done);
  });
}

function toCsvError(error: Error, line: number): ShingleError {
  const fault = error instanceof CsvError ? FAULTS[error.code] : undefined;
  return new ShingleError('source', `line ${line}: ${fault ?? messageOf(error)}`, { cause: error });
}

type Passed = { bytes: number; empty_lines: number };
type LineCounter = ReturnType<typeof lineCounter>;

/** Counts line feeds itself: csv-parse takes a CRLF inside quotes for two lines. */
function lineCounter() {
  let seen = 0;
  let ends: number[] = []; // offsets after line feeds not yet passed
  let passed = 0;
  let line = 1;
  let blank = 0;
  return {
    see(chunk: Buffer) {
      ends = ends.slice(passed);
      passed = 0;
      for (let at = chunk.indexOf(CSV_LINE_FEED); at !== -1; at = chunk.indexOf(CSV_LINE_FEED, at + 1))
        ends.push(seen + at + 1);
      seen += chunk.length;
    },
    /** The first line of the record under way. */
    current: (info: Pick<Passed, 'empty_lines'>) => line + info.empty_lines - blank,
    /** The first line of the record that ends at `bytes`, which is then passed. */
    pass(info: Passed) {
      const first = this.current(info);
      for (; passed < ends.length && ends[passed]! <= info.bytes; passed++) line++;
      blank = info.empty_lines;
      return first;
    },
  };
}

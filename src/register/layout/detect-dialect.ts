/** Finds out how to read an unknown text: its encoding, its delimiter or column widths, and its header. */

import { sourceError } from '../../shared/errors.ts';
import type { FileReading, HeaderRows } from '../profile/formats.ts';
import {
  CARRIAGE_RETURN,
  cutLine,
  endLinesInLf,
  hasCrLines,
  INCOMPLETE,
  listCells,
  openScanner,
} from '../readers/csv-scanner.ts';
import { describeEncodings, findEncoding, LINE_FEED, openText } from '../readers/utf8.ts';
import { describeHeader, findHeader, type SampleRow } from './detect-header.ts';

const SAMPLE_BYTES = 256 * 1024;
const SAMPLE_LINES = 220;
const MOST_TITLES = 10; // lines above a fixed-width table that may hide its columns

type CsvReading = Omit<Extract<FileReading, { format: 'csv' }>, 'format'>;

/** Finds how to read a file. Throws `source` for an empty file, a web page, or a file that is not text. */
export async function findReading(path: string): Promise<{ reading: CsvReading; notes: string[] }> {
  const found = await findEncoding(path);
  const { encoding } = found;
  const sample = await readSample(path, encoding);
  const notes: string[] = [];
  if (encoding !== 'utf-8') notes.push(`read as ${describeEncodings(found)}`);
  const { isSure, ...best } = findDialect(sample);
  const fixed = isSure ? undefined : findFixedWidths(sample);
  const { rows, width } = fixed ?? cutEmptyColumns(best);
  const { delimiter, quote, escape: escapeMark } = best.dialect;
  const { header, titles } = findHeader(rows, width);
  checkHeaderWidth(rows, header, width);
  notes.push(...describeHeader({ header, titles }, 'file', 'lines'));
  if (fixed !== undefined)
    notes.push(`the columns have a fixed width: ${fixed.widths.join(', ')} characters`);
  const reading: CsvReading = {
    ...(fixed === undefined && delimiter !== ',' && { delimiter }),
    ...(quote === "'" && fixed === undefined && { quote }),
    ...(escapeMark !== undefined && fixed === undefined && { escape: escapeMark }),
    ...(encoding !== 'utf-8' && { encoding }),
    ...(header !== 1 && { header }),
    ...(fixed !== undefined && { widths: fixed.widths }),
  };
  return { reading, notes };
}

/** Cuts the cells of a delimiter at the end of each row that the header does not have. */
function cutEmptyColumns({ rows, width }: Pick<Trial, 'rows' | 'width'>): Pick<Trial, 'rows' | 'width'> {
  const usual = rows.filter(({ cells }) => cells.length === width);
  let filled = width;
  while (filled > 1 && usual.every(({ cells }) => cells[filled - 1] === '')) filled--;
  const hasHeader = rows.slice(0, MOST_TITLES).some(({ cells }) => cells.length === filled);
  if (filled === width || !hasHeader) return { rows, width };
  const cut = rows.map(({ line, cells }) => ({
    line,
    cells: cells.length === width ? cells.slice(0, filled) : cells,
  }));
  return { rows: cut, width: filled };
}

function checkHeaderWidth(rows: readonly SampleRow[], header: HeaderRows, width: number): void {
  const row = rows.find(({ line }) => line === header);
  if (row === undefined || row.cells.length === width) return;
  throw sourceError(
    `the header on line ${row.line} has ${row.cells.length} cells, but most rows have ${width}. Correct the header, or ask the publisher for a sound file`,
  );
}

/** Reads a sample as UTF-8 with line feeds, up to the end of a line. */
async function readSample(path: string, encoding: string): Promise<Buffer> {
  const { first, all } = await openText(path, SAMPLE_BYTES, encoding);
  await all.return?.(undefined);
  const text = hasCrLines(first) ? endLinesInLf(Buffer.from(first)) : first;
  const end = text.lastIndexOf(LINE_FEED) + 1;
  return first.length < SAMPLE_BYTES / 2 || end === 0 ? text : text.subarray(0, end);
}

function findFixedWidths(sample: Buffer) {
  const lines = sample.toString('utf8').split(/\r?\n/).slice(0, SAMPLE_LINES);
  for (let titles = 0; titles <= MOST_TITLES; titles++) {
    const widths = findWidths(lines.slice(titles));
    if (widths === undefined) continue;
    const rows = lines.map((line, i) => ({
      line: i + 1,
      cells: i < titles ? [line.trim()] : cutLine(line, widths),
    }));
    const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
    return { widths, width: widths.length, rows: filled };
  }
  return undefined;
}

const LEAST_LINES = 5;
const LEAST_COLUMNS = 3;
const LONGEST_LINE = 5_000;
// minimum share of lines with several consecutive spaces; other texts have fewer such lines
const PADDED_SHARE = 0.5;

function findWidths(lines: readonly string[]): number[] | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  const longest = Math.max(0, ...filled.map((line) => line.length));
  if (filled.length < LEAST_LINES || longest > LONGEST_LINE) return undefined;
  if (filled.filter((line) => /\S {2,}\S/.test(line)).length < filled.length * PADDED_SHARE) return undefined;
  const starts: number[] = [];
  let wasBlank = true;
  for (let at = 0; at < longest; at++) {
    const isBlank = filled.every((line) => (line[at] ?? ' ') === ' ');
    if (wasBlank && !isBlank) starts.push(at);
    wasBlank = isBlank;
  }
  if (starts.length < LEAST_COLUMNS) return undefined;
  starts[0] = 0;
  return starts.map((start, i) => (starts[i + 1] ?? longest) - start);
}

const USUAL = [',', ';', '\t', '|'];
const UNUSUAL = [' ', '~', '^'];
const SAMPLE_RECORDS = 220;
const LIKELY = 0.5;
/**
 * Minimum share of records with equally many cells, for unusual delimiters. It is high, because many texts have spaces.
 */
const LIKELY_UNUSUAL = 0.9;
const LEAST_QUOTED = 0.02;

type Dialect = { delimiter: string; quote: '"' | "'"; escape?: '\\' };

/**
 * A sample as read with a dialect: its valid rows, their usual number of cells, and the share of rows with this number.
 */
type Trial = { dialect: Dialect; rows: SampleRow[]; width: number; share: number; score: number };

function tryDialect(sample: Buffer, dialect: Dialect): Trial {
  const { rows, damaged } = splitSample(sample, dialect);
  const sizes = [...Map.groupBy(rows, ({ cells }) => cells.length)].sort(
    ([a, some], [b, others]) => others.length - some.length || b - a,
  );
  const [width, usual] = sizes[0] ?? [0, []];
  const share = usual.length / Math.max(1, rows.length + damaged);
  return { dialect, rows, width, share, score: width < 2 ? 0 : share * share * Math.log2(width + 1) };
}

function splitSample(sample: Buffer, dialect: Dialect) {
  const { find, cells, lineBreaks } = openScanner(dialect.delimiter, dialect.quote, dialect.escape);
  const rows: SampleRow[] = [];
  let damaged = 0;
  let line = 1;
  for (let start = 0; start < sample.length && rows.length + damaged < SAMPLE_RECORDS; ) {
    const lineEnd = (sample.indexOf(LINE_FEED, start) + 1 || sample.length + 1) - 1;
    const isBlank = sample.subarray(start, lineEnd).every((byte) => byte === CARRIAGE_RETURN);
    const next = isBlank ? INCOMPLETE : find(sample, start, sample.length, true);
    const isSound = next >= 0;
    if (isSound) rows.push({ line, cells: listCells(cells).map((cell) => cell.trim()) });
    else if (!isBlank) damaged++;
    line += isSound ? 1 + lineBreaks() : 1;
    start = isSound ? next : lineEnd + 1;
  }
  return { rows, damaged };
}

function findBest(sample: Buffer, delimiters: readonly string[]): Trial {
  const trials = delimiters.map((delimiter) => {
    const plain = tryDialect(sample, { delimiter, quote: '"' });
    if (sample.includes('\\"')) {
      const escaped = tryDialect(sample, { delimiter, quote: '"', escape: '\\' });
      if (escaped.score > plain.score) return escaped;
    }
    if (!hasApostropheQuotes(plain.rows)) return plain;
    const other = tryDialect(sample, { delimiter, quote: "'" });
    // apostrophes around parts of sound cells only split them
    const isAsGood = other.share === plain.share && other.width === plain.width;
    return isAsGood || other.share > plain.share ? other : plain;
  });
  return trials.reduce((best, one) => (one.score > best.score ? one : best));
}

/** Returns whether apostrophes enclose cells, instead of being parts of words. */
function hasApostropheQuotes(rows: readonly SampleRow[]): boolean {
  const cells = rows.flatMap((row) => row.cells);
  const starts = cells.filter((cell) => cell.startsWith("'")).length;
  const ends = cells.filter((cell) => cell.endsWith("'")).length;
  const least = Math.max(2, rows.length * LEAST_QUOTED);
  return starts >= least && ends >= least && Math.abs(starts - ends) <= starts * 0.1;
}

/** Finds the delimiter and the quote. Uses those of CSV if no delimiter makes at least two columns. */
function findDialect(sample: Buffer): Trial & { isSure: boolean } {
  const usual = findBest(sample, USUAL);
  if (usual.width >= 2 && usual.share >= LIKELY) return { ...usual, isSure: true };
  const unusual = findBest(sample, UNUSUAL);
  if (unusual.width >= 3 && unusual.share >= LIKELY_UNUSUAL) return { ...unusual, isSure: true };
  const plain = usual.score > 0 ? usual : tryDialect(sample, { delimiter: ',', quote: '"' });
  return { ...plain, isSure: false };
}

/** Finds out how to read an unknown text from its beginning. */

import type { HeaderRows } from '../../city/define.ts';
import { ShingleError } from '../../errors.ts';
import { type CsvReading, endLinesInLf, hasCrLines } from '../readers/csv.ts';
import { cutLine } from '../readers/csv-records.ts';
import { CSV_LINE_FEED } from '../readers/csv-scanner.ts';
import { findEncoding, openText } from '../readers/utf8.ts';
import { findDialect, measureWidth, splitSample } from './delimiters.ts';
import { findHeader, type SampleRow } from './find-header.ts';

const SAMPLE_BYTES = 256 * 1024;
const SAMPLE_LINES = 220;
const MOST_TITLES = 10; // above a fixed-width table, where they hide the columns

const ENCODING_NAMES: Readonly<Record<string, string>> = {
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};

/** How to read a text, and sentences for the operator about anything unusual. */
export type FoundReading = { reading: CsvReading; notes: string[] };

/** Finds out how to read a text. Throws `source` for an empty file, a web page, or a file that is not text. */
export async function findReading(path: string): Promise<FoundReading> {
  const { encoding, words } = await findEncoding(path);
  const sample = await readSample(path, encoding);
  const notes: string[] = [];
  if (encoding !== 'utf-8')
    notes.push(`read as ${ENCODING_NAMES[encoding]}${words.length > 0 ? `: ${words.join(', ')}` : ''}`);
  const { delimiter, quote, isSure } = findDialect(sample);
  const fixed = isSure ? undefined : findFixedWidths(sample);
  const records = fixed?.rows ?? splitSample(sample, { delimiter, quote });
  const rows = records.filter((one): one is SampleRow => one.cells !== undefined);
  const { width } = measureWidth(rows);
  const { header, titles } = findHeader(rows, width);
  checkHeaderWidth(rows, header, width);
  if (titles > 0) notes.push(describeTitles(titles));
  if (header === 'none') notes.push('the file has no header: its columns are named 1, 2 and so on');
  if (typeof header === 'object') notes.push(`the header on lines ${header[0]} and ${header[1]} was joined`);
  if (fixed !== undefined)
    notes.push(`the columns have a fixed width: ${fixed.widths.join(', ')} characters`);
  const reading: CsvReading = {
    delimiter: fixed === undefined ? delimiter : ',',
    ...(quote === "'" && fixed === undefined && { quote }),
    ...(encoding !== 'utf-8' && { encoding }),
    ...(header !== 1 && { header }),
    ...(fixed !== undefined && { widths: fixed.widths }),
  };
  return { reading, notes };
}

export function describeTitles(titles: number): string {
  return titles === 1
    ? '1 title line above the header was skipped'
    : `${titles} title lines above the header were skipped`;
}

function checkHeaderWidth(rows: readonly SampleRow[], header: HeaderRows, width: number): void {
  const row = rows.find(({ line }) => line === header);
  if (row === undefined || row.cells.length === width) return;
  throw new ShingleError(
    'source',
    `the header on line ${row.line} has ${row.cells.length} cells, but most rows have ${width}. Correct the header, or ask the publisher for a sound file`,
  );
}

/** Reads the beginning of a text as UTF-8 with line feeds, up to the end of a line. */
async function readSample(path: string, encoding: string): Promise<Buffer> {
  const { first, all } = await openText(path, SAMPLE_BYTES, encoding);
  await all.return?.(undefined);
  const text = hasCrLines(first) ? endLinesInLf(Buffer.from(first)) : first;
  const end = text.lastIndexOf(CSV_LINE_FEED) + 1;
  return first.length < SAMPLE_BYTES / 2 || end === 0 ? text : text.subarray(0, end);
}

function findFixedWidths(sample: Buffer): { widths: number[]; rows: SampleRow[] } | undefined {
  const lines = sample.toString('utf8').split(/\r?\n/).slice(0, SAMPLE_LINES);
  for (let titles = 0; titles <= MOST_TITLES; titles++) {
    const widths = findWidths(lines.slice(titles));
    if (widths === undefined) continue;
    const rows = lines.map((line, i) => ({
      line: i + 1,
      cells: i < titles ? [line.trim()] : cutLine(line, widths),
    }));
    return { widths, rows: rows.filter(({ cells }) => cells.some((cell) => cell !== '')) };
  }
  return undefined;
}

const LEAST_LINES = 5;
const LEAST_COLUMNS = 3;
const LONGEST_LINE = 5_000;
const PADDED_SHARE = 0.5; // share of lines with several consecutive spaces; other texts have single spaces

/** Finds the number of characters of each column. Returns `undefined` if the lines have no columns. */
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

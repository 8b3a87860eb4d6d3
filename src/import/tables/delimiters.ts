/**
 * Finds the delimiter and the quote of an unknown text: the pair that makes its first records most alike. Ignores the
 * header, which may be a title or contain the delimiter of another country.
 */

import { CSV_LINE_FEED, listCells, openScanner } from '../readers/csv-scanner.ts';

const USUAL = [',', ';', '\t', '|'];
const UNUSUAL = [' ', '~', '^'];
const SAMPLE_RECORDS = 220;
const LIKELY = 0.5;
/** Minimum share of records with the usual number of cells. Higher for unusual delimiters: many texts have spaces. */
const LIKELY_UNUSUAL = 0.9;
const LEAST_QUOTED = 0.02;

export type Dialect = { delimiter: string; quote: string };

/** A record at the start of a file. A damaged one has no cells. */
export type SampleRecord = { line: number; cells: string[] | undefined };

/** Splits a sample that ends with a complete line into its first records. */
export function splitSample(sample: Buffer, { delimiter, quote }: Dialect): SampleRecord[] {
  const { find, cells, lineBreaks } = openScanner(delimiter, quote);
  const records: SampleRecord[] = [];
  let line = 1;
  for (let start = 0; start < sample.length && records.length < SAMPLE_RECORDS; ) {
    const lineEnd = (sample.indexOf(CSV_LINE_FEED, start) + 1 || sample.length + 1) - 1;
    if (sample.subarray(start, lineEnd).every((byte) => byte === 13)) {
      start = lineEnd + 1;
      line++;
      continue;
    }
    const next = find(sample, start, sample.length, true);
    const isSound = next >= 0;
    records.push({ line, cells: isSound ? listCells(cells).map((cell) => cell.trim()) : undefined });
    line += isSound ? 1 + lineBreaks() : 1;
    start = isSound ? next : lineEnd + 1;
  }
  return records;
}

/** Returns the most frequent number of cells, and the share of records that have it. */
export function measureWidth(records: readonly { cells: readonly string[] | undefined }[]): {
  width: number;
  share: number;
} {
  const counts = new Map<number, number>();
  for (const { cells } of records)
    if (cells !== undefined) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [[width, count] = [0, 0]] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  return { width, share: count / Math.max(1, records.length) };
}

type Trial = { dialect: Dialect; records: SampleRecord[]; width: number; share: number; score: number };

function tryDialect(sample: Buffer, dialect: Dialect): Trial {
  const records = splitSample(sample, dialect);
  const { width, share } = measureWidth(records);
  return { dialect, records, width, share, score: width < 2 ? 0 : share * share * Math.log2(width + 1) };
}

function findBest(sample: Buffer, delimiters: readonly string[]): Trial {
  const trials = delimiters.map((delimiter) => {
    const plain = tryDialect(sample, { delimiter, quote: '"' });
    if (!hasApostropheQuotes(plain.records)) return plain;
    const other = tryDialect(sample, { delimiter, quote: "'" });
    return other.score >= plain.score ? other : plain;
  });
  return trials.reduce((best, one) => (one.score > best.score ? one : best));
}

/** Returns whether apostrophes enclose cells, rather than being part of words. */
function hasApostropheQuotes(records: readonly SampleRecord[]): boolean {
  const cells = records.flatMap((record) => record.cells ?? []);
  const starts = cells.filter((cell) => cell.startsWith("'")).length;
  const ends = cells.filter((cell) => cell.endsWith("'")).length;
  const least = Math.max(2, records.length * LEAST_QUOTED);
  return starts >= least && ends >= least && Math.abs(starts - ends) <= starts * 0.1;
}

/** Finds the dialect of a sample that ends with a complete line. Returns that of plain CSV for fewer than two columns. */
export function findDialect(sample: Buffer): Dialect & { isSure: boolean } {
  const usual = findBest(sample, USUAL);
  if (usual.width >= 2 && usual.share >= LIKELY) return { ...usual.dialect, isSure: true };
  const unusual = findBest(sample, UNUSUAL);
  if (unusual.width >= 3 && unusual.share >= LIKELY_UNUSUAL) return { ...unusual.dialect, isSure: true };
  return { ...(usual.score > 0 ? usual.dialect : { delimiter: ',', quote: '"' }), isSure: false };
}

/** The CSV reader on generated tables, sound and damaged, with chunks that end at every byte. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openCsvSplitter } from '../../../src/register/formats/csv.ts';
import { listCells } from '../../../src/register/readers/csv-scanner.ts';

const SEED = 20_261_122;
const DELIMITERS = [',', ';', '\t', '|'];
const LIMIT = 1024 * 1024;

type Found = { rows: [line: number, ...cells: string[]][]; rejected: [line: number, reason: string][] };

/** What the reader makes of chunks. The header is the row on line 0. */
function readChunks(chunks: readonly Buffer[], delimiter = ','): Found {
  const found: Found = { rows: [], rejected: [] };
  const record = (cells: Parameters<typeof listCells>[0], line: number) =>
    found.rows.push([found.rows.length === 0 ? 0 : line, ...listCells(cells)]);
  const reject = (reason: string, line: number) => found.rejected.push([line, reason]);
  const splitter = openCsvSplitter({ delimiter }, { record, reject });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return found;
}

const parted = (bytes: Buffer, at: number) => [bytes.subarray(0, at), bytes.subarray(at)];

/** Asserts that chunks of one byte, and two chunks that part at any byte, give what the whole file gives. */
function checkChunks(bytes: Buffer, delimiter: string, whole: Found): void {
  const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  assert.deepEqual(readChunks(single, delimiter), whole);
  for (let at = 1; at < bytes.length; at++)
    assert.deepEqual(readChunks(parted(bytes, at), delimiter), whole, `at ${at}`);
}

/** One written cell: quoted if it must be, or if the writer feels like it. */
type Cell = { text: string; isQuoted: boolean };

function writeCell({ text, isQuoted }: Cell): string {
  return isQuoted || /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function writeRow(cells: readonly Cell[], delimiter: string): string {
  const row = cells.map(writeCell).join(delimiter);
  return row === '' ? '""' : row; // an empty line is no row
}

const lineEnd = fc.constantFrom('\n', '\r\n');
const text = fc.string({
  unit: fc.constantFrom('x', 'é', '€', '😀', '"', '""', ',', ';', '|', '\t', '\n', '\r\n', '\r', ' '),
  maxLength: 5,
});
const cell = fc.record({ text, isQuoted: fc.boolean() });
const table = fc.integer({ min: 1, max: 4 }).chain((width) => {
  const cells = fc.array(cell, { minLength: width, maxLength: width });
  const row = fc.record({ cells, end: lineEnd, blank: fc.constantFrom('', '', '', '\n', '\r\n') });
  const rows = fc.array(row, { minLength: 1, maxLength: 5 });
  return fc.record({ delimiter: fc.constantFrom(...DELIMITERS), rows, isLastEnded: fc.boolean() });
});

test('every correct CSV is read cell by cell with the line of each row, at any chunk size', () => {
  let rowsRead = 0;
  fc.assert(
    fc.property(table, ({ delimiter, rows, isLastEnded }) => {
      const expected: Found['rows'] = [];
      let file = '';
      for (const [i, { cells, end, blank }] of rows.entries()) {
        const line = file.split('\n').length;
        expected.push([i === 0 ? 0 : line, ...cells.map((one) => one.text)]);
        file += writeRow(cells, delimiter);
        if (i < rows.length - 1 || isLastEnded) file += end + blank;
      }
      const bytes = Buffer.from(file);
      const whole = readChunks([bytes], delimiter);
      assert.deepEqual(whole, { rows: expected, rejected: [] });
      checkChunks(bytes, delimiter, whole);
      rowsRead += expected.length;
    }),
    { seed: SEED, numRuns: 500 },
  );
  assert.ok(rowsRead > 1_000, `${rowsRead} rows`);
});

const HEADER = 'a,b,c';
// An unclosed quote meets the next quoted cell and cannot close there, unless that cell begins with a delimiter, a quote or
// a line end. Two damaged lines that close each other's quote may be one sound record, so no line here ends a cell by a quote.
const tame = fc.string({ unit: fc.constantFrom('x', 'é', '"', ',', '\n', '\r\n', ' '), maxLength: 5 });
const soundCell = fc.record({ text: tame.map((rest) => `x${rest}`), isQuoted: fc.boolean() });
const soundRow = fc
  .array(soundCell, { minLength: 3, maxLength: 3 })
  .map((cells) => ({ cells, text: undefined, problem: undefined }));
const DAMAGED_LINES: [text: string, problem: RegExp][] = [
  ['x', /^ragged row$/],
  ['x,y', /^ragged row$/],
  [',,,x', /^ragged row$/],
  ['x,"y, and z",é,x', /^ragged row$/],
  [' ', /^ragged row$/],
  ['x,WALLBEDS "N" MORE,y', /^stray quote$/],
  ['x, "y"z,z', /^stray quote$/],
  ['x,7" y,z', /^stray quote$/],
  ['"x"y,z,é', /^stray quote$/],
  ['x,"""y" z,é', /^stray quote$/],
  ['"x,y,z', /^(unclosed|stray) quote$/],
  ['x,"y,z', /^(unclosed|stray) quote$/],
  ['x,y,"z', /^(unclosed|stray) quote$/],
  ['x,y,"z""', /^(unclosed|stray) quote$/],
];
const damagedRow = fc
  .constantFrom(...DAMAGED_LINES)
  .map(([line, problem]) => ({ cells: undefined, text: line, problem }));

test('every row between damaged lines is read, and every damaged line is reported, at any chunk size', () => {
  let [rows, lines] = [0, 0];
  fc.assert(
    fc.property(fc.array(fc.oneof(soundRow, damagedRow), { maxLength: 8 }), lineEnd, (records, end) => {
      const expected: Found['rows'] = [[0, 'a', 'b', 'c']];
      const problems: [number, RegExp][] = [];
      let file = HEADER + end;
      for (const { cells, text: line, problem } of records) {
        const at = file.split('\n').length;
        if (problem === undefined) expected.push([at, ...cells.map((one) => one.text)]);
        else problems.push([at, problem]);
        file += (line ?? writeRow(cells, ',')) + end;
      }
      const bytes = Buffer.from(file);
      const whole = readChunks([bytes]);
      assert.deepEqual(whole.rows, expected);
      assert.equal(whole.rejected.length, problems.length);
      for (const [i, [at, problem]] of problems.entries())
        assert.match(whole.rejected[i]!.join(), new RegExp(`^${at},${problem.source.slice(1)}`));
      checkChunks(bytes, ',', whole);
      rows += expected.length;
      lines += problems.length;
    }),
    { seed: SEED, numRuns: 300 },
  );
  assert.ok(rows > 500 && lines > 500, `${rows} rows, ${lines} damaged lines`);
});

test('the reader accepts or rejects each line of any bytes, at any chunk size', () => {
  const anything = fc.string({ unit: fc.constantFrom('x', '"', '"', ',', '\n', '\r'), maxLength: 40 });
  const outcome = (chunks: readonly Buffer[]): Found | string => {
    try {
      return readChunks(chunks);
    } catch (error) {
      return (error as Error).message;
    }
  };
  let [read, refused] = [0, 0];
  fc.assert(
    fc.property(anything, (given) => {
      const bytes = Buffer.from(`a,b\n${given}`);
      const whole = outcome([bytes]);
      for (let at = 1; at < bytes.length; at++) assert.deepEqual(outcome(parted(bytes, at)), whole);
      if (typeof whole === 'string') {
        refused++;
        return assert.match(whole, /^line \d/);
      }
      read++;
      const seen = new Set(whole.rejected.map(([line]) => line));
      for (const [line, ...cells] of whole.rows)
        for (let at = 0; at < cells.join('').split('\n').length; at++) seen.add(line + at);
      const lines = bytes.toString().split('\n');
      const missing = lines.findIndex((one, i) => i > 0 && !/^\r?$/.test(one) && !seen.has(i + 1));
      assert.equal(missing, -1, `line ${missing + 1}`);
    }),
    { seed: SEED, numRuns: 2_000 },
  );
  assert.ok(read > 300 && refused > 300, `${read} read, ${refused} refused`);
});

test('a record can have 1 MiB with its line end, and not a byte more, at any chunk size', () => {
  const file = (bytes: number) => `a,b\n1,"\n${'x'.repeat(bytes - 6)}"\n2,y\n`;
  const long = file(LIMIT);
  const read = readChunks([Buffer.from(long)]);
  assert.deepEqual([read.rows.map(([line]) => line), read.rejected], [[0, 2, 4], []]);
  const longer = file(LIMIT + 1);
  const rejected = readChunks([Buffer.from(longer)]);
  assert.equal(rejected.rows.length, 2);
  assert.deepEqual(rejected.rejected.flat(), [2, 'unclosed quote', 3, 'stray quote']);
  for (const content of [long, longer]) {
    const bytes = Buffer.from(content);
    for (const at of [5, LIMIT, LIMIT + 1, LIMIT + 2, LIMIT + 3, LIMIT + 4, LIMIT + 5, LIMIT + 6])
      assert.deepEqual(readChunks(parted(bytes, at)), content === long ? read : rejected, `at ${at}`);
  }
});

test('a last line of 1 MiB without a line end is refused by every reader', () => {
  const message = 'line 2: the record is larger than 1024 KiB';
  const bytes = Buffer.from(`a,b\n1,${'x'.repeat(LIMIT - 2)}`);
  for (const at of [1, 6, LIMIT, bytes.length - 1, bytes.length])
    assert.throws(() => readChunks(parted(bytes, at)), { code: 'source', message });
  assert.equal(readChunks([bytes.subarray(0, -1)]).rows.length, 2);
});

/** A buffer that counts how many of its bytes are looked at. */
function countLooks(bytes: Buffer): { counted: Buffer; looks: () => number } {
  let looks = 0;
  const counted = new Proxy(bytes, {
    get(target, key) {
      if (typeof key === 'string' && /^\d/.test(key)) looks++;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { counted, looks: () => looks };
}

test('the reader reads each byte only a few times, even in a damaged file', () => {
  const line = fc.string({ unit: fc.constantFrom('x', '"', '"', ','), maxLength: 7 });
  const lines = fc.array(line, { minLength: 1, maxLength: 3 });
  let rejected = 0;
  fc.assert(
    fc.property(lines, (pattern) => {
      const bytes = Buffer.from(`a,b,c\n${`${pattern.join('\n')}\n`.repeat(200)}`);
      const { counted, looks } = countLooks(bytes);
      rejected += readChunks([counted]).rejected.length;
      assert.ok(looks() <= 8 * bytes.length, `${looks()} looks at ${bytes.length} bytes`);
    }),
    { seed: SEED, numRuns: 200 },
  );
  assert.ok(rejected > 10_000, `${rejected} lines rejected`);
});

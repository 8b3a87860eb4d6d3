/** Compressed files and workbooks: read like any other file, and limited like a download. */

import assert from 'node:assert/strict';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { readExcel } from '../../../src/register/formats/excel.ts';
import type { NumberedRow } from '../../../src/register/readers/row.ts';
import { unpackFiles } from '../../../src/register/readers/unpack.ts';
import { textCell as text, workbook } from './a-workbook.ts';
import { unpackApart } from './measured-reading.ts';

const folder = mkdtempSync(join(tmpdir(), 'shingle-packed-'));
const tempFolder = mkdtempSync(join(tmpdir(), 'shingle-unpacked-'));
after(() => {
  rmSync(folder, { recursive: true });
  rmSync(tempFolder, { recursive: true });
});
const DATA = 'ID,NAME\n1,Blue Heron\n';
const LIMITS = { unpackedBytes: 3_000_000, ratio: 100 };

/** What is in a file, once unpacked. */
async function inside(bytes: Uint8Array): Promise<string> {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  let text = '';
  const file = { name: 'file', path, content: '', bytes: bytes.length, isLast: true };
  for await (const one of unpackFiles(file, { tempFolder, limits: LIMITS }))
    text += readFileSync(one.path, 'utf8');
  assert.deepEqual(readdirSync(tempFolder), [], 'nothing is left behind');
  return text;
}

test('a file is read as it is, out of gzip, and out of an archive with one file of data', async () => {
  const archive = {
    'readme.txt.md': strToU8('x'),
    'data/export.csv': strToU8(DATA),
    '__MACOSX/._export.csv': strToU8('x'),
  };
  for (const bytes of [strToU8(DATA), gzipSync(DATA), zipSync(archive), zipSync(archive, { level: 0 })])
    assert.equal(await inside(bytes), DATA);
});

test('an archive with two data files or none, a truncated one, and a zip bomb are refused with a message', async () => {
  const zeros = new Uint8Array(2_900_000);
  for (const [bytes, message] of [
    [zipSync({ 'a.csv': strToU8(DATA), 'b.csv': strToU8(DATA) }), /contains 2 data files/],
    [zipSync({ 'a.exe': strToU8(DATA) }), /contains no data file/],
    [gzipSync(DATA).subarray(0, 30), /cannot be unpacked/],
    [gzipSync(zeros), /the content is larger than/],
    [zipSync({ 'a.csv': zeros }), /the content is larger than/],
  ] as [Uint8Array, RegExp][]) {
    await assert.rejects(inside(bytes), { code: 'source', message });
  }
});

test('an archive that was cut anywhere in its data is refused and does not hang', async () => {
  for (const level of [0, 9] as const) {
    const whole = zipSync({ 'a.csv': strToU8(DATA.repeat(50)) }, { level });
    const dataEnds = Buffer.from(whole).indexOf('PK\x01\x02', 0, 'latin1');
    for (let length = 4; length < dataEnds; length += 7)
      await assert.rejects(inside(whole.subarray(0, length)), { code: 'source' }, `${length} bytes`);
  }
});

/** Where the entry called `name` begins in an archive. */
function startOf(archive: Buffer, name: string): number {
  return archive.indexOf('PK\x03\x04', archive.indexOf(name) - 30, 'latin1');
}

/** An archive in which a file of zeros stands before the data, stored as it is; a hole on the disk. Answers its size. */
function writeSparseArchive(path: string, zeros: number): number {
  const [skipped, kept] = ['movie.bin', 'export.csv'];
  const small = Buffer.from(zipSync({ [skipped]: new Uint8Array(0), [kept]: strToU8(DATA) }, { level: 0 }));
  const split = startOf(small, kept);
  const head = Buffer.from(small.subarray(0, split));
  for (const at of [18, 22]) head.writeUInt32LE(zeros, at); // packed and unpacked size
  const file = openSync(path, 'w');
  writeSync(file, head);
  writeSync(file, small.subarray(split), 0, small.length - split, head.length + zeros);
  closeSync(file);
  return small.length + zeros;
}

test('what nobody reads of an archive is dropped as it streams by, however much it is', async (t) => {
  const path = join(folder, 'sparse.zip');
  const bytes = writeSparseArchive(path, 500_000_000);
  const { rows, error, peakMib } = await unpackApart({ name: 'sparse.zip', path, bytes }, tempFolder);
  t.diagnostic(`${Math.round(peakMib)} MiB for an archive of 500 MB`);
  assert.deepEqual([rows, error], [2, undefined]);
  assert.ok(peakMib < 300, `${peakMib} MiB`);
});

test('an entry that nobody reads may be packed in any way, and an archive has at most 1,000', async () => {
  const archive = zipSync({ 'movie.bin': strToU8('x'.repeat(5_000)), 'export.csv': strToU8(DATA) });
  const other = Buffer.from(archive);
  other.writeUInt16LE(99, 8); // the compression of the first entry, which no reader knows
  assert.equal(await inside(other), DATA);
  other.writeUInt16LE(99, startOf(other, 'export.csv') + 8);
  await assert.rejects(inside(other), { code: 'source', message: /unknown compression type 99/ });
  const entries = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.bin`, new Uint8Array(0)]));
  assert.equal(await inside(zipSync({ ...entries(999), 'export.csv': strToU8(DATA) })), DATA);
  await assert.rejects(inside(zipSync({ ...entries(1_000), 'export.csv': strToU8(DATA) })), {
    code: 'source',
    message: /more than 1000 entries/,
  });
});

const SHEET = `<row r="1">${text('A1', 'ID')}${text('B1', 'NAME')}${text('C1', 'DAY')}</row>
<row r="2"><c r="A2"><v>17</v></c>${text('B2', 'Blue Heron')}<c r="C2" s="1"><v>45717</v></c></row>
<row r="3"/><row r="4">${text('A4', 'x')}${text('B4', 'Tide')}${text('C4', '2025-03-02')}</row>`;

async function rowsIn(bytes: Uint8Array, sheet?: string): Promise<NumberedRow[]> {
  const path = join(folder, 'book.xlsx');
  writeFileSync(path, bytes);
  const spec = { columns: ['ID', 'NAME', 'DAY'], optional: [] };
  return (await Array.fromAsync(readExcel(path, { format: 'excel', sheet, place: undefined }, spec))).flat();
}

test('a workbook gives its rows, its dates as days whether they are dates or text', async () => {
  const rows = await rowsIn(workbook(SHEET), 'Licences');
  assert.deepEqual(
    rows.map(({ line, row }) => [line, row.ID, row.NAME, row.DAY]),
    [
      [2, '17', 'Blue Heron', '2025-03-01'],
      [4, 'x', 'Tide', '2025-03-02'],
    ],
  );
  await assert.rejects(rowsIn(workbook(SHEET), 'Other'), {
    code: 'source',
    message: /no sheet "Other"; it has Licences/,
  });
  await assert.rejects(rowsIn(strToU8(DATA)), { code: 'source', message: /cannot be read/ });
  await assert.rejects(rowsIn(workbook(SHEET.replace('NAME', 'TITLE'))), {
    code: 'source',
    message: /column "NAME" is missing/,
  });
  await assert.rejects(rowsIn(new Uint8Array(17 * 1024 * 1024)), {
    code: 'source',
    message: /larger than 8 MiB/,
  });
});

/** A workbook in whose headers something else stands: of the entries themselves, or of the list at the end. */
function edited(bytes: Uint8Array, signature: string, at: number, value: number): Uint8Array {
  const copy = Buffer.from(bytes);
  for (let found = copy.indexOf(signature, 0, 'latin1'); found !== -1; ) {
    copy.writeUInt16LE(value, found + at);
    found = copy.indexOf(signature, found + 4, 'latin1');
  }
  return copy;
}

test('a workbook that unpacks to too much is refused, and so is one whose file list contradicts its entries', async () => {
  const many = Array.from({ length: 300_000 }, (_, i) => `<row r="${i + 1}">${text(`A${i + 1}`, 'x')}</row>`);
  const bomb = workbook(many.join(''));
  const small = workbook(SHEET);
  const [ENTRY, LISTED] = ['PK\x03\x04', 'PK\x01\x02'];
  const cases: [what: string, bytes: Uint8Array, says: RegExp][] = [
    ['as it is', bomb, /16 MiB unpacked/],
    ['an unknown compression in its entries', edited(bomb, ENTRY, 8, 99), /cannot be read/],
    ['another size in its list', edited(bomb, LISTED, 24, 10), /16 MiB unpacked/],
    [
      'a small one, with another size in its list',
      edited(small, LISTED, 24, 10),
      /list of the archive does not match its entries/,
    ],
    ['no entries before its list', small.subarray(small.length - 400), /cannot be read/],
  ];
  for (const [what, bytes, says] of cases)
    await assert.rejects(rowsIn(bytes), { code: 'source', message: says }, what);
});

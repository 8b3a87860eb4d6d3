/** Compressed files and workbooks: read like any other file, and limited like a download. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { readExcel } from '../../../src/register/formats/excel.ts';
import type { NumberedRow } from '../../../src/register/readers/row.ts';
import { unpackFiles } from '../../../src/register/readers/unpack.ts';
import { aFolder } from '../../a-folder.ts';
import { entriesOf, textCell as text, textRows, workbook } from './a-workbook.ts';

const folder = aFolder();
const tempFolder = aFolder();
const DATA = 'ID,NAME\n1,Blue Heron\n';
const LISTED = 'PK\x01\x02';
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

test('a file can be plain, compressed with gzip, or alone in an archive', async () => {
  const archive = { 'r.md': strToU8('x'), 'data/a.csv': strToU8(DATA), '__MACOSX/._a.csv': strToU8('x') };
  for (const bytes of [strToU8(DATA), gzipSync(DATA), zipSync(archive), zipSync(archive, { level: 0 })])
    assert.equal(await inside(bytes), DATA);
});

test('an archive without a data file, a truncated archive and a zip bomb are refused with a message', async () => {
  const zeros = new Uint8Array(2_900_000);
  for (const [bytes, message] of [
    [zipSync({ 'a.exe': strToU8(DATA) }), /contains no data file/],
    [gzipSync(DATA).subarray(0, 30), /cannot be unpacked/],
    [gzipSync(zeros), /the content is larger than/],
    [zipSync({ 'a.csv': zeros }), /the content is larger than/],
  ] as [Uint8Array, RegExp][]) {
    await assert.rejects(inside(bytes), { code: 'source', message });
  }
});

test('an archive that was cut off is refused and does not hang', async () => {
  for (const level of [0, 9] as const) {
    const whole = zipSync({ 'a.csv': strToU8(DATA.repeat(50)) }, { level });
    const dataEnds = Buffer.from(whole).indexOf('PK\x01\x02', 0, 'latin1');
    for (let length = 4; length < dataEnds; length += 7)
      await assert.rejects(inside(whole.subarray(0, length)), { code: 'source' }, `${length} bytes`);
  }
});

test('an unread entry can be compressed in any way, and an archive can have at most 1,000 entries', async () => {
  const archive = zipSync({ 'movie.bin': strToU8('x'.repeat(5_000)), 'export.csv': strToU8(DATA) });
  const other = Buffer.from(archive);
  const [first, second] = entriesOf(other, LISTED);
  other.writeUInt16LE(99, first! + 10); // a compression that no reader knows
  assert.equal(await inside(other), DATA);
  other.writeUInt16LE(99, second! + 10);
  await assert.rejects(inside(other), { code: 'source', message: /compression method: 99/ });
  const archiveWith = (count: number) => {
    const others = Array.from({ length: count }, (_, i) => [`${i}.bin`, new Uint8Array(0)] as const);
    return zipSync({ ...Object.fromEntries(others), 'export.csv': strToU8(DATA) });
  };
  assert.equal(await inside(archiveWith(999)), DATA);
  await assert.rejects(inside(archiveWith(1_000)), { code: 'source', message: /more than 1000 entries/ });
});

const SHEET = `${textRows([['ID', 'NAME', 'DAY']])}
<row r="2"><c r="A2"><v>17</v></c>${text('B2', 'Blue Heron')}<c r="C2" s="1"><v>45717</v></c></row>
${textRows([[], ['x', 'Tide', '2025-03-02']], 3)}`;

async function rowsIn(bytes: Uint8Array, sheet?: string): Promise<NumberedRow[]> {
  const path = join(folder, 'book.xlsx');
  writeFileSync(path, bytes);
  const spec = { columns: ['ID', 'NAME', 'DAY'], optional: [] };
  const batches = await Array.fromAsync(readExcel(path, { format: 'excel', sheet }, spec));
  return batches.flat().filter((one) => 'row' in one);
}

test('a workbook that cannot be read is refused with its cause', async () => {
  const claiming = (size: number) => {
    const bytes = Buffer.from(workbook(SHEET));
    for (const at of entriesOf(bytes, LISTED)) bytes.writeUInt32LE(size, at + 24);
    return bytes;
  };
  for (const [bytes, message, sheet] of [
    [workbook(SHEET), /no sheet "Other"; it has Licences/, 'Other'],
    [strToU8(DATA), /is text, not a workbook/],
    [strToU8('<html><table><tr><td>ID'), /save it as .xlsx/],
    [workbook(SHEET.replace('NAME', 'TITLE')), /column "NAME" is missing/],
    // whose directory disagrees with the sizes of its entries
    [claiming(10), /cannot be read: too many bytes/],
    [claiming(0x7fffffff), /unpacks to more than 1024 MiB/],
    [claiming(10).subarray(0, -30), /may be cut off/],
  ] as [Uint8Array, RegExp, string?][])
    await assert.rejects(rowsIn(bytes, sheet), { code: 'source', message });
});

/** What stands in a cell of OpenDocument beside its text. */
const BESIDE =
  '<office:annotation><dc:creator>O. Fenwright</dc:creator><text:p>closed?</text:p></office:annotation><table:shapes><draw:frame><text:p>picture</text:p></draw:frame></table:shapes>';

/** The same two rows as each kind of workbook has them: the first day is a day, the second a text. */
const KINDS: [what: string, bytes: () => Uint8Array][] = [
  ['as usual', () => workbook(SHEET)],
  ['bare', () => workbook(SHEET.replace('<row r="3"></row>', '<row/>').replace(/ r="[A-Z]?\d"/g, ''))],
  [
    'with parts in another case, and backslashes',
    () => {
      const bytes = Buffer.from(workbook(SHEET));
      for (const [name, other] of Object.entries({
        'xl/worksheets/sheet1.xml': 'XL\\Worksheets\\Sheet1.XML',
        'xl/workbook.xml': 'xl\\Workbook.xml',
      }))
        for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at)) bytes.write(other, at);
      return bytes;
    },
  ],
  ...['1', 'true'].map((yes): [string, () => Uint8Array] => [
    `from 1904, which it says with "${yes}"`,
    () =>
      workbook(SHEET.replace('45717', String(45_717 - 1_462)), {
        'xl/workbook.xml': `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="${yes}"/><sheets><sheet name="Hidden" state="hidden" r:id="r9"/><sheet name="Licences" r:id="r1"/></sheets></workbook>`,
      }),
  ]),
  [
    'OpenDocument',
    () => {
      const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
      return zipSync({
        mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }],
        'content.xml':
          strToU8(`<office:document-content><table:table table:name="L"><table:table-row>${['ID', 'NAME', 'DAY'].map(cell).join('')}</table:table-row>
<table:table-row><table:table-cell office:value-type="float" office:value="17"><text:p>17.00</text:p></table:table-cell><table:table-cell>${BESIDE}<text:p>Blue<text:s/>Heron</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2025-03-01"><text:p>1 March</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell table:number-columns-repeated="16384"/></table:table-row><table:table-row>${['x', 'Tide', '2025-03-02'].map(cell).join('')}</table:table-row>
<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table></office:document-content>`),
      });
    },
  ],
];

for (const [what, bytes] of KINDS)
  test(`days in a workbook are days, stored as dates or as text: ${what}`, async () =>
    assert.deepEqual(
      (await rowsIn(bytes())).map(({ line, row }) => [line, row.ID, row.NAME, row.DAY].join('|')),
      ['2|17|Blue Heron|2025-03-01', '4|x|Tide|2025-03-02'],
    ));

/** Files with one problem each, as publishers give them: read right and with a note, or refused with the cause. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { inspectWorkbook } from '../../../src/register/layout/detect-sheet.ts';
import { type ReadTable, readTable } from '../../../src/register/survey/read-table.ts';
import { textAt } from '../../../src/register/survey/table.ts';
import { aFolder } from '../../a-folder.ts';
import { aPortal } from '../import/a-portal.ts';
import { textCell, workbook } from '../import/a-workbook.ts';

const folder = aFolder();
const OPTIONS = { tempFolder: folder, userAgent: 'test', timeZone: 'Etc/UTC', progress: () => undefined };

async function read(content: string | Uint8Array, name = 'register.csv'): Promise<ReadTable> {
  const path = join(folder, name);
  writeFileSync(path, content);
  return readTable(path, OPTIONS);
}

function rowsOf({ table }: ReadTable): string[] {
  return Array.from({ length: table.rows }, (_, row) =>
    table.columns.map((column) => textAt(column, row)).join('|'),
  );
}

function namesOf({ table }: ReadTable): string {
  return table.columns.map(({ name }) => name).join('|');
}

const HEADER = 'No,Name,Filed';
const ROWS = ['B-1,Blue Heron,2024-03-01', 'B-2,Grey Gull,2024-03-02', 'B-3,Café Tern,2024-03-03'];
const READ = ROWS.map((row) => row.replaceAll(',', '|'));
const PLAIN = `${[HEADER, ...ROWS].join('\n')}\n`;

async function readsAsPlain(content: string | Uint8Array, from: object, notes: readonly string[] = []) {
  const found = await read(content);
  assert.equal(namesOf(found), 'No|Name|Filed');
  assert.deepEqual(rowsOf(found), READ);
  assert.deepEqual(found.from, { csv: '', ...from });
  assert.deepEqual(found.notes, notes);
}

test('init finds encodings other than UTF-8, and shows words that prove them', async () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  await readsAsPlain(PLAIN, {});
  await readsAsPlain(`\ufeff${PLAIN}`, {});
  await readsAsPlain(Buffer.from(PLAIN, 'latin1'), { encoding: 'windows-1252' }, [
    'read as Windows-1252 ("Café")',
  ]);
  await readsAsPlain(utf16(`\ufeff${PLAIN}`), { encoding: 'utf-16le' }, ['read as UTF-16']);
  await readsAsPlain(utf16(PLAIN), { encoding: 'utf-16le' }, ['read as UTF-16']);
  await readsAsPlain(utf16(`\ufeff${PLAIN}`).swap16(), { encoding: 'utf-16be' }, ['read as UTF-16']);
});

test('a draft names the address of a register, unless something in it may be secret', async () => {
  const { url } = await aPortal((_, response) => void response.end(PLAIN));
  const secrets = [
    'sig',
    'X-Amz-Signature',
    'X-Goog-Credential-Token',
    'api_key',
    'pwd',
    'credential',
    'auth',
    'PASSWORD',
    'secret',
  ];
  for (const [query, isNamed] of [
    ['year=2024&format=csv', true],
    ...secrets.map((name) => [`year=2024&${name}=a1b2`, false] as const),
  ] as const) {
    const address = `${url}/register.csv?${query}`;
    assert.deepEqual((await readTable(address, OPTIONS)).from, { csv: isNamed ? address : '' });
  }
});

test('init finds an accent of Windows-1252 even late in a large file', async () => {
  const filler = Array.from({ length: 30_000 }, (_, i) => `B-${i},Blue Heron,2024-03-01\n`).join('');
  const found = await read(Buffer.from(`${HEADER}\n${filler}B-x,Peña Books,2024-03-01\n`, 'latin1'));
  assert.equal(rowsOf(found).at(-1), 'B-x|Peña Books|2024-03-01');
  assert.deepEqual(found.notes, ['read as Windows-1252 ("Peña")']);
});

test('delimiters, quotes and line ends are found from the rows', async () => {
  for (const delimiter of [';', '\t', '|', '~'])
    await readsAsPlain(PLAIN.replaceAll(',', delimiter), { delimiter });
  await readsAsPlain(PLAIN.replaceAll(',', ', '), {});
  await readsAsPlain(PLAIN.replaceAll('\n', '\r\n'), {});
  await readsAsPlain(PLAIN.replaceAll('\n', '\r'), {});
  await readsAsPlain(PLAIN.replace('No,Name', '"No", "Name"').replaceAll(/(\w+ \w+)/g, '"$1"'), {});
  const spaced = `${HEADER}\n${ROWS.join('\n')}\n`
    .replaceAll(/(\p{L}+ \p{L}+)/gu, '"$1"')
    .replaceAll(',', ' ');
  await readsAsPlain(spaced, { delimiter: ' ' });
});

test('neither a title with other delimiters nor cells with decimal commas decide which delimiter is read', async () => {
  const rows = ROWS.map((row) => `${row.replaceAll(',', ';')};1,5;2,5`).join('\n');
  const found = await read(`List, of all, licences, of the, town\nNo;Name;Filed;Fee;Tax\n${rows}\n`);
  assert.equal(namesOf(found), 'No|Name|Filed|Fee|Tax');
  assert.deepEqual(found.from, { csv: '', delimiter: ';', header: 2 });
  assert.deepEqual(found.notes, ['1 title line above the header was skipped']);
});

test('apostrophes around cells are quotes, and apostrophes in names are part of the name', async () => {
  const found = await read("No,Name,Note\n1,Heron's Nest,'a, b'\n2,Gull,'it isn't, is it'\n3,Tern,'c, d'\n");
  assert.deepEqual(found.from, { csv: '', quote: "'" });
  assert.deepEqual(rowsOf(found), ["1|Heron's Nest|a, b", "2|Gull|it isn't, is it", '3|Tern|c, d']);
  const names = await read("No,Name\n1,Heron's\n2,'Round the Bend\n3,Gulls'\n");
  assert.deepEqual(names.from, { csv: '' });
  // the apostrophes of this export are parts of its cells
  const inside = await read(
    `No,Name,Address\n1,'Tern',"'1 Quay St, Otterfall'"\n2,'Gull',"'2 Quay St, Otterfall'"\n`,
  );
  assert.deepEqual(rowsOf(inside), ["1|'Tern'|'1 Quay St, Otterfall'", "2|'Gull'|'2 Quay St, Otterfall'"]);
});

test('the header is found below titles with delimiters, and above words that mean an empty cell', async () => {
  const titles = ['Town of Otterfall', '"Licences, all"', ''].join('\n');
  await readsAsPlain(`${titles}\n${PLAIN}`, { header: 4 }, ['2 title lines above the header were skipped']);
  await readsAsPlain(`Otterfall,,\n,,\n${PLAIN}`, { header: 3 }, [
    '1 title line above the header was skipped',
  ]);
  const zips = Array.from(
    { length: 20 },
    (_, i) => `${i % 8 ? i : 'NULL'},Heron,${i % 9 ? 97201 : 'NULL'}\n`,
  );
  const empty = await read(`No,Name,Zip\n${zips.join('')}`);
  assert.equal(namesOf(empty), 'No|Name|Zip');
});

test('the two rows of a header are joined, and columns get the name of their group if they need it', async () => {
  const wrapped = await read(
    'License,,Date\nNumber,Name,Filed\nB-1,Heron,2024-03-01\nB-2,Gull,2024-03-02\nB-3,Tern,2024-03-03\n',
  );
  assert.equal(namesOf(wrapped), 'License Number|Name|Date Filed');
  assert.deepEqual(wrapped.from, { csv: '', header: [1, 2] });
  assert.deepEqual(wrapped.notes, ['the header on lines 1 and 2 was joined']);
  const groups = await read(
    'Business,,Owner,,\nNo,Name,Name,Phone,Since\n1,Heron,A,555,2024-03-01\n2,Gull,B,556,2024-03-02\n3,Tern,C,557,2024-03-03\n',
  );
  assert.equal(namesOf(groups), 'Business No|Business Name|Owner Name|Owner Phone|Owner Since');
});

test('a table without a header gets numbered columns and keeps all its rows', async () => {
  const found = await read(`${ROWS.join('\n')}\n`);
  assert.equal(namesOf(found), '1|2|3');
  assert.deepEqual(rowsOf(found), READ);
  assert.deepEqual(found.from, { csv: '', header: 'none' });
});

test('a year in a header is not read as a value, and empty rows above the header do not count as damaged', async () => {
  const rows = Array.from({ length: 12 }, (_, i) => `${110 + i},Harbor ${i}\n`).join('');
  const found = await read(`,\n2022 Code,2022 Title\n${rows}`);
  assert.deepEqual([namesOf(found), found.table.total], ['2022 Code|2022 Title', 12]);
  assert.deepEqual(found.from, { csv: '', header: 2 });
});

test('rows that repeat the header are dropped and counted', async () => {
  const note = '2 repeated header rows were dropped';
  await readsAsPlain(`${HEADER}\n${ROWS[0]}\n${HEADER}\n${ROWS[1]}\n${HEADER}\n${ROWS[2]}\n`, {}, [note]);
});

test('the second column with the same name gets a number', async () => {
  assert.equal(namesOf(await read('Name,Name,Name 2,Name\n1,2,3,4\n')), 'Name|Name 3|Name 2|Name 4');
});

test('columns of fixed width are cut at positions where every line has a space', async () => {
  const cells = [HEADER, ...ROWS, 'B-4,Harbor Books,2024-03-04', 'B-5,Osprey,2024-03-05'].map((row) =>
    row.split(','),
  );
  const text = cells.map(([no, name, filed]) => `${no!.padEnd(6)}${name!.padEnd(16)}${filed}\n`).join('');
  const found = await read(`Register of Otterfall\n\n${text}`, 'register.txt');
  assert.equal(namesOf(found), 'No|Name|Filed');
  assert.deepEqual(rowsOf(found).slice(0, 3), READ);
  assert.deepEqual(found.from, { csv: '', header: 3, widths: [6, 16, 10] });
});

test('damaged rows are counted by reason', async () => {
  const found = await read(`${PLAIN}B-4,Heron\nB-5,7" Pizza,2024-03-01\n${ROWS[0]}\n`);
  assert.equal(found.table.total, 4);
  assert.deepEqual(
    [...found.damaged],
    [
      ['ragged row', 1],
      ['stray quote', 1],
    ],
  );
});

const HEADER_ROW = `<row r="3">${textCell('A3', 'No')}${textCell('B3', 'Type')}${textCell('C3', 'Filed')}</row>`;
const TITLE_ROW = `<row r="1">${textCell('A1', 'Town of Otterfall')}</row>`;
const bodyRow = (row: number, type: string) =>
  `<row r="${row}">${textCell(`A${row}`, `B-${row}`)}${type === '' ? '' : textCell(`B${row}`, type)}<c r="C${row}"><v>45352</v></c></row>`;
const NS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

test('a merged cell of a workbook counts for all its rows, even if the header is not the first row', async () => {
  const rows = TITLE_ROW + HEADER_ROW + bodyRow(4, 'Bakery') + bodyRow(5, '') + bodyRow(6, '');
  const merged = '<mergeCells count="1"><mergeCell ref="B4:B5"/></mergeCells>';
  const sheet = `<worksheet xmlns="${NS}"><sheetData>${rows}</sheetData>${merged}</worksheet>`;
  const found = await read(workbook('', { 'xl/worksheets/sheet1.xml': sheet }), 'register.xlsx');
  assert.equal(namesOf(found), 'No|Type|Filed');
  assert.deepEqual(rowsOf(found), ['B-4|Bakery|45352', 'B-5|Bakery|45352', 'B-6||45352']);
  assert.deepEqual(found.from, { excel: '', header: 3 });
});

const HEAD_ONE = `<row r="1">${textCell('A1', 'No')}${textCell('B1', 'Type')}</row>`;
const bodyOf = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `<row r="${i + 2}">${textCell(`A${i + 2}`, `B-${i}`)}${textCell(`B${i + 2}`, 'Bakery')}</row>`,
  ).join('');

test('if a workbook has several sheets, the sheet with the largest table is read', async () => {
  const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const names = ['Notes', 'Active &amp; new', 'Closed'];
  const sheets = names
    .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="s${i + 1}"/>`)
    .join('');
  const targets = names.map(
    (_, i) => `<Relationship Id="s${i + 1}" Type="${rel}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
  );
  const sheetOf = (rows: string) => `<worksheet xmlns="${NS}"><sheetData>${rows}</sheetData></worksheet>`;
  const file = workbook('', {
    'xl/workbook.xml': `<workbook xmlns="${NS}" xmlns:r="${rel}"><sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets.join('')}<Relationship Id="st" Type="${rel}/styles" Target="styles.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheetOf(TITLE_ROW),
    'xl/worksheets/sheet2.xml': sheetOf(HEAD_ONE + bodyOf(5)),
    'xl/worksheets/sheet3.xml': sheetOf(HEAD_ONE + bodyOf(3)),
  });
  const found = await read(file, 'register.xls');
  assert.equal(found.table.total, 5);
  assert.deepEqual(found.from, { excel: '', sheet: 'Active & new' });
  assert.deepEqual(found.notes, ['sheet "Active & new" of 3 was read: Notes, Active & new, Closed']);
  const unread = await inspectWorkbook(join(folder, 'register.xls'), { sheet: 'Active & new' });
  assert.deepEqual(unread, [{ name: 'Closed', rows: 3 }]);
});

const POINT = { type: 'Point', coordinates: [-122.5, 44.5] };
const FEATURES = [
  { type: 'Feature', geometry: POINT, properties: { No: 'B-1', Name: 'Blue Heron' } },
  { type: 'Feature', geometry: null, properties: { No: 'B-2', Name: null } },
];

test('properties and points of GeoJSON are columns', async () => {
  for (const text of [
    JSON.stringify({ type: 'FeatureCollection', features: FEATURES }),
    FEATURES.map((one) => JSON.stringify(one)).join('\n'),
  ]) {
    const found = await read(text, 'register.json');
    assert.equal(namesOf(found), 'longitude|latitude|No|Name');
    assert.deepEqual(rowsOf(found), ['-122.5|44.5|B-1|Blue Heron', '||B-2|']);
    assert.deepEqual(found.from, { geojson: '' });
  }
});

test('init finds the records of JSON at any place, with the columns that an import reads', async () => {
  const records = [{ No: 7, at: { latitude: 44.5, longitude: -122.5 } }];
  const wrapped = await read(
    `\ufeff${JSON.stringify({ columns: [{ a: 1 }, { a: 2 }], result: { page: { records } } })}`,
    'r.txt',
  );
  assert.deepEqual(wrapped.from, { json: '', records: 'result.page.records' });
  assert.equal(namesOf(wrapped), 'No|at');
  assert.deepEqual(rowsOf(wrapped), ['7|{"latitude":44.5,"longitude":-122.5}']);
  const odd = await read(
    JSON.stringify({ tags: [{ a: 1 }], shops: { list: [{ b: 1 }, { b: 2 }] } }),
    'r.json',
  );
  assert.deepEqual(odd.from, { json: '', records: 'shops.list' });
  const usual = await read(JSON.stringify({ tags: [{ a: 1 }, { a: 2 }], records }), 'r.json');
  assert.deepEqual(usual.from, { json: '', records: 'records' }, 'the usual name before the longer list');
  const inFields = [7, 8].map((No) => ({
    datasetid: 'shops',
    recordid: `${No}`,
    fields: { No, Name: 'Heron' },
    geometry: { type: 'Point', coordinates: [-1.5, 44.5] },
    record_timestamp: '2026-10-01T10:00:00.000Z',
  }));
  const ofArcgis = inFields.map(({ fields }) => ({ attributes: fields, geometry: { x: -1.5, y: 44.5 } }));
  for (const records of [inFields, ofArcgis])
    assert.deepEqual(rowsOf(await read(JSON.stringify(records), 'r.json')), [
      '-1.5|44.5|7|Heron',
      '-1.5|44.5|8|Heron',
    ]);
  const listed = {
    fields: ['No', 'Name'],
    data: [
      ['7', 'Heron'],
      ['8', 'Gull'],
    ],
  };
  const arrays = await read(JSON.stringify(listed), 'r.json');
  assert.deepEqual(arrays.from, { json: '', records: 'data', columns: 'fields' });
  assert.deepEqual(rowsOf(arrays), ['7|Heron', '8|Gull']);
});

const bytes = (text: string) => Buffer.from(text, 'latin1');
const REFUSED: [what: string, content: string | Uint8Array, says: RegExp][] = [
  ['an empty file', '', /register.csv: the file is empty$/],
  ['a header alone', `${HEADER}\n`, /^the file has a header and no rows$/],
  [
    'a file that was cut off',
    `${PLAIN}B-4,Grey`,
    /line 5 has 2 cells, but the header has 3\. The file may be cut off$/,
  ],
  [
    'bytes that are no text',
    Uint8Array.from({ length: 999 }, (_, i) => (i * 89) % 256),
    /the file is not text/,
  ],
  [
    'rows of NUL bytes',
    `${HEADER}\nB-1,\0,2024\n`,
    /^no row can be read: 1 are damaged \(damaged characters\)$/,
  ],
  [
    'a delimiter missing in the header',
    `No Name,Filed\n${ROWS.join('\n')}\n`,
    /the header on line 1 has 2 cells, but most rows have 3/,
  ],
  [
    'an old workbook',
    bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    /old format \(\.xls\).* save it as \.xlsx or CSV$/,
  ],
  ['301 columns', ','.repeat(300), /301 columns/],
  ['a PDF', '%PDF-1.7\n%abc', /the file is a PDF.* Ask the publisher/],
  ['a web page', '<!doctype html><p>', /looks like a web page/],
  ['a web page with a table', '<html><table><tr><td>ID', /a table, whatever its name\. .* save it as \.xlsx/],
  [
    'XML of Excel 2003',
    '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
    /a table, whatever its name/,
  ],
  [
    'an OpenDocument text',
    zipSync({ mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }] }),
    /document of OpenDocument, not a sheet/,
  ],
  [
    'a workbook that was cut off',
    workbook(HEAD_ONE + bodyOf(50)).subarray(0, 900),
    /the workbook cannot be read: .* Download it again$/,
  ],
  ['JSON without records', '{"a": 1}', /the JSON contains no list of records$/],
  ['JSON that was cut off', '[{"a": 1}, {"a"', /record 2: the file ends in the middle/],
];
for (const [what, content, says] of REFUSED)
  test(`${what} is refused with its cause`, async () => {
    await assert.rejects(read(content), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'source');
      assert.match(error.message, says);
      return true;
    });
  });

const ENCODED: [encoding: string, bytes: Buffer, names: string][] = [
  ['macintosh', Buffer.from('Caf\x8e Ren\x8ee\nPi\x96ata Grill', 'latin1'), 'Café Renée|Piñata Grill'],
  ['cp850', Buffer.from('Caf\x82 Ren\x82e\nPi\xa4ata Grill', 'latin1'), 'Café Renée|Piñata Grill'],
  ['windows-1250', Buffer.from('\xa3\xf3d\x9f\nDvo\xf8\xe1k', 'latin1'), 'Łódź|Dvořák'],
  ['iso-8859-2', Buffer.from('\xa3\xf3d\xbc\nDvo\xf8\xe1k', 'latin1'), 'Łódź|Dvořák'],
  ['iso-8859-7', Buffer.from('\xb6\xed\xe5\xec\xef\xf2\n\xca\xe1\xf6\xdd', 'latin1'), 'Άνεμος|Καφέ'],
  ['windows-1251', Buffer.from('\xca\xe0\xf4\xe5\n\xd0\xee\xec\xe0\xf8\xea\xe0', 'latin1'), 'Кафе|Ромашка'],
  [
    'shift_jis',
    Buffer.from('\x82\xb3\x82\xad\x82\xe7\n\x8a\x94\x8e\xae\x89\xef\x8e\xd0', 'latin1'),
    'さくら|株式会社',
  ],
  ['euc-kr', Buffer.from('\xb1\xe8\xb9\xe4\xc3\xb5\xb1\xb9\n\xbe\xe0\xb1\xb9', 'latin1'), '김밥천국|약국'],
  ['gb18030', Buffer.from('\xb1\xb1\xbe\xa9\xbf\xbe\xd1\xbc\xb5\xea\n\xcb\xc7', 'latin1'), '北京烤鸭店|饲'],
  ['big5', Buffer.from('\xa5\x78\xa5\x5f\xa4\xfb\xa6\xd7\n\xc4\xd1\xa9\xb1', 'latin1'), '台北牛肉|麵店'],
];

test('init chooses the encoding in which names are words, and an import needs it in city.yaml', async () => {
  for (const [encoding, cells, names] of ENCODED) {
    const [first = '', second = ''] = cells.toString('latin1').split('\n');
    const content = Buffer.from(`No,Name,Filed\n1,${first},2024-03-01\n2,${second},2024-03-02\n`, 'latin1');
    const found = await read(content);
    assert.deepEqual(found.from, { csv: '', encoding });
    assert.equal(
      rowsOf(found)
        .map((row) => row.split('|')[1])
        .join('|'),
      names,
    );
    assert.match(found.notes.join(), /^read as /);
  }
});

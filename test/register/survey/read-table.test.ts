/** Files with one problem each, as publishers give them: read right, with a note and as an import reads them, or refused with the cause. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { readFileRows } from '../../../src/register/formats/read-file.ts';
import { inspectWorkbook } from '../../../src/register/layout/detect-sheet.ts';
import { csv, excel, type FileReading } from '../../../src/register/profile/formats.ts';
import { type ReadTable, readTable } from '../../../src/register/survey/read-table.ts';
import { textAt } from '../../../src/register/survey/table.ts';
import { aFolder } from '../../a-folder.ts';
import { aPortal } from '../import/a-portal.ts';
import { textRows, workbook } from '../import/a-workbook.ts';

const folder = aFolder();
const OPTIONS = { tempFolder: folder, userAgent: 'test', timeZone: 'Etc/UTC', progress: () => undefined };

/** What the survey reads of a file: an import in the way that it says reads the same. */
async function read(content: string | Uint8Array, name = 'register.csv'): Promise<ReadTable> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const found = await readTable(path, OPTIONS);
  const [[format = ''] = [], ...options] = Object.entries(found.from);
  const reading = { format, ...Object.fromEntries(options) } as FileReading;
  assert.deepEqual(await imported(path, reading, namesOf(found)), rowsOf(found));
  return found;
}

async function imported(path: string, reading: FileReading, columns: readonly string[]): Promise<string[]> {
  const batches = await Array.fromAsync(readFileRows(path, reading, { columns: [...columns], optional: [] }));
  return batches
    .flat()
    .flatMap((one) => ('row' in one ? columns.map((name) => one.row[name]).join('|') : []));
}

function rowsOf({ table }: ReadTable): string[] {
  return Array.from({ length: table.rows }, (_, row) =>
    table.columns.map((column) => textAt(column, row)).join('|'),
  );
}

const namesOf = ({ table }: ReadTable) => table.columns.map(({ name }) => name);
const headerOf = (found: ReadTable) => namesOf(found).join('|');

const HEADER = 'No,Name,Filed';
const ROWS = ['B-1,Blue Heron,2024-03-01', 'B-2,Grey Gull,2024-03-02', 'B-3,Café Tern,2024-03-03'];
const READ = ROWS.map((row) => row.replaceAll(',', '|'));
const PLAIN = `${[HEADER, ...ROWS].join('\n')}\n`;

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const bytes = (text: string) => Buffer.from(text, 'latin1');
const linesOf = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i));
const lineOfEach = (count: number, line: (i: number) => string) => linesOf(count, line).join('');
const IN_WORDS = PLAIN.replaceAll(/(\p{L}+ \p{L}+)/gu, '"$1"');
const SEMICOLONS = ROWS.map((row) => `${row.replaceAll(',', ';')};1,5;2,5\n`).join('');
const FIXED = [HEADER, ...ROWS, 'B-4,Harbor Books,2024-03-04', 'B-5,Osprey,2024-03-05'].map((row) => {
  const [no = '', name = '', filed] = row.split(',');
  return `${no.padEnd(6)}${name.padEnd(16)}${filed}\n`;
});

const title = (count: number) => [
  `${count} title line${count > 1 ? 's' : ''} above the header ${count > 1 ? 'were' : 'was'} skipped`,
];
const UTF16 = { from: { encoding: 'utf-16le' }, notes: ['read as UTF-16'] };
const JOINED = { from: { header: [1, 2] }, notes: ['the header on lines 1 and 2 was joined'] };

/** What is read of a file, and how: without a header and rows, those of `PLAIN`. */
type Found = { header?: string; rows?: readonly string[]; from?: object; notes?: readonly string[] };

const READS: Record<string, [content: string | Uint8Array, found?: Found]> = {
  'UTF-8': [PLAIN],
  'UTF-8 with its mark': [`\ufeff${PLAIN}`],
  'Windows-1252': [
    bytes(PLAIN),
    { from: { encoding: 'windows-1252' }, notes: ['read as Windows-1252 ("Café")'] },
  ],
  'UTF-16': [utf16(PLAIN), UTF16],
  'UTF-16 with its mark': [utf16(`\ufeff${PLAIN}`), UTF16],
  'UTF-16 in the other order': [
    utf16(`\ufeff${PLAIN}`).swap16(),
    { from: { encoding: 'utf-16be' }, notes: ['read as UTF-16'] },
  ],
  'a semicolon': [PLAIN.replaceAll(',', ';'), { from: { delimiter: ';' } }],
  'a tab': [PLAIN.replaceAll(',', '\t'), { from: { delimiter: '\t' } }],
  'a bar': [PLAIN.replaceAll(',', '|'), { from: { delimiter: '|' } }],
  'a tilde': [PLAIN.replaceAll(',', '~'), { from: { delimiter: '~' } }],
  'a space between quotes': [IN_WORDS.replaceAll(',', ' '), { from: { delimiter: ' ' } }],
  'spaces behind commas': [PLAIN.replaceAll(',', ', ')],
  'CR and LF': [PLAIN.replaceAll('\n', '\r\n')],
  'CR alone': [PLAIN.replaceAll('\n', '\r')],
  'quotes around some cells': [IN_WORDS.replace('No,Name', '"No", "Name"')],
  'a title with other delimiters, and decimal commas': [
    `List, of all, licences, of the, town\nNo;Name;Filed;Fee;Tax\n${SEMICOLONS}`,
    { header: 'No|Name|Filed|Fee|Tax', from: { delimiter: ';', header: 2 }, notes: title(1) },
  ],
  'apostrophes around cells': [
    "No,Name,Note\n1,Heron's Nest,'a, b'\n2,Gull,'it isn't, is it'\n3,Tern,'c, d'\n",
    { rows: ["1|Heron's Nest|a, b", "2|Gull|it isn't, is it", '3|Tern|c, d'], from: { quote: "'" } },
  ],
  'apostrophes in names': [
    "No,Name\n1,Heron's\n2,'Round the Bend\n3,Gulls'\n",
    { rows: ["1|Heron's", "2|'Round the Bend", "3|Gulls'"] },
  ],
  'apostrophes that are parts of cells': [
    `No,Name,Address\n1,'Tern',"'1 Quay St, Otterfall'"\n2,'Gull',"'2 Quay St, Otterfall'"\n`,
    { rows: ["1|'Tern'|'1 Quay St, Otterfall'", "2|'Gull'|'2 Quay St, Otterfall'"] },
  ],
  titles: [`Town of Otterfall\n"Licences, all"\n\n${PLAIN}`, { from: { header: 4 }, notes: title(2) }],
  'a title with delimiters': [`Otterfall,,\n,,\n${PLAIN}`, { from: { header: 3 }, notes: title(1) }],
  'a header above words that mean an empty cell': [
    `No,Name,Zip\n${lineOfEach(20, (i) => `${i % 8 ? i : 'NULL'},Heron,${i % 9 ? 97201 : 'NULL'}\n`)}`,
    { header: 'No|Name|Zip' },
  ],
  'a header of two rows': [
    `License,,Date\nNumber,Name,Filed\n${ROWS.join('\n')}\n`,
    { header: 'License Number|Name|Date Filed', ...JOINED },
  ],
  'a header of groups, of which some columns need the name': [
    'Business,,Owner,,\nNo,Name,Name,Phone,Since\n1,Heron,A,555,2024-03-01\n2,Gull,B,556,2024-03-02\n3,Tern,C,557,2024-03-03\n',
    { header: 'Business No|Business Name|Owner Name|Owner Phone|Owner Since', ...JOINED },
  ],
  'no header': [
    `${ROWS.join('\n')}\n`,
    {
      header: '1|2|3',
      rows: READ,
      from: { header: 'none' },
      notes: ['the file has no header: its columns are named 1, 2 and so on'],
    },
  ],
  'a year in a header, below an empty row': [
    `,\n2022 Code,2022 Title\n${lineOfEach(12, (i) => `${110 + i},Harbor ${i}\n`)}`,
    { header: '2022 Code|2022 Title', from: { header: 2 } },
  ],
  'rows that repeat the header': [
    `${HEADER}\n${ROWS.join(`\n${HEADER}\n`)}\n`,
    { notes: ['2 repeated header rows were dropped'] },
  ],
  'columns with the same name': [
    'Name,Name,Name 2,Name\n1,2,3,4\n',
    { header: 'Name|Name 3|Name 2|Name 4', rows: ['1|2|3|4'] },
  ],
  'columns of fixed width': [
    `Register of Otterfall\n\n${FIXED.join('')}`,
    {
      header: 'No|Name|Filed',
      rows: [...READ, 'B-4|Harbor Books|2024-03-04', 'B-5|Osprey|2024-03-05'],
      from: { header: 3, widths: [6, 16, 10] },
      notes: [...title(1), 'the columns have a fixed width: 6, 16, 10 characters'],
    },
  ],
};

for (const [what, [content, found = {}]] of Object.entries(READS))
  test(`read by init as by an import: ${what}`, async () => {
    const { rows = found.header ? undefined : READ, from = {}, notes = [] } = found;
    const { header = rows === READ ? 'No|Name|Filed' : undefined } = found;
    const seen = await read(content);
    if (header !== undefined) assert.equal(headerOf(seen), header);
    if (rows !== undefined) assert.deepEqual(rowsOf(seen), rows);
    assert.deepEqual([seen.from, seen.notes, seen.damaged.size], [{ csv: '', ...from }, notes, 0]);
  });

test('init finds an accent of Windows-1252 even late in a large file', async () => {
  const filler = lineOfEach(30_000, (i) => `B-${i},Blue Heron,2024-03-01\n`);
  const found = await read(bytes(`${HEADER}\n${filler}B-x,Peña Books,2024-03-01\n`));
  assert.equal(rowsOf(found).at(-1), 'B-x|Peña Books|2024-03-01');
  assert.deepEqual(found.notes, ['read as Windows-1252 ("Peña")']);
});

test('damaged rows are counted by reason', async () => {
  const { table, damaged } = await read(`${PLAIN}B-4,Heron\nB-5,7" Pizza,2024-03-01\n${ROWS[0]}\n`);
  assert.equal(table.total, 4);
  assert.deepEqual(Object.fromEntries(damaged), { 'ragged row': 1, 'stray quote': 1 });
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

const TITLE_ROW = textRows([['Town of Otterfall']]);
const bodyRow = (row: number, type: string) =>
  textRows([[`B-${row}`, type]], row).replace('</row>', `<c r="C${row}"><v>45352</v></c></row>`);
const NS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

test('a merged cell of a workbook counts for all its rows, even if the header is not the first row', async () => {
  const header = textRows([['No', 'Type', 'Filed']], 3);
  const rows = TITLE_ROW + header + bodyRow(4, 'Bakery') + bodyRow(5, '') + bodyRow(6, '');
  const merged = '<mergeCells count="1"><mergeCell ref="B4:B5"/></mergeCells>';
  const sheet = `<worksheet xmlns="${NS}"><sheetData>${rows}</sheetData>${merged}</worksheet>`;
  const found = await read(workbook('', { 'xl/worksheets/sheet1.xml': sheet }), 'register.xlsx');
  assert.equal(headerOf(found), 'No|Type|Filed');
  assert.deepEqual(rowsOf(found), ['B-4|Bakery|45352', 'B-5|Bakery|45352', 'B-6||45352']);
  assert.deepEqual(found.from, { excel: '', header: 3 });
});

/** A sheet with so many shops. */
const shops = (count: number) =>
  textRows([['No', 'Type'], ...Array.from({ length: count }, (_, i) => [`B-${i}`, 'Bakery'])]);

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
    'xl/worksheets/sheet2.xml': sheetOf(shops(5)),
    'xl/worksheets/sheet3.xml': sheetOf(shops(3)),
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
const FEATURE_ROWS = ['longitude|latitude|No|Name', '-122.5|44.5|B-1|Blue Heron', '||B-2|'];
const records = [{ No: 7, at: { latitude: 44.5, longitude: -122.5 } }];
const RECORD_ROWS = ['No|at', '7|{"latitude":44.5,"longitude":-122.5}'];
const NESTED = [7, 8].map((No) => ({
  ...{ datasetid: 'shops', recordid: `${No}`, fields: { No, Name: 'Heron' } },
  ...{ geometry: { type: 'Point', coordinates: [-1.5, 44.5] }, record_timestamp: '2026-10-01T10:00:00.000Z' },
}));
const OF_ARCGIS = NESTED.map(({ fields }) => ({ attributes: fields, geometry: { x: -1.5, y: 44.5 } }));
const NESTED_ROWS = ['longitude|latitude|No|Name', '-1.5|44.5|7|Heron', '-1.5|44.5|8|Heron'];
const ARRAYS = ['7 Heron', '8 Gull'].map((row) => row.split(' '));

/** JSON, how it is read, and its header and rows. */
const JSONS: [value: unknown, from: object, rows: string[]][] = [
  [{ type: 'FeatureCollection', features: FEATURES }, { geojson: '' }, FEATURE_ROWS],
  [
    { columns: [{ a: 1 }, { a: 2 }], result: { page: { records } } },
    { json: '', records: 'result.page.records' },
    RECORD_ROWS,
  ],
  [
    { tags: [{ a: 1 }], shops: { list: [{ b: 1 }, { b: 2 }] } },
    { json: '', records: 'shops.list' },
    ['b', '1', '2'],
  ],
  // the usual name before the longer list
  [{ tags: [{ a: 1 }, { a: 2 }], records }, { json: '', records: 'records' }, RECORD_ROWS],
  [NESTED, { json: '' }, NESTED_ROWS],
  [OF_ARCGIS, { json: '' }, NESTED_ROWS],
  [
    { fields: ['No', 'Name'], data: ARRAYS },
    { json: '', records: 'data', columns: 'fields' },
    ['No|Name', '7|Heron', '8|Gull'],
  ],
];

test('init finds the records of JSON at any place, with the columns that an import reads', async () => {
  for (const [value, from, rows] of JSONS)
    for (const text of [JSON.stringify(value), `\ufeff${JSON.stringify(value, null, 2)}`]) {
      const found = await read(text, 'r.txt');
      assert.deepEqual([found.from, headerOf(found), ...rowsOf(found)], [from, ...rows]);
    }
  const lines = await read(FEATURES.map((one) => JSON.stringify(one)).join('\n'));
  assert.deepEqual([lines.from, headerOf(lines), ...rowsOf(lines)], [{ geojson: '' }, ...FEATURE_ROWS]);
});

const REFUSED: [content: string | Uint8Array, says: RegExp][] = [
  ['', /register.csv: the file is empty$/],
  [`${HEADER}\n`, /^the file has a header and no rows$/],
  [`${PLAIN}B-4,Grey`, /line 5 has 2 cells, but the header has 3\. The file may be cut off$/],
  [Uint8Array.from({ length: 999 }, (_, i) => (i * 89) % 256), /the file is not text/],
  [`${HEADER}\nB-1,\0,2024\n`, /^no row can be read: 1 are damaged \(damaged characters\)$/],
  [`No Name,Filed\n${ROWS.join('\n')}\n`, /the header on line 1 has 2 cells, but most rows have 3/],
  [bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), /old format \(\.xls\).* save it as \.xlsx or CSV$/],
  [','.repeat(300), /301 columns/],
  ['%PDF-1.7\n%abc', /the file is a PDF.* Ask the publisher/],
  ['<!doctype html><p>', /looks like a web page/],
  ['<html><table><tr><td>ID', /a table, whatever its name\. .* save it as \.xlsx/],
  [
    '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
    /a table, whatever its name/,
  ],
  [
    zipSync({ mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }] }),
    /document of OpenDocument, not a sheet/,
  ],
  [workbook(shops(50)).subarray(0, 900), /workbook cannot be read: .* Download it again$/],
  ['{"a": 1}', /the JSON contains no list of records$/],
  ['[{"a": 1}, {"a"', /record 2: the file ends in the middle/],
];
for (const [content, says] of REFUSED)
  test(`a file is refused with its cause: ${says.source}`, async () => {
    await assert.rejects(read(content), { code: 'source', message: says });
  });

const ENCODED: [encoding: string, bytes: Buffer, names: string][] = [
  ['macintosh', bytes('Caf\x8e Ren\x8ee\nPi\x96ata Grill'), 'Café Renée|Piñata Grill'],
  ['cp850', bytes('Caf\x82 Ren\x82e\nPi\xa4ata Grill'), 'Café Renée|Piñata Grill'],
  ['windows-1250', bytes('\xa3\xf3d\x9f\nDvo\xf8\xe1k'), 'Łódź|Dvořák'],
  ['iso-8859-2', bytes('\xa3\xf3d\xbc\nDvo\xf8\xe1k'), 'Łódź|Dvořák'],
  ['iso-8859-7', bytes('\xb6\xed\xe5\xec\xef\xf2\n\xca\xe1\xf6\xdd'), 'Άνεμος|Καφέ'],
  ['windows-1251', bytes('\xca\xe0\xf4\xe5\n\xd0\xee\xec\xe0\xf8\xea\xe0'), 'Кафе|Ромашка'],
  ['shift_jis', bytes('\x82\xb3\x82\xad\x82\xe7\n\x8a\x94\x8e\xae\x89\xef\x8e\xd0'), 'さくら|株式会社'],
  ['euc-kr', bytes('\xb1\xe8\xb9\xe4\xc3\xb5\xb1\xb9\n\xbe\xe0\xb1\xb9'), '김밥천국|약국'],
  ['gb18030', bytes('\xb1\xb1\xbe\xa9\xbf\xbe\xd1\xbc\xb5\xea\n\xcb\xc7'), '北京烤鸭店|饲'],
  ['big5', bytes('\xa5\x78\xa5\x5f\xa4\xfb\xa6\xd7\n\xc4\xd1\xa9\xb1'), '台北牛肉|麵店'],
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

test('odd cells are read as an import reads them, in every format', async () => {
  const point = { type: 'Feature', geometry: POINT, properties: { No: 1, tags: ['a'] } };
  for (const content of [
    'No;Name;Name\nB-1;Blue  Heron;2024-03-01\nB-2;Café\u200e Gull;2024-03-02\nB-3;Tern, Old;2024-03-03\n',
    workbook(textRows([['Otterfall'], [], ['No', 'Name', 'Name'], ['1', 'Heron', ''], ['2', ' Gull ', 'x']])),
    JSON.stringify({ type: 'FeatureCollection', features: [point, { ...point, geometry: null }] }),
    JSON.stringify({ data: { items: [{ a: 'x\ny ', b: { c: 1 }, at: 'POINT (1.5 2.5)' }] } }),
  ])
    assert.ok((await read(content)).table.rows > 0);
});

test('the error about a file that no longer matches its source names the header line or the encoding', async () => {
  const text = 'Otterfall\n\n\nNo,Café\n1,Heron\n';
  const titled = workbook(textRows([['Otterfall'], ['No', 'Nam']]));
  for (const [content, reading, message] of [
    [text, csv({ header: 4 }), /"Name" is missing: the header on line 4 has "No", "Café"/],
    ['a;b\nName;No\n', csv({ header: 2 }), /line 2 is a single cell: .* be ";", not ","/],
    ['x\nName,No\n1', csv({ header: 2 }), /line 3 has 1 cells, but the header on line 2 has 2/],
    ['1,2\n', csv({ header: 'none' }), /without a header, so its columns are numbered: "1", "2"/],
    [text, csv({ encoding: 'windows-1252' }), /declared as windows-1252, but .* looks like utf-8/],
    [text, csv({ encoding: 'utf-16le' }), /declared as utf-16le, but .* looks like utf-8/],
    [titled, excel({ header: 2 }), /the header on line 2 has "Nam" \(nearest\)/],
    [titled, csv(), /the file is a workbook \(\.xlsx\)\. Declare the source as excel/],
  ] as [string | Uint8Array, FileReading, RegExp][]) {
    const path = join(folder, 'renamed');
    writeFileSync(path, content);
    await assert.rejects(imported(path, reading, ['Name']), { message });
  }
});

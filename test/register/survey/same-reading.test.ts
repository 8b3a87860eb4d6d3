/** What the survey of a file says of how it is read, given to ingest, makes ingest read the same columns and texts. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCsv } from '../../../src/register/formats/csv.ts';
import { readExcel } from '../../../src/register/formats/excel.ts';
import { readGeoJson } from '../../../src/register/formats/geojson.ts';
import { readJson } from '../../../src/register/formats/json.ts';
import { csv, excel, geojson, json, type SourceFormat } from '../../../src/register/profile/formats.ts';
import type { NumberedRow, RejectedRow, RowSpec } from '../../../src/register/readers/row.ts';
import { readTable } from '../../../src/register/survey/read-table.ts';
import { textAt } from '../../../src/register/survey/table.ts';
import { aFolder } from '../../a-folder.ts';
import { textCell, workbook } from '../import/a-workbook.ts';

const folder = aFolder();
const path = join(folder, 'register');

type Batches = AsyncIterable<(NumberedRow | RejectedRow)[]>;

function openRows(format: SourceFormat, spec: RowSpec): Batches {
  if (format.format === 'csv') return readCsv(path, format, spec);
  if (format.format === 'excel') return readExcel(path, format, spec);
  if (format.format === 'geojson') return readGeoJson(path, spec);
  if (format.format === 'json') return readJson(path, format, spec);
  assert.fail(format.format);
}

/** The columns of all rows, each with its line. */
async function ingest(format: SourceFormat, columns: string[]): Promise<string[]> {
  const rows: string[] = [];
  for await (const batch of openRows(format, { columns, optional: [] }))
    for (const one of batch) if ('row' in one) rows.push(columns.map((column) => one.row[column]).join('|'));
  return rows;
}

const ROWS = 'B-1;Blue  Heron;2024-03-01\nB-2;Café\u200e Gull;2024-03-02\nB-3;Tern, "Old";2024-03-03\n';
const HEADER = 'No;Name;Name\n';
const latin1 = (text: string) => Buffer.from(text.replaceAll('\u200e', ''), 'latin1');
const fixed = [
  'No    Name            Filed',
  ...Array.from({ length: 6 }, (_, i) => `B-${i}   Blue Heron ${i}    2024-03-0${i + 1}`),
];
const sheet = (rows: string[][]) =>
  rows
    .map(
      (cells, y) =>
        `<row r="${y + 1}">${cells.map((cell, x) => (cell === '' ? '' : textCell(`${'ABC'[x]}${y + 1}`, cell))).join('')}</row>`,
    )
    .join('');
const point = {
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [1.5, 2.5] },
  properties: { No: 1, tags: ['a'] },
};

const FILES: [what: string, content: string | Uint8Array][] = [
  ['semicolons, and a name twice', HEADER + ROWS.replaceAll('"', '')],
  ['CR alone', (HEADER + ROWS.replaceAll('"', '')).replaceAll('\n', '\r')],
  ['titles and Windows-1252', latin1(`Otterfall\n\n${HEADER}${ROWS.replaceAll('"', '')}`)],
  ['UTF-16', Buffer.from(`\ufeff${HEADER}${ROWS.replaceAll('"', '')}`, 'utf16le')],
  ['apostrophes', "No,Name\n1,'Heron, Blue'\n2,'Gull''s, Grey'\n3,'isn't, it'\n"],
  ['no header', ROWS.replaceAll('"', '').replaceAll(';', ',')],
  [
    'two rows of header, repeated',
    `Licence,,Day\nNo,Name,Filed\n1,a,2024-03-01\nNo,Name,Filed\n2,b,2024-03-02\n3,c,2024-03-03\n`,
  ],
  ['fixed width', `${fixed.join('\n')}\n`],
  [
    'a workbook with titles',
    workbook(
      sheet([
        ['Otterfall'],
        [],
        ['No', 'Name', 'Name'],
        ['1', 'Heron', ''],
        ['2', ' Gull ', 'x'],
        ['3', 'Tern', 'y'],
      ]),
    ),
  ],
  ['GeoJSON', JSON.stringify({ type: 'FeatureCollection', features: [point, { ...point, geometry: null }] })],
  ['JSON', JSON.stringify({ data: { items: [{ a: 'x\ny ', b: { c: 1 }, at: 'POINT (1.5 2.5)' }] } })],
];

for (const [what, content] of FILES)
  test(`the survey and the import read the same: ${what}`, async () => {
    writeFileSync(path, content);
    const options = { tempFolder: folder, userAgent: 'test', timeZone: 'Etc/UTC', progress: () => undefined };
    const { table, from } = await readTable(path, options);
    const seen = Array.from({ length: table.rows }, (_, row) =>
      table.columns.map((column) => textAt(column, row)).join('|'),
    );
    const format =
      'csv' in from
        ? csv(from)
        : 'excel' in from
          ? excel(from)
          : 'geojson' in from
            ? geojson()
            : json('json' in from ? { records: from.records ?? '' } : {});
    assert.deepEqual(
      await ingest(
        format,
        table.columns.map(({ name }) => name),
      ),
      seen,
    );
    assert.ok(seen.length > 0);
  });

test('the error about a file that no longer matches its source names the header line or the encoding', async () => {
  const spec = { columns: ['Name'], optional: [] };
  const read = async (content: string | Uint8Array, format: SourceFormat) => {
    writeFileSync(path, content);
    for await (const _ of openRows(format, spec));
  };
  const text = 'Otterfall\n\n\nNo,Café\n1,Heron\n';
  await assert.rejects(
    read(text, csv({ header: 4 })),
    /"Name" is missing: the header on line 4 has "No", "Café"/,
  );
  await assert.rejects(
    read('a;b\nName;No\n', csv({ header: 2 })),
    /line 2 is a single cell: .* be ";", not ","/,
  );
  await assert.rejects(
    read('x\nName,No\n1', csv({ header: 2 })),
    /line 3 has 1 cells, but the header on line 2 has 2/,
  );
  await assert.rejects(
    read('1,2\n', csv({ header: 'none' })),
    /without a header, so its columns are numbered: "1", "2"/,
  );
  await assert.rejects(
    read(text, csv({ encoding: 'windows-1252' })),
    /declared as windows-1252, but .* looks like utf-8/,
  );
  await assert.rejects(
    read(text, csv({ encoding: 'utf-16le' })),
    /declared as utf-16le, but .* looks like utf-8/,
  );
  const titled = workbook(sheet([['Otterfall'], ['No', 'Nam']]));
  await assert.rejects(read(titled, excel({ header: 2 })), /the header on line 2 has "Nam" \(nearest\)/);
  await assert.rejects(
    read(titled, csv()),
    /the file is a workbook \(\.xlsx\)\. Declare the source as excel/,
  );
});

/** A table of a file that is too large to keep: its counts and hashes are of all rows. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCsv } from '../../../src/register/formats/csv.ts';
import { ALL_COLUMNS, openTextCells, type TakeRow } from '../../../src/register/readers/row.ts';
import { openTable, type TableBuilder, textAt } from '../../../src/register/survey/table.ts';
import { hashCell } from '../../../src/shared/text/hash.ts';
import { aFolder } from '../../a-folder.ts';

const folder = aFolder();

function addRecord(table: TableBuilder, record: readonly (readonly [string, string])[]): void {
  table.openRows(record.map(([name]) => name))(openTextCells((at) => record[at]![1]));
}

test('the survey counts and hashes rows beyond its limits', () => {
  for (const limits of [{ rows: 3 }, { cells: 6 }, { texts: 5 }]) {
    const table = openTable(limits);
    for (let i = 0; i < 8; i++)
      addRecord(table, [
        ['no', i === 7 ? '' : `B-${i}`],
        ['type', i % 2 === 0 ? 'Bakery' : 'Books'],
      ]);
    const { columns, rows, total } = table.close();
    assert.deepEqual([rows, total], [3, 8], JSON.stringify(limits));
    const [no, type] = columns;
    assert.deepEqual([textAt(no!, 2), textAt(type!, 2)], ['B-2', 'Bakery']);
    assert.deepEqual([...type!.counts], [0, 4, 4]);
    assert.deepEqual([type!.texts, type!.codes.length], [['', 'Bakery', 'Books'], 3]);
    assert.deepEqual([...no!.tail], [3, 4, 5, 6].map((i) => hashCell(`B-${i}`)).concat(0));
    assert.equal(no!.counts[0], 1);
  }
});

test('the survey adds later texts of a column only while the column has few texts', () => {
  const table = openTable({ rows: 1 });
  for (let i = 0; i < 6_000; i++) addRecord(table, [['no', `B-${i}`]]);
  const [no] = table.close().columns;
  assert.equal(no!.texts.length, 5_000);
  assert.equal(no!.tail.length, 5_999);
});

test('a column that first appears in a later row counts as empty in earlier rows', () => {
  const table = openTable({ rows: 2 });
  addRecord(table, [['a', '1']]);
  addRecord(table, [
    ['a', '1'],
    ['b', '2'],
  ]);
  addRecord(table, [['a', '1']]);
  addRecord(table, [['c', '3']]);
  const [a, b, c] = table.close().columns;
  assert.deepEqual(
    [[...a!.codes], [...b!.codes], [...c!.codes]],
    [
      [1, 1],
      [0, 1],
      [0, 0],
    ],
  );
  assert.deepEqual(
    [[...a!.counts], [...b!.counts], [...c!.counts]],
    [
      [1, 3],
      [3, 1],
      [3, 1],
    ],
  );
  assert.deepEqual([[...b!.tail], [...c!.tail]], [[], [0, hashCell('3')]]);
});

test('rows after the kept ones are hashed only in columns that may number businesses', () => {
  const table = openTable({ rows: 100 });
  for (let i = 0; i < 102; i++)
    addRecord(table, [
      ['id', String(i)],
      ['town', 'Alder'],
    ]);
  const [id, town] = table.close().columns;
  assert.deepEqual([id!.tail.length, town!.tail.length, town!.counts[1]], [2, 0, 102]);
});

const CELLS = [
  ...[
    'Heron',
    ' Heron ',
    'Heron  Cafe',
    '',
    '  ',
    '" Heron"',
    '"Heron, Cafe"',
    '"Heron ""H"" Cafe"',
    '="001"',
  ],
  ...[
    'Joe &amp; Co',
    'Joe & Co',
    'Café',
    ' Café\u00a0',
    '\u3000寺野',
    'CafÃ©',
    '"two\nlines"',
    'tab\there',
    "Joe's",
  ],
];

test('a CSV file gives the same table whether its cells are compared as bytes or as text', async () => {
  const path = join(folder, 'register.csv');
  const rows = Array.from({ length: 3_000 }, (_, i) => [
    CELLS[i % CELLS.length],
    ` B-${i % 2_000} `,
    CELLS[(i * 7) % CELLS.length],
  ]);
  writeFileSync(path, ['name,no,other', ...rows.map((cells) => cells.join(','))].join('\n'));
  const read = async (openRows: (table: TableBuilder) => (names: readonly string[]) => TakeRow) => {
    const table = openTable({ rows: 2_500 });
    for await (const batch of readCsv(path, {}, { ...ALL_COLUMNS, openRows: openRows(table) }))
      assert.deepEqual(batch, []);
    return table.close();
  };
  const asBytes = await read(({ openRows }) => openRows);
  const asText = await read(({ openRows }) => (names) => {
    const take = openRows(names);
    return ({ text }) => take(openTextCells(text));
  });
  assert.equal(asBytes.total, 3_000);
  assert.deepEqual(asBytes, asText);
  assert.deepEqual(asBytes.columns[0]!.texts.slice(0, 4), ['', 'Heron', 'Heron  Cafe', 'Heron, Cafe']);
});

test('two texts with the same hash are kept apart, and later rows with either text count for the first', () => {
  const [first, second] = ['costarring', 'liquid']; // FNV-1a collides
  assert.equal(hashCell(first!), hashCell(second!));
  const table = openTable({ rows: 3 });
  for (const text of [first!, second!, first!, first!]) addRecord(table, [['name', text]]);
  const [name] = table.close().columns;
  assert.deepEqual(
    [name!.texts, [...name!.codes]],
    [
      ['', first, second],
      [1, 2, 1],
    ],
  );
  assert.deepEqual([...name!.counts], [0, 3, 1]);
});

/** A table of a file that is too large to keep: its counts and hashes are of all rows. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTable, type TableBuilder, textAt } from '../../../src/register/survey/table.ts';
import { hashCell } from '../../../src/shared/text/hash.ts';

function addRecord(table: TableBuilder, record: readonly (readonly [string, string])[]): void {
  table.openRows(record.map(([name]) => name))((at) => record[at]![1]);
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

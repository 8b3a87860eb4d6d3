/** A table of a file that is too large to keep: its counts and hashes are of all rows. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTable, textAt } from '../../../src/register/survey/table.ts';
import { hashCell } from '../../../src/shared/text/hash.ts';

/** The columns of a table of these records, of which the limits keep only some. */
function columnsOf(limits: Parameters<typeof openTable>[0], records: readonly Record<string, string>[]) {
  const table = openTable(limits);
  for (const record of records) table.openRows(Object.keys(record))((at) => Object.values(record)[at]!);
  return table.close();
}

test('the survey counts and hashes rows beyond its limits', () => {
  const records = Array.from({ length: 8 }, (_, i) => {
    return { no: i === 7 ? '' : `B-${i}`, type: i % 2 === 0 ? 'Bakery' : 'Books' };
  });
  for (const limits of [{ rows: 3 }, { cells: 6 }, { texts: 5 }]) {
    const { columns, rows, total } = columnsOf(limits, records);
    assert.deepEqual([rows, total], [3, 8], JSON.stringify(limits));
    const [no, type] = columns;
    assert.deepEqual([textAt(no!, 2), textAt(type!, 2)], ['B-2', 'Bakery']);
    assert.deepEqual(
      [[...type!.counts], type!.texts, type!.codes.length],
      [[0, 4, 4], ['', 'Bakery', 'Books'], 3],
    );
    assert.deepEqual([...no!.tail], [3, 4, 5, 6].map((i) => hashCell(`B-${i}`)).concat(0));
    assert.equal(no!.counts[0], 1);
  }
});

test('the survey adds later texts of a column only while the column has few texts', () => {
  const [no] = columnsOf(
    { rows: 1 },
    Array.from({ length: 6_000 }, (_, i) => ({ no: `B-${i}` })),
  ).columns;
  assert.deepEqual([no!.texts.length, no!.tail.length], [5_000, 5_999]);
});

test('a column that first appears in a later row counts as empty in earlier rows', () => {
  const { columns } = columnsOf({ rows: 2 }, [{ a: '1' }, { a: '1', b: '2' }, { a: '1' }, { c: '3' }]);
  const shown = columns.map(({ codes, counts, tail }) => `${codes.join()} ${counts.join()} ${tail.join()}`);
  assert.deepEqual(shown.slice(1), ['0,1 3,1 ', `0,0 3,1 0,${hashCell('3')}`]);
  assert.match(shown[0]!, /^1,1 1,3 /);
});

test('rows after the kept ones are hashed only in columns that may number businesses', () => {
  const records = Array.from({ length: 102 }, (_, i) => ({ id: String(i), town: 'Alder' }));
  const [id, town] = columnsOf({ rows: 100 }, records).columns;
  assert.deepEqual([id!.tail.length, town!.tail.length, town!.counts[1]], [2, 0, 102]);
});

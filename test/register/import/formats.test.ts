/** Valid files in the formats that publishers use, down to the text that a verdict gets. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCsv } from '../../../src/register/formats/csv.ts';
import { readJson } from '../../../src/register/formats/json.ts';
import * as CITY from '../../../src/register/profile/city.ts';
import { FORMATS } from '../../../src/register/profile/formats.ts';
import {
  ALL_COLUMNS,
  listColumns,
  type NumberedRow,
  type RowSpec,
} from '../../../src/register/readers/row.ts';
import { aFolder } from '../../a-folder.ts';

const folder = aFolder();
const path = join(folder, 'file');

/** All rows of a file in which none is damaged. */
async function allOf(batches: ReturnType<typeof readCsv>): Promise<NumberedRow[]> {
  return (await Array.fromAsync(batches)).flat().map((one) => {
    assert.ok('row' in one, `line ${one.line} was rejected`);
    return one;
  });
}

function csvRows(content: string, spec: RowSpec): Promise<NumberedRow[]> {
  writeFileSync(path, content);
  return allOf(readCsv(path, { format: 'csv', delimiter: ',' }, spec));
}

function jsonRows(content: string, spec: RowSpec, records?: string): Promise<NumberedRow[]> {
  writeFileSync(path, content);
  return allOf(readJson(path, { format: 'json', records }, spec));
}

function shown(rows: NumberedRow[], ...columns: string[]): string[] {
  return rows.map(({ line, row }) => [line, ...columns.map((column) => row[column])].join('|'));
}

const AB = { columns: ['a', 'b'], optional: [] };

test('a byte order mark, CRLF, spaces around names and blank lines do not change the rows', async () => {
  const rows = await csvRows('\ufeffx, b ,a\r\n1,2,3\r\n\r\n4,5,6\n\r\n', AB);
  assert.deepEqual(shown(rows, 'a', 'b'), ['2|3|2', '4|6|5']);
});

test('the number of a row is the number of its first line, even after cells with several lines', async () => {
  const rows = await csvRows('a,b\r\n"one\r\ntwo\r\nthree",x\r\n"say ""hi""",y\r\n\r\n"\n",z', AB);
  assert.deepEqual(shown(rows, 'a', 'b'), ['2|one two three|x', '5|say "hi"|y', '7||z']);
});

test('control and bidi characters are removed, tabs and line breaks become one space', async () => {
  const rows = await csvRows('a,b\n" \tBlue\u0007\t\n Heron\u202e\u200f ","\u2066x\u2028y\u0085"\n', AB);
  assert.deepEqual(shown(rows, 'a', 'b'), ['2|Blue  Heron|x y']);
});

test('a file can have one column, columns without names or of fixed width, and can lack optional columns', async () => {
  assert.deepEqual(shown(await csvRows('a\n1\n', { columns: ['a'], optional: ['z'] }), 'a', 'z'), ['2|1|']);
  assert.deepEqual(shown(await csvRows('a,,\n1,2,3\n', { columns: ['a'], optional: [] }), 'a'), ['2|1']);
  const [unnamed] = await csvRows('a,,b\n1,2,3\n', ALL_COLUMNS);
  assert.deepEqual(listColumns(unnamed!.row), ['a', 'b']);
  writeFileSync(path, 'a  b\n1  two words and more\n');
  const fixed = readCsv(path, { format: 'csv', widths: [3, 4] }, AB);
  assert.deepEqual(shown(await allOf(fixed), 'a', 'b'), ['2|1|two words and more']);
});

test('a column is found by its own name, or by an alias if the file lacks that name', async () => {
  const spec = { ...AB, aliases: { a: ['Alpha', 'A'], b: ['Beta'] } };
  for (const [header, row] of Object.entries({ 'A,b,c': '2|1|2', 'A,Alpha,Beta': '2|2|3', 'A,a,b': '2|2|3' }))
    assert.deepEqual(shown(await csvRows(`${header}\n1,2,3\n`, spec), 'a', 'b'), [row]);
  await assert.rejects(csvRows('A,x\n1,2\n', spec), /column "b" is missing/);
  const records = '[{"A": 1, "b": 2}, {"a": 3, "Beta": 4}]';
  assert.deepEqual(shown(await jsonRows(records, spec), 'a', 'b'), ['1|1|2', '2|3|4']);
  await assert.rejects(jsonRows('[{"A": 1}]', spec), /column "b" is missing/);
});

test('the error for an undeclared column names the nearest column', async () => {
  const [first] = await csvRows('LICENSENO,OWNER\n1,Example\n', { columns: ['LICENSENO'], optional: [] });
  assert.throws(() => first!.row.LICENCENO, {
    code: 'city',
    message: /reads the column "LICENCENO", which it does not declare\. .*"LICENSENO" \(nearest\)/,
  });
  assert.throws(() => first!.row.OWNER, { code: 'city' });
});

test('a row can be printed, awaited and turned into JSON', async () => {
  const { row } = (await csvRows('a\n1\n', { columns: ['a'], optional: [] }))[0]!;
  assert.equal(await Promise.resolve(row), row);
  assert.equal(`${row}`, '[object Object]');
  assert.equal(JSON.stringify(row), '{}');
});

test('JSON can be an array, an array inside an object, or a record on each line', async () => {
  const records = [{ a: 1, b: 'x' }, { b: null }, { a: true, b: ['y', { c: 1.5 }] }];
  const list = JSON.stringify(records, null, 1);
  const values = ['|1|x', '||', '|true|["y",{"c":1.5}]'];
  const numbered = values.map((value, i) => i + 1 + value);
  assert.deepEqual(shown(await jsonRows(`\ufeff ${list}\n`, AB), 'a', 'b'), numbered);
  const wrapped = `{"meta":{"rows":[[9]],"count":7},"data":{"count":3,"rows":${list}}}`;
  assert.deepEqual(shown(await jsonRows(wrapped, AB, 'data.rows'), 'a', 'b'), numbered);
  const lines = `\ufeff${records.map((record) => JSON.stringify(record)).join('\r\n\r\n')}`;
  assert.deepEqual(
    shown(await jsonRows(lines, AB), 'a', 'b'),
    values.map((value, i) => 1 + 2 * i + value),
  );
});

test('a JSON file of many chunks has all its records in order', async () => {
  const records = Array.from({ length: 20_000 }, (_, i) => ({ a: i, b: `é${'😀'.repeat(i % 9)}\\"` }));
  const wanted = records.map(({ a, b }, i) => `${i + 1}|${a}|${b}`);
  const wrapped = JSON.stringify({ filings: records, count: records.length });
  assert.deepEqual(shown(await jsonRows(wrapped, AB, 'filings'), 'a', 'b'), wanted);
  const lines = records.map((record) => JSON.stringify(record)).join('\n');
  assert.deepEqual(shown(await jsonRows(lines, AB), 'a', 'b'), wanted);
});

test('a JSON file with more than a record’s size around its list is read', async () => {
  const meta = Array.from({ length: 5_000 }, (_, i) => ({ column: i, title: 'a title' }));
  const text = JSON.stringify({ meta: { view: { columns: meta } }, rows: [{ a: 1, b: 2 }] });
  assert.deepEqual(shown(await jsonRows(text, AB, 'rows'), 'a', 'b'), ['1|1|2']);
});

test('__proto__ in a record is a key like any other', async () => {
  for (const text of [
    '[{"__proto__":{"a":"no"},"b":{"__proto__":1}},{"a":""}]',
    '{"b":{"__proto__":1},"__proto__":{"a":"no"}}\n{"a":""}',
  ]) {
    const [first] = await jsonRows(text, AB);
    assert.deepEqual([first!.row.a, first!.row.b], ['', '{"__proto__":1}']);
    assert.equal(Object.hasOwn(Object.prototype, 'a'), false);
  }
});

test('rows of JSON contain no NUL characters and no half characters', async () => {
  const [first] = await jsonRows('[{"a":"x\\u0000y","b":"\\ud83d!"}]', AB);
  assert.deepEqual([first!.row.a, first!.row.b], ['xy', '\ufffd!']);
});

test('every format has a function for programs', () => {
  for (const format of FORMATS)
    assert.ok(format in CITY, `src/register/profile/city.ts does not export ${format}`);
});

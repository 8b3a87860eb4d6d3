/** The translation of our SQL for PostgreSQL: numbered values, and many rows in one statement. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitStatements, toPostgresSql } from '../../../src/service/database/engines/postgres-dialect.ts';

const UPSERT = `insert into town (name, one, key) values (?, 1, ?)
  on conflict (key) do update set name = excluded.name`;

test('values are numbered, and nothing in quotes is taken for one', () => {
  assert.equal(
    toPostgresSql("select '?', 'it''s ?' from town where a = ? and text = ?"),
    "select '?', 'it''s ?' from town where a = $1 and text = $2",
  );
  assert.equal(
    toPostgresSql('create table town (name text, context text)'),
    'create table town (name text collate "C", context text collate "C")',
  );
  assert.equal(
    toPostgresSql(' ALTER TABLE town add name text'),
    ' ALTER TABLE town add name text collate "C"',
  );
});

test('rows of an insert go in one statement', () => {
  const rows = [
    ['a', 1],
    ['b', 2],
  ];
  const [first, ...more] = splitStatements(UPSERT, rows);
  assert.match(
    first!.text,
    /^insert into town \(name, one, key\) values \(\$1, 1, \$2\), \(\$3, 1, \$4\) on conflict/,
  );
  assert.deepEqual(first!.values, ['a', 1, 'b', 2]);
  assert.deepEqual(more, []);
  const plain = splitStatements('insert into town (name, key) values (?, ?)', rows);
  assert.deepEqual(
    plain.map(({ values }) => values),
    [rows.flat()],
  );
});

test('a hundred rows at most go in one statement, and only full ones are prepared', () => {
  const rows = Array.from({ length: 250 }, (_, i) => [`n${i}`, i]);
  const statements = splitStatements(UPSERT, rows);
  assert.deepEqual(
    statements.map(({ values }) => values!.length / 2),
    [100, 100, 50],
  );
  const [one, two, rest] = statements.map(({ name }) => name);
  assert.ok(one !== undefined && one === two && rest === undefined);
  assert.deepEqual(
    statements.flatMap(({ values }) => values),
    rows.flat(),
  );
});

test('a statement that is not a plain insert runs for each row, prepared once', () => {
  for (const sql of [
    'update town set name = ? where key = ?',
    'insert into town (name, key) values (lower(?), ?)',
    'insert into town (name, key) values (?, ?) on conflict do update set name = key',
  ]) {
    const statements = splitStatements(sql, [
      ['a', 1],
      ['b', 2],
    ]);
    assert.deepEqual(
      statements.map(({ values }) => values),
      [
        ['a', 1],
        ['b', 2],
      ],
      sql,
    );
    assert.ok(statements[0]!.name !== undefined && statements[0]!.name === statements[1]!.name);
  }
  assert.equal(splitStatements(UPSERT, [['a', 1]])[0]!.name, undefined);
});

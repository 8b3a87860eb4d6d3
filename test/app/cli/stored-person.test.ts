/** What `subscribers show` says about a person, until the person is erased. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqlite } from '../../../src/service/database/engines/sqlite.ts';
import { PERSONAL_TABLES } from '../../../src/service/subscribers/subscriber-store.ts';
import { aCity } from '../../a-city.ts';
import { commandsOf } from '../../a-command.ts';
import { lastJson, running } from '../../a-process.ts';
import { postSignup } from '../../a-signup.ts';

test('subscribers show prints every row about an address, with the text agreed to, and no row about other addresses', async () => {
  const city = aCity();
  const shingle = commandsOf(city);
  await city.ingest(30);
  await shingle('subscribers', 'add', 'bob@b.example', '--confirmed');
  const service = await running(['serve'], city.env);
  assert.equal((await postSignup(service.url, 'Ann@b.example')).status, 202);
  assert.equal(await service.stop(), 0);
  const shown = await shingle('subscribers', 'show', 'ann@b.example', '--json');
  const stored = lastJson(shown) as Record<string, Record<string, unknown>[]>;
  assert.deepEqual(Object.keys(stored), Object.values(PERSONAL_TABLES));
  assert.equal(stored.subscriber![0]!.address, 'Ann@b.example');
  assert.match(String(stored.subscriptions![0]!.words), /The chamber/);
  assert.equal(stored.messages!.length, 1);
  const { out } = await shingle('subscribers', 'show', 'ann@b.example');
  assert.match(out, /^subscriber\n {2}subscriber: /);
  assert.match(out, /\n {2}address: Ann@b\.example\n/);
  assert.match(out, /\n {2}words: .*The chamber/);
  assert.doesNotMatch(out, /bob/);
  assert.equal((await shingle('subscribers', 'erase', 'ann@b.example')).code, 0);
  assert.equal((await shingle('subscribers', 'show', 'ann@b.example')).code, 1, 'nothing is left to show');
});

test('subscribers show leaves out no table with rows about a person', async () => {
  const city = aCity();
  const service = await city.open();
  await service.close();
  const engine = openSqlite(city.config.dataFolder);
  const tables = await engine.read<{ name: string }>(
    `select t.name as name from sqlite_schema as t, pragma_table_info(t.name) as c
     where t.type = 'table' and c.name = 'subscriber'`,
  );
  await engine.close();
  assert.deepEqual(tables.map(({ name }) => name).toSorted(), Object.keys(PERSONAL_TABLES).toSorted());
});

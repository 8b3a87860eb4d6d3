/** Runs the conformance suite on SQLite. */

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqlite } from '../../../src/service/database/engines/sqlite.ts';
import { aFolder } from '../../a-folder.ts';
import { openStore } from '../../a-store.ts';
import { storeConformance } from './conformance.ts';

storeConformance('SQLite', async () => {
  const folder = aFolder();
  const store = await openStore(folder);
  return { store, again: () => openStore(folder), end: () => store.close() };
});

test('SQLite prepares each statement once, and keeps at most 200', async (t) => {
  const folder = aFolder();
  const engine = openSqlite(folder);
  const { mock } = t.mock.method(DatabaseSync.prototype, 'prepare');
  const prepared = async (n: number) => {
    const before = mock.callCount();
    await engine.read(`select ${n} as n`);
    return mock.callCount() - before;
  };
  assert.deepEqual([await prepared(0), await prepared(0)], [1, 0]);
  for (let n = 1; n <= 200; n++) await prepared(n);
  assert.deepEqual([await prepared(200), await prepared(0)], [0, 1]);
  await engine.close();
});

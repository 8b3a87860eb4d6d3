/** Files that come again: a snapshot is served again, a file of changes is recognized. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, csvText } from '../a-city.ts';
import { ingested, listed } from './an-ingest.ts';

test('a snapshot that goes back to an earlier file serves that file again', async () => {
  const city = aCity();
  const service = await city.open();
  const a = city.file('a.csv', csvText([{ name: 'Blue Heron' }]));
  const b = city.file('b.csv', csvText([{ name: 'Grey Gull' }]));
  const seen: unknown[] = [];
  for (const path of [a, b, a, a]) {
    const { state } = await ingested(service, path);
    seen.push([state, (await listed(service)).map(({ name }) => name)]);
  }
  assert.deepEqual(seen, [
    ['kept', ['Blue Heron']],
    ['kept', ['Grey Gull']],
    ['kept', ['Blue Heron']],
    ['unchanged', ['Blue Heron']],
  ]);
});

test('a file of changes that was kept before stays known, also after another one', async () => {
  const city = aCity();
  city.change("delivers: 'snapshot'", "delivers: 'changes'");
  const service = await city.open();
  const a = city.file('a.csv', csvText([{ name: 'Blue Heron' }]));
  const b = city.file('b.csv', csvText([{ name: 'Grey Gull' }]));
  const seen: unknown[] = [];
  for (const from of [a, b, a, b]) {
    const read: number[] = [];
    const [run] = await service.ingest({ from, progress: ({ rows }) => read.push(rows) });
    seen.push([run!.state, read, (await listed(service)).map(({ name }) => name)]);
  }
  assert.deepEqual(seen, [
    ['kept', [1], ['Blue Heron']],
    ['kept', [1], ['Grey Gull']],
    ['unchanged', [], ['Grey Gull']],
    ['unchanged', [], ['Grey Gull']],
  ]);
});

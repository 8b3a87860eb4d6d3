/** What goes into an index, what stays out, and its statistics. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { BuildRow } from '../../../src/service/search/index/build.ts';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { type IndexBuffers, listTransferables } from '../../../src/service/search/index-buffers.ts';
import { aRow, asking, catalogueOf, manyListings, pageOf, partsOf } from './made-up.ts';

const names = (rows: readonly BuildRow[], suppressed: readonly string[]): string[] =>
  pageOf(catalogueOf(rows, { suppressed }), asking()).map(({ name }) => name);

test('a suppressed key or name is served in no spelling', () => {
  const rows = [
    aRow({ key: 'K1', name: "Joe's Bar" }),
    aRow({ key: 'K2', name: 'Blue Heron' }),
    aRow({ key: 'K3', name: '!!!' }),
    aRow({ key: 'K4', name: '???' }),
  ];
  assert.deepEqual(names(rows, []), ['!!!', '???', 'Blue Heron', "Joe's Bar"]);
  assert.deepEqual(names(rows, ['JOES BAR']), ['!!!', '???', 'Blue Heron']);
  assert.deepEqual(names(rows, ['K2', 'k1']), ['!!!', '???', "Joe's Bar"]);
  assert.deepEqual(names(rows, ['!!!']), ['???', 'Blue Heron', "Joe's Bar"]);
});

test('if two sources use the same key, the order of listings does not depend on the order of the sources', () => {
  const rows = [aRow({ neighborhood: 'Old Town' }), aRow({ neighborhood: 'Bay' })];
  assert.deepEqual(pageOf(catalogueOf(rows.toReversed()), asking()), pageOf(catalogueOf(rows), asking()));
});

test('an answer has filter values in the spelling of the listings, and keeps unknown values', () => {
  const rows = [aRow({ category: 'Cafés', neighborhood: 'Old Town' })];
  const asked = asking({ category: [' cafes'], neighborhood: ['OLD TOWN', 'Atlantis'], status: ['Closed'] });
  const spelled = { category: ['Cafés'], neighborhood: ['Old Town', 'Atlantis'], status: ['closed'] };
  assert.deepEqual(catalogueOf(rows).spellQuestion(asked), { ...asked, ...spelled });
});

test('an index from another thread is transferred, not copied, and gives the same answers', async () => {
  const rows = manyListings(500);
  const worker = new Worker(new URL('./build-thread.ts', import.meta.url), { workerData: rows });
  const [parts] = (await once(worker, 'message')) as [IndexBuffers];
  const asked = asking({ q: 'caf', status: ['open'] });
  const there = openIndex(parts);
  assert.ok(there.search(asked).total > 0);
  assert.deepEqual(there.search(asked), catalogueOf(rows).search(asked));

  const mine = partsOf(rows);
  const filled = () => {
    const names: string[] = [];
    JSON.stringify(mine, (name, value) => {
      if (ArrayBuffer.isView(value) && value.byteLength > 0) names.push(name);
      return value;
    });
    return names;
  };
  assert.ok(filled().includes('combo') && filled().includes('slots'), filled().join());
  structuredClone(mine, { transfer: listTransferables(mine) });
  assert.deepEqual(filled(), []);
});

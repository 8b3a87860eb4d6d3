/** What goes into an index, what stays out, and its statistics. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { type IndexBuffers, listTransferables } from '../../../src/service/search/index-buffers.ts';
import type { BuildRow } from '../../../src/service/search/listing-index.ts';
import { EVERYTHING, perFilter } from '../../../src/shared/question.ts';
import { aRow, asking, catalogueOf, manyListings, pageOf, partsOf } from './made-up.ts';

const names = (rows: readonly BuildRow[], suppressed: readonly string[]): string[] =>
  pageOf(catalogueOf(rows, { suppressed }), asking()).map(({ name }) => name);

test('an open listing expires on the day after its last day, without a filing', () => {
  const rows = [
    aRow({ expiresOn: '2026-03-01' }),
    aRow({ key: 'K2', status: 'closed', expiresOn: '2026-03-01' }),
  ];
  const statuses = (day: string) =>
    catalogueOf(rows, { day })
      .facets(asking())
      .status.map(({ value }) => value);
  assert.deepEqual(statuses('2026-03-01'), ['closed', 'open']);
  assert.deepEqual(statuses('2026-03-02'), ['closed', 'expired']);
});

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

test('a suppressed listing is part of no count, and its words find nothing', () => {
  const catalogue = catalogueOf([aRow(), aRow({ key: 'K2', category: 'Gone' })], { suppressed: ['K2'] });
  assert.equal(catalogue.size, 1);
  assert.equal(catalogue.stats(EVERYTHING).total, 1);
  assert.equal(catalogue.search(asking({ q: 'gone' })).total, 0);
  assert.deepEqual(catalogue.facets(asking()).category, [{ value: 'Restaurants', count: 1 }]);
});

test('listings are sorted by filing date, newest first, then by name and key in code unit order', () => {
  const rows = [
    aRow({ name: '\uffee late in its plane' }),
    aRow({ name: '🍕 of two code units' }),
    aRow({ name: 'b' }),
    aRow({ name: 'B' }),
    aRow({ name: '"quoted"' }),
    aRow({ name: '#1' }),
    aRow({ name: 'newer', filedOn: '2024-03-02' }),
    aRow({ name: 'b', key: 'K0', category: 'Zoos' }),
  ];
  const listed = pageOf(catalogueOf(rows), asking());
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['newer', '"quoted"', '#1', 'B', 'b', 'b', '🍕 of two code units', '\uffee late in its plane'],
  );
  assert.deepEqual(
    listed.filter(({ name }) => name === 'b').map(({ category }) => category),
    ['Zoos', 'Restaurants'],
  );
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

test('counts include months without filings', () => {
  const rows = [aRow({ filedOn: '2025-11-30' }), aRow({ key: 'K2', filedOn: '2026-02-01' })];
  const { total, latestFiling, byMonth } = catalogueOf(rows).stats(EVERYTHING);
  assert.deepEqual({ total, latestFiling }, { total: 2, latestFiling: '2026-02-01' });
  assert.deepEqual(
    byMonth.map(({ value, count }) => `${value} ${count}`),
    ['2026-02 1', '2026-01 0', '2025-12 0', '2025-11 1'],
  );
});

test('an empty index answers every question', () => {
  const catalogue = catalogueOf([]);
  const { total, rows } = catalogue.search(asking({ q: 'blue', status: ['open'] }));
  assert.deepEqual({ total, page: catalogue.readListings(rows) }, { total: 0, page: [] });
  assert.deepEqual(
    catalogue.facets(asking()),
    perFilter(() => []),
  );
  const nothing = {
    total: 0,
    latestFiling: null,
    byMonth: [],
    by: perFilter(() => []),
    warnings: [],
  };
  assert.deepEqual(catalogue.stats(EVERYTHING), nothing);
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

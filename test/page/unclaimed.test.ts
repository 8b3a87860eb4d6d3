/** Answers that claim no more than the register tells. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../an-answer.ts';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { aDoor, CITY } from '../service/web/a-door.ts';
import { pageOf } from './a-page.ts';

const ask = (q: string, rows: Parameters<typeof catalogueOf>[0]) =>
  pageOf(`/?q=${q.replaceAll(' ', '+')}`, { catalogue: catalogueOf(rows) });

test('an expired license or a name given up is no closing, as yes or no or in a comparison', async () => {
  for (const status of ['expired', 'abandoned'] as const) {
    const rows = (['open', 'closed', 'closed', status] as const).map((one, i) =>
      aRow({ key: `${i}`, name: `Alder ${i}`, status: one }),
    );
    for (const q of ['is alder 3 closed', 'is alder 3 still open'])
      assert.match(
        await ask(q, rows),
        /<h1[^>]*>Alder 3, registered [^:<]+: [a-z ]+ \(as filed\)\.<.*may have closed/s,
      );
    const more = await ask('are more businesses closed than open', rows);
    assert.doesNotMatch(more, />(?:Yes|No):/);
    if (status === 'expired')
      assert.match(more, /Neither number has the 1 with the status “license expired”\./);
  }
});

test('most listings of two sides that are the same ones are counted on both, which the answer says', async () => {
  const rows = ['Hotel Motel', 'Motel Hotel', 'Grand Hotel'].map((name, i) => aRow({ key: `${i}`, name }));
  assert.match(await ask('hotel vs motel', rows), /Counted on both sides: 2\./);
  const apart = ['Old Hotel', 'Old Motel'].map((name, i) => aRow({ key: `${i}`, name }));
  assert.doesNotMatch(await ask('hotel vs motel', apart), /Counted on both/);
});

test('the largest of many differences is more often made by chance than one alone', async () => {
  const rows = Array.from({ length: 40 }, (_, i) =>
    aRow({ key: `${i}`, neighborhood: `Ward ${i % 20}`, filedOn: i < 20 ? '2024-03-01' : '2025-03-01' }),
  );
  const more = Array.from({ length: 5 }, (_, i) =>
    aRow({ key: `new ${i}`, neighborhood: 'Lincoln Park', filedOn: '2025-03-01' }),
  );
  assert.match(
    await ask('fastest growing neighborhood', [...rows, ...more]),
    />Nothing clearly grew: Lincoln Park rose most, from 0 to 5 registrations</,
  );
});

test('the data of an archive ends on one day on all pages, though a few filings are later', async () => {
  const rows = Array.from({ length: 200 }, (_, i) =>
    aRow({ key: `${i}`, filedOn: `2025-0${1 + (i % 3)}-${10 + (i % 18)}` }),
  );
  const catalogue = catalogueOf([...rows, aRow({ key: 'late', filedOn: '2025-06-01' })]);
  const city = { ...CITY, archive: true };
  for (const path of ['/', '/about']) {
    const page = await pageOf(path, { catalogue, city });
    assert.match(page, /data (?:(?:up )?to|stops on) March\s27, 2025/, path);
    assert.doesNotMatch(page, /June\s1, 2025/, path);
  }
});

const SAYS =
  /register covers all of Oregon.*businesses of one town.*has not yet compared the listings with the register/;

test('the page calls a pack unchecked until its operator has checked it', async (t) => {
  for (const [words, isSaid] of [
    [{ pack: 'Oregon' }, true],
    [{ pack: 'Oregon', checked: 'live' }, false],
    [{}, false],
  ] as const) {
    const city = { ...CITY, sources: CITY.sources.map((source) => ({ ...source, ...words })) };
    const door = await aDoor(t, { city });
    assert.equal(SAYS.test(await textOf(door.get('/'))), isSaid, JSON.stringify(words));
  }
});

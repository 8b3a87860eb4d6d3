/** The API over a real index: it serves five fields only, whatever the source rows contained. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { schemaOf } from '../../../src/service/web/openapi.ts';
import { jsonOf } from '../../an-answer.ts';
import { aRow } from '../search/made-up.ts';
import { aDoor } from './a-door.ts';

/** Rows that carry more than they should, as a careless profile might deliver them. */
function carelessRows(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    ...aRow({ name: `Café "Nº ${i}" \u2028</script>`, key: `canary-key-${i}`, neighborhood: 'Café Row' }),
    category: ['Restaurants', 'Auto Repair'][i % 2]!,
    expiresOn: i % 3 === 0 ? '2026-11-01' : null,
    owner: 'canary owner',
    phone: 'canary phone',
    // shared by 19 listings, and by all others
    ...{ type: i < 19 ? 'zither canary' : 'marimba tuning' },
  }));
}

test('Shingle serves only five fields, and no request gets another field', async (t) => {
  const { get, paths } = await aDoor(t, { rows: carelessRows(300) });
  const isSearch = Compile(schemaOf('SearchResult'));
  for (const query of [
    ...['', '?offset=275', '?q=cafe+n', '?status=expired&category=restaurants', '?neighborhood=cafe%20row'],
  ]) {
    const body = await jsonOf<{ total: number }>(get(`/api/search${query}`));
    assert.ok(isSearch.Check(body), JSON.stringify(body).slice(0, 500));
    assert.ok(body.total > 0, query);
  }
  assert.ok(Compile(schemaOf('Stats')).Check(await jsonOf<unknown>(get('/api/stats'))));
  for (const path of paths) assert.doesNotMatch(await (await get(path)).text(), /canary/, path);
  const types = await (await get('/docs')).text();
  assert.match(types, /They are: marimba tuning\./);
  assert.equal((await jsonOf<{ total: number }>(get('/api/search?q=marimba'))).total, 281);
  for (const q of ['canary', 'zither', 'owner', 'phone', 'key'])
    assert.equal((await jsonOf<{ total: number }>(get(`/api/search?q=${q}`))).total, 0, q);
});

test('the time of arrival filters searches and dates items of feeds, and is in no listing', async (t) => {
  const rows = carelessRows(60).map((row, i) => ({
    ...row,
    arrivedAt: `2019-08-0${1 + (i % 2)}T13:14:15.000Z`,
    arrival: i + 1,
  }));
  const { get, paths } = await aDoor(t, { rows });
  const total = async (since: string) =>
    (await jsonOf<{ total: number }>(get(`/api/search?added_from=${since}`))).total;
  assert.deepEqual(
    await Promise.all(['2019-08-01', '2019-08-02', '2019-08-02T13:14:15Z', '2019-08-03'].map(total)),
    [60, 30, 30, 0],
  );
  const fields = ['name', 'category', 'neighborhood', 'status', 'filing_date'];
  for (const path of paths) {
    const text = await (await get(`${path}?limit=2`)).text();
    const dates = text.match(/2019-08-0\d(T13:14:15Z)?|20190802131415/g) ?? [];
    assert.equal(dates.length > 0, path.startsWith('/feed.'), path);
  }
  const answer = await jsonOf<unknown>(get('/api/search?added_from=2019-08-02'));
  for (const listing of (answer as { listings: object[] }).listings)
    assert.deepEqual(Object.keys(listing), fields);
});

/** Questions about time: filing dates in a search and in the counts, and counts of what matches. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { schemaOf } from '../../src/web/openapi.ts';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { aDoor } from './a-door.ts';

const isStats = Compile(schemaOf('Stats'));

const DAYS = [
  ...['2014-12-31', '2015-01-01', '2015-02-28', '2015-03-01', '2015-12-31', '2016-01-01', '2016-02-29'],
];
const catalogue = catalogueOf(
  DAYS.map((filedOn, i) =>
    aRow({ key: `K${i}`, filedOn, category: i % 2 === 0 ? 'Restaurants' : 'Auto Repair', status: 'closed' }),
  ),
  { day: '2016-03-15' },
);

type Stats = {
  total: number;
  latest_filing: string | null;
  by_month: { month: string; count: number }[];
  by_category: { category: string; count: number }[];
  by_neighborhood: { neighborhood: string; count: number }[];
  warnings?: { parameter: string; detail: string; did_you_mean?: string }[];
};

test('a filing date can be a day, a month or a year, and both ends are included', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  const days = async (query: string): Promise<string[]> => {
    const response = await get(`/api/search?${query}`);
    assert.equal(response.status, 200, query);
    const { listings } = (await response.json()) as { listings: { filing_date: string }[] };
    return listings.map(({ filing_date }) => filing_date).toReversed();
  };
  assert.deepEqual(await days('filed_from=2015&filed_to=2015'), DAYS.slice(1, 5));
  assert.deepEqual(await days('filed_from=2015-01-01&filed_to=2015-02'), DAYS.slice(1, 3));
  assert.deepEqual(await days('filed_from=2016-02&filed_to=2016-02'), DAYS.slice(6));
  assert.deepEqual(await days('filed_to=2014'), DAYS.slice(0, 1));
  assert.deepEqual(await days('filed_from=2015-12-31&category=Restaurants'), [DAYS[4], DAYS[6]]);
  assert.deepEqual(await days('filed_from=0001&filed_to=9999'), DAYS);
});

test('every interface says how far the data goes', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  const latest = async (path: string) => ((await (await get(path)).json()) as Stats).latest_filing;
  for (const path of ['/api/search', '/api/search?filed_to=2014&limit=0', '/api/stats', '/api/health'])
    assert.equal(await latest(path), '2016-02-29', path);
  assert.equal(await latest('/api/stats?filed_to=2014'), '2014-12-31');
  const texts = await (await get('/llms.txt')).text();
  assert.match(texts, /7 listings, data as of 2026-11-19T04:10:00Z, most recent filing 2016-02-29\./);
});

test('a question about days after the most recent filing finds nothing and says so, and the day itself does not', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  for (const path of ['/api/search', '/api/stats']) {
    const ask = async (query: string) => (await (await get(`${path}?${query}`)).json()) as Stats;
    const late = await ask('filed_from=2016-03-01&category=Restaurants');
    assert.equal(late.total, 0);
    assert.deepEqual(
      late.warnings!.map(({ parameter }) => parameter),
      ['filed_from'],
    );
    assert.match(late.warnings![0]!.detail, /The data ends on 2016-02-29.* from 2016-03-01 on/);
    assert.equal((await ask('filed_from=2016-02-29')).warnings, undefined);
    const turned = (await ask('filed_from=2016-03-01&filed_to=2016-01-01')).warnings!;
    assert.deepEqual([turned.length, /The data ends/.test(turned[0]!.detail)], [1, false]);
  }
  const sentence = 'The data ends on February 29, 2016, the date of the most recent filing.';
  const page = async (query: string) => (await get(`/?${query}`)).text();
  assert.ok((await page('filed_from=2016-03-01')).includes(sentence));
  assert.ok(!(await page('filed_from=2016-02-29')).includes(sentence));
});

test('without listings there is no most recent filing to be after', async (t) => {
  const { get } = await aDoor(t, { catalogue: catalogueOf([]) });
  const found = (await (await get('/api/search?filed_from=2016-03-01')).json()) as Stats;
  assert.deepEqual([found.total, found.latest_filing, found.warnings], [0, null, undefined]);
});

test('days that do not exist are refused, and a range the wrong way round finds nothing and says so', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  for (const value of [
    ...['2015-02-29', '2015-13', '0000', '15', '2015-1', '2015-01-01T00:00', 'May', '2015-1-1', '-2015'],
  ])
    for (const name of ['filed_from', 'filed_to'])
      for (const path of ['/api/search', '/api/stats', '/feed.json', '/feed.xml']) {
        const response = await get(`${path}?${name}=${value}`);
        const { errors } = (await response.json()) as { errors: { parameter: string }[] };
        assert.deepEqual([response.status, errors[0]!.parameter], [400, name], `${path} ${name}=${value}`);
      }
  const { total, warnings } = (await (await get('/api/search?filed_from=2016&filed_to=2015')).json()) as {
    total: number;
    warnings: { parameter: string; detail: string }[];
  };
  assert.equal(total, 0);
  assert.deepEqual(warnings, [
    { parameter: 'filed_from', detail: 'No day is from 2016-01-01 to 2015-12-31.' },
  ]);
});

test('counts follow the filters, cover the months that were asked for, and add up', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  const counts = async (query: string): Promise<Stats> => {
    const stats = (await (await get(`/api/stats?${query}`)).json()) as Stats;
    assert.ok(isStats.Check(stats), JSON.stringify(stats));
    const lists: { count: number }[][] = [stats.by_month, stats.by_category, stats.by_neighborhood];
    for (const list of lists)
      assert.equal(
        list.reduce((sum, { count }) => sum + count, 0),
        stats.total,
        query,
      );
    return stats;
  };
  const year = await counts('category=restaurants&filed_from=2015&filed_to=2015');
  assert.deepEqual([year.total, year.latest_filing], [2, '2015-12-31']);
  assert.equal(year.by_month.length, 12);
  assert.deepEqual(year.by_month[0], { month: '2015-12', count: 1 });
  assert.deepEqual(year.by_month.at(-1), { month: '2015-01', count: 0 });
  assert.deepEqual(year.by_category, [{ category: 'Restaurants', count: 2 }]);
  const open = await counts('filed_from=2016-02');
  assert.deepEqual(open.by_month, [{ month: '2016-02', count: 1 }]);
  const late = await counts('filed_to=9999');
  assert.deepEqual([late.by_month[0]!.month, late.by_month.at(-1)!.month], ['2016-03', '2014-12']);
  const none = await counts('category=Restarants&filed_from=2015&filed_to=2015-02');
  assert.deepEqual([none.total, none.latest_filing, none.by_month.length], [0, null, 2]);
  assert.deepEqual(none.warnings?.[0]?.did_you_mean, 'Restaurants');
  const everything = await counts('');
  assert.equal(everything.total, DAYS.length);
  assert.equal(everything.by_month[0]!.month, '2016-02');
});

test('months reach back to the oldest filing, and a range in which there is nothing has no months before 1900', async (t) => {
  const old = catalogueOf([
    aRow({ key: 'A', filedOn: '1887-03-01' }),
    aRow({ key: 'B', filedOn: '1902-01-31' }),
  ]);
  const { get } = await aDoor(t, { catalogue: old });
  const months = async (query: string) =>
    ((await (await get(`/api/stats?${query}`)).json()) as Stats).by_month;
  const all = await months('filed_from=1800');
  assert.deepEqual([all[0]!.month, all.at(-1)!.month], ['1902-01', '1887-03']);
  assert.equal(
    all.reduce((sum, { count }) => sum + count, 0),
    2,
  );
  assert.deepEqual(
    (await months('filed_from=1900&filed_to=1901')).map(({ count }) => count),
    Array(24).fill(0),
  );
  assert.deepEqual(await months('filed_from=1800&filed_to=1850'), []);
  assert.deepEqual(await months('filed_from=2050'), []);
});

test('without dates months begin where filings do, and the single ones before are counted as earlier', async (t) => {
  const rows = [
    ...['1916-03-01', '1950-07-01', '1950-07-02'],
    ...Array.from({ length: 300 }, () => '2014-05-06'),
    ...['2013-11-30', '2013-11-29', '2013-11-28', '2014-04-01'],
  ].map((filedOn, i) => aRow({ key: `K${i}`, filedOn, name: i < 3 ? 'Old Mill' : 'Shop' }));
  const { get } = await aDoor(t, { catalogue: catalogueOf(rows, { day: '2014-06-01' }) });
  const ask = async (query: string) => {
    const stats = (await (await get(`/api/stats${query}`)).json()) as Stats & { earlier?: number };
    assert.ok(isStats.Check(stats), JSON.stringify(stats));
    const sum = stats.by_month.reduce((all, { count }) => all + count, stats.earlier ?? 0);
    assert.equal(sum, stats.total);
    return [stats.by_month.length, stats.by_month.at(-1)?.month, stats.earlier];
  };
  assert.deepEqual(await ask(''), [7, '2013-11', 3], '3 are 1 % of 300');
  assert.deepEqual(await ask('?q=shop'), [7, '2013-11', undefined]);
  assert.deepEqual(await ask('?q=mill'), [413, '1916-03', undefined]);
  assert.deepEqual(await ask('?filed_to=2014-06'), [1180, '1916-03', undefined]);
  assert.deepEqual(await ask('?q=nothing'), [0, undefined, undefined]);
  const table = (await (await get('/api/stats.csv')).text()).trim().split('\r\n');
  assert.deepEqual([table.length, table.at(-1)], [9, 'before 2013-11,3,,']);
});

test('counts refuse what they do not know, and have an ETag for each question', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  for (const [query, meant] of [
    ['limit=5', undefined],
    ['offset=25', undefined],
    ['zebra=1', undefined],
    ['categry=Restaurants', 'category'],
    ['since=2015', 'filed_from'],
    ['__proto__=1', undefined],
  ] as const) {
    const response = await get(`/api/stats?${query}`);
    const { errors } = (await response.json()) as { errors: { did_you_mean?: string }[] };
    assert.deepEqual([response.status, errors[0]!.did_you_mean], [400, meant], query);
  }
  const etags = await Promise.all(
    ['', '?category=Restaurants', '?status=closed', '?status=closed&category=Restaurants'].map(
      async (query) => (await get(`/api/stats${query}`)).headers.get('etag'),
    ),
  );
  assert.equal(new Set(etags).size, 4);
  const again = await get('/api/stats?category=Restaurants', { headers: { 'If-None-Match': etags[1]! } });
  assert.equal(again.status, 304);
});

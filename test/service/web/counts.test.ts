/** Questions about time: filing dates in a search and in the counts, and counts of what matches. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { schemaOf } from '../../../src/service/web/openapi.ts';
import { jsonOf, textOf } from '../../an-answer.ts';
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
  by_month: Record<string, number>;
  by_category: Record<string, number>;
  by_neighborhood: Record<string, number>;
  by_status: Record<string, number>;
  breakdown?: Record<string, Record<string, number>>;
  warnings?: { code: string; parameter: string; detail: string; did_you_mean?: string; href?: string }[];
};

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0);

/** Counts, of which each list adds up to the total. */
function checkStats(stats: Stats, query: string): Stats {
  assert.ok(isStats.Check(stats), JSON.stringify(stats));
  for (const counts of [stats.by_month, stats.by_category, stats.by_neighborhood, stats.by_status])
    assert.equal(sum(counts), stats.total, query);
  if (stats.breakdown !== undefined)
    assert.equal(
      sum(Object.fromEntries(Object.entries(stats.breakdown).map(([name, one]) => [name, sum(one)]))),
      stats.total,
    );
  return stats;
}

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

test('every interface gives the date of the newest filing', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  const latest = async (path: string) => (await jsonOf<Stats>(get(path))).latest_filing;
  for (const path of ['/api/search', '/api/search?filed_to=2014&limit=0', '/api/stats', '/api/health'])
    assert.equal(await latest(path), '2016-02-29', path);
  assert.equal(await latest('/api/stats?filed_to=2014'), '2014-12-31');
  const texts = await textOf(get('/llms.txt'));
  assert.match(texts, /7 listings, data as of 2026-11-19T04:10:00Z, most recent filing 2016-02-29\./);
});

test('a search after the newest filing finds nothing and says so, and a search on the day of that filing finds it', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  for (const path of ['/api/search', '/api/stats']) {
    const ask = async (query: string) => await jsonOf<Stats>(get(`${path}?${query}`));
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
  const page = (query: string) => textOf(get(`/?${query}`));
  assert.ok((await page('filed_from=2016-03-01')).includes(sentence));
  assert.ok(!(await page('filed_from=2016-02-29')).includes(sentence));
});

test('a city without listings has no most recent filing, and no warning about days after it', async (t) => {
  const { get } = await aDoor(t, { catalogue: catalogueOf([]) });
  const found = await jsonOf<Stats>(get('/api/search?filed_from=2016-03-01'));
  assert.deepEqual([found.total, found.latest_filing, found.warnings], [0, null, undefined]);
});

test('days that do not exist are refused, and a period that ends before it begins finds nothing, with a warning', async (t) => {
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
  const { total, warnings } = await jsonOf<{
    total: number;
    warnings: { parameter: string; detail: string }[];
  }>(get('/api/search?filed_from=2016&filed_to=2015'));
  assert.equal(total, 0);
  assert.deepEqual(warnings, [
    {
      ...{ code: 'reversed-dates', parameter: 'filed_from' },
      detail: 'No day is from 2016-01-01 to 2015-12-31.',
    },
  ]);
});

test('counts apply the filters, cover the requested months, and add up', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  const counts = async (query: string) => checkStats(await jsonOf<Stats>(get(`/api/stats?${query}`)), query);
  const year = await counts('category=restaurants&filed_from=2015&filed_to=2015');
  assert.deepEqual([year.total, year.latest_filing], [2, '2015-12-31']);
  const months = Object.entries(year.by_month);
  assert.deepEqual([months.length, months[0], months.at(-1)], [12, ['2015-12', 1], ['2015-01', 0]]);
  assert.deepEqual(year.by_category, { Restaurants: 2 });
  assert.deepEqual(year.by_status, { closed: 2 });
  const open = await counts('filed_from=2016-02');
  assert.deepEqual(open.by_month, { '2016-02': 1 });
  const late = await counts('filed_to=9999');
  const [newest] = Object.keys(late.by_month);
  assert.deepEqual([newest, Object.keys(late.by_month).at(-1)], ['2016-03', '2014-12']);
  const none = await counts('category=Restarants&filed_from=2015&filed_to=2015-02');
  assert.deepEqual([none.total, none.latest_filing, Object.keys(none.by_month).length], [0, null, 2]);
  assert.deepEqual(none.warnings?.[0]?.did_you_mean, 'Restaurants');
  const everything = await counts('');
  assert.equal(everything.total, DAYS.length);
  assert.equal(Object.keys(everything.by_month)[0], '2016-02');
});

test('months reach back to the oldest filing, and an empty range has no months before 1900', async (t) => {
  const old = catalogueOf([
    aRow({ key: 'A', filedOn: '1887-03-01' }),
    aRow({ key: 'B', filedOn: '1902-01-31' }),
  ]);
  const { get } = await aDoor(t, { catalogue: old });
  const months = async (query: string) =>
    Object.entries(checkStats(await jsonOf<Stats>(get(`/api/stats?${query}`)), query).by_month);
  const all = await months('filed_from=1800');
  assert.deepEqual([all[0]![0], all.at(-1)![0]], ['1902-01', '1887-03']);
  assert.deepEqual(
    (await months('filed_from=1900&filed_to=1901')).map(([, count]) => count),
    Array(24).fill(0),
  );
  assert.deepEqual(await months('filed_from=1800&filed_to=1850'), []);
  assert.deepEqual(await months('filed_from=2050'), []);
});

test('counts begin with the month before which the city has at most 1 % of its listings, and have earlier months only with filings', async (t) => {
  const rows = [
    ...['1916-03-01', '1950-07-01', '1950-07-02'],
    ...['2013-11-30', ...Array.from({ length: 394 }, () => '2014-05-06'), '2014-01-02', '2014-03-01'],
  ].map((filedOn, i) => aRow({ key: `K${i}`, filedOn, name: i < 3 ? 'Old Mill' : 'Shop' }));
  const { get } = await aDoor(t, { catalogue: catalogueOf(rows, { day: '2014-06-01' }) });
  const ask = async (query: string) =>
    Object.keys(checkStats(await jsonOf<Stats>(get(`/api/stats${query}`)), query).by_month);
  const since2013 = ['2014-05', '2014-04', '2014-03', '2014-02', '2014-01'];
  assert.deepEqual(await ask(''), [...since2013, '2013-11', '1950-07', '1916-03'], '4 are 1 % of 400');
  assert.deepEqual(await ask('?q=shop'), [...since2013, '2013-11']);
  assert.deepEqual(await ask('?q=mill'), ['1950-07', '1916-03']);
  assert.deepEqual(await ask('?filed_to=2014-02'), ['2014-02', '2014-01', '2013-11', '1950-07', '1916-03']);
  assert.deepEqual((await ask('?filed_from=1950-06&filed_to=1950-08')).length, 3);
  assert.equal((await ask('?filed_from=1916')).length, 1181, 'every month that was asked for');
  assert.deepEqual(await ask('?q=nothing'), []);
  const table = (await textOf(get('/api/stats.csv'))).trim().split('\r\n');
  assert.deepEqual([table.length, table.at(-1)], [9, '1916-03,1,,1916-03-31']);
});

test('two dimensions can be counted in either order, and a breakdown costs one listing for each count of one', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  const ask = async (query: string) =>
    checkStats(await jsonOf<Stats>(get(`/api/stats?${query}`)), query).breakdown!;
  assert.deepEqual(Object.entries(await ask('by=category,month&filed_from=2015-12')), [
    ['Restaurants', { '2016-02': 1, '2015-12': 1 }],
    ['Auto Repair', { '2016-01': 1 }],
  ]);
  assert.deepEqual(await ask('by=month,category&filed_from=2016'), {
    '2016-02': { Restaurants: 1 },
    '2016-01': { 'Auto Repair': 1 },
  });
  assert.deepEqual(await ask('by=category,%20status'), {
    Restaurants: { closed: 4 },
    'Auto Repair': { closed: 3 },
  });
  assert.deepEqual(await ask('by=status,neighborhood&q=nothing'), {});
  const names = ['month', 'category', 'neighborhood', 'status'];
  for (const outer of names)
    for (const inner of names.filter((name) => name !== outer)) {
      const [pairs, turned] = [await ask(`by=${outer},${inner}`), await ask(`by=${inner},${outer}`)];
      for (const [a, counts] of Object.entries(pairs))
        for (const [b, count] of Object.entries(counts)) assert.equal(turned[b]![a], count);
    }
  for (const by of [
    'month',
    'month,month',
    'month,day',
    'month,category,status',
    ',',
    'month;category',
    'Month,status',
  ]) {
    const refused = await get(`/api/stats?by=${by}`);
    const { errors } = (await refused.json()) as { errors: { parameter: string; detail: string }[] };
    assert.deepEqual([refused.status, errors[0]!.parameter], [400, 'by'], by);
    assert.match(errors[0]!.detail, /two different ones of month, category, .*, such as month,category\.$/);
  }
  const bytes = await (await get('/api/stats.csv?by=category,status')).arrayBuffer();
  const table = Buffer.from(bytes).toString();
  assert.equal(table, '\ufeffcategory,status,count\r\nRestaurants,closed,4\r\nAuto Repair,closed,3\r\n');
});

test('a breakdown of more than 20,000 counts is refused, and the error says how to narrow it', async (t) => {
  const rows = Array.from({ length: 20_001 }, (_, i) =>
    aRow({
      key: `K${i}`,
      category: `Kind ${i % 201}`,
      neighborhood: `Place ${Math.floor(i / 201)}`,
      filedOn: i === 0 ? '2015-01-01' : '2014-01-01',
    }),
  );
  const { get } = await aDoor(t, { catalogue: catalogueOf(rows), limits: 'off' });
  const sized = async (query: string) => (await get(`/api/stats${query}`)).status;
  assert.equal(await sized('?by=category,neighborhood&filed_to=2014'), 200);
  const refused = await get('/api/stats?by=category,neighborhood');
  const { errors } = (await refused.json()) as { errors: object[] };
  assert.deepEqual(errors, [
    {
      parameter: 'by',
      detail:
        'These are 20001 counts, and an answer has at most 20000. Narrow the query, for example with filed_from.',
    },
  ]);
  assert.equal(await sized('.csv?by=category,neighborhood'), 400);
});

/** Questions with a warning each: its code, and the address of what was probably meant. */
const WARNINGS: [query: string, code: string, href?: string][] = [
  ['category=Restarants', 'unknown-value', '?category=Restaurants'],
  [
    'category=Restarants&category=auto+repar&status=closed',
    'unknown-value',
    '?category=Restaurants&category=Auto%20Repair&status=closed',
  ],
  ['status=clsed', 'unknown-value', '?status=closed'],
  ['neighborhood=Zzz', 'unknown-value'],
  ['category=Restarants&neighborhood=Zzz', 'unknown-value'],
  ['category=Restarants&filed_from=2015-03-02&filed_to=2015-03-05', 'unknown-value'],
  ['q=!', 'no-words'],
  ['filed_from=2016&filed_to=2015', 'reversed-dates'],
  ['filed_from=2017', 'after-latest-filing'],
  ['added_from=2016-03-16', 'in-the-future'],
  ['q=heroon', 'misspelled', '?q=heron'],
  ['q=restaurants+2015', 'filter-words', '?category=Restaurants&filed_from=2015-01-01&filed_to=2015-12-31'],
  ['q=heron+xyzzy', 'no-match', '?q=heron'],
  ['q=90210', 'address'],
];

test('every warning of a search or counts has a code and leads to the query that was meant', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  for (const path of ['/api/search', '/api/stats'])
    for (const [query, code, href] of WARNINGS) {
      const { warnings = [] } = await jsonOf<Stats>(get(`${path}?${query}`));
      assert.deepEqual(
        [warnings[0]?.code, warnings[0]?.href],
        [code, href && path + href],
        `${path} ${query}`,
      );
      if (warnings[0]!.href === undefined) continue;
      const meant = await jsonOf<Stats>(get(warnings[0]!.href));
      assert.ok(meant.total > 0 && meant.warnings === undefined, warnings[0]!.href);
    }
  const warn = async (address: string) => (await jsonOf<Stats>(get(address))).warnings!;
  for (const query of ['category=Restarants', 'q=restaurants+2015', 'q=heroon']) {
    const [plain, both] = [
      await warn(`/api/stats?${query}`),
      await warn(`/api/stats?${query}&by=month,status`),
    ];
    assert.equal(both[0]!.href, `${plain[0]!.href}&by=month,status`);
  }
  assert.match(
    (await warn('/api/search?category=Restaurants,Bars'))[0]!.detail,
    / Repeat category for each value\.$/,
  );
  const warnings = await warn('/api/search?status=clsed&limit=30');
  assert.match(warnings[0]!.detail, /Valid values are open, closed, expired, abandoned or unknown\.$/);
  assert.equal(warnings[1]!.code, 'limit-lowered');
});

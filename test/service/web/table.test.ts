/** The counts as a table for a spreadsheet: the numbers of the counts, the year before to the same day, and no formulas. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { aDoor, CITY } from './a-door.ts';

type Facts = [filedOn: string, category: string, neighborhood?: string];

/** A table as a spreadsheet reads it, over listings filed on these days. */
async function tableOf(t: TestContext, facts: readonly Facts[]) {
  const rows = facts.map(([filedOn, category, neighborhood = 'Old Town'], i) =>
    aRow({ key: `K${i}`, filedOn, category, neighborhood, status: 'closed' }),
  );
  const { get } = await aDoor(t, { catalogue: catalogueOf(rows, { day: '2016-03-15' }) });
  return async (query: string): Promise<string[][]> => {
    const text = Buffer.from(await (await get(`/api/stats.csv${query}`)).arrayBuffer());
    return parse(text, { bom: true });
  };
}

const TWO_YEARS: Facts[] = [
  ['2014-12-31', 'Florists'],
  ['2015-02-10', 'Restaurants'],
  ['2015-02-28', 'Florists'],
  ['2015-12-31', 'Restaurants'],
  ['2016-01-05', 'Restaurants'],
  ['2016-02-10', 'Restaurants'],
  ['2016-02-11', 'Restaurants'],
];

test('a table shows each month beside the year before, and the newest month ends with the newest filing', async (t) => {
  const table = await tableOf(t, TWO_YEARS);
  const head = ['month', 'count', 'year_before', 'through'];
  assert.deepEqual(await table('?filed_from=2015-12&filed_to=2016'), [
    head,
    ['2016-03', '0', '', ''],
    ['2016-02', '2', '1', '2016-02-11'],
    ['2016-01', '1', '0', '2016-01-31'],
    ['2015-12', '1', '1', '2015-12-31'],
  ]);
  assert.deepEqual(await table('?category=Florists&by=month&filed_from=2015-02-28&filed_to=2015-02'), [
    head,
    ['2015-02', '1', '', '2015-02-28'],
  ]);
  assert.deepEqual(await table('?q=nothing'), [head]);
  assert.deepEqual(
    (await table('?status=open&status=closed&filed_from=2016-02')).map(([, , before]) => before),
    ['year_before', ''],
    'newer filings had less time to close',
  );
});

test('a table of at most a year shows each value beside the year before, even if only the year before has it', async (t) => {
  const table = await tableOf(t, TWO_YEARS);
  const compared = [
    ['category', 'count', 'year_before'],
    ['Restaurants', '4', '1'],
    ['Florists', '0', '1'],
  ];
  assert.deepEqual(await table('?by=category&filed_from=2015-03'), compared);
  assert.deepEqual(await table('?by=category&filed_from=2015-02-12'), [
    ...compared.slice(0, 2),
    ['Florists', '1', '1'],
  ]);
  for (const query of ['', '&filed_from=2015-02-11', '&filed_to=2016'])
    assert.deepEqual((await table(`?by=neighborhood${query}`))[0], ['neighborhood', 'count'], query);
  assert.equal((await table('?by=category&filed_from=2015-03&status=closed'))[0]!.length, 2);
  assert.deepEqual(await table('?by=status&filed_from=2016'), [
    ['status', 'count'],
    ['closed', '3'],
  ]);
  assert.deepEqual(await table('?by=neighborhood'), [
    ['neighborhood', 'count'],
    ['Old Town', '7'],
  ]);
});

test('a table has no formulas, and keeps quotes, commas and accents', async (t) => {
  const names = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(1)',
    '\tTab',
    '＝1',
    '＋1',
    '－1',
    '＠A',
    ' =1',
    '\n=1',
    ...['"quoted"', 'with, comma', 'with\ncontrol', 'with\rcontrol'],
    'Café Row',
  ];
  const table = await tableOf(
    t,
    names.map((name) => ['2016-01-01', 'Florists', name]),
  );
  const cells = (await table('?by=neighborhood')).slice(1).map(([cell = '']) => cell);
  assert.deepEqual(
    cells.filter((cell) => /^[\s=+\-@＝＋－＠]/.test(cell)),
    [],
  );
  assert.deepEqual(cells.map((cell) => cell.replace(/^'/, '')).toSorted(), names.toSorted());
});

test('the file name of a table has the city and the search', async (t) => {
  const city = { ...CITY, name: 'L’Açor (Río)' };
  const { get } = await aDoor(t, { city });
  const { headers } = await get('/api/stats.csv?by=category');
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  assert.equal(
    headers.get('content-disposition'),
    `attachment; filename="L_A_or _R_o_ by category.csv"; filename*=UTF-8''L%E2%80%99A%C3%A7or%20%28R%C3%ADo%29%20by%20category.csv`,
  );
  const searched = await get(
    '/api/stats.csv?category=Florists&filed_from=2016-01-01&q=%F0%9F%8C%B7'.concat('%F0%9F%8C%B7'.repeat(50)),
  );
  const named = decodeURIComponent(searched.headers.get('content-disposition')!.split("UTF-8''")[1]!);
  assert.match(named, /^L’Açor \(Río\) (🌷)+ Florists 2016-01-01 by month\.csv$/u);
  const both = await get('/api/stats.csv?by=category,status');
  assert.match(both.headers.get('content-disposition')!, / by category and status\.csv"/);
  const long = await get(`/api/stats.csv?q=${'%F0%9F%8C%B7'.repeat(99)}&category=${'x'.repeat(80)}`);
  assert.ok(
    [...decodeURIComponent(long.headers.get('content-disposition')!.split("UTF-8''")[1]!)].length < 150,
  );
});

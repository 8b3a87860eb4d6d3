/** What each answer costs in listings, who has which budget, and what a person reads when it ends. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf, toolCall } from '../../an-answer.ts';
import { aRow } from '../search/made-up.ts';
import { AN_EDITION, aCountingDoor, aDoor, anIndex, type Opened, someRows } from './a-door.ts';

const values = (count: number) => Array.from({ length: count }, (_, i) => `category=${i}`).join('&');

/**
 * 60 listings match `status=open`, three on each of twenty days, twenty of each category, and 12 in no neighborhood. One
 * listing is filed on the first day of each other month of the year.
 */
const COSTS: [path: string, cost: number, init?: RequestInit][] = [
  ['/api/search', 25],
  ['/api/search?limit=3', 3],
  ['/api/search?status=open', 25],
  ['/api/search?offset=25', 25],
  ['/api/search?status=open&limit=0', 1],
  ['/api/search?q=nothing', 1],
  ['/api/search?offset=5000', 1],
  ['/api/search?zebra=1', 0],
  ['/api/stats', 0],
  ['/api/stats?status=open', 10],
  ['/api/stats?category=restaurants&filed_from=2026-11', 1],
  ['/api/stats?q=nothing', 1],
  ['/api/stats?zebra=1', 0],
  ['/api/stats.csv', 1],
  ['/api/stats.csv?by=category', 1],
  ['/api/stats.csv?status=open', 10],
  ['/api/stats.csv?status=open&by=neighborhood&filed_from=2026', 1],
  [`/api/stats.csv?${values(40)}`, 1],
  ['/api/stats.csv?by=day', 0],
  ['/chart.svg', 1],
  ['/chart.png', 1],
  ['/chart.svg?q=shop', 5],
  ['/chart.png?status=open', 10],
  ['/feed.json', 25],
  ['/feed.json?status=open', 25],
  ['/feed.json?q=nothing', 1],
  ['/feed.xml', 25],
  ['/feed.xml?status=open', 25],
  ['/', 25],
  ['/?utm_source=mail', 25],
  ['/?status=open', 25],
  ['/?q=nothing', 1],
  ['/changes', 1],
  ['/embed', 10],
  ['/embed?status=open', 10],
  ['/embed?q=nothing', 1],
  ['/feeds?status=open', 0],
  ['/weekly', 1],
  [`/weekly/${AN_EDITION}`, 25],
  [`/weekly/${AN_EDITION}?category=none`, 1],
  ['/mcp', 25, toolCall('search_listings', {})],
  ['/mcp', 25, toolCall('search_listings', { status: 'open' })],
  ['/mcp', 10, toolCall('count_listings', { status: 'open' })],
  ['/mcp', 1, toolCall('count_listings', {})],
  ['/api', 0],
  ['/docs', 0],
  ['/api/stats?by=category,status', 1],
  ['/api/stats.csv?by=category,neighborhood', 1],
  ['/llms.txt', 0],
  ['/openapi.json', 0],
  ['/api/health', 0],
];

const ROWS = [
  ...someRows(60),
  ...Array.from({ length: 10 }, (_, i) =>
    aRow({
      ...{ key: `M${i}`, name: i % 2 === 0 ? `SHOP M${i}` : `CAFÉ M${i}`, category: 'Restaurants' },
      ...{ neighborhood: 'Café Row', filedOn: `2026-${String(1 + i).padStart(2, '0')}-01` },
    }),
  ),
];

test('on every interface, an answer costs its new names or counts, and only counts of the whole city are free', async (t) => {
  const { get, charged, newClient } = await aCountingDoor(t, { rows: ROWS });
  await get('/docs'); // it asks for its samples when it is first shown, as a client of its own
  for (const [path, cost, init] of COSTS) {
    const what = `${path.slice(0, 60)} ${init?.body ?? ''}`;
    const asker = newClient();
    const ask = (more: Record<string, string> = {}) =>
      get(path, { ...init, headers: { ...init?.headers, ...asker, ...more } });
    const before = charged();
    const { status, headers } = await ask();
    assert.equal(charged() - before, cost, what);
    if (path !== '/mcp') await get(path, { method: 'HEAD', headers: newClient() });
    const paid = charged() - before;
    assert.equal(paid, path === '/mcp' ? cost : 2 * cost, `HEAD: ${what}`);
    if (cost === 0) continue;
    assert.equal(status, 200, what);
    assert.match(headers.get('cache-control')!, /^(private, max-age=\d+|no-store)$/, what);
    assert.equal(headers.get('ratelimit'), '"burst";r=599;t=1', what);
    assert.equal(headers.get('ratelimit-policy'), '"burst";q=600;w=60, "rows";q=2500;w=86400', what);
    for (let i = 0; i < 3; i++) await ask();
    if (path !== '/mcp') assert.equal((await ask({ 'If-None-Match': '*' })).status, 304, what);
    assert.equal(charged() - before, paid, `again: ${what}`);
    if (path === '/mcp') continue;
    const other = newClient();
    const first = await get(path, { headers: { ...other, 'If-None-Match': headers.get('etag')! } });
    assert.deepEqual([first.status, charged() - before], [304, paid], `known: ${what}`);
    await get(path, { headers: { ...other, 'If-None-Match': '*' } });
    assert.equal(charged() - before, paid + cost, `*: ${what}`);
  }
});

test('listings that one interface showed cost nothing in another, and changed counts cost again', async (t) => {
  const rows = someRows(25);
  let current = anIndex(rows);
  const { get, charged, newClient } = await aCountingDoor(t, { catalogue: () => current });
  const asker = newClient();
  const costOf = async (path: string, init?: RequestInit) => {
    const before = charged();
    await get(path, { ...init, headers: { ...init?.headers, ...asker } });
    return charged() - before;
  };
  assert.equal(await costOf('/api/search?status=open'), 25);
  for (const path of ['/embed?status=open', '/api/search?status=open&limit=0'])
    assert.equal(await costOf(path), 0, path);
  assert.equal(await costOf('/mcp', toolCall('search_listings', { status: ['open'] })), 0);
  assert.equal(await costOf('/feed.xml?status=open'), 1, 'how many arrived');
  assert.equal(await costOf(`/weekly/${AN_EDITION}`), 1, 'its counts');
  const counts = '/api/stats?category=Restaurants';
  const price = await costOf(counts);
  assert.ok(price > 0 && (await costOf(counts)) === 0);
  current = anIndex([...rows, aRow({ key: 'new', name: 'NEW SHOP', filedOn: '2026-11-20' })], 'v2');
  assert.equal(await costOf('/api/search?status=open'), 1, 'the new one');
  assert.equal(await costOf('/api/search?status=open&limit=0'), 0);
  assert.ok((await costOf(counts)) >= price);
});

test('a client with an empty budget gets only known answers and counts of the whole city, on every interface', async (t) => {
  const { get, newClient } = await aCountingDoor(t, { limits: { rows: 50 } });
  const asker = newClient();
  assert.equal((await get('/api/search?status=open', { headers: asker })).status, 200);
  for (const [path, cost, init] of COSTS.filter(([, paid]) => paid > 0)) {
    const answer = await get(path, { ...init, headers: { ...init?.headers, ...asker } });
    if (path === '/mcp') assert.match(await answer.text(), /"isError":true/, path);
    else assert.equal(answer.status, 429, path);
    if (path === '/mcp' || cost > 25) continue;
    const etag = (await get(path, { headers: newClient() })).headers.get('etag')!;
    const again = await get(path, { headers: { ...asker, 'If-None-Match': etag } });
    assert.equal(again.status, 304, path);
  }
  const counts = await get('/api/stats', { headers: asker });
  assert.deepEqual(
    [counts.status, counts.headers.get('cache-control'), counts.headers.get('ratelimit')],
    [200, 'public, max-age=300', null],
  );
});

test('the budget is a quarter of the city, and changes with an import', async (t) => {
  let size = 0;
  const catalogue = () => ({ ...anIndex(someRows(60)), size });
  const city = await aDoor(t, { catalogue });
  const policy = async ({ get }: Opened) =>
    Number(/"rows";q=(\d+);/.exec((await get('/api/search')).headers.get('ratelimit-policy')!)![1]);
  const sizes = [0, 10_003, 10_004, 39_999, 40_001, 1_000_000, 12_000, 100];
  const budgets = [];
  for (size of sizes) budgets.push(await policy(city));
  assert.deepEqual(budgets, [2500, 2500, 2501, 9999, 10_000, 10_000, 3000, 2500]);
  for (const [given, budget] of [
    [77, 77],
    [10, 50], // two pages at least
  ] as const) {
    const set = await aDoor(t, { catalogue, limits: { rows: given } });
    for (size of [100, 1_000_000]) assert.equal(await policy(set), budget, 'the profile wins');
  }
});

test('trusted networks get any number of listings, but no more requests than others', async (t) => {
  const trusted = ['203.0.113.0/24', '2001:db8:7::/48', '198.51.100.9'];
  const door = await aDoor(t, { limits: { rows: 50, burst: 30, trusted }, trustProxy: ['127.0.0.0/8'] });
  const ask = (address: string, more = '') =>
    door.get(`/api/search?status=open${more}`, { headers: { 'X-Forwarded-For': address } });
  for (const address of ['203.0.113.7', '::ffff:203.0.113.8', '2001:db8:7:99::1', '198.51.100.9']) {
    for (let i = 1; i <= 30; i++) {
      const { status, headers } = await ask(address);
      assert.deepEqual(
        [status, headers.get('ratelimit-policy'), headers.get('ratelimit')],
        [200, '"burst";q=30;w=60', `"burst";r=${30 - i};t=2`],
        address,
      );
    }
    assert.equal((await ask(address)).status, 429, address);
  }
  for (const address of ['203.0.114.7', '2001:db8:8::1', '198.51.100.10']) {
    assert.equal((await ask(address)).status, 200, address);
    assert.equal((await ask(address, '&offset=25')).status, 429, address);
  }
});

test('a person without a budget reads when it comes back, in the time of the city', async (t) => {
  const door = await aDoor(t, { limits: { rows: 50 } });
  const headers = { Accept: 'text/html' };
  assert.equal((await door.get('/?status=open', { headers })).status, 200);
  door.clock.now += 61_000;
  const refused = await door.get('/?status=open&offset=25', { headers });
  assert.deepEqual([refused.status, refused.headers.get('content-type')], [429, 'text/html; charset=utf-8']);
  assert.equal(refused.headers.get('retry-after'), '86339');
  const page = (await refused.text()).replaceAll(/\s/g, ' ');
  assert.match(page, /used what one connection can see for now, of 50 listings in 24 hours\./);
  assert.match(page, /search again from 7:00 PM on Saturday, November 21 \(Rivermouth time\)\./);
  assert.match(page, /Ask Rivermouth Library to lift the limit for it: listings@rivermouth\.example\./);
  assert.match(page, /https:\/\/data\.rivermouth\.example\/licences/);
  assert.doesNotMatch(page, /seconds|smaller limit|Retry-After/, 'what programs read');
  const program = await textOf(door.get('/api/search?status=open&offset=25'), 429);
  assert.match(program, /Less than a page is left .* Try again in 86339 seconds\./);
});

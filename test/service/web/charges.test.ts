/** What each answer costs in listings, who has which budget, and what a person reads when it ends. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BuildRow } from '../../../src/service/search/index/build.ts';
import type { ListingIndex } from '../../../src/service/search/index/open.ts';
import type { Services } from '../../../src/service/web/context.ts';
import { openMetrics } from '../../../src/service/web/metrics.ts';
import { toolCall } from '../../an-answer.ts';
import { aRow } from '../search/made-up.ts';
import { AN_EDITION, aDoor, anIndex, type Opened, someRows } from './a-door.ts';

type Counted = { door: Opened; charged(): number };

/** A door whose clients are named by the header, and the listings that they were charged for. */
async function aCountingDoor(
  t: TestContext,
  given: Partial<Services> & { rows?: BuildRow[] },
): Promise<Counted> {
  const metrics = openMetrics();
  const door = await aDoor(t, { metrics, trustProxy: ['127.0.0.0/8'], mayEmbed: true, ...given });
  const charged = () => Number(/^shingle_listings_charged_total (\d+)$/m.exec(metrics.text([]))?.[1] ?? 0);
  return { door, charged };
}

let clients = 0;
const aClient = () => ({ 'X-Forwarded-For': `10.0.${++clients >> 8}.${clients & 255}` });

const HEAD = { method: 'HEAD' };
const values = (count: number) => Array.from({ length: count }, (_, i) => `category=${i}`).join('&');

/**
 * 60 listings match `status=open`, three on each of twenty days, twenty of each category, and 12 in no neighborhood. One
 * listing is filed on the first day of each other month of the year.
 */
const COSTS: [path: string, cost: number, init?: RequestInit][] = [
  ['/api/search', 25],
  ['/api/search?limit=3', 3],
  ['/api/search', 25, HEAD],
  ['/api/search?status=open', 25],
  ['/api/search?status=open', 25, HEAD],
  ['/api/search?offset=25', 25],
  ['/api/search?status=open&limit=0', 1],
  ['/api/search?status=open&limit=0', 1, HEAD],
  ['/api/search?q=nothing', 1],
  ['/api/search?offset=5000', 1],
  ['/api/search?zebra=1', 0],
  ['/api/stats', 0],
  ['/api/stats', 0, HEAD],
  ['/api/stats?status=open', 10],
  ['/api/stats?status=open', 10, HEAD],
  ['/api/stats?category=restaurants&filed_from=2026-11', 1],
  ['/api/stats?q=nothing', 1, HEAD],
  ['/api/stats?zebra=1', 0],
  ['/api/stats.csv', 1],
  ['/api/stats.csv?by=category', 1, HEAD],
  ['/api/stats.csv?status=open', 10],
  ['/api/stats.csv?status=open&by=neighborhood&filed_from=2026', 1],
  [`/api/stats.csv?${values(40)}`, 1],
  ['/api/stats.csv?by=day', 0],
  ['/chart.svg', 1],
  ['/chart.png', 1],
  ['/chart.svg?q=shop', 5],
  ['/chart.svg?q=shop', 5, HEAD],
  ['/chart.png?status=open', 10],
  ['/feed.json', 25],
  ['/feed.json?status=open', 25],
  ['/feed.json?q=nothing', 1],
  ['/feed.xml', 25, HEAD],
  ['/feed.xml?status=open', 25, HEAD],
  ['/', 25],
  ['/?utm_source=mail', 25],
  ['/?status=open', 25],
  ['/?status=open', 25, HEAD],
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
  const { door, charged } = await aCountingDoor(t, { rows: ROWS });
  await door.get('/docs'); // it asks for its samples when it is first shown, as a client of its own
  for (const [path, cost, init] of COSTS) {
    const what = `${init?.method ?? 'GET'} ${path.slice(0, 60)} ${init?.body ?? ''}`;
    const asker = aClient();
    const ask = (more: Record<string, string> = {}) =>
      door.get(path, { ...init, headers: { ...init?.headers, ...asker, ...more } });
    const before = charged();
    const { status, headers } = await ask();
    assert.equal(charged() - before, cost, what);
    if (cost === 0) continue;
    assert.equal(status, 200, what);
    assert.match(headers.get('cache-control')!, /^(private, max-age=\d+|no-store)$/, what);
    assert.equal(headers.get('ratelimit'), '"burst";r=599;t=1', what);
    assert.equal(headers.get('ratelimit-policy'), '"burst";q=600;w=60, "rows";q=2500;w=86400', what);
    for (let i = 0; i < 3; i++) await ask();
    if (path !== '/mcp') assert.equal((await ask({ 'If-None-Match': '*' })).status, 304, what);
    assert.equal(charged() - before, cost, `again: ${what}`);
    if (path === '/mcp') continue;
    const known = headers.get('etag')!;
    const other = aClient();
    const first = await door.get(path, { ...init, headers: { ...other, 'If-None-Match': known } });
    assert.deepEqual([first.status, charged() - before], [304, cost], `known: ${what}`);
    await door.get(path, { ...init, headers: { ...other, 'If-None-Match': '*' } });
    assert.equal(charged() - before, 2 * cost, `*: ${what}`);
  }
});

test('listings that one interface showed cost nothing in another, and changed counts cost again', async (t) => {
  let version = 'v1';
  const rows = someRows(25);
  const index = () => anIndex(rows, version);
  let current = index();
  const { door, charged } = await aCountingDoor(t, { catalogue: () => current } as never);
  const asker = aClient();
  const ask = (path: string, init?: RequestInit) =>
    door.get(path, { ...init, headers: { ...init?.headers, ...asker } });
  await ask('/api/search?status=open');
  assert.equal(charged(), 25);
  for (const path of ['/embed?status=open', '/api/search?status=open&limit=0']) await ask(path);
  await ask('/mcp', toolCall('search_listings', { status: ['open'] }));
  assert.equal(charged(), 25);
  await ask('/feed.xml?status=open');
  assert.equal(charged(), 26, 'how many arrived');
  await ask(`/weekly/${AN_EDITION}`);
  assert.equal(charged(), 27, 'its counts');
  version = 'v2';
  rows.push(aRow({ key: 'new', name: 'NEW SHOP', filedOn: '2026-11-20' }));
  current = index();
  await ask('/api/search?status=open');
  assert.equal(charged(), 28, 'the new one');
  await ask('/api/search?status=open&limit=0');
  assert.equal(charged(), 28);
});

test('a client with an empty budget gets only known answers and counts of the whole city, on every interface', async (t) => {
  const { get } = await aDoor(t, { limits: { rows: 50 }, mayEmbed: true, trustProxy: ['127.0.0.0/8'] });
  const asker = aClient();
  assert.equal((await get('/api/search?status=open', { headers: asker })).status, 200);
  for (const [path, cost, init] of COSTS.filter(([, paid]) => paid > 0)) {
    const answer = await get(path, { ...init, headers: { ...init?.headers, ...asker } });
    if (path === '/mcp') assert.match(await answer.text(), /"isError":true/, path);
    else assert.equal(answer.status, 429, `${init?.method ?? 'GET'} ${path}`);
    if (path === '/mcp' || cost > 25) continue;
    const etag = (await get(path, { ...init, headers: aClient() })).headers.get('etag')!;
    const again = await get(path, { headers: { ...asker, 'If-None-Match': etag } });
    assert.equal(again.status, 304, path);
  }
  const counts = await get('/api/stats', { headers: asker });
  assert.deepEqual(
    [counts.status, counts.headers.get('cache-control'), counts.headers.get('ratelimit')],
    [200, 'public, max-age=300', null],
  );
});

/** The plain index with another size, which is all that the budget depends on. */
const cityOf = (size: number): ListingIndex => ({ ...anIndex(someRows(60)), size });

test('the budget is a quarter of the city, and changes with an import', async (t) => {
  let size = 0;
  const city = await aDoor(t, { catalogue: () => cityOf(size) });
  const policy = async (door: Opened) =>
    Number(/"rows";q=(\d+);/.exec((await door.get('/api/search')).headers.get('ratelimit-policy')!)![1]);
  for (const [listings, budget] of [
    ...[
      [0, 2500],
      [10_003, 2500],
      [10_004, 2501],
      [39_999, 9999],
      [40_001, 10_000],
    ],
    ...[
      [1_000_000, 10_000],
      [12_000, 3000],
      [100, 2500],
    ],
  ] as const) {
    size = listings;
    assert.equal(await policy(city), budget, `${listings} listings`);
  }
  const set = await aDoor(t, { catalogue: () => cityOf(size), limits: { rows: 77 } });
  for (size of [100, 1_000_000]) assert.equal(await policy(set), 77, 'the profile wins');
});

test('trusted networks get any number of listings, but no more requests than others', async (t) => {
  const trusted = ['203.0.113.0/24', '2001:db8:7::/48', '198.51.100.9'];
  const door = await aDoor(t, { limits: { rows: 50, burst: 30, trusted }, trustProxy: ['127.0.0.0/8'] });
  const ask = (address: string) =>
    door.get('/api/search?status=open', { headers: { 'X-Forwarded-For': address } });
  for (const address of ['203.0.113.7', '::ffff:203.0.113.8', '2001:db8:7:99::1', '198.51.100.9']) {
    for (let i = 1; i <= 30; i++) {
      const { status, headers } = await ask(address);
      assert.equal(status, 200, address);
      assert.equal(headers.get('ratelimit-policy'), '"burst";q=30;w=60');
      assert.equal(headers.get('ratelimit'), `"burst";r=${30 - i};t=2`);
    }
    assert.equal((await ask(address)).status, 429, address);
  }
  for (const address of ['203.0.114.7', '2001:db8:8::1', '198.51.100.10']) {
    assert.equal((await ask(address)).status, 200, address);
    const next = { headers: { 'X-Forwarded-For': address } };
    assert.equal((await door.get('/api/search?status=open&offset=25', next)).status, 429, address);
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
  const program = await door.get('/api/search?status=open&offset=25');
  const { detail } = (await program.json()) as { detail: string };
  assert.match(detail, /Less than a page is left .* Try again in 86339 seconds\./);
});

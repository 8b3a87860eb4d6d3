/** What each answer costs in listings, who has which budget, and what a person reads when it ends. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListingIndex } from '../../src/search/listing-index.ts';
import { AN_EDITION, aDoor, anIndex, type Opened, someRows } from './a-door.ts';

const AGENT = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

function tool(name: string, given: object): RequestInit {
  const params = { name, arguments: given };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return { method: 'POST', headers: AGENT, body };
}

/** The listings left, asked without paying: a 304 is free. */
async function left({ get }: Opened, headers: Record<string, string> = {}): Promise<number> {
  const known = await get('/api/search?status=open', { headers: { 'If-None-Match': '*', ...headers } });
  assert.equal(known.status, 304);
  return Number(/"rows";r=(\d+)/.exec(known.headers.get('ratelimit')!)![1]);
}

const HEAD = { method: 'HEAD' };
const values = (count: number) => Array.from({ length: count }, (_, i) => `category=${i}`).join('&');

/** 60 listings match `status=open`. A page of 25 costs 25. */
const COSTS: [path: string, cost: number, init?: RequestInit][] = [
  ['/api/search', 1],
  ['/api/search?limit=3', 1],
  ['/api/search', 1, HEAD],
  ['/api/search?status=open', 25],
  ['/api/search?status=open', 25, HEAD],
  ['/api/search?offset=25', 25],
  ['/api/search?status=open&limit=3', 3],
  ['/api/search?status=open&limit=0', 1],
  ['/api/search?status=open&limit=0', 1, HEAD],
  ['/api/search?q=nothing', 1],
  ['/api/search?offset=5000', 1],
  ['/api/search?zebra=1', 0],
  ['/api/stats', 0],
  ['/api/stats', 0, HEAD],
  ['/api/stats?status=open', 1],
  ['/api/stats?q=nothing', 1, HEAD],
  ['/api/stats?zebra=1', 0],
  ['/api/stats.csv', 1],
  ['/api/stats.csv?by=category', 1, HEAD],
  ['/api/stats.csv?status=open&by=neighborhood&filed_from=2026', 1],
  [`/api/stats.csv?${values(40)}`, 16],
  ['/api/stats.csv?by=day', 0],
  ['/chart.svg', 1],
  ['/chart.png', 10],
  ['/chart.svg?q=shop', 1, HEAD],
  ['/feed.json', 1],
  ['/feed.json?status=open', 25],
  ['/feed.json?q=nothing', 1],
  ['/feed.xml', 1, HEAD],
  ['/feed.xml?status=open', 25, HEAD],
  ['/', 1],
  ['/?utm_source=mail', 1],
  ['/?status=open', 25],
  ['/?status=open', 25, HEAD],
  ['/?q=nothing', 1],
  ['/embed', 1],
  ['/embed?status=open', 10],
  ['/embed?q=nothing', 1],
  ['/feeds?status=open', 0],
  ['/weekly', 1],
  [`/weekly/${AN_EDITION}`, 25],
  [`/weekly/${AN_EDITION}?category=none`, 1],
  ['/mcp', 1, tool('search_listings', {})],
  ['/mcp', 25, tool('search_listings', { status: 'open' })],
  ['/mcp', 1, tool('count_listings', { status: 'open' })],
  ['/mcp', 1, tool('count_listings', {})],
  [`/api/stats?${values(25)}`, 1],
  [`/api/stats?${values(40)}`, 16],
  [`/?${values(100)}`, 76],
  [`/?${values(100)}&status=open`, 77],
  ['/docs', 0],
  ['/llms.txt', 0],
  ['/openapi.json', 0],
  ['/api/health', 0],
];

test('every answer about a search costs its listings, and at least one, through every door; only the whole city’s counts are free', async (t) => {
  const door = await aDoor(t, { limits: { burst: 1000 }, mayEmbed: true });
  for (const [path, cost, init] of COSTS) {
    const what = `${init?.method ?? 'GET'} ${path.slice(0, 60)} ${init?.body ?? ''}`;
    const before = await left(door);
    const { status, headers } = await door.get(path, init);
    const after = await left(door);
    assert.equal(before - after, cost, what);
    if (cost === 0) continue;
    assert.equal(status, 200, what);
    assert.match(headers.get('cache-control')!, /^(private, max-age=\d+|no-store)$/, what);
    assert.match(headers.get('ratelimit')!, new RegExp(`"rows";r=${after};`), what);
    assert.equal(headers.get('ratelimit-policy'), '"burst";q=1000;w=60, "rows";q=2500;w=86400', what);
  }
});

test('without a listing left every door is closed, and a known answer and the whole city’s counts stay free', async (t) => {
  const { get, clock } = await aDoor(t, { limits: { rows: 25 }, mayEmbed: true });
  const etags = new Map<string, string>();
  for (const [path, cost, init] of COSTS) {
    if (cost > 0 && cost <= 25 && init === undefined) etags.set(path, (await get(path)).headers.get('etag')!);
    clock.now += 24 * 3_600_000;
  }
  assert.equal((await get('/api/search?status=open')).status, 200);
  for (const [path, cost, init] of COSTS.filter(([, paid]) => paid > 0)) {
    const answer = await get(path, init);
    if (path === '/mcp') assert.match(await answer.text(), /"isError":true/, path);
    else assert.equal(answer.status, 429, `${init?.method ?? 'GET'} ${path}`);
    const etag = etags.get(path);
    if (etag === undefined || cost > 25) continue;
    const again = await get(path, { headers: { 'If-None-Match': etag } });
    assert.deepEqual([again.status, /r=0/.test(again.headers.get('ratelimit')!)], [304, true], path);
  }
  const counts = await get('/api/stats');
  assert.deepEqual(
    [counts.status, counts.headers.get('cache-control'), counts.headers.get('ratelimit')],
    [200, 'public, max-age=300', null],
  );
});

/** The plain index with another size, which is all that the budget depends on. */
const cityOf = (size: number): ListingIndex => ({ ...anIndex(someRows(60)), size });

test('the budget is a quarter of the city, and follows an import without forgetting what was used', async (t) => {
  let size = 0;
  const city = await aDoor(t, { catalogue: () => cityOf(size) });
  const policy = async (door: Opened) =>
    Number(/"rows";q=(\d+);/.exec((await door.get('/api/search')).headers.get('ratelimit-policy')!)![1]);
  let used = 0;
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
    await city.get('/api/search?status=open');
    used += 26;
    assert.equal(await left(city), budget - used, `${listings} listings`);
  }
  const set = await aDoor(t, { catalogue: () => cityOf(size), limits: { rows: 77 } });
  for (size of [100, 1_000_000]) assert.equal(await policy(set), 77, 'the profile wins');
});

test('trusted networks see any number of listings, but send no more requests than others', async (t) => {
  const trusted = ['203.0.113.0/24', '2001:db8:7::/48', '198.51.100.9'];
  const door = await aDoor(t, { limits: { rows: 25, burst: 30, trusted }, trustProxy: ['127.0.0.0/8'] });
  const ask = (address: string) =>
    door.get('/api/search?status=open', { headers: { 'X-Forwarded-For': address } });
  for (const address of ['203.0.113.7', '::ffff:203.0.113.8', '2001:db8:7:99::1', '198.51.100.9']) {
    for (let i = 1; i <= 30; i++) {
      const { status, headers } = await ask(address);
      assert.equal(status, 200, address);
      assert.equal(headers.get('ratelimit-policy'), '"burst";q=30;w=60');
      assert.equal(headers.get('ratelimit'), `"burst";r=${30 - i};t=60`);
    }
    assert.equal((await ask(address)).status, 429, address);
  }
  for (const address of ['203.0.114.7', '2001:db8:8::1', '198.51.100.10']) {
    assert.equal((await ask(address)).status, 200, address);
    assert.equal((await ask(address)).status, 429, address);
  }
});

test('a person whose budget has ended reads when it begins again, by the clock of the city', async (t) => {
  const door = await aDoor(t, { limits: { rows: 30 } });
  const headers = { Accept: 'text/html' };
  assert.equal((await door.get('/?status=open', { headers })).status, 200);
  door.clock.now += 61_000;
  const refused = await door.get('/?status=open', { headers });
  assert.deepEqual([refused.status, refused.headers.get('content-type')], [429, 'text/html; charset=utf-8']);
  assert.equal(refused.headers.get('retry-after'), '86339');
  const page = (await refused.text()).replaceAll(/\s/g, ' ');
  assert.match(page, /used all but 5 of the 30 listings that one connection can see in 24 hours\./);
  assert.match(page, /search again from 4:00 AM on Saturday, November 21 \(Rivermouth time\)\./);
  assert.match(page, /Ask Rivermouth Library to lift the limit for it: listings@rivermouth\.example\./);
  assert.match(page, /https:\/\/data\.rivermouth\.example\/licences/);
  assert.doesNotMatch(page, /seconds|smaller limit|Retry-After/, 'what programs read');
  const program = await door.get('/api/search?status=open');
  const { detail } = (await program.json()) as { detail: string };
  assert.match(detail, /counts as 25 listings, and you have 5 left .* Try again in 86339 seconds\./);
});

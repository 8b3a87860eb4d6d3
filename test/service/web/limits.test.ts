/** The rate limits of one client, and the ways to get around them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openLimiter } from '../../../src/service/web/limits/limiter.ts';
import type { Question } from '../../../src/shared/question.ts';
import { aRow } from '../search/made-up.ts';
import { aDoor, anIndex, someRows } from './a-door.ts';
import { aLimiter } from './a-limiter.ts';

const DAY_MS = 24 * 3_600_000;

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a blocked client stays blocked while a million others arrive, in memory that does not grow', () => {
  const { clock, limiter, client: blocked, take } = aLimiter();
  for (let left = 600; left > 0; left--) assert.ok(limiter.spend(blocked, 'burst'));
  for (let left = 20; left > 0; left--) assert.ok(limiter.spend(blocked, 'signup'));
  let got = 0;
  const takeAll = () => {
    while (take(blocked, 25)) got += 25;
  };
  takeAll();
  assert.equal(got, 5000);
  assert.ok(limiter.bytes <= 24 * 2 ** 20, `${limiter.bytes} bytes`);
  let refused = 0;
  const comeBy = (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const other = limiter.client(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
      if (!limiter.spend(other, 'burst') || !take(other, 25)) refused++;
    }
  };
  const held = () => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  comeBy(0, 50_000); // compiled
  const before = held();
  for (let i = 50_000; i < 500_000; i += 50_000) {
    comeBy(i, i + 50_000);
    assert.ok(!limiter.spend(blocked, 'burst') && !take(blocked, 1) && !limiter.spend(blocked, 'signup'));
  }
  clock.now += 60_000;
  assert.ok(limiter.spend(blocked, 'burst') && !take(blocked, 1));
  for (let i = 500_000; i < 1_000_000; i += 20_000) {
    clock.now = 60_000 + ((i - 500_000) / 500_000) * (DAY_MS - 120_000);
    comeBy(i, i + 20_000);
    takeAll();
  }
  const grownBy = held() - before;
  assert.ok(grownBy < 4 * 2 ** 20, `a million clients left ${grownBy} bytes`);
  assert.ok(got > 9700 && got <= 10_000, `the blocked client got ${got} listings in a day`);
  assert.ok(refused < 10, `${refused} of a million honest clients were refused`); // those who share both cells of the blocked one
});

test('an error over the request limit says when to try again and where to get all data', async (t) => {
  const { get, clock } = await aDoor(t, { limits: { burst: 5 } });
  for (let i = 0; i < 5; i++) assert.equal((await get('/api/search')).status, 200);
  const told = ['retry-after', 'cache-control', 'ratelimit-policy', 'ratelimit'];
  for (const path of ['/api/search', '/api/stats', '/nowhere', '/']) {
    const response = await get(path);
    assert.deepEqual(
      [response.status, ...told.map((name) => response.headers.get(name))],
      [429, '12', 'no-store', '"burst";q=5;w=60, "rows";q=2500;w=86400', '"burst";r=0;t=12'],
      path,
    );
    const body = (await response.json()) as { type: string; detail: string };
    assert.match(body.type, /quota-exceeded$/);
    assert.match(body.detail, /Try again in 12 seconds\..*https:\/\/data\.rivermouth\.example\/licences/);
  }
  assert.equal((await get('/api/health')).status, 200);
  clock.now += 11_000;
  const soon = await get('/api/search');
  assert.equal(soon.headers.get('retry-after'), '1');
  assert.match(((await soon.json()) as { detail: string }).detail, /Try again in 1 second\./);
  clock.now += 1000;
  assert.equal((await get('/api/search')).status, 200);
});

test('with less than a page left, every question gets the same refusal, and no search runs', async (t) => {
  let found = 0;
  const index = anIndex(someRows(200));
  const search = (question: Question) => {
    found++;
    return index.search(question);
  };
  const { get } = await aDoor(t, { limits: { rows: 50 }, catalogue: { ...index, search } });
  assert.equal((await get('/api/search')).status, 200);
  const asked = found;
  const told = async (path: string) => {
    const { status, headers } = await get(path);
    return [status, headers.get('retry-after'), headers.get('content-length')].join(' ');
  };
  const questions = ['q=shop', 'q=zebra', 'q=s*', 'status=open'];
  const paths = ['/api/search', '/api/stats', '/api/stats.csv', '/feed.json', '/', '/changes', '/chart.svg'];
  for (const path of paths) {
    const all = new Set(await Promise.all(questions.map((question) => told(`${path}?${question}`))));
    assert.equal(all.size, 1, [path, ...all].join('\n'));
    assert.match([...all].join(), /^429 86400 /);
  }
  assert.equal(found, asked, 'nothing was searched for');
});

test('a refusal that names its price costs a page', async (t) => {
  const rows = Array.from({ length: 60 }, (_, i) =>
    aRow({ key: String(i), name: `Shop ${i}`, category: `Kind ${i}` }),
  );
  const { get } = await aDoor(t, { limits: { rows: 110 }, rows });
  assert.equal((await get('/api/search?q=shop')).status, 200); // 30 of 55 are left
  const refused = await get('/api/stats?q=shop&by=category,status');
  assert.match(await refused.text(), /up to 120 listings.* Asking for it counted as 25\./);
  assert.equal((await get('/api/search?q=shop&offset=25')).status, 429);
});

test('RateLimit and refusals do not reveal whether a neighbor behind the address was served an answer', async (t) => {
  const told = async (neighborAsks: boolean) => {
    const { get } = await aDoor(t, { limits: { rows: 120 }, rows: someRows(200) });
    if (neighborAsks) await get('/api/search?q=shop');
    else await get('/api/search?q=nothing&limit=0');
    const texts: string[] = [];
    for (const query of ['q=shop', 'q=shop&limit=3', 'status=open', 'q=caf*', 'q=shop']) {
      const { status, headers } = await get(`/api/search?${query}`);
      const seen = ['ratelimit', 'ratelimit-policy', 'retry-after', 'etag'].map((name) => headers.get(name));
      if (query !== 'q=shop' || texts.length === 0) texts.push([status, ...seen].join(' '));
    }
    return texts.slice(0, 3);
  };
  assert.deepEqual(await told(true), await told(false));
});

test('a client that repeats demanding requests is refused once it has used its share of the processor', async (t) => {
  const clocks = { cpu: 0, wallMs: () => 0, cpuMs: () => (clocks.cpu += 29 / 4) };
  const door = await aDoor(t, { clocks, trustProxy: ['127.0.0.0/8'] });
  const ask = (client: string) => door.get('/api/search?q=shop', { headers: { 'X-Forwarded-For': client } });
  let response = await ask('203.0.113.7');
  for (let served = 0; response.status === 200 && served < 600; served++) response = await ask('203.0.113.7');
  assert.equal(response.status, 429);
  assert.ok(Number(response.headers.get('retry-after')) <= 2);
  assert.match(await response.text(), /too much computing time/);
  assert.equal((await ask('203.0.113.8')).status, 200);
  door.clock.now += 2000;
  assert.equal((await ask('203.0.113.7')).status, 200);
});

test('the queue stores a small number for a client, and each process gives it another number', () => {
  const { limiter: one } = aLimiter();
  const other = openLimiter({}, Date.now, { secret: 'another' });
  const numbersOf = (limiter: typeof one, addresses: readonly string[]) =>
    addresses.map((address) => limiter.queueOf(limiter.client(address))!);
  const site = numbersOf(one, ['2001:db8:1::1', '2001:db8:1:ff00::1', '2001:db8:1:a::']);
  assert.equal(new Set(site).size, 1, 'an IPv6 /48 is one');
  const hosts = Array.from({ length: 200 }, (_, i) => `203.0.113.${i}`);
  const numbers = numbersOf(one, hosts);
  assert.ok(new Set(numbers).size > 190, 'IPv4 addresses are told apart');
  assert.ok(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < 65_536));
  const same = numbersOf(other, hosts).filter((number, i) => number === numbers[i]);
  assert.ok(same.length < 5, `${same.length} of 200 are the same in another process`);
});

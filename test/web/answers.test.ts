/** What all responses have in common: methods, headers, caching, errors, and the other resources. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { schemaOf } from '../../src/web/openapi.ts';
import { PROBLEMS } from '../../src/web/problems.ts';
import { aSignupServer } from '../mail/a-mailing.ts';
import { aRow } from '../search/made-up.ts';
import { aDoor, anIndex, CITY, someRows } from './a-door.ts';
import { exchange, statuses } from './wire.ts';

const OPEN = [
  '/api/search',
  '/api/stats',
  '/api/stats.csv',
  '/api/health',
  '/feed.json',
  '/feed.xml',
  '/openapi.json',
];

test('stats add up and health says so, each as its schema promises', async (t) => {
  const { get } = await aDoor(t);
  const stats = (await (await get('/api/stats')).json()) as Record<string, { count: number }[]>;
  assert.ok(Compile(schemaOf('Stats')).Check(stats));
  assert.deepEqual(Object.keys(stats), [
    ...['total', 'data_as_of', 'latest_filing', 'by_month', 'by_category', 'by_neighborhood'],
  ]);
  for (const name of ['by_month', 'by_category', 'by_neighborhood'])
    assert.equal(
      stats[name]!.reduce((sum, { count }) => sum + count, 0),
      60,
    );
  const health = await get('/api/health');
  assert.equal(health.headers.get('cache-control'), 'no-store');
  const body = await health.json();
  assert.ok(Compile(schemaOf('Health')).Check(body));
  assert.deepEqual(body, {
    status: 'ok',
    listings: 60,
    data_as_of: '2026-11-19T04:10:00Z',
    latest_filing: '2026-11-20',
    version: '1.0.0',
  });
});

test('before the first run the port is open and says it is not ready', async (t) => {
  const { get } = await aDoor(t, { catalogue: null });
  for (const path of ['/api/search', '/api/stats', '/api/search?nonsense=1']) {
    const response = await get(path);
    assert.equal(response.status, 503);
    assert.match(response.headers.get('retry-after')!, /^\d+$/);
    assert.match(((await response.json()) as { type: string }).type, /not-ready$/);
  }
  const health = await get('/api/health');
  assert.equal(health.status, 503);
  assert.deepEqual(await health.json(), {
    ...{ status: 'fail', listings: 0, version: '1.0.0' },
    ...{ data_as_of: null, latest_filing: null },
  });
  const page = await get('/');
  assert.equal(page.status, 503);
  assert.match(await page.text(), /first filings are being loaded/);
});

test('health reports problems while requests are still answered', async (t) => {
  const { get } = await aDoor(t, { health: () => ({ status: 'warn', detail: ['run 3 was held', 'old'] }) });
  const health = await get('/api/health');
  assert.equal(health.status, 200);
  const body = (await health.json()) as { status: string; detail: string };
  assert.deepEqual([body.status, body.detail], ['warn', 'run 3 was held; old']);
});

test('other origins may read the API, the feeds and the document, and nothing else', async (t) => {
  const { get, paths } = await aSignupServer(t);
  for (const path of paths) {
    const { headers } = await get(path, { headers: { Origin: 'https://elsewhere.example' } });
    const isOpen = OPEN.includes(path);
    assert.equal(headers.get('access-control-allow-origin'), isOpen ? '*' : null, path);
    assert.equal(
      headers.get('access-control-expose-headers'),
      isOpen ? 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After' : null,
    );
    assert.equal(headers.get('access-control-allow-credentials'), null);
    const preflight = await get(path, { method: 'OPTIONS' });
    assert.equal(preflight.headers.get('access-control-allow-origin'), isOpen ? '*' : null, path);
    assert.equal(preflight.headers.get('access-control-allow-methods'), isOpen ? 'GET, HEAD' : null);
    assert.equal(preflight.headers.get('access-control-allow-headers'), isOpen ? '*' : null);
  }
  for (const [path, status, method] of [
    ['/api/search?zebra=1', 400, 'GET'],
    ['/api/stats', 405, 'POST'],
    ['/api/nowhere', 404, 'GET'],
  ] as const) {
    const wrong = await get(path, { method });
    assert.deepEqual([wrong.status, wrong.headers.get('access-control-allow-origin')], [status, '*'], path);
  }
  const typed = await get('/api/search', { headers: { 'Content-Type': 'application/json' } });
  assert.equal(typed.status, 200, 'a GET that names the type of a body it does not have');
});

/** For pages, which run their own script and send their own forms; whatever else is opened as a page can do nothing at all. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const POLICY = "default-src 'none'; frame-ancestors 'none'";

test('every response forbids guessing its type, and pages allow only their own script', async (t) => {
  const { get, paths, port } = await aSignupServer(t, { limits: 'off' });
  const unready = await aSignupServer(t, { catalogue: null });
  const people = { headers: { accept: 'text/html' } };
  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
  const answers: [path: string, answer: Response][] = [];
  const asks = async (path: string, init: RequestInit = {}, from = get) =>
    answers.push([path, await from(path, init)]);
  for (const path of [...paths, '/nowhere', '/api/nowhere', '/api/search?zebra=1', `/${'a'.repeat(2100)}`]) {
    for (const init of [{}, people, { method: 'DELETE', ...people }]) await asks(path, init);
  }
  for (const path of ['/', '/api/search', '/api/health', '/nowhere']) await asks(path, people, unready.get);
  for (const email of ['ann@b.example', 'nobody']) await asks('/signup', form({ email, type: 'weekly' }));
  for (const path of ['/confirm', '/unsubscribe', '/manage']) await asks(`${path}?token=x`, form({}));
  await asks('/api/signup', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  const kinds = new Map<string, number>();
  for (const [path, { headers, status }] of answers) {
    const what = `${status} ${path.slice(0, 60)}`;
    const type = headers.get('content-type')!.split(';', 1)[0]!;
    kinds.set(type, (kinds.get(type) ?? 0) + 1);
    assert.equal(headers.get('content-security-policy'), type === 'text/html' ? PAGE_POLICY : POLICY, what);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
    if (/^\/(api|feed)/.test(path)) assert.equal(headers.get('x-robots-tag'), 'noindex', what);
  }
  assert.deepEqual([...kinds.keys()].toSorted(), [
    ...['application/atom+xml', 'application/feed+json', 'application/json', 'application/problem+json'],
    ...['image/png', 'image/svg+xml', 'image/x-icon', 'text/css', 'text/csv'],
    ...['text/html', 'text/javascript', 'text/markdown', 'text/plain'],
  ]);
  const raw = await exchange(port, 'GET / HTTP/1.1\r\nX\r\n\r\n');
  assert.match(raw, new RegExp(`\r\nContent-Security-Policy: ${RegExp.escape(POLICY)}\r\n`, 'i'));
});

test('the same address has the same ETag and gets 304', async (t) => {
  const { get } = await aDoor(t);
  for (const path of ['/api/search?q=shop&limit=25', '/api/stats', '/api/stats.csv', '/openapi.json']) {
    const first = await get(path);
    const etag = first.headers.get('etag')!;
    assert.match(etag, /^"[\w-]+"$/);
    for (const given of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      const again = await get(path, { headers: { 'If-None-Match': given } });
      assert.equal(again.status, 304, `${path} ${given}`);
      assert.equal(again.headers.get('etag'), etag);
      assert.equal(again.headers.get('cache-control'), first.headers.get('cache-control'));
      assert.equal(again.headers.get('content-type'), null);
      assert.equal((await again.arrayBuffer()).byteLength, 0);
    }
    for (const given of ['"a"', etag.slice(1, -1), ''])
      assert.equal((await get(path, { headers: { 'If-None-Match': given } })).status, 200);
  }
  const etagOf = async (query: string) => (await get(`/api/search${query}`)).headers.get('etag');
  assert.notEqual(await etagOf('?limit=26&q=shop'), await etagOf('?q=shop'));
  assert.notEqual(await etagOf('?q=shop&category=a'), await etagOf('?category=shop&q=a'));
  const star = await get('/api/search?zebra=1', { headers: { 'If-None-Match': '*' } });
  assert.equal(star.status, 400);
});

test('new data and a new day change every ETag that depends on them', async (t) => {
  let catalogue = anIndex(someRows(3), 'v1');
  const { get } = await aDoor(t, { catalogue: () => catalogue });
  const etags = async () =>
    Promise.all(['/api/search', '/api/stats'].map(async (path) => (await get(path)).headers.get('etag')));
  const seen = [await etags()];
  catalogue = anIndex(someRows(4), 'v2');
  seen.push(await etags());
  catalogue = { ...catalogue, day: '2026-11-21' };
  seen.push(await etags());
  assert.equal(new Set(seen.flat()).size, 6);
  assert.equal(((await (await get('/api/stats')).json()) as { total: number }).total, 4);
});

test('only cacheable responses are cacheable', async (t) => {
  const { get } = await aDoor(t);
  const search = await get('/api/search');
  assert.equal(search.headers.get('cache-control'), 'private, max-age=60');
  const stats = await get('/api/stats');
  assert.equal(stats.headers.get('cache-control'), 'public, max-age=300');
  assert.equal(stats.headers.get('ratelimit'), null);
});

test('every problem has the page its type leads to', async (t) => {
  const { get } = await aDoor(t);
  for (const [code, { title, status }] of Object.entries(PROBLEMS)) {
    const page = await get(`/problems/${code}`);
    assert.equal(page.status, 200);
    const text = await page.text();
    assert.ok(text.includes(title) && text.includes(String(status)));
  }
  const { type } = (await (await get('/nowhere')).json()) as { type: string };
  assert.equal(type, 'https://rivermouth.example/problems/not-found');
});

test('the page escapes names, and names the publisher', async (t) => {
  const { get } = await aDoor(t, { rows: [aRow({ name: `<script>alert(1)</script>"'&` })] });
  const response = await get('/?utm_source=x');
  assert.equal(response.status, 200);
  const text = await response.text();
  assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'));
  assert.doesNotMatch(text, /<script>|<Rivermouth/);
  assert.ok(text.includes('City of &lt;Rivermouth&gt;') && text.includes(CITY.sources[0]!.homepage));
});

test('a failure reveals no details to the client, and the log contains nothing about the client', async (t) => {
  const broken = {
    ...anIndex([]),
    search(): never {
      throw new Error('cannot find canary@example.org');
    },
  };
  const { get, warnings } = await aDoor(t, { catalogue: broken });
  const response = await get('/api/search?q=canary');
  assert.equal(response.status, 500);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const body = (await response.json()) as { detail: string };
  assert.doesNotMatch(JSON.stringify(body), /canary|at /);
  assert.equal(warnings.length, 1);
  assert.doesNotMatch(warnings[0]!, /canary@/);
  assert.ok(warnings[0]!.includes(/reference ([\w-]+)/.exec(body.detail)![1]!));
});

test('a connection is closed after 1,000 requests', async (t) => {
  const { port } = await aDoor(t, { limits: 'off' });
  const one = 'GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n';
  const heard = statuses(await exchange(port, one.repeat(1003)));
  assert.deepEqual([heard.length, new Set(heard)], [1000, new Set([200])]);
});

test('a search response matches its schema, also with warnings', async (t) => {
  const { get } = await aDoor(t);
  for (const query of ['', '?limit=99', '?category=none&status=x', '?offset=60', '?q=shop&limit=3'])
    assert.ok(Compile(schemaOf('Search')).Check(await (await get(`/api/search${query}`)).json()), query);
});

test('answers for programs of more than 1 KB are compressed for those who accept that, each with an ETag', async (t) => {
  const { get } = await aDoor(t);
  for (const path of [
    '/api/search',
    '/api/stats?filed_from=1990',
    '/feed.json',
    '/feed.xml',
    '/chart.svg',
    '/openapi.json',
  ]) {
    const sent = (encoding: string) => get(path, { headers: { 'Accept-Encoding': encoding } });
    const [plain, packed] = [await sent('identity'), await sent('gzip')];
    const encodings = [plain, packed].map(({ headers }) => headers.get('content-encoding'));
    assert.deepEqual(encodings, [null, 'gzip'], path);
    assert.equal(await packed.text(), await plain.text(), path);
    assert.equal(packed.headers.get('vary'), 'Accept-Encoding');
    const etag = packed.headers.get('etag')!;
    assert.notEqual(etag, plain.headers.get('etag'));
    const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': etag };
    assert.equal((await get(path, { headers })).status, 304, path);
  }
  const small = await get('/api/search?limit=0', { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(small.headers.get('content-encoding'), null);
});

/** What all responses have in common: methods, headers, caching, errors, and the other resources. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { schemaOf } from '../../../src/service/web/openapi.ts';
import { PROBLEMS } from '../../../src/service/web/problems.ts';
import { jsonOf, textOf } from '../../an-answer.ts';
import { aSignupServer } from '../mail/a-mailing.ts';
import { AN_EDITION, aDoor, anIndex, someRows } from './a-door.ts';
import { exchange, statuses } from './wire.ts';

test('health has the state of the data, and reports problems while requests are still answered', async (t) => {
  const facts = {
    ...{ listings: 60, data_as_of: '2026-11-19T04:10:00Z', latest_filing: '2026-11-20', version: '1.0.0' },
  };
  const { get } = await aDoor(t);
  assert.deepEqual(await jsonOf(get('/api/health')), { status: 'ok', ...facts });
  const held = await aDoor(t, { health: () => ({ status: 'warn', detail: ['run 3 was held', 'old'] }) });
  const wanted = { status: 'warn', detail: 'run 3 was held; old', ...facts };
  assert.deepEqual(await jsonOf(held.get('/api/health')), wanted);
});

test('before the first run, the service answers that it is not ready', async (t) => {
  const { get } = await aDoor(t, { catalogue: null, mayEmbed: true });
  for (const path of [
    ...['/api/search', '/api/search?nonsense=1', '/api/stats', '/api/stats.csv', '/feed.json', '/feed.xml'],
    ...['/chart.svg', '/chart.png', '/', '/weekly', `/weekly/${AN_EDITION}`, '/embed'],
  ]) {
    const answer = await get(path, { headers: { accept: 'image/*, application/json' } });
    const [retry, kept] = ['retry-after', 'cache-control'].map((name) => answer.headers.get(name));
    assert.deepEqual([answer.status, retry, kept], [503, '5', 'no-store'], path);
    const text = await answer.text();
    if (/^.(api|feed|chart)/.test(path)) assert.match(text, /"type":"[^"]*not-ready"/);
    if (path === '/') assert.match(text, /first filings are being loaded/);
  }
  assert.deepEqual(await jsonOf(get('/api/health'), 503), {
    ...{ status: 'fail', listings: 0, version: '1.0.0' },
    ...{ data_as_of: null, latest_filing: null },
  });
});

test('/api has the publishers, the age of the data and all addresses, even before the first run', async (t) => {
  for (const catalogue of [anIndex(someRows(60)), null]) {
    const { get } = await aDoor(t, { catalogue });
    const answer = await get('/api');
    assert.deepEqual([answer.status, answer.headers.get('ratelimit')], [200, null]);
    const body = (await answer.json()) as Record<string, object> & { links: Record<string, string> };
    assert.ok(Compile(schemaOf('Service')).Check(body));
    const { name, time_zone, publishers, listings, data_as_of, latest_filing, limits } = body;
    assert.deepEqual(
      { name, time_zone, publishers, listings, data_as_of, latest_filing, limits },
      {
        ...{ name: 'Rivermouth', time_zone: 'America/Los_Angeles', listings: catalogue === null ? 0 : 60 },
        publishers: [
          {
            ...{ name: 'City of <Rivermouth>', homepage: 'https://data.rivermouth.example/licences' },
            ...{ license: 'CC0', license_url: null },
          },
        ],
        data_as_of: catalogue && '2026-11-19T04:10:00Z',
        latest_filing: catalogue && '2026-11-20',
        limits: {
          ...{ listings_per_page: 25, listings_per_query: 1000 },
          ...{ requests_per_minute: 600, listings_per_day: 2500, signups_per_hour: 20 },
        },
      },
    );
    if (catalogue === null) continue;
    for (const link of Object.values(body.links)) {
      const method = /signup|mcp/.test(link) ? 'OPTIONS' : 'GET';
      const { status } = await get(link.replace('https://rivermouth.example', ''), { method });
      assert.ok(status === 200 || status === 204, link);
    }
  }
  const { get } = await aDoor(t, { limits: 'off' });
  const { limits } = await jsonOf<Record<string, Record<string, unknown>>>(get('/api'));
  assert.equal(limits!.requests_per_minute, null);
});

/** For pages, which run their own script and send their own forms; whatever else is opened as a page can do nothing at all. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Headers that depend on the path: caching, robots, referrer, position, other origins, and what an answer varies with. */
const NAMED = [
  ...['cache-control', 'x-robots-tag', 'referrer-policy', 'permissions-policy'],
  ...['cross-origin-resource-policy', 'vary'],
];
const HERE = 'geolocation=(self)';
const NOT_HERE = 'geolocation=()';
const ENCODED = 'Accept-Encoding';
const FRESH = 'private, max-age=60';
/** The answers with 200 to a browser. Every path is in one row. */
const FOUND: [headers: (string | null)[], paths: string][] = [
  [[FRESH, 'noindex', null, null, null, ENCODED], '/api/search'],
  [['public, max-age=300', 'noindex', null, null, null, ENCODED], '/api /api/stats /openapi.json'],
  [['private, max-age=300', 'noindex', null, null, null, ENCODED], '/api/stats.csv'],
  [['no-store', 'noindex', null, null, null, null], '/api/health'],
  [[FRESH, 'noindex', null, null, null, `${ENCODED}, Sec-Fetch-Dest`], '/feed.json /feed.xml'],
  [['no-store', 'noindex', 'same-origin', NOT_HERE, null, null], '/feeds /signup /correct'],
  [['private, max-age=300', 'noindex', null, null, 'cross-origin', ENCODED], '/chart.svg'],
  [['private, max-age=300', 'noindex', null, null, 'cross-origin', null], '/chart.png'],
  [[FRESH, 'noarchive', 'same-origin', HERE, null, ENCODED], '/ /changes'],
  [['private, max-age=300', 'noindex', 'no-referrer', NOT_HERE, null, ENCODED], '/embed'],
  [['no-store', 'noarchive', 'same-origin', NOT_HERE, null, null], '/about'],
  [[FRESH, 'noarchive', 'same-origin', NOT_HERE, null, ENCODED], `/weekly /weekly/${AN_EDITION}`],
  [['public, max-age=300', 'all', 'same-origin', NOT_HERE, null, ENCODED], '/docs'],
  [
    ['public, max-age=3600', 'noindex', null, null, null, ENCODED],
    '/llms.txt /robots.txt /.well-known/security.txt',
  ],
  [['no-store', 'noindex', 'no-referrer', NOT_HERE, null, null], '/problems/:code /unsubscribe'],
  [
    ['public, max-age=300', 'noindex', null, null, 'same-origin', ENCODED],
    '/style.css /reference.css /page.js /icon.svg /favicon.ico /display.woff2 /marks.svg',
  ],
];
/** What only scripts of other sites are told, and only by what they may read. */
const CORS = ['origin', 'methods', 'headers', 'credentials'].map((name) => `access-control-allow-${name}`);
const EXPOSED = 'access-control-expose-headers';
/** What any answer may have besides. */
const OTHERS = [
  ...['access-control-max-age', 'allow', 'connection', 'content-disposition', 'content-encoding'],
  ...['content-length', 'content-type', 'date', 'etag', 'keep-alive', 'link', 'retry-after'],
  ...['transfer-encoding', 'x-content-type-options'],
];

test('every answer has exactly the headers of its path and kind, and other origins can read only what is for programs', async (t) => {
  const { get, paths } = await aSignupServer(t, { limits: 'off', mayEmbed: true });
  const found = new Map(
    FOUND.flatMap(([headers, all]) => all.split(' ').map((path) => [path, headers] as const)),
  );
  for (const path of [...paths, '/nowhere', '/api/nowhere', '/api/search?zebra=1'])
    for (const method of ['GET', 'OPTIONS', 'DELETE']) {
      const origin = 'https://elsewhere.example';
      const { status, headers } = await get(path, { method, headers: { accept: 'text/html', origin } });
      const what = `${method} ${path} ${status}`;
      const valuesOf = (names: string[]) => names.map((name) => headers.get(name));
      const isPage = headers.get('content-type') === 'text/html; charset=utf-8';
      // a link of an email has only a page, and needs no choice between that and JSON
      const varies = method === 'GET' && /^\/(confirm|manage)$/.test(path) ? null : 'Accept';
      const error = isPage
        ? ['no-store', 'noindex', 'no-referrer', NOT_HERE, null, varies]
        : ['no-store', 'noindex', null, null, null, null];
      const wanted = status === 200 ? found.get(path.replace(/^(\/problems\/).*/, '$1:code')) : error;
      assert.deepEqual(valuesOf(NAMED), wanted, what);
      const isOpen = /^\/(api(?!\/signup)|feed\.|openapi)/.test(path);
      const isPreflight = status === 204;
      const allowed = isPreflight ? ['*', 'GET, HEAD', '*'] : ['*', null, null];
      assert.deepEqual(valuesOf(CORS), [...(isOpen ? allowed : [null, null, null]), null], what);
      const exposed = 'Allow, Date, ETag, Link, RateLimit, RateLimit-Policy, Retry-After';
      assert.equal(headers.get(EXPOSED), isOpen && !isPreflight ? exposed : null, what);
      // no answer may be taken for another type, and only pages may run anything
      assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
      const isFrame = path === '/embed';
      const ofPages = {
        ...(!isFrame && { 'content-security-policy': isPage ? PAGE_POLICY : POLICY }),
        ...(isPage && { 'cross-origin-opener-policy': 'same-origin' }),
        ...(isPage && { 'strict-transport-security': 'max-age=31536000' }),
      };
      const known = [...NAMED, ...CORS, EXPOSED, ...OTHERS, ...(isFrame ? ['content-security-policy'] : [])];
      const own = [...headers].filter(([name]) => !known.includes(name));
      assert.deepEqual(Object.fromEntries(own), ofPages, what);
    }
  const typed = await get('/api/search', { headers: { 'Content-Type': 'application/json' } });
  assert.equal(typed.status, 200, 'a GET that names the type of a body it does not have');
});

test('every kind of problem has a page at its type', async (t) => {
  const { get } = await aDoor(t);
  for (const [code, { title, status }] of Object.entries(PROBLEMS)) {
    const text = await textOf(get(`/problems/${code}`));
    assert.ok(text.includes(title) && text.includes(String(status)));
  }
  const { type } = await jsonOf<{ type: string }>(get('/nowhere'), 404);
  assert.equal(type, 'https://rivermouth.example/problems/not-found');
});

test('a connection is closed after 1,000 requests', async (t) => {
  const { port } = await aDoor(t, { limits: 'off' });
  const one = 'GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n';
  const heard = statuses(await exchange(port, one.repeat(1003)));
  assert.deepEqual([heard.length, new Set(heard)], [1000, new Set([200])]);
});

/** Tests the versions of answers: ETags, encodings, and what a client prefers. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDoor, anIndex, CITY, type Opened, someRows } from './a-door.ts';
import { exchange } from './wire.ts';

test('an unchanged answer keeps its ETag and gets 304', async (t) => {
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

const EVERY_ENCODING = ['identity', 'br', 'gzip'];

/** Bodies and ETags by path and encoding, of a service in a state. */
async function readVersions(
  { get, paths }: Opened,
  encodings = EVERY_ENCODING,
): Promise<Map<string, { etag: string; body: string }>> {
  const versions = new Map<string, { etag: string; body: string }>();
  const asked = [
    '/api/search?status=open',
    '/api/search?limit=5',
    '/?q=shop',
    '/weekly?category=Restaurants',
  ];
  const counts = ['/api/stats?q=shop', '/api/stats?category=Restaurants', '/api/stats.csv?by=category'];
  const pictures = ['/chart.svg?q=shop', '/chart.svg?width=801', '/chart.svg?width=640'];
  for (const path of [...paths, ...asked, ...counts, ...pictures])
    for (const encoding of encodings) {
      const answer = await get(path, { headers: { 'Accept-Encoding': encoding } });
      const etag = answer.headers.get('etag');
      if (etag === null) continue;
      const again = await get(path, { headers: { 'Accept-Encoding': encoding, 'If-None-Match': etag } });
      assert.equal(again.status, 304, path);
      for (const name of ['etag', 'vary', 'cache-control', 'access-control-allow-origin'])
        assert.equal(again.headers.get(name), answer.headers.get(name), `${path} ${name}`);
      if (path.startsWith('/chart'))
        assert.equal(again.headers.get('cross-origin-resource-policy'), 'cross-origin', path);
      versions.set(`${path} ${encoding}`, { etag, body: await answer.text() });
    }
  return versions;
}

test('a strong ETag changes exactly when the body changes, on every path and in every encoding', async (t) => {
  const rows = someRows(60);
  const first = { catalogue: anIndex(rows), limits: 'off' } as const;
  const states: Parameters<typeof aDoor>[1][] = [
    first,
    { ...first, dataAsOf: () => '2026-11-19T05:00:00.000Z' },
    { ...first, catalogue: anIndex(someRows(61), 'v2') },
    { ...first, catalogue: { ...anIndex(rows), day: '2026-11-21' } },
    { ...first, version: '1.0.1' },
    { ...first, publicUrl: 'https://elsewhere.example' },
    { ...first, mayEmbed: true },
    { ...first, city: { ...CITY, operator: { name: 'The desk', contact: 'desk@rivermouth.example' } } },
    { ...first, city: { ...CITY, language: 'fr' } },
  ];
  const seen: Awaited<ReturnType<typeof readVersions>>[] = [];
  // what changes an answer changes it in each encoding: shown for the first two states
  for (const [at, state] of states.entries())
    seen.push(await readVersions(await aDoor(t, state), at < 2 ? EVERY_ENCODING : ['identity']));
  assert.deepEqual(await readVersions(await aDoor(t, first)), seen[0], 'two instances');
  assert.ok(seen[0]!.size > 60, `${seen[0]!.size} answers with an ETag`);
  for (const [at, versions] of seen.entries())
    for (const [path, { etag, body }] of versions) {
      const before = seen[0]!.get(path);
      if (before !== undefined && before.body !== body) assert.notEqual(etag, before.etag, `${at} ${path}`);
    }
  const etags = [...seen[0]!.values()].map(({ etag }) => etag);
  assert.equal(
    new Set(etags).size,
    etags.length - 2,
    'one for each question and encoding, and one for the PNG',
  );
});

test('Shingle compresses pages and answers of more than 1 KB, and does not change their content', async (t) => {
  const { get } = await aDoor(t);
  for (const path of [
    ...[
      '/api/search',
      '/api/stats?filed_from=1990',
      '/feed.json',
      '/feed.xml',
      '/chart.svg',
      '/openapi.json',
    ],
    ...['/', '/?q=shop', '/docs', '/style.css', '/page.js'],
  ]) {
    const accepted = ['identity', 'gzip, deflate, br', 'gzip, br;q=0'];
    const answers = accepted.map((encoding) => get(path, { headers: { 'Accept-Encoding': encoding } }));
    const sent = await Promise.all(answers);
    const encodings = sent.map(({ headers }) => headers.get('content-encoding'));
    assert.deepEqual(encodings, [null, 'br', 'gzip'], path);
    const [plain, ...packed] = await Promise.all(sent.map((answer) => answer.text()));
    for (const text of packed) assert.ok(text === plain, path);
  }
});

/** What clients accept, and the encoding they get (RFC 9110, 12.5.3). */
const ENCODINGS: [accepted: string | undefined, sent: string | null][] = [
  [undefined, null],
  ['', null],
  ['br', 'br'],
  ['gzip, br', 'br'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0.9, br;q=0.1', 'gzip'],
  ['gzip ; q=0.5 , br ; Q=0.75', 'br'],
  ['gzip;q=0.5, br;q=0.5', 'br'],
  ['gzip;q=0, br;q=0.000', null],
  ['identity;q=1, gzip;q=0.5', null],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity, gzip', 'gzip'],
  ['gzip;q=high, br;q=2', null],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['identity;q=0', null],
];

test('the encoding with the highest weight in Accept-Encoding is used', async (t) => {
  const { port } = await aDoor(t);
  for (const [accepted, sent] of ENCODINGS) {
    const given = accepted === undefined ? '' : `Accept-Encoding: ${accepted}\r\n`;
    const head = await exchange(port, `HEAD /api/search HTTP/1.1\r\nHost: a\r\n${given}\r\n`);
    assert.equal(/^content-encoding: (.*)\r$/im.exec(head)?.[1] ?? null, sent, String(accepted));
    assert.match(head, /^vary: Accept-Encoding\r$/im);
  }
});

test('a small answer is compressed only for a client that refuses uncompressed text, and a feed redirects browsers', async (t) => {
  const { get } = await aDoor(t);
  const encodingOf = async (accepted: string) =>
    (await get('/api/search?limit=0', { headers: { 'Accept-Encoding': accepted } })).headers.get(
      'content-encoding',
    );
  assert.deepEqual(await Promise.all(['gzip', 'gzip, identity;q=0', 'br, *;q=0'].map(encodingOf)), [
    ...[null, 'gzip', 'br'],
  ]);
  for (const path of ['/feed.xml', '/feed.json']) {
    const browser = { 'Sec-Fetch-Dest': 'document' };
    const { status, headers } = await get(`${path}?q=shop&offset=5`, { headers: browser });
    assert.deepEqual([status, headers.get('vary')], [303, 'Sec-Fetch-Dest']);
    assert.equal(headers.get('location'), '/feeds?q=shop&offset=5');
  }
});

/** What a client accepts, and whether it gets a problem as a page. */
const ACCEPTS: [accepted: string, isPage: boolean][] = [
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML;level=1', true],
  ['text/html, */*', true],
  ['text/*', true],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/html;q=0.9', false],
  ['application/problem+json;q=0.5, text/html', true],
  ['text/html;q=0, */*', false],
  ['text/html;q=0', false],
  ['application/json, text/plain, */*', false],
  ['text/html, application/json', false],
  ['text/html-fragment', false],
];

test('the weights of Accept choose a page or JSON for a problem, except under /api and for feeds', async (t) => {
  const { get } = await aDoor(t);
  const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const typeOf = async (path: string, method: string) =>
    (await get(path, { method, headers: browser })).headers.get('content-type')!.split(';')[0];
  assert.equal(await typeOf('/feed.json?zebra=1', 'GET'), 'application/problem+json');
  assert.equal(await typeOf('/', 'DELETE'), 'text/html');
  for (const [accepted, isPage] of ACCEPTS) {
    const { headers } = await get('/nowhere', { headers: { Accept: accepted } });
    assert.equal(headers.get('content-type')!.startsWith('text/html'), isPage, accepted);
    assert.equal(headers.get('vary'), 'Accept');
    const { headers: ofApi } = await get('/api/nowhere', { headers: { Accept: accepted } });
    assert.match(ofApi.get('content-type')!, /^application\/problem/, accepted);
    assert.equal(ofApi.get('vary'), null);
  }
});

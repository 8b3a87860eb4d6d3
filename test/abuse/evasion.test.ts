/** Attempts to get more than the rate limit: forged addresses, many clients, and unusual requests; and what health says of them. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openAddressReader } from '../../src/service/web/limits/client-address.ts';
import type { Limits } from '../../src/shared/city/city-facts.ts';
import { rounds } from '../depth.ts';
import { aSignupServer } from '../service/mail/a-mailing.ts';
import { aDoor } from '../service/web/a-door.ts';
import { type Asked, aClient } from './a-client.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function opened(t: TestContext, limits: Partial<Limits>, trustProxy: string[] = []) {
  const door = await aSignupServer(t, { limits, trustProxy });
  const client = aClient(door.port);
  /** How many of these requests were served. */
  const served = async (all: readonly Asked[]): Promise<number> => {
    let count = 0;
    await client.askAll(all, (_, { status }) => {
      if (status !== 429) count++;
    });
    return count;
  };
  return { door, ...client, served };
}

const times = <T>(count: number, made: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => made(i));
const someAddress = (i: number): string => `203.0.${(i >> 8) & 255}.${i & 255}`;

/** Ways to say "I am somebody else" that some proxy somewhere believes. */
const DISGUISES: ((address: string) => Asked['headers'])[] = [
  ...[
    ...['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'Client-IP', 'True-Client-IP', 'CF-Connecting-IP'],
    ...['CF-Connecting-IPv6', 'Fastly-Client-IP', 'X-Cluster-Client-IP', 'X-Originating-IP', 'X-Remote-IP'],
    ...['X-Remote-Addr', 'X-ProxyUser-Ip', 'Fly-Client-IP', 'X-Azure-ClientIP', 'X-Envoy-External-Address'],
    ...['X-Original-Forwarded-For', 'X-Forwarded', 'Forwarded-For'],
    ...['Via', 'WL-Proxy-Client-IP', 'X-Shingle-Client'],
  ].map((name) => (address: string) => ({ [name]: address })),
  (address) => ({ Forwarded: `for=${address};proto=https` }),
  (address) => ({ Forwarded: `for="[2001:db8::${address.split('.').at(-1)}]:443"` }),
  (address) => ({ 'X-Forwarded-For': [address, someAddress(7)] }),
  (address) => ({ 'X-Forwarded-For': `127.0.0.1, ${address}, 10.0.0.1` }),
  (address) => ({ 'x-FORWARDED-for': `${address}:8080` }),
  (address) => ({ Cookie: `session=${address}`, Authorization: `Bearer ${address}`, 'User-Agent': address }),
];

test('forged client addresses do not give a single extra request', async (t) => {
  const { served } = await opened(t, { burst: 100 });
  const all = times(rounds(3000), (i) => ({
    path: `/api/stats?${i}`,
    headers: DISGUISES[i % DISGUISES.length]!(someAddress(i)),
  }));
  assert.equal(await served(all), 100);
});

test('behind a trusted proxy, forged addresses give no extra request', async (t) => {
  const { served } = await opened(t, { burst: 100 }, ['127.0.0.0/8', '10.0.0.0/8']);
  const all = times(rounds(3000), (i) => {
    const { 'X-Forwarded-For': said = '', ...rest } = { ...DISGUISES[i % DISGUISES.length]!(someAddress(i)) };
    const hops = [said, '198.51.100.9', ...(i % 3 === 0 ? ['10.2.3.4'] : [])];
    return { path: '/api/stats', headers: { ...rest, 'X-Forwarded-For': hops.filter(Boolean).join(', ') } };
  });
  assert.equal(await served(all), 100);
});

const forwarded = (address: string): Asked => ({
  path: '/api/stats',
  headers: { 'X-Forwarded-For': address },
});

test('every spelling of an IP address counts as the same client', async (t) => {
  const { served } = await opened(t, { burst: 10 }, ['127.0.0.1']);
  const four = [
    ...['203.0.113.9', '203.0.113.9:1', '203.0.113.9:65535', '::ffff:203.0.113.9', '::FFFF:203.0.113.9'],
    ...['::ffff:cb00:7109', '::FfFf:CB00:7109', '0:0:0:0:0:ffff:203.0.113.9', '[::ffff:203.0.113.9]'],
    ...['[::ffff:203.0.113.9]:80', '0000:0000:0000:0000:0000:ffff:cb00:7109', '::ffff:203.0.113.9%eth0'],
    ...[' 203.0.113.9 ', '203.0.113.9\t', '::0:ffff:203.0.113.9', '1.1.1.1, 203.0.113.9'],
  ];
  const six = [
    ...['2001:db8::1', '2001:DB8::1', '2001:0db8::0001'],
    ...['2001:db8:0:0:0:0:0:1', '2001:db8::0:1', '[2001:db8::1]'],
    ...['[2001:db8::1]:443', '2001:db8::1%eth0', '2001:db8::1%25lo'],
    ...['2001:db8::192.0.2.1', '2001:db8:0:ff::'],
    ...['2001:0DB8:0000:00ff:FFFF:ffff:ffff:ffff', '[2001:db8::1%1]:80'],
  ];
  for (const spellings of [four, six])
    assert.equal(await served(times(5, () => spellings.map(forwarded)).flat()), 10, String(spellings[0]));
});

const post = (path: string, body: string, headers: Asked['headers'] = JSON_TYPE): Asked => ({
  path,
  method: 'POST',
  body,
  headers,
});
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** What each kind of request is answered while there is budget for it. */
const KINDS: [asked: Asked, status: number][] = [
  [{ path: '/api/search?limit=0', method: 'HEAD' }, 200],
  [{ path: '/api/search', method: 'OPTIONS' }, 204],
  [{ path: '/api/search', headers: { 'If-None-Match': '*' } }, 304],
  [{ path: '/api/search?zebra=1' }, 400],
  [{ path: '/%61pi/search?limit=0' }, 200],
  [{ path: '/api/search', method: 'DELETE' }, 405],
  [{ path: '/api/search', method: 'PROPFIND' }, 405],
  [{ path: '/%61pi/search', method: 'DELETE' }, 405],
  [{ path: '/%61pi/search', method: 'PROPFIND' }, 405],
  [{ path: '/%F0%9F%A7%B1' }, 404],
  [{ path: '/nowhere' }, 404],
  [{ path: '/nowhere', method: 'OPTIONS' }, 404],
  [{ path: '/nowhere', headers: { Accept: 'text/html' } }, 404],
  [{ path: '/api/stats', headers: { Expect: 'the unexpected' } }, 200],
  [{ path: '/api/stats', headers: { Upgrade: 'websocket', Connection: 'Upgrade' } }, 200],
  [{ path: '/?q=shop&limit=0' }, 200],
  [{ path: '/?q=shop', headers: { 'Accept-Encoding': 'br' } }, 200],
  [{ path: '/feed.json?limit=0' }, 200],
  [{ path: '/feed.xml?limit=0' }, 200],
  [{ path: '/openapi.json' }, 200],
  [{ path: '/docs' }, 200],
  [{ path: '/llms.txt' }, 200],
  [{ path: '/problems/not-found' }, 200],
  [{ path: '/confirm?token=x' }, 404],
  [{ path: '/manage?token=x' }, 404],
  [post('/unsubscribe?token=x', 'List-Unsubscribe=One-Click', FORM), 200],
  [post('/unsubscribe?token=x', 'a', { 'Content-Type': '@@' }), 200],
  [post('/api/signup', '{}'), 400],
  [post('/api/signup', '{"email":"a","type":"weekly"}'), 422],
  [post('/api/signup', '{}', FORM), 415],
  [post('/api/signup', '{}', { 'Content-Type': '@@' }), 415],
  [post('/api/signup', ' '.repeat(4097)), 413],
  [post('/signup', 'email=a', FORM), 422],
  [post('/signup', 'email=a', { 'Content-Type': '@@' }), 415],
  [post('/nowhere', 'a', { 'Content-Type': '@@' }), 404],
  [post('/mcp', '{}', { ...JSON_TYPE, Accept: 'application/json, text/event-stream' }), 400],
  [post('/mcp', '{}', { 'Content-Type': '@@' }), 415],
  [post('/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}'), 406],
];

test('every kind of request counts, and is refused once the limit is reached', async (t) => {
  const { ask } = await opened(t, { burst: 5 }, ['127.0.0.1']);
  for (const [i, [asked, status]] of KINDS.entries()) {
    const whose = { 'X-Forwarded-For': someAddress(i) };
    const said = `${asked.method ?? 'GET'} ${asked.path} ${JSON.stringify(asked.headers)}`;
    const sent = { ...asked, headers: { ...asked.headers, ...whose } };
    const answers = [];
    for (let n = 0; n < 6; n++) answers.push((await ask(sent)).status);
    assert.deepEqual(answers, [...times(5, () => status), 429], said);
    assert.equal((await ask({ path: '/api/stats', headers: whose })).status, 429, said);
  }
});

test('invalid HTTP is not counted, and always closes the connection', async (t) => {
  const { ask } = await opened(t, { burst: 5 });
  for (const [path, status] of [
    ['/%zz', 400],
    ['/%e2%82', 400],
    [`/${'a'.repeat(2048)}`, 414],
  ] as const) {
    for (let n = 0; n < 10; n++) {
      const { headers, status: answered } = await ask({ path, method: n % 2 === 0 ? 'GET' : 'PROPFIND' });
      assert.deepEqual([answered, headers.connection], [status, 'close']);
    }
  }
});

test('a batch of a hundred messages costs a hundred requests, and is refused as a whole if fewer are left', async (t) => {
  const headers = { ...JSON_TYPE, Accept: 'application/json, text/event-stream' };
  const params = { name: 'search_listings', arguments: { limit: 0 } };
  const kinds = {
    calls: { method: 'tools/call', params },
    'calls that are refused': { method: 'tools/call', params: { ...params, arguments: { zebra: 1 } } },
    'the list of tools': { method: 'tools/list' },
    pings: { method: 'ping' },
  };
  for (const [kind, message] of Object.entries(kinds)) {
    const { ask } = await opened(t, { burst: 130 });
    const batch = JSON.stringify(times(100, (id) => ({ jsonrpc: '2.0', id, ...message })));
    const { status, body } = await ask(post('/mcp', batch, headers));
    assert.deepEqual([status, body.toString().match(/^data: /gm)?.length], [200, 100], kind);
    const refused = await ask(post('/mcp', batch, headers));
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '33'], kind);
    const left = await ask({ path: '/api/search?limit=0' });
    assert.match(`${left.headers.ratelimit}`, /^"burst";r=28;/, kind);
  }
});

test('Shingle refuses to start with a TRUST_PROXY that means every proxy or a number of hops', () => {
  for (const network of [
    ...['true', '1', '0.0.0.0/0', '::/0', '10.0.0.0/33'],
    ...['10.0.0.0/8/8', '10.0.0', '', 'loopback', '10.0.0.0/a'],
  ])
    assert.throws(() => openAddressReader([network], () => 0), { code: 'refused' }, network);
});

test('health warns of forwarded addresses from a second client or a proxy, but not from one client', () => {
  const seen = (...requests: [peer: string, forwarded: string, afterMs?: number][]): [boolean, number] => {
    let [now, warnings] = [0, 0];
    const warn = () => void warnings++;
    const reader = openAddressReader(['10.0.0.0/8'], () => now, warn);
    for (const [remoteAddress, forwarded, afterMs = 0] of requests) {
      now += afterMs;
      const headers = { 'x-forwarded-for': forwarded };
      assert.equal(reader.addressOf({ socket: { remoteAddress }, headers } as never), remoteAddress);
    }
    return [reader.sawUnvouched(), warnings];
  };
  assert.deepEqual(seen(['198.51.100.1', '203.0.113.9'], ['198.51.100.1', '203.0.113.8']), [false, 1]);
  assert.deepEqual(seen(['2001:db8:1:1::1', 'a'], ['2001:db8:1:ffff::2', 'b']), [false, 1], 'one /48');
  assert.deepEqual(seen(['198.51.100.1', '203.0.113.9'], ['198.51.100.2', '203.0.113.9']), [true, 1]);
  assert.deepEqual(seen(['2001:db8:1::1', 'a'], ['2001:db8:2::1', 'a']), [true, 1]);
  for (const proxy of ['127.0.0.1', '::1', '192.168.1.2', '172.17.0.1', 'fd00::1']) {
    assert.deepEqual(seen([proxy, '203.0.113.9'], [proxy, '203.0.113.9']), [false, 1], proxy);
    assert.deepEqual(seen([proxy, '203.0.113.9'], [proxy, '203.0.113.8']), [true, 1], proxy);
    const one = seen([proxy, '1.1.1.1, 203.0.113.9'], [proxy, '2.2.2.2, 203.0.113.9']);
    assert.deepEqual(one, [false, 1], proxy);
  }
  const longAgo: [string, string, number] = ['198.51.100.2', '203.0.113.9', 600_000];
  assert.deepEqual(seen(['198.51.100.1', '203.0.113.9'], longAgo), [false, 2]);
  assert.deepEqual(seen(['198.51.100.1', 'a'], ['198.51.100.2', 'a', 599_999]), [true, 1]);
});

test('one forged header does not change health, and a second client’s header is reported for ten minutes', async (t) => {
  const { app, port, clock } = await aDoor(t);
  const forge = (from: string, address: string) => aClient(port, 1, from).ask(forwarded(address));
  for (let i = 0; i < 3; i++) await forge('127.0.0.1', '203.0.113.1');
  assert.equal(app.sawUnvouched(), false);
  await forge('127.0.0.2', '203.0.113.2');
  for (const [pauseMs, isReported] of [
    [0, true],
    [599_999, true],
    [1, false],
  ] as const) {
    clock.now += pauseMs;
    assert.equal(app.sawUnvouched(), isReported);
  }
});

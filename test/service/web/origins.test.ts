/** Whose pages may post: those of the service's own address, also where a name of somebody else's leads to it (DNS rebinding). */

import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { type TestContext, test } from 'node:test';
import { openRefusedOrigins } from '../../../src/service/web/origins.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson, running } from '../../a-process.ts';
import { type Answered, aClient } from '../../abuse/a-client.ts';
import { jsonOf } from '../../an-answer.ts';
import { until } from '../../until.ts';
import { aSignupServer } from '../mail/a-mailing.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const POSTS: Record<string, { type: string; body: string }> = {
  '/mcp': { type: JSON_TYPE, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
  '/api/signup': { type: JSON_TYPE, body: '{"email":"ann@b.example","type":"weekly"}' },
  '/signup': { type: FORM, body: 'email=ann%40b.example&type=weekly' },
};

/** Which of the paths take a post with these headers: a browser of the name in `Host` sends them. */
async function aPoster(t: TestContext, publicUrl: string) {
  const { port } = await aSignupServer(t, { publicUrl, limits: 'off' });
  const client = aClient(port);
  const taking = async (headers: Record<string, string>): Promise<string[]> => {
    const taken: string[] = [];
    for (const [path, { type, body }] of Object.entries(POSTS)) {
      const accept = path === '/signup' ? 'text/html' : 'application/json, text/event-stream';
      const all = { 'content-type': type, accept, ...headers };
      const { status } = await client.ask({ path, method: 'POST', headers: all, body });
      if (status !== 403) taken.push(path);
      assert.ok(status < 300 || status === 403, `${path}: ${status}`);
    }
    return taken;
  };
  return { port, taking };
}

const ALL = Object.keys(POSTS);

test('a name that leads to the service is a foreign origin, unless PUBLIC_URL has it', async (t) => {
  const { port, taking } = await aPoster(t, 'https://openings.example.org/city');
  assert.deepEqual(await taking({ origin: 'https://openings.example.org' }), ALL);
  assert.deepEqual(await taking({}), ALL, 'a program');
  for (const name of ['evil.example', `evil.example:${port}`, `127.0.0.1:${port}`, 'localhost']) {
    const rebound = { host: name, origin: `http://${name}` };
    assert.deepEqual(await taking(rebound), [], name);
    assert.deepEqual(await taking({ ...rebound, 'sec-fetch-site': 'same-origin' }), [], name);
  }
  for (const origin of ['null', 'http://openings.example.org', 'https://openings.example.org.evil.example'])
    assert.deepEqual(await taking({ origin, host: 'openings.example.org' }), [], origin);
});

const OWN = 'https://real.example';
const ours = { origin: OWN, host: 'real.example' };

test('a wrong PUBLIC_URL is reported after three refused forms of our own pages, and never because of another site', () => {
  const clock = { now: 0 };
  const after = (forms: readonly (readonly [isForeign: boolean, headers: IncomingHttpHeaders])[]) => {
    const origins = openRefusedOrigins(() => clock.now);
    for (const form of forms) origins.note(...form);
    return origins.own();
  };
  const three = (headers: IncomingHttpHeaders) => Array(3).fill([true, headers] as const);
  assert.equal(after(three(ours)), OWN);
  assert.equal(after(three({ ...ours, host: 'other', 'sec-fetch-site': 'same-origin' })), OWN);
  assert.equal(after(three(ours).slice(1)), undefined, 'two are too few');
  for (const harmless of [
    { origin: 'https://evil.example', host: 'real.example' },
    { origin: 'https://evil.example', host: 'evil.example', 'sec-fetch-site': 'cross-site' },
    { ...ours, 'sec-fetch-site': 'same-site' },
    { host: 'real.example', 'sec-fetch-site': 'same-origin' },
    ...[
      'null',
      'https://real.example/\u001b[2J',
      'https://$(reboot)',
      'https://a.b/c',
      'file://real.example',
      OWN.toUpperCase(),
    ].map((origin) => ({ ...ours, origin, 'sec-fetch-site': 'same-origin' })),
  ])
    assert.equal(after(Array(50).fill([true, harmless] as const)), undefined, JSON.stringify(harmless));
  assert.equal(
    after([...three(ours), [false, { origin: 'https://right.example' }]]),
    undefined,
    'PUBLIC_URL works',
  );
  assert.equal(after([...three(ours), [false, {}]]), OWN, 'a program says nothing about it');
  const past = openRefusedOrigins(() => clock.now);
  for (let form = 0; form < 3; form++) past.note(true, ours);
  clock.now += 86_400_000;
  assert.equal(past.own(), undefined, 'it was a day ago');
  const origins = openRefusedOrigins(() => clock.now);
  for (let day = 0; day < 3; day++, clock.now += 86_400_000) origins.note(true, ours);
  assert.equal(origins.own(), undefined, 'one a day is too few');
});

test('health, the log and status report a wrong PUBLIC_URL with both addresses', async () => {
  const city = aCity();
  const env = {
    ...city.env,
    PUBLIC_URL: 'https://wrong.example',
    SIGNUP_ORIGINS: 'https://news.example.org',
  };
  await command(['ingest', '--from', city.file('a.csv', csvText(businesses(40)))], env);
  const service = await running(['serve'], env);
  const detail = async () =>
    String((await jsonOf<{ detail?: string }>(fetch(`${service.url}/api/health`))).detail);
  const port = Number(new URL(service.url).port);
  const sign = () => aClient(port).ask({ ...SIGNUP, headers: { ...SIGNUP.headers, ...ours } });
  assert.equal((await sign()).status, 403);
  const named = { ...SIGNUP.headers, origin: 'https://news.example.org' };
  assert.notEqual((await aClient(port).ask({ ...SIGNUP, headers: named })).status, 403);
  for (let refused = 1; refused < 3; refused++) assert.equal((await sign()).status, 403);
  await until(
    async () => /PUBLIC_URL is not the address that visitors use/.test(await detail()) || undefined,
    'health',
  );
  const SAID =
    'signups on pages of https://real.example are refused, because PUBLIC_URL is https://wrong.example';
  await until(() => service.said().err.includes(SAID) || undefined, 'the log');
  const status = await until(async () => {
    const { out } = await command(['status', '--json'], env);
    return out.includes('public-url') ? lastJson({ out, code: 0, err: '' }) : undefined;
  }, 'status');
  assert.match(
    JSON.stringify(status.concerns),
    new RegExp(`${SAID}.*set PUBLIC_URL=https://real\\.example and restart`),
  );
  assert.equal(await service.stop(), 0);
  const { store, close } = await city.open();
  const told = { summary: 'told of by a process that has ended', steps: [] };
  const kinds = [{ kind: 'public-url', source: 'https://real.example' }, { kind: 'limits-full' }] as const;
  await store.alerts.observe(
    kinds.map((kind) => ({ ...told, ...kind })),
    new Date().toISOString(),
  );
  await close();
  const corrected = await running(['serve'], { ...env, PUBLIC_URL: 'https://real.example' });
  const isOver = async () =>
    !/public-url|limits-full/.test((await command(['status', '--json'], env)).out) || undefined;
  await until(isOver, 'the end of what only a serving process knows');
  assert.equal(await corrected.stop(), 0);
});

const SIGNUP = {
  path: '/api/signup',
  method: 'POST',
  headers: { 'content-type': JSON_TYPE },
  body: POSTS['/api/signup']!.body,
};

test('without PUBLIC_URL, only the names of this machine count as own origins', async (t) => {
  for (const publicUrl of [
    ...['http://127.0.0.1:0', 'http://0.0.0.0:3000', 'http://[::]:3000', 'http://localhost:3000'],
  ]) {
    const { port, taking } = await aPoster(t, publicUrl);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `127.0.0.9:${port}`, `[::1]:${port}`])
      assert.deepEqual(await taking({ host, origin: `http://${host}` }), ALL, host);
    const evil = `evil.example:${port}`;
    assert.deepEqual(await taking({ host: evil, origin: `http://${evil}` }), []);
    assert.deepEqual(
      await taking({ host: evil, origin: `http://${evil}`, 'sec-fetch-site': 'same-origin' }),
      [],
    );
    const other = { host: `localhost:${port}`, origin: 'http://localhost:9' };
    assert.deepEqual(await taking(other), [], 'another program of this machine');
    for (const name of ['localhost.evil.example', '127.0.0.1.evil.example', '203.0.113.1'])
      assert.deepEqual(await taking({ host: name, origin: `http://${name}` }), [], name);
  }
});

test('the refusal of a form names the address where it works, and no visitor learns where emails are files', async (t) => {
  const { port } = await aSignupServer(t, { publicUrl: 'http://127.0.0.1:0', writesFiles: true });
  const client = aClient(port);
  const pageFor = async (headers: Record<string, string>) => {
    const { type, body } = POSTS['/signup']!;
    const all = { 'content-type': type, accept: 'text/html', ...headers };
    return (await client.ask({ path: '/signup', method: 'POST', headers: all, body })).body.toString();
  };
  const form = (await client.ask({ path: '/signup', headers: { accept: 'text/html' } })).body.toString();
  assert.match(form, /<p>This site sends no email yet, so nothing will reach you/, 'before anyone signs up');
  const unsent = await pageFor({ host: `localhost:${port}` });
  assert.match(unsent, /<h1>This site sends no email yet<\/h1><p>It does not offer the weekly email about/);
  assert.doesNotMatch(unsent, /SMTP|We emailed/);
  const refused = await pageFor(ours);
  assert.match(
    refused,
    /You can sign up only at http:\/\/127\.0\.0\.1:0\. If you run this site .* set PUBLIC_URL to it/,
  );
});

test('only scripts of sites that the operator names can sign people up and read the answers', async (t) => {
  const own = ['https://news.example.org', 'http://localhost:8080'];
  const { port, get } = await aSignupServer(t, { signupOrigins: own, limits: { signup: 1 } });
  const client = aClient(port);
  const ask = (origin: string, method: string, path = '/api/signup', more: Record<string, string> = {}) =>
    client.ask({
      ...{ path, method },
      headers: { origin, 'content-type': JSON_TYPE, 'sec-fetch-site': 'cross-site', ...more },
      ...(method === 'POST' && { body: '{"email":"ann@b.example","type":"weekly"}' }),
    });
  const cors = ({ headers }: Answered) => [
    headers['access-control-allow-origin'],
    headers['access-control-allow-methods'],
    headers['access-control-allow-headers'],
    headers.vary,
  ];
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };
  for (const origin of own) {
    const asked = await ask(origin, 'OPTIONS', '/api/signup', preflight);
    assert.deepEqual([asked.status, ...cors(asked)], [204, origin, 'POST', '*', 'Origin']);
  }
  const posted = await ask(own[0]!, 'POST');
  assert.deepEqual([posted.status, ...cors(posted)], [202, own[0], undefined, undefined, 'Origin']);
  const limited = await ask(own[1]!, 'POST');
  assert.deepEqual([limited.status, ...cors(limited).slice(0, 1)], [429, own[1]]);
  assert.match(limited.headers['access-control-expose-headers']!, /Retry-After/);
  for (const path of ['/signup', '/mcp']) assert.equal((await ask(own[0]!, 'POST', path)).status, 403, path);
  for (const origin of [
    ...[
      'null',
      'https://news.example.org.evil.example',
      'https://a.news.example.org',
      'http://news.example.org',
    ],
    ...['https://news.example.org:8443', 'https://NEWS.example.org', 'https://news.example.org/', '*'],
  ]) {
    const refused = await ask(origin, 'POST');
    assert.deepEqual(
      [refused.status, ...cors(refused)],
      [403, undefined, undefined, undefined, 'Origin'],
      origin,
    );
    assert.equal(cors(await ask(origin, 'OPTIONS', '/api/signup', preflight))[0], undefined, origin);
  }
  assert.equal((await get('/api/signup', { method: 'OPTIONS' })).headers.get('vary'), 'Origin');
});

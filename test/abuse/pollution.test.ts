/** Names with a special meaning in JavaScript, wherever input can contain a name: no object ever gets a property it should not have. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dryRunCity } from '../../src/app/operations/dry-run-city.ts';
import { aCity, businesses, csvText } from '../a-city.ts';
import { until } from '../a-process.ts';
import { machineEnv } from '../environment.ts';
import { PATIENCE_MS } from '../patience.ts';
import { type Asked, aClient } from './a-client.ts';

const TRAPS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'];
const PATHS = [
  ...['__proto__.polluted', '__proto__[polluted]'],
  ...['__proto__[__proto__][polluted]', 'constructor.prototype.polluted'],
  ...['constructor[prototype][polluted]', '[__proto__]polluted'],
  ...['[].__proto__.polluted', '__pro__proto__to__.polluted'],
];
/** JSON that would set `polluted` on everything if it were merged into anything. */
const BODIES = [
  ...TRAPS.flatMap((trap) => [
    `{"${trap}":{"polluted":1}}`,
    `{"a":{"${trap}":{"polluted":1}}}`,
    `[{"${trap}":{"polluted":1}}]`,
  ]),
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"\\u005f_proto__":{"polluted":1}}',
  '{"__proto__":{"__proto__":{"polluted":1}}}',
  '{"__proto__":null,"polluted":1}',
];
const NAMES_OF_EVERYTHING = Object.getOwnPropertyNames(Object.prototype).join();

function assertClean(said: string): void {
  assert.equal(({} as { polluted?: unknown }).polluted, undefined, said);
  assert.equal((Object.prototype as { polluted?: unknown }).polluted, undefined, said);
  assert.equal(([] as { polluted?: unknown }).polluted, undefined, said);
  assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), NAMES_OF_EVERYTHING, said);
}

const JSON_TYPE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const post = (path: string, headers: Asked['headers'], body: string): Asked => ({
  path,
  method: 'POST',
  headers,
  body,
});

/** Every way in that HTTP has. */
function requests(): Asked[] {
  const names = [...TRAPS, ...PATHS].map(encodeURIComponent);
  const paths = [
    ...['/api/search', '/feed.json', '/feed.xml', '/', '/api/stats'],
    ...['/confirm', '/manage', '/unsubscribe', '/docs'],
  ];
  const arguments_ = BODIES.map((body) => `{"name":"search_listings","arguments":${body}}`);
  const calls = [...arguments_, ...BODIES, ...TRAPS.map((trap) => `{"name":"${trap}","arguments":{}}`)];
  return [
    ...paths.flatMap((path) => names.map((name) => ({ path: `${path}?${name}=1&polluted=1` }))),
    ...['category', 'neighborhood', 'status', 'q'].flatMap((name) =>
      names.map((value) => ({ path: `/api/search?${name}=${value}` })),
    ),
    ...names.map((name) => ({ path: `/${name}` })),
    ...names.map((name) => ({ path: `/problems/${name}` })),
    ...TRAPS.map((trap) => ({
      path: '/api/stats',
      headers: { [`${trap}`]: 'polluted', [`X-${trap}`]: '1' },
    })),
    ...BODIES.map((body) => post('/api/signup', JSON_TYPE, body)),
    ...BODIES.map((body) =>
      post('/api/signup', JSON_TYPE, `{"email":"a@b.example","type":"weekly",${body.slice(1)}`),
    ),
    ...BODIES.map((body) => post('/mcp', JSON_TYPE, body)),
    ...calls.map((params) =>
      post('/mcp', JSON_TYPE, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`),
    ),
    ...names.flatMap((name) => [
      post('/signup', FORM_TYPE, `${name}=polluted&email=a%40b.example&type=weekly`),
      post('/signup', FORM_TYPE, `email=a%40b.example&type=${name}`),
      post('/manage?token=x', FORM_TYPE, `action=${name}&${name}=polluted`),
    ]),
  ];
}

test('no file adds a property to any object: header, rows, keys, kinds, reasons', async () => {
  const city = aCity();
  const rowsOf = (trap: string) =>
    csvText([...businesses(5), { id: trap, name: trap, kind: trap, area: trap, what: trap }]);
  const headers = [...TRAPS, ...PATHS].flatMap((name) => [
    `ID,NAME,KIND,AREA,DAY,WHAT,${name}\n1,a,b,c,2026-01-01,,polluted\n`,
    `${name},NAME,KIND,AREA,DAY,WHAT\n`,
  ]);
  for (const text of [...TRAPS.map(rowsOf), ...headers]) {
    await dryRunCity(city.config, { from: city.file('a.csv', text) });
    assertClean(text);
  }
  const service = await city.open();
  for (const trap of TRAPS) {
    const [run] = await service.ingest({ from: city.file('a.csv', rowsOf(trap)) });
    assert.notEqual(run!.state, 'failed', trap);
    assertClean(trap);
  }
  city.change('csv, defineCity', 'json, defineCity');
  city.change('from: csv()', 'from: json()');
  for (const body of BODIES) {
    const sound = { ID: '1', NAME: 'a', KIND: '', AREA: '', DAY: '2026-01-01', WHAT: '' };
    for (const text of [
      body,
      `[${JSON.stringify(sound)},${body}]`,
      `[{"ID":"1",${body.replace(/^\[?\{|\]$/g, '')}]`,
    ]) {
      await dryRunCity(city.config, { from: city.file('a.json', text) });
      assertClean(text);
    }
  }
});

const FROZEN = fileURLToPath(new URL('./a-frozen-service.ts', import.meta.url));

test('the service does everything it should even if it cannot write to Object.prototype at all', async (t) => {
  const city = aCity();
  const env = { ...machineEnv(), PORT: '0', SHINGLE_LIMITS: 'off' };
  const from = city.file(
    'a.csv',
    csvText([...businesses(30), ...TRAPS.map((trap) => ({ id: trap, name: trap, area: trap }))]),
  );
  const child = spawn(process.execPath, [FROZEN, from], {
    env: { ...env, ...city.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 2 * PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const url = await until(
    () => /open (http:\S+?)\/\n/.exec(out)?.[1] ?? (child.exitCode === null ? undefined : ''),
    `it to serve: ${err}`,
  );
  assert.match(out, /^kept\n/, err);
  const client = aClient(Number(new URL(url).port));
  const total = async () =>
    JSON.parse((await client.ask({ path: '/api/search?limit=0' })).body.toString()).total;
  assert.equal(await until(async () => ((await total()) === 36 ? 36 : undefined), 'the run'), 36);
  const all = requests();
  const statuses: Record<string, number> = {};
  await client.askAll(all, (asked, { status, body }) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    assert.ok(status < 500, `${asked.method} ${asked.path} ${asked.body} -> ${status} ${body} ${err}`);
  });
  const signup = post('/api/signup', JSON_TYPE, '{"email":"a@b.example","type":"weekly"}');
  assert.equal((await client.ask(signup)).status, 202);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null], err);
  t.diagnostic(`${all.length} requests: ${JSON.stringify(statuses)}`);
});

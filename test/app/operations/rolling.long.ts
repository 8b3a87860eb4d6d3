/** Three instances are restarted one after the other, as docs/instances.md says: behind both proxies, no request fails. */

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { aCity, MAIL_ENV } from '../../a-city.ts';
import { aFolder } from '../../a-folder.ts';
import { freePort } from '../../a-port.ts';
import { type Running, running } from '../../a-process.ts';
import { aServer } from '../../service/database/a-postgres.ts';
import { until } from '../../until.ts';
import { ask, caddyAsShipped, nginxAsShipped, without } from './a-proxy.ts';

const REQUESTS = 480; // at least, through each proxy
const CLIENTS = 4; // of each proxy
const PACE_MS = 10;
const folder = aFolder();
chmodSync(folder, 0o755); // nginx looks into it as another user
const primary = await aServer();
const city = aCity();
const env = {
  ...{ ...city.env, ...MAIL_ENV, SHINGLE_LIMITS: 'off', TRUST_PROXY: '127.0.0.1/32' },
  DATABASE_URL: await primary.migrated(),
};
city.config.databaseUrl = env.DATABASE_URL;
await city.ingest(400, new Date().toISOString());

const PROXIES = {
  nginx: { start: nginxAsShipped, skip: without('nginx', true) || without('openssl', true) },
  Caddy: { start: caddyAsShipped, skip: without('caddy', true) },
};
const skip = Object.values(PROXIES).find((one) => one.skip !== false)?.skip ?? false;
test('behind both proxies as shipped, no request fails while three instances restart one after the other', {
  skip,
}, async (t) => {
  const ports = [await freePort(), await freePort(), await freePort()];
  const run = async (port: number): Promise<Running> => {
    const instance = await running(['serve'], { ...env, PORT: String(port) });
    await until(async () => (await fetch(`${instance.url}/api/health`)).ok, 'its health');
    return instance;
  };
  const instances = await Promise.all(ports.map(run));
  const counts: Record<string, number> = {};
  let isOver = false;
  const proxies = await Promise.all(
    Object.entries(PROXIES).map(async ([name, { start }], i) => {
      mkdirSync(join(folder, name));
      const urls = instances.map(({ url }) => url);
      const proxy = await start(join(folder, name), urls);
      return { ...proxy, name, asked: 0, from: `127.0.${9 + i}` };
    }),
  );
  const visit = async (proxy: (typeof proxies)[number], client: number): Promise<void> => {
    for (let n = 0; !isOver || proxy.asked < REQUESTS; n++) {
      proxy.asked++;
      const from = `${proxy.from}.${1 + ((client + CLIENTS * n) % 200)}`;
      const isSignup = proxy.name === 'nginx' && n % 4 === 0; // Caddy cannot repeat a form, as the file says
      const signup = {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `p${client}-${n}@b.example`, type: 'weekly' }),
      };
      const path = isSignup ? '/api/signup' : n % 4 === 1 ? '/' : '/api/search?q=business';
      const answer = await ask(proxy.url, path, { from, ...(isSignup && signup) });
      const what = `${proxy.name} ${isSignup ? 'POST' : 'GET'} ${answer.status}`;
      counts[what] = (counts[what] ?? 0) + 1;
      await sleep(PACE_MS);
    }
  };
  const visits = proxies.flatMap((proxy) =>
    Array.from({ length: CLIENTS }, (_, client) => visit(proxy, client)),
  );
  for (const [i, port] of ports.entries()) {
    assert.equal(await instances[i]!.stop(), 0);
    instances[i] = await run(port);
  }
  isOver = true;
  await Promise.all(visits);
  t.diagnostic(JSON.stringify(counts));
  const errors = String(proxies.map(({ logs }) => logs().match(/^.*"error".*$/gm)));
  const all = ['Caddy GET 200', 'nginx GET 200', 'nginx POST 202'];
  assert.deepEqual(Object.keys(counts).toSorted(), all, errors);
  await Promise.all([...proxies, ...instances].map((one) => one.stop()));
});

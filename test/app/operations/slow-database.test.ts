/** A database that does not answer, with every connection in use: requests that need it fail quickly, the others are not affected. */

import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { serveCity } from '../../../src/app/operations/serving.ts';
import { aCity } from '../../a-city.ts';
import { SILENT } from '../../a-log.ts';
import { postSignup } from '../../a-signup.ts';
import { jsonOf } from '../../an-answer.ts';
import { aCluster, asked, type Cluster } from '../../service/database/a-postgres.ts';
import { until } from '../../until.ts';

const POOL = 10;
const MOST_WAITS = 3; // of two seconds, while the others are refused: more searches than that have not waited

let cluster: Cluster;
before(async () => {
  cluster = await aCluster();
});
after(() => cluster?.end());

/** Whoever asks any table waits, until it is called off. */
async function everybodyWaits(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'");
  const lock = `begin; lock table ${rows.map(({ tablename }) => tablename).join(', ')}`;
  const isLocked = () =>
    client.query(lock).then(
      () => true as const,
      async ({ code }: { code: string }) => {
        assert.equal(code, '40P01'); // a deadlock with what the service does just now
        await client.query('rollback');
        return undefined;
      },
    );
  await until(isLocked, 'all tables');
  return () => client.end();
}

async function timed(asked: Promise<Response>): Promise<{ status: number; ms: number; text: string }> {
  const start = performance.now();
  const answer = await asked;
  return { status: answer.status, ms: performance.now() - start, text: await answer.text() };
}

/** The database was given up on, after two seconds for a statement or three for a connection; not the whole answer, after ten. */
function assertRefusedSoon({ status, text }: { status: number; text: string }): void {
  assert.equal(status, 503, text);
  assert.doesNotMatch(text, /took too long/);
}

/** A service over a fresh database with 40 listings, and what is asked of it. */
async function aService(t: TestContext) {
  const city = aCity();
  const url = await cluster.primary.fresh();
  city.config.databaseUrl = url;
  city.config.limits = 'off';
  const service = await city.open();
  await service.ingest({ from: city.csv(40) });
  const serving = await serveCity(service, SILENT);
  t.after(serving.close);
  let made = 0;
  const get = (path: string) => timed(fetch(serving.url + path));
  return {
    url,
    get,
    search: () => get('/api/search?q=business'),
    confirm: () => get(`/confirm?token=${'A'.repeat(43)}`),
    signUp: () => timed(postSignup(serving.url, `p${++made}@b.example`)),
    async health() {
      const { status, detail = '' } = await jsonOf<Record<string, string>>(
        fetch(`${serving.url}/api/health`),
      );
      return `${status} ${detail}`;
    },
  };
}

test('while the database is too slow, signups are refused quickly, searches continue and health warns', async (t) => {
  const { url, search, confirm, signUp, health } = await aService(t);
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  assert.equal((await signUp()).status, 202);
  assert.equal(await health(), 'ok ');

  const callOff = await everybodyWaits(url);
  const alone = await signUp();
  assertRefusedSoon(alone);
  const crowd = Promise.all([...Array.from({ length: 60 }, confirm), ...Array.from({ length: 10 }, signUp)]);
  await until(async () => (await asked(url, waiting)).length >= POOL, 'all connections to be in use');
  let isOver = false;
  void crowd.finally(() => {
    isOver = true;
  });
  const searches = [];
  for (; !isOver; await sleep(20)) searches.push(await search());
  await until(async () => (await health()).startsWith('warn'), 'health to warn');
  assert.match(await health(), /the database cannot be read/);
  searches.push(await search());
  const refused = await crowd;
  const slowest = (all: { ms: number }[]) => Math.max(...all.map(({ ms }) => ms));
  for (const one of refused) assertRefusedSoon(one);
  assert.deepEqual(new Set(searches.map(({ status }) => status)), new Set([200]));
  assert.ok(searches.length > MOST_WAITS, `only ${searches.length} searches were answered meanwhile`);

  await callOff();
  const calledOff = performance.now();
  let tries = 0;
  await until(async () => ++tries > 0 && (await signUp()).status === 202, 'a signup');
  await until(async () => (await health()) === 'ok ', 'health');
  const againMs = performance.now() - calledOff;
  t.diagnostic(
    `a signup refused after ${alone.ms.toFixed(0)} ms, of ${refused.length} at once the last after ${slowest(refused).toFixed(0)} ms; ${searches.length} searches, the slowest ${slowest(searches).toFixed(0)} ms; all well again after ${againMs.toFixed(0)} ms`,
  );
  assert.ok(tries <= 3, `${tries} signups were tried before one was taken`);
});

test('without its database the service answers all reads, refuses signups and warns in health, and then recovers', async (t) => {
  const { get, signUp, health } = await aService(t);
  assert.equal(await health(), 'ok ');
  await cluster.primary.crash();
  await until(async () => (await health()).startsWith('warn'), 'health to warn');
  for (const path of ['/api/search?q=business', '/api/stats', '/', '/feed.json', '/docs'])
    assert.equal((await get(path)).status, 200, path);
  assert.equal((await signUp()).status, 503);
  await cluster.primary.start();
  await until(async () => (await signUp()).status === 202, 'a signup');
  await until(async () => (await health()) === 'ok ', 'health');
});

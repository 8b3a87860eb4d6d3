/** Three instances on one PostgreSQL: one client has one budget, and no search waits for the database. */

import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { openPostgres } from '../../src/stores/postgres.ts';
import { openPostgresStore } from '../../src/stores/store.ts';
import { until } from '../a-process.ts';
import { aDoor, type Opened, someListings } from '../api/a-door.ts';
import { plainCatalogue } from '../api/plain-catalogue.ts';
import { aCluster, asked } from './a-postgres.ts';

const ROWS = 10_000;
const GREEDY = '203.0.113.9';
const OTHER = '198.51.100.7';
const catalogue = plainCatalogue(someListings(60));

const { primary, end: stop } = await aCluster();
after(stop);

/** Instances of one service, each with a store of its own; `restarted` is one more of them. */
async function instances(t: TestContext, count: number) {
  const url = await primary.fresh();
  const restarted = async (): Promise<Opened> => {
    const store = await openPostgresStore(url);
    const limits = { rows: ROWS, burst: 1_000_000 };
    const trustProxy = ['127.0.0.0/8'];
    const door = await aDoor(t, { limits, trustProxy, shared: store.budgets, catalogue });
    t.after(() => door.close().finally(store.close));
    return door;
  };
  const doors = await Promise.all(Array.from({ length: count }, restarted));
  return { url, doors, restarted };
}

const search = (door: Opened, client: string): Promise<Response> =>
  door.get('/api/search', { headers: { 'X-Forwarded-For': client } });

/** Asks as fast as it can, whatever it is told, until it is told to come back later than at once. */
async function copy(
  door: Opened,
  client = GREEDY,
): Promise<{ rows: number; soon: number; searches: number }> {
  let [rows, soon] = [0, 0];
  for (let searches = 1; ; searches++) {
    const response = await search(door, client);
    if (response.status === 200) {
      assert.ok(rows <= 10 * ROWS, 'there is no end to it');
      rows += ((await response.json()) as { listings: unknown[] }).listings.length;
      continue;
    }
    await response.arrayBuffer();
    assert.equal(response.status, 429);
    if (Number(response.headers.get('retry-after')) > 1) return { rows, soon, searches };
    soon++;
  }
}

/** What the database knows of the listings served to all clients. */
async function known(url: string): Promise<number> {
  const sql = `select coalesce(sum(taken), 0)::int as rows from budget where kind = 'rows'`;
  return (await asked<{ rows: number }>(url, sql))[0]!.rows;
}

test('one client at three instances is served its budget, not three', async (t) => {
  const { url, doors, restarted } = await instances(t, 3);
  const startedAt = performance.now();
  const copied = await Promise.all(doors.map((door) => copy(door)));
  const seconds = (performance.now() - startedAt) / 1000;
  const served = copied.reduce((sum, { rows }) => sum + rows, 0);
  t.diagnostic(
    `served ${served} rows of ${ROWS} (${(served / ROWS).toFixed(4)} times) in ${seconds.toFixed(1)} s: ${JSON.stringify(copied)}`,
  );
  assert.ok(served >= ROWS, 'a client must get what it is promised');
  assert.ok(served <= 1.1 * ROWS);
  for (const door of doors) {
    const refused = await search(door, GREEDY);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 86_000);
    assert.match((await search(door, OTHER)).headers.get('ratelimit')!, /"rows";r=(9975|9950|9925);/);
  }
  await doors[0]!.close();
  const again = await restarted();
  const fresh = await copy(again);
  t.diagnostic(`an instance that had forgotten served it ${fresh.rows} rows`);
  assert.ok(served + fresh.rows <= 1.12 * ROWS);
  await Promise.all([...doors, again].map((door) => door.close()));
  assert.equal(
    await known(url),
    served + fresh.rows + 3 * 25,
    'all that was served is told at the latest at the end',
  );
  const tables = await asked<{ name: string }>(
    url,
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  assert.ok(tables.some(({ name }) => name === 'budget_seed'));
  for (const { name } of tables) {
    const rows = JSON.stringify(await asked(url, `select * from ${name}`));
    for (const address of [GREEDY, OTHER]) assert.ok(!rows.includes(address), `${address} is in ${name}`);
  }
});

test('a search waits for no writer, and what it served is told when it can be', async (t) => {
  const { url, doors } = await instances(t, 1);
  const engine = await openPostgres(url);
  t.after(engine.close);
  await engine.transaction(async () => {
    for (let i = 0; i < 12; i++) assert.equal((await search(doors[0]!, GREEDY)).status, 200);
  });
  await doors[0]!.close();
  assert.equal(await known(url), 300);
});

test('without its database an instance serves on, and tells later', async (t) => {
  const { url, doors } = await instances(t, 2);
  const [one, two] = doors as [Opened, Opened];
  assert.equal((await search(one, GREEDY)).status, 200);
  await primary.crash();
  while ((await search(one, GREEDY)).status === 200); // so fast that it is told soon; its budget ends
  let searches = 1;
  await until(async () => {
    assert.equal((await search(one, `10.0.${searches >> 8}.${searches & 255}`)).status, 200);
    searches++;
    return /not shared/.test(one.warnings.join()) || undefined;
  }, 'the instance to notice');
  const { rows } = await copy(one, OTHER);
  assert.equal(rows, ROWS, 'its own budget holds meanwhile');
  await primary.start();
  await until(async () => {
    await search(one, OTHER);
    return /shared again/.test(one.warnings.join()) || undefined;
  }, 'the instance to share again');
  assert.ok((await copy(two, OTHER)).rows <= 0.03 * ROWS);
  assert.equal(one.warnings.length, 2, one.warnings.join());
  await one.close();
  assert.ok((await known(url)) >= ROWS + 25 * searches); // and what the fast one had
});

/** What health tells everybody, and where the operator reads the rest. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { openStoreAt } from '../../../src/service/data/store.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { freePort } from '../../a-port.ts';
import { type Running, running } from '../../a-process.ts';
import { textOf } from '../../an-answer.ts';
import { aServer, asked } from '../../service/database/a-postgres.ts';
import { until } from '../../until.ts';

const primary = await aServer();

type Told = { status: string; detail?: string };
const CANARY = 'canary';

/** A publisher that has lost its file, and says so at length. */
async function aPublisher(): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(404).end(CANARY));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/${CANARY}.csv`;
}

const messagesOf = ({ said }: Running): string[] =>
  [...said().err.matchAll(/^\{.*$/gm)].map(([line]) => JSON.parse(line).message);
const healthOf = async ({ url }: Running) => (await (await fetch(`${url}/api/health`)).json()) as Told;

test('health never names a path, an address or a text of a file', async () => {
  const city = aCity();
  const metricsPort = String(await freePort());
  const { env } = city;
  await command(['ingest', '--from', city.csv(40)], env);
  const service = await running(['serve'], { ...env, METRICS_PORT: metricsPort });
  const places = [
    join(city.folder, `${CANARY}-missing.csv`),
    await aPublisher(),
    city.file(`${CANARY}.csv`, `${CANARY},b\n1,2\n`),
    city.file(`${CANARY}-damaged.csv`, csvText(businesses(40)).replace(/Business \d+/g, '"'.repeat(3))),
    city.file(`${CANARY}-short.csv`, csvText(businesses(3))),
  ];
  for (const [i, place] of places.entries()) {
    const run = i + 2;
    assert.ok([1, 3].includes((await command(['ingest', '--from', place], env)).code!), place);
    const told = await until(async () => {
      const health = await healthOf(service);
      return health.detail?.includes(`run ${run} `) && health;
    }, `health to tell of ${place}`);
    assert.equal(told.status, 'warn');
    const wanted = `run ${run} of licences (was held|failed) \\(see "npx shingle runs show ${run}"\\)`;
    assert.match(told.detail!, new RegExp(`^${wanted}$`));
    const begins = new RegExp(`^run ${run} of licences (?:was held|failed): `);
    const line = await until(() => messagesOf(service).find((one) => begins.test(one)), 'the log');
    const shown = await command(['runs', 'show', String(run)], env);
    assert.ok(shown.out.includes(CANARY), 'the command shows the place');
    assert.ok(shown.out.includes(line.slice(line.indexOf(': ') + 2)), 'and the reason that is logged');
  }
  const metrics = await textOf(fetch(`http://127.0.0.1:${metricsPort}/metrics`));
  assert.match(metrics, /^shingle_health 1$/m);
  assert.match(metrics, /^shingle_concern\{kind="held"\} 1$/m);
  assert.doesNotMatch(metrics, new RegExp(CANARY));
  assert.equal(await service.stop(), 0);
  const store = await openStoreAt(city.config);
  const used = await store.usage.since('2000-01-01');
  await store.close();
  assert.ok(used.some(({ route, requests }) => route === '/api/health' && Number(requests) >= places.length));
  assert.doesNotMatch(JSON.stringify(used), /\?|127\.0\.0\.1/);
});

for (const engine of ['SQLite', 'PostgreSQL'])
  test(`${engine}: health, the log and status name a missing table as a lasting problem`, async () => {
    const city = aCity();
    const databaseUrl = engine === 'PostgreSQL' ? await primary.migrated() : undefined;
    const env = { ...city.env, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
    await command(['ingest', '--from', city.csv(40)], env);
    const service = await running(['serve'], env);
    const rename = 'alter table run rename to gone';
    if (databaseUrl === undefined) {
      using db = new DatabaseSync(join(city.config.dataFolder, 'shingle.db'), { timeout: 10_000 });
      db.exec(rename);
    } else await asked(databaseUrl, rename);
    const told = await until(async () => {
      const health = await healthOf(service);
      return health.status !== 'ok' && health;
    }, 'health to tell of it');
    assert.equal(told.detail, 'tables of the database are missing, or cannot be used');
    const what =
      /the database (?:does not have the table "run"\. Restore a dump of all tables|\S+ is not complete \(no such table: run\)\. To restore: stop Shingle)/;
    const logged = messagesOf(service).map((one) => one.replace('the database cannot be read: ', ''));
    assert.ok(
      logged.some((one) => what.test(one)),
      logged.join('\n'),
    );
    const { code, err } = await command(['status'], env);
    assert.equal(code, 1);
    assert.match(err, what);
    assert.equal(await service.stop(), 0);
  });

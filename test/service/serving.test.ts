/** A service that runs: what other commands do is served at once, nothing accepted is cut, and nothing hidden gets out. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aCity, businesses, csvText } from '../a-city.ts';
import { running, shingle, until } from '../a-process.ts';

type Found = { total: number; listings: { name: string }[]; data_as_of: string };

async function ask(url: string, path: string): Promise<{ status: number; body: Found; text: string }> {
  const answer = await fetch(`${url}${path}`);
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) as Found };
}

function totalOf(url: string, wanted: number): () => Promise<Found | undefined> {
  return async () => {
    const { status, body } = await ask(url, '/api/search?limit=1');
    return status === 200 && body.total === wanted ? body : undefined;
  };
}

test('the port is bound before the first run, and what other commands do is served without a restart', async () => {
  const city = aCity();
  const env = { SHINGLE_CITY: city.config.city, SHINGLE_DATA: city.config.dataFolder };
  const service = await running(['serve'], env);

  const health = await fetch(`${service.url}/api/health`);
  assert.equal(health.status, 503);
  assert.deepEqual(Object.values((await health.json()) as object).slice(0, 3), ['fail', 0, null]);
  const early = await fetch(`${service.url}/api/search`);
  assert.equal(early.status, 503);
  assert.ok(early.headers.get('retry-after'));
  assert.match(((await early.json()) as { type: string }).type, /not-ready$/);

  await shingle(['ingest', '--from', city.file('a.csv', csvText(businesses(30)))], env);
  await until(totalOf(service.url, 30), 'the first run');
  await shingle(['ingest', '--from', city.file('b.csv', csvText(businesses(33)))], env);
  await until(totalOf(service.url, 33), 'the second run');

  await shingle(['suppress', 'add', 'BUSINESS  33!', '--reason', 'asked to be removed'], env);
  await until(totalOf(service.url, 32), 'the suppression');
  assert.equal((await ask(service.url, '/api/search?q=33')).body.total, 0);
  await shingle(['ingest', '--from', city.file('c.csv', csvText(businesses(34)))], env);
  await until(totalOf(service.url, 33), 'the third run, still without the suppressed one');
  await shingle(['suppress', 'remove', 'BUSINESS  33!'], env);
  await until(totalOf(service.url, 34), 'the suppressed one again');

  assert.equal(await service.stop(), 0);
});

test('a held or failed run warns in health while the old data is served', async () => {
  const city = aCity();
  const env = { SHINGLE_CITY: city.config.city, SHINGLE_DATA: city.config.dataFolder };
  await shingle(['ingest', '--from', city.file('a.csv', csvText(businesses(40)))], env);
  const service = await running(['serve'], env);
  await until(totalOf(service.url, 40), 'the first run');
  await shingle(['ingest', '--from', city.file('b.csv', csvText(businesses(4)))], env);
  const warned = await until(async () => {
    const answer = await fetch(`${service.url}/api/health`);
    const { status, detail } = (await answer.json()) as { status: string; detail?: string };
    return status === 'warn' ? { code: answer.status, detail } : undefined;
  }, 'a warning');
  assert.equal(warned.code, 200);
  assert.match(warned.detail ?? '', /run 2 of licences held/);
  assert.equal((await ask(service.url, '/api/search')).body.total, 40);
  assert.equal(await service.stop(), 0);
});

test('start ingests, serves and backs up by itself', async () => {
  const city = aCity();
  city.file('filings.csv', csvText(businesses(60)));
  city.change('from: csv()', "from: csv({ file: 'filings.csv' })");
  const env = { SHINGLE_CITY: city.config.city, SHINGLE_DATA: city.config.dataFolder };
  const backups = join(city.config.dataFolder, 'backups');
  await shingle(['runs'], env);
  mkdirSync(backups);
  const half = join(backups, 'shingle-2026-01-05.db.part-999999999'); // of a process that was killed
  writeFileSync(half, '');
  const service = await running(['start'], env);
  await until(totalOf(service.url, 60), 'its own ingest');
  await until(
    () => readdirSync(backups, { encoding: 'utf8' }).find((name) => name.endsWith('.db')),
    'a backup',
  );
  assert.equal(existsSync(half), false, 'half a copy is not kept');
  assert.equal(await service.stop(), 0);
});

test('an old archive is served as of its day', async () => {
  const city = aCity();
  city.change("timeZone: 'America/Los_Angeles',", "timeZone: 'America/Los_Angeles', asOf: '2026-03-10',");
  city.change("status: 'open', filedOn }", "status: 'open', filedOn, expiresOn: row.AREA }");
  const env = { SHINGLE_CITY: city.config.city, SHINGLE_DATA: city.config.dataFolder };
  const rows = ['2026-03-09', '2026-03-10', '2026-03-11'].map((area, i) => ({ id: String(i), area }));
  await shingle(['ingest', '--from', city.file('a.csv', csvText(rows))], env);
  const service = await running(['serve'], env);
  await until(totalOf(service.url, 3), 'the archive');
  assert.equal((await ask(service.url, '/api/search?status=expired')).body.total, 1);
  await service.stop();
});

const CANARIES = [
  'Quetzalcoatl Owner',
  '555-0199',
  '12 Hidden Lane',
  'owner@canary.example',
  'EIN-99-1234567',
];

test('columns that are neither served nor named are found nowhere', async () => {
  const city = aCity();
  const env = { SHINGLE_CITY: city.config.city, SHINGLE_DATA: city.config.dataFolder };
  const [header, ...rows] = csvText(businesses(50)).trim().split('\n');
  const hidden = rows.map((row, i) => `${row},${CANARIES[i % CANARIES.length]}`);
  const path = city.file('a.csv', `${header},OWNER\n${hidden.join('\n')}\n`);
  const ingested = await shingle(['ingest', '--from', path, '--json'], env);
  assert.equal(ingested.code, 0, ingested.err);
  const service = await running(['serve'], env);
  await until(totalOf(service.url, 50), 'the run');
  let seen = ingested.out + ingested.err;
  for (const path of [
    '/',
    '/api/search',
    '/api/search?offset=25',
    '/api/stats',
    '/api/health',
    '/openapi.json',
    '/nowhere',
  ]) {
    seen += await (await fetch(service.url + path)).text();
  }
  for (const canary of CANARIES) {
    assert.equal(
      (await ask(service.url, `/api/search?limit=0&q=${encodeURIComponent(canary)}`)).body.total,
      0,
      canary,
    );
  }
  await service.stop();
  const { out, err } = service.said();
  const stored = readdirSync(city.config.dataFolder, {
    recursive: true,
    encoding: 'utf8',
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
  for (const canary of CANARIES) {
    for (const [where, text] of Object.entries({ answers: seen, logs: out + err, 'data folder': stored })) {
      assert.ok(!text.includes(canary), `${canary} is in the ${where}`);
    }
    assert.ok(!(out + err).includes(encodeURIComponent(canary)), 'logs carry no query');
  }
});

test('a database that is deleted under a running service is noticed, and never made anew', async () => {
  const city = aCity();
  const env = { SHINGLE_CITY: city.config.city, SHINGLE_DATA: city.config.dataFolder };
  await shingle(['ingest', '--from', city.file('a.csv', csvText(businesses(30)))], env);
  const service = await running(['serve'], env);
  await until(totalOf(service.url, 30), 'the run');
  rmSync(join(city.config.dataFolder, 'shingle.db'));
  await until(
    async () => ((await fetch(`${service.url}/api/health`)).status === 503 ? true : undefined),
    'health to fail',
  );
  await service.stop();
  const next = await shingle(['runs'], env);
  assert.equal(next.code, 78);
  assert.match(next.err, /backups/);
});

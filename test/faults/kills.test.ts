/** kill -9 amid fetching, judging, migrating, making and copying: old or new, never between, ready again without a hand, nothing left over. */

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, type TestContext, test } from 'node:test';
import { openService } from '../../src/app/operations/service.ts';
import { serveCity } from '../../src/app/operations/serving.ts';
import { lastStep } from '../../src/service/database/migrations.ts';
import { aCity, businesses, csvText, NOW } from '../a-city.ts';
import { command } from '../a-command.ts';
import { lastJson, shingle } from '../a-process.ts';
import { atDepth } from '../depth.ts';
import { INVENTED, STEPS_BEFORE } from '../service/database/invented-steps.ts';

const OLD = 3_000;
const NEW = 3_050;
const STEP_BEFORE = lastStep(STEPS_BEFORE);
const AT_ONCE = { concurrency: 2 };
const city = aCity();
let fresh = 0;

/** Whoever asks the publisher; killed by it before or amid its answer, where the path says so. */
const asking = new Map<string, ChildProcess>();
const body = csvText(businesses(NEW));
const publisher = createServer(({ url = '' }, response) => {
  if (url.startsWith('/before')) return void asking.get(url)?.kill('SIGKILL');
  if (!url.startsWith('/amid')) return void response.end(body);
  response.write(body.slice(0, body.length / 2), () => {
    const timer = setInterval(() => {
      const folders = readdirSync(city.folder).map((name) => join(city.folder, name));
      const part = folders.flatMap((folder) => temporaryIn(folder));
      if (part.length === 0) return;
      clearInterval(timer);
      asking.get(url)?.kill('SIGKILL');
    }, 5);
    response.on('close', () => clearInterval(timer));
  });
});
const publisherAt = (path: string) => `http://127.0.0.1:${(publisher.address() as AddressInfo).port}${path}`;

before(async () => {
  publisher.listen(0, '127.0.0.1');
  await city.ingest(businesses(OLD));
});
after(() => {
  publisher.closeAllConnections();
  publisher.close();
});

const envOf = (folder: string) => ({ ...city.env, ...INVENTED, SHINGLE_DATA: folder });

/** What is only there while something is under way, anywhere in a data folder. */
function temporaryIn(folder: string): string[] {
  if (!existsSync(join(folder, 'shingle.db'))) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.part|downloads.|^(check|init)-/.test(name));
}

/** The service on a data folder, as it starts after a crash: how many listings it serves, and when. */
async function startedOn(t: TestContext, folder: string): Promise<number> {
  const from = performance.now();
  const service = await openService({ ...city.config, dataFolder: folder }, () => NOW);
  const serving = await serveCity(service, { warn: () => undefined, info: () => undefined });
  try {
    const answer = await fetch(`${serving.url}/api/search?limit=0`);
    const took = performance.now() - from;
    t.diagnostic(`ready after ${Math.round(took)} ms; 5 s are promised`);
    return answer.status === 503 ? 0 : ((await answer.json()) as { total: number }).total;
  } finally {
    await serving.close();
    await service.close();
  }
}

function assertSound(folder: string): void {
  const db = new DatabaseSync(join(folder, 'shingle.db'), { readOnly: true });
  assert.equal(db.prepare('pragma quick_check').get()?.quick_check, 'ok');
  db.close();
}

const INGESTS: [what: string, how: { path?: string; at?: string }, served: number, next: string][] = [
  ['before the publisher answers', { path: '/before' }, OLD, 'kept'],
  ['while the publisher sends the file', { path: '/amid' }, OLD, 'kept'],
  ['with the whole file on the disk', { at: 'ingest:started 1' }, OLD, 'kept'],
  ['with all rows judged', { at: 'ingest:judged 1' }, OLD, 'kept'],
  ['while it stages filings', { at: 'stage:batch 1' }, OLD, 'kept'],
  ['with its rows folded', { at: 'keep:folded 1' }, OLD, 'kept'],
  ['before the commit', { at: 'keep:before-commit 1' }, OLD, 'kept'],
  ['after the commit', { at: 'keep:committed 1' }, NEW, 'unchanged'],
];

describe('a killed ingest', AT_ONCE, () => {
  // at the last two all of it is done: one must be undone, and one has something new to lose
  for (const [what, { path = '/', at }, served, next] of atDepth(INGESTS.slice(-2), INGESTS))
    test(`killed ${what}, it changes everything or nothing, and the next ingest removes its traces`, async (t) => {
      const folder = city.copyData();
      const env = { ...envOf(folder), ...(at !== undefined && { DIES_AT: at }) };
      const died = await shingle(['ingest', '--from', publisherAt(path)], env, (child) => {
        asking.set(path, child);
      });
      assert.equal(died.code, null, `it was to die: ${died.out}${died.err}`);
      const ended = lastJson(await command(['runs', '--json'], envOf(folder))).runs;
      assert.ok(
        ended.every(({ state }) => state !== 'running'),
        'it is shown as interrupted',
      );
      assert.equal(await startedOn(t, folder), served);
      const again = await command(['ingest', '--from', publisherAt('/'), '--json'], envOf(folder));
      assert.equal(lastJson(again).runs[0]?.state, next, again.err);
      assert.equal(await startedOn(t, folder), NEW);
      assertSound(folder);
      assert.deepEqual(temporaryIn(folder), []);
    });

  test('the next dry run removes all traces of a killed dry run', async () => {
    const folder = city.copyData();
    const died = await shingle(
      ['check', '--from', publisherAt('/amid-a-dry-run')],
      envOf(folder),
      (child) => {
        asking.set('/amid-a-dry-run', child);
      },
    );
    assert.equal(died.code, null);
    assert.equal((await command(['check', '--from', publisherAt('/')], envOf(folder))).code, 0);
    assert.deepEqual(temporaryIn(folder), []);
  });
});

/** As the version before the invented steps left it. */
function madeOlder(folder: string): void {
  const db = new DatabaseSync(join(folder, 'shingle.db'));
  db.exec(`drop table invention; alter table message drop column invented;
    delete from migration where number > ${STEP_BEFORE}`);
  db.close();
}

function stepOf(folder: string): number {
  const db = new DatabaseSync(join(folder, 'shingle.db'), { readOnly: true });
  const step = Number(db.prepare('select max(number) as step from migration').get()?.step);
  const exists = (sql: string) => db.prepare(sql).all().length > 0;
  const hasColumn = exists("select name from pragma_table_info('message') where name = 'invented'");
  const hasTable = exists("select name from sqlite_schema where name = 'invention'");
  const isNew = step > STEP_BEFORE;
  assert.deepEqual([hasColumn, hasTable], [isNew, isNew], 'never between');
  db.close();
  return step;
}

describe('an upgrade that is killed', AT_ONCE, () => {
  const steps = Array.from({ length: lastStep() - STEP_BEFORE }, (_, i) => `migrate:step ${i + 1}`);
  // after the last step everything is done, and must be undone
  for (const at of atDepth(steps.slice(-1), [...steps, 'migrate:committed 1'])) {
    const isNew = at.startsWith('migrate:committed');
    test(`killed at ${at}, the database has the ${isNew ? 'new' : 'old'} tables, and the next start completes them`, async (t) => {
      const folder = city.copyData();
      madeOlder(folder);
      const died = await shingle(['runs'], { ...envOf(folder), DIES_AT: at });
      assert.equal(died.code, null);
      assert.equal(stepOf(folder) > STEP_BEFORE, isNew);
      assert.equal(await startedOn(t, folder), OLD);
      assert.equal(stepOf(folder), lastStep());
      assertSound(folder);
    });
  }

  const ofFresh = ['database:made 1', 'migrate:step 1', 'migrate:step 3', 'migrate:committed 1'];
  for (const at of atDepth(ofFresh.slice(0, 1), ofFresh))
    test(`killed at ${at} of a new folder, the next start completes the folder`, async (t) => {
      const folder = join(city.folder, `fresh-${++fresh}`);
      const died = await shingle(['ingest'], { ...envOf(folder), DIES_AT: at });
      assert.equal(died.code, null);
      assert.equal(await startedOn(t, folder), 0);
      assertSound(folder);
      assert.deepEqual(temporaryIn(folder), []);
    });
});

describe('a killed backup', AT_ONCE, () => {
  const points: [at: string, isThere: boolean][] = [
    ['backup:synced 1', false], // whole, and without its name
    ['backup:copied 1', false],
    ['backup:renamed 1', true],
  ];
  for (const [at, isThere] of atDepth(points.slice(0, 1), points))
    test(`killed at ${at}, the backup is ${isThere ? 'complete' : 'missing'}, and the next backup removes its traces`, async (t) => {
      const folder = city.copyData();
      const copy = join(folder, 'shingle-copy.db');
      const died = await shingle(['backup', copy], { ...envOf(folder), DIES_AT: at });
      assert.equal(died.code, null);
      assert.equal(existsSync(copy), isThere);
      rmSync(copy, { force: true });
      assert.equal((await command(['backup', copy], envOf(folder))).code, 0);
      assert.deepEqual(temporaryIn(folder), []);
      const restored = join(city.folder, `restored-${++fresh}`);
      cpSync(copy, join(restored, 'shingle.db'));
      assert.equal(await startedOn(t, restored), OLD);
      assertSound(restored);
    });
});

/** The database disappears under a running service: it is noticed, nothing is written and nothing is created; other processes do no harm. */

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { aCity, businesses, csvText } from '../a-city.ts';
import { command } from '../a-command.ts';
import { lastJson, type Running, running } from '../a-process.ts';
import { postSignup } from '../a-signup.ts';
import { atDepth } from '../depth.ts';
import { until } from '../until.ts';

const city = aCity();

before(async () => {
  const service = await city.open();
  await service.ingest({ from: city.file('first.csv', csvText(businesses(30))) });
  await service.store.backup(join(city.folder, 'a-copy.db'));
  await service.close();
});

async function aService(): Promise<{ service: Running; folder: string; env: Record<string, string> }> {
  const folder = city.copyData();
  const env = { ...city.env, SHINGLE_DATA: folder, SHINGLE_LIMITS: 'off' };
  const service = await running(['serve'], env);
  await until(async () => ((await total(service)) === 30 ? true : undefined), 'its listings');
  assert.equal(await signUp(service, 'before@b.example'), 202);
  return { service, folder, env };
}

async function total({ url }: Running): Promise<number> {
  return ((await (await fetch(`${url}/api/search?limit=0`)).json()) as { total: number }).total;
}

const signUp = async ({ url }: Running, email: string) => (await postSignup(url, email)).status;

type Health = { status: string; detail?: string };
const healthOf = async ({ url }: Running) => (await (await fetch(`${url}/api/health`)).json()) as Health;

/** What happens to the files, and what the folder looks like to whoever comes next. */
const LOSSES: Record<string, { lose(path: string): void; next: number; isThere: boolean }> = {
  // the first would lose what was acknowledged, and everything would look right
  'is replaced by an older copy': {
    lose(path) {
      copyFileSync(join(city.folder, 'a-copy.db'), `${path}-new`);
      renameSync(`${path}-new`, path);
    },
    next: 78, // the journal beside it is another one's
    isThere: true,
  },
  'is deleted with all that is beside it': {
    lose(path) {
      for (const end of ['', '-wal', '-shm']) rmSync(path + end);
    },
    next: 78,
    isThere: false,
  },
  'loses its journal': { lose: (path) => rmSync(`${path}-wal`), next: 0, isThere: true },
  'loses what processes share of its journal': {
    lose: (path) => rmSync(`${path}-shm`),
    next: 0,
    isThere: true,
  },
};

for (const [what, { lose, next, isThere }] of Object.entries(LOSSES).slice(0, atDepth(1, undefined))) {
  test(`a database that ${what} under a running service is noticed, and no later write succeeds`, async (t) => {
    const { service, folder, env } = await aService();
    const path = join(folder, 'shingle.db');
    lose(path);
    const from = performance.now();
    const health = await until(async () => {
      const said = await healthOf(service);
      return said.status === 'fail' ? said : undefined;
    }, 'health to fail');
    const took = performance.now() - from;
    t.diagnostic(`noticed after ${Math.round(took)} ms; 5 s are promised`);
    assert.match(
      health.detail ?? '',
      /deleted or replaced, or its disk was unmounted: stop Shingle, mount the disk, restore a backup if the file is gone, and start it again/,
    );
    assert.equal(await signUp(service, 'after@b.example'), 503);
    assert.equal(await total(service), 30, 'reads go on from memory');
    assert.equal(await service.stop(), 0);
    assert.equal(existsSync(path), isThere, 'nothing is made in its place');
    const after = await command(['runs'], env);
    assert.equal(after.code, next, after.err);
    if (next === 78) assert.match(after.err, /restore/i);
    assert.equal(existsSync(path), isThere);
  });
}

test('if a data folder disappears under a running service, the service notices it and does not create another', async () => {
  const { service, folder } = await aService();
  rmSync(folder, { recursive: true });
  await until(async () => ((await healthOf(service)).status === 'fail' ? true : undefined), 'health to fail');
  assert.equal(await signUp(service, 'after@b.example'), 503);
  assert.equal(await total(service), 30);
  assert.equal(await service.stop(), 0);
  assert.equal(existsSync(folder), false);
});

test('commands beside a running service leave its database in place, even if they are killed', async () => {
  const { service, folder, env } = await aService();
  const second = await running(['serve'], env);
  await until(async () => ((await total(second)) === 30 ? true : undefined), 'the second one');
  assert.equal(await signUp(second, 'second@b.example'), 202);
  second.child.kill('SIGKILL');
  const from = city.file('second.csv', csvText(businesses(33)));
  assert.equal((await command(['ingest', '--from', from], env)).code, 0);
  assert.equal(
    (await command(['ingest', '--from', from], { ...env, DIES_AT: 'ingest:started 1' })).code,
    null,
  );
  assert.equal((await command(['backup', join(folder, 'copy.db')], env)).code, 0);
  await until(async () => ((await total(service)) === 33 ? true : undefined), 'the new run');
  assert.notEqual((await healthOf(service)).status, 'fail');
  assert.equal(await signUp(service, 'last@b.example'), 202);
  assert.equal(await service.stop(), 0);
  const { subscribers } = lastJson(await command(['subscribers', 'list', '--json'], env)) as unknown as {
    subscribers: { email: string }[];
  };
  assert.deepEqual(subscribers.map(({ email }) => email.split('@')[0]).toSorted(), [
    'before',
    'last',
    'second',
  ]);
  assert.deepEqual(
    readdirSync(folder).filter((name) => /part|new/.test(name)),
    [],
  );
});

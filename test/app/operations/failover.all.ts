/** The primary dies while people sign up and search, after its synchronous standby stalled: everything acknowledged is still there. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { running } from '../../a-process.ts';
import { postSignup } from '../../a-signup.ts';
import { aCluster, asked, type Cluster } from '../../service/database/a-postgres.ts';
import { until } from '../../until.ts';

const WRITERS = 4;
const PART = 40; // signups and searches, in each part of the course
const CANCELS = 5;

let cluster: Cluster;
before(async () => {
  cluster = await aCluster();
});
after(() => cluster?.end());

/** Commits wait for such standbys from here on, until these have them on their disks. */
async function setStandbys(url: string, names: string): Promise<void> {
  await asked(url, `alter system set synchronous_standby_names = '${names}'`);
  await asked(url, 'select pg_reload_conf()');
}

test('no acknowledged signup is lost, search never fails, and writes continue after promotion without a restart', async (t) => {
  const { primary, standby } = cluster;
  const url = await primary.fresh();
  await standby.start();
  await setStandbys(url, '*');
  const isSync = "select 1 from pg_stat_replication where sync_state = 'sync'";
  await until(async () => (await asked(url, isSync)).length > 0, 'a synchronous standby');
  const folder = aFolder();
  const databaseUrl = url.replace(/@[^/]*/, `@127.0.0.1:${primary.port},127.0.0.1:${standby.port}`);
  const env = { SHINGLE_DATA: folder, DATABASE_URL: databaseUrl, SHINGLE_LIMITS: 'off' };
  assert.equal((await command(['ingest'], env)).code, 0);
  const service = await running(['serve'], env);
  const { acknowledged, searched, refusals, stop } = writingTo(service.url);
  await until(() => acknowledged.size > PART, 'signups');

  const receivers = 'select pid from pg_stat_wal_receiver';
  const [{ pid } = assert.fail()] = await asked<{ pid: number }>(standby.url('postgres'), receivers);
  process.kill(pid, 'SIGSTOP');
  await more(searched);
  // somebody tires of waiting: what is then answered as committed is on one disk only
  for (let i = 0; i < CANCELS; i++) {
    const waiting = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
    await until(async () => (await asked(url, waiting)).length > 0, 'a commit that waits');
  }
  await primary.crash();
  process.kill(pid, 'SIGTERM'); // what came in meanwhile but was never on its disk is gone with it
  process.kill(pid, 'SIGCONT');
  const acknowledgedBefore = acknowledged.size;
  const promotedAt = performance.now();
  const again = until(
    () => (acknowledged.size > acknowledgedBefore ? performance.now() : undefined),
    'a signup after the promotion',
  );
  await asked(standby.url('postgres'), 'select pg_promote()');
  await setStandbys(standby.url('postgres'), ''); // the new primary has none of its own yet
  const before = refusals();
  const againMs = (await again) - promotedAt;
  assert.ok(refusals() - before <= 3 * WRITERS, 'writing goes on at the first try or soon after');
  await more(() => acknowledged.size);
  await more(searched);
  const { refused, searches, failed } = await stop();
  const kept = await asked<{ identity: string }>(
    url.replace(`:${primary.port}/`, `:${standby.port}/`),
    'select identity from subscriber',
  );
  const identities = new Set(kept.map(({ identity }) => identity));
  const lost = [...acknowledged].filter((address) => !identities.has(address));
  t.diagnostic(
    `${acknowledged.size} acknowledged (${refused} refused), lost ${lost.length}; writes again after ${Math.round(againMs)} ms; ${searches} searches, ${failed} failed`,
  );
  assert.deepEqual(lost, []);
  assert.equal(failed, 0);
  assert.ok(searches > 2 * PART && refused > 0);
  assert.equal(await service.stop(), 0);
  assert.doesNotMatch(service.said().err, /does not wait for a standby/, 'it had one when it started');
});

/** Waits until there are so many more. */
async function more(count: () => number): Promise<void> {
  const before = count();
  await until(() => count() >= before + PART, `${PART} more`);
}

/** Signups, of which those that were answered with 202 are acknowledged, and searches, until it is stopped. */
function writingTo(url: string) {
  const acknowledged = new Set<string>();
  let [refused, searches, failed, isOver] = [0, 0, 0, false];
  const signUp = async (writer: number) => {
    for (let i = 0; !isOver; i++) {
      const email = `w${writer}-${i}@b.example`;
      const { status } = await postSignup(url, email);
      if (status === 202) acknowledged.add(email);
      else if (status === 503) refused++;
      else throw new Error(`a signup was answered with ${status}`);
    }
  };
  const search = async () => {
    for (; !isOver; searches++) {
      const response = await fetch(`${url}/api/search?q=coffee`).catch(() => undefined);
      if (response?.status !== 200) failed++;
      await response?.arrayBuffer();
      await sleep(10);
    }
  };
  const all = [...Array.from({ length: WRITERS }, (_, i) => signUp(i)), search()];
  return {
    acknowledged,
    searched: () => searches,
    refusals: () => refused,
    async stop() {
      isOver = true;
      await Promise.all(all);
      return { refused, searches, failed };
    },
  };
}

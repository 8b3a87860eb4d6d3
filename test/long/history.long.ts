/**
 * Five clients sign up, unsubscribe, are erased and read, at two instances on one PostgreSQL. During that minute, instances are killed
 * and paused, the database crashes and sessions end: everything acknowledged stays.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '../../cities/sample/random.ts';
import { makeToken } from '../../src/service/subscribers/tokens.ts';
import { aCity, businesses, csvText } from '../a-city.ts';
import { aFolder } from '../a-folder.ts';
import { type Running, running } from '../a-process.ts';
import { aCluster, asked } from '../service/database/a-postgres.ts';
import { people } from './people.ts';

const SECONDS = 60;
const SEED = 20_261_121;
const GOERS = 1_500; // who leave, and as many who are erased

type Goer = { address: string; token: string };

/** Everybody's token, written as delivery would write it. */
async function withTokens(url: string, addresses: readonly string[], purpose: string): Promise<Goer[]> {
  const made = addresses.map((address) => ({ address, ...makeToken() }));
  const values = made.map(({ hash, address }) => `('${hash}', '${address}')`).join(', ');
  await asked(
    url,
    `insert into token (hash, subscriber, purpose, type, made_at)
     select hash, subscriber, '${purpose}', 'weekly', asked_at
     from (values ${values}) as made (hash, made_for) join subscriber on identity = made_for`,
  );
  return made;
}

test(`no acknowledged change is lost in ${SECONDS} seconds of kills, pauses and crashes with five clients and two instances`, async (t) => {
  const cluster = await aCluster();
  t.after(cluster.end);
  const { primary } = cluster;
  const url = await primary.fresh();
  const city = aCity();
  city.config.databaseUrl = url;
  const service = await city.open(new Date().toISOString());
  await service.ingest({ from: city.file('a.csv', csvText(businesses(40))) });
  const addresses = await people(service, 2 * GOERS);
  await service.close();
  const goers = {
    left: await withTokens(url, addresses.slice(0, GOERS), 'unsubscribe'),
    erased: await withTokens(url, addresses.slice(GOERS), 'manage'),
  };
  const serving = () => {
    const folder = aFolder();
    const env = { SHINGLE_CITY: city.config.city, SHINGLE_DATA: folder };
    return running(['serve'], { ...env, DATABASE_URL: url, SHINGLE_LIMITS: 'off' });
  };
  const instances = await Promise.all([serving(), serving()]);

  const acknowledged = new Map<string, 'pending' | 'left' | 'erased'>();
  const counts = { acknowledged: 0, refused: 0, unanswered: 0, looked: 0 };
  let isOver = false;

  /** The status and the page, where there was an answer. */
  async function ask(which: number, path: string, init: RequestInit = {}) {
    const answer = await fetch(instances[which % 2]!.url + path, {
      ...init,
      signal: AbortSignal.timeout(20_000),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined);
    if (answer === undefined) counts.unanswered++;
    else if (answer.status === 503) counts.refused++;
    return answer;
  }
  const post = (which: number, path: string, type: string, body: string) =>
    ask(which, path, { method: 'POST', headers: { 'content-type': type }, body });
  const note = (address: string, state: 'pending' | 'left' | 'erased') => {
    acknowledged.set(address, state);
    counts.acknowledged++;
  };

  async function signing(client: number): Promise<void> {
    for (let i = 0; !isOver; i++) {
      const email = `n${client}-${i}@b.example`;
      const answer = await post(
        i,
        '/api/signup',
        'application/json',
        JSON.stringify({ email, type: 'weekly' }),
      );
      if (answer?.status === 202) note(email, 'pending');
      else if (answer === undefined || answer.status === 503) await sleep(20);
      else assert.fail(`a signup was answered with ${answer.status}`);
    }
  }
  async function going(how: 'left' | 'erased'): Promise<void> {
    const path = how === 'left' ? '/unsubscribe' : '/manage';
    const body = how === 'left' ? 'List-Unsubscribe=One-Click' : 'action=erase';
    for (let i = 0; !isOver; i++) {
      const one = goers[how].pop();
      if (one === undefined) return;
      const at = `${path}?token=${one.token}`;
      const answer = await post(i, at, 'application/x-www-form-urlencoded', body);
      if (answer?.status === 200) {
        note(one.address, how);
        const seen = await ask(i + 1, at); // the other instance
        if (seen === undefined || seen.status === 503) continue;
        counts.looked++;
        if (how === 'left') assert.match(seen.text, /You are unsubscribed/);
        else assert.equal(seen.status, 404);
      } else await sleep(20);
    }
  }
  const next = random(SEED);
  const problems: Record<string, () => Promise<unknown>> = {
    async 'an instance was killed'() {
      const which = Math.floor(next() * 2);
      instances[which]!.child.kill('SIGKILL');
      instances[which] = await serving();
    },
    async 'an instance was paused'() {
      const { child } = instances[Math.floor(next() * 2)] as Running;
      child.kill('SIGSTOP');
      await sleep(200 + 2_000 * next());
      child.kill('SIGCONT');
    },
    async 'the database crashed'() {
      await primary.crash();
      await sleep(500 * next());
      await primary.start();
    },
    'all sessions were ended': () =>
      asked(
        primary.url('postgres'),
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shingle'",
      ),
  };
  const done: Record<string, number> = {};
  async function troubling(): Promise<void> {
    const end = performance.now() + SECONDS * 1_000;
    for (let i = 0; performance.now() < end; i++) {
      await sleep(200 + 2_000 * next());
      const what = Object.keys(problems)[i % 4]!;
      await problems[what]!();
      done[what] = (done[what] ?? 0) + 1;
    }
    isOver = true;
  }
  await Promise.all([signing(1), signing(2), signing(3), going('left'), going('erased'), troubling()]);

  const rows = await asked<{ address: string; state: string }>(
    url,
    'select address, state from subscriber join subscription using (subscriber)',
  );
  const states = new Map(rows.map(({ address, state }) => [address, state]));
  const wrong = [...acknowledged].filter(([address, state]) => (states.get(address) ?? 'erased') !== state);
  t.diagnostic(`${JSON.stringify(done)}; ${JSON.stringify(counts)}`);
  const byState = Object.entries(Object.groupBy(acknowledged.values(), (state) => state));
  t.diagnostic(byState.map(([state, all]) => `${all.length} ${state}`).join(', '));
  assert.deepEqual(wrong, []);
  assert.equal(new Set(rows.map(({ address }) => address)).size, rows.length, 'nobody is there twice');
  for (const state of ['pending', 'left', 'erased'])
    assert.ok([...acknowledged.values()].filter((one) => one === state).length >= 50, state);
  assert.ok(counts.looked >= 50 && counts.refused > 0);
  for (const one of instances) assert.equal(await one.stop(), 0);
});

/** Several instances on one real PostgreSQL: they agree, one of them imports, and one edition a week is sent even if one dies. */

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { after, test } from 'node:test';
import { openStoreAt } from '../../../src/service/data/store.ts';
import { aCity, MAIL_ENV, NOW } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { lastJson, type Running, running, shingle } from '../../a-process.ts';
import { addressesOf, addSubscribers } from '../../a-subscriber.ts';
import { atDepth } from '../../depth.ts';
import { aServer, asked } from '../../service/database/a-postgres.ts';
import { aMailServer } from '../../service/mail/a-mail-server.ts';
import { until } from '../../until.ts';

const THREE = [0, 1, 2];
/** In full depth as the promise says it: 50 weeks, 20 of them with a leader killed. */
const [WEEKS, KILLS] = atDepth([2, 1], [50, 20]) as [number, number];
const PEOPLE = 40;
/** Who waits for a lock of this database. */
const WAITING = `select pid from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

const primary = await aServer();

/** The variables of one instance: a data folder of its own, the database of all. */
const instance = (databaseUrl: string, city: string): Record<string, string> => ({
  ...{ SHINGLE_CITY: city, SHINGLE_DATA: aFolder(), DATABASE_URL: databaseUrl },
});

/** What all instances answer, once each has so many listings. */
const seenBy = (instances: readonly Running[], total: number) =>
  Promise.all(
    instances.map(({ url }) =>
      until(async () => {
        const response = await fetch(`${url}/api/search?q=&limit=5`);
        const body = await response.text();
        return (
          response.ok && JSON.parse(body).total === total && { body, etag: response.headers.get('etag') }
        );
      }, `${total} listings`),
    ),
  );

test('all instances serve a run that one of them kept, with the same ETag and time', async () => {
  const city = aCity();
  const url = await primary.migrated();
  const envs = THREE.map(() => instance(url, city.config.city));
  const all = await Promise.all(envs.map((env) => running(['serve'], env)));
  for (const count of [40, 47]) {
    assert.equal((await command(['ingest', '--from', city.csv(count)], envs[1]!)).code, 0);
    const [first, ...others] = await seenBy(all, count);
    for (const other of others) assert.deepEqual(other, first);
  }
  const suppressed = await command(['suppress', 'add', 'Business 7', '--reason', 'asked'], envs[2]!);
  assert.equal(suppressed.code, 0);
  await seenBy(all, 46);
  for (const one of all) {
    assert.equal(await one.stop(), 0);
    assert.equal(one.said().err.split('does not wait for a standby').length, 2, 'once each');
  }
});

test('three instances that start at once on an empty database import once', async () => {
  const databaseUrl = await primary.fresh();
  const envs = THREE.map(() => instance(databaseUrl, 'sample'));
  const all = await Promise.all(envs.map((env) => running(['start'], env)));
  await seenBy(all, 4327);
  const { runs } = lastJson(await command(['runs', '--json'], envs[0]!));
  assert.equal(String(runs.map(({ state }) => state)), 'kept,kept');
  for (const one of all) assert.equal(await one.stop(), 0);
});

test(`three instances that send at once for ${WEEKS} weeks make one edition a week and miss no subscriber, even if the leader is killed in ${KILLS}`, async (t) => {
  const city = aCity();
  const databaseUrl = await primary.migrated();
  const store = await openStoreAt({ dataFolder: city.config.dataFolder, databaseUrl });
  after(() => store.close());
  const envs = THREE.map(() => instance(databaseUrl, city.config.city));
  const ingest = async (count: number, now: string) => {
    const from = city.csv(count);
    assert.equal((await command(['ingest', '--from', from, '--now', now], envs[0]!)).code, 0);
  };
  await ingest(40, '2026-11-18T12:00:00.000Z');
  await addSubscribers(store, addressesOf(PEOPLE), { at: NOW });
  let twice = 0;
  for (let week = 1; week <= WEEKS; week++) {
    const now = (hours: number) => new Date(Date.UTC(2026, 10, 16 + 7 * week, hours)).toISOString();
    await ingest(40 + 3 * week, now(17));
    const isKilled = week <= KILLS;
    const { outcomes, got, senders } = await sentByThree(envs, {
      now: now(18),
      killAt: isKilled ? 1 + ((week * 7) % PEOPLE) : 0,
    });
    assert.equal(senders, isKilled ? 2 : 1, 'one sends, and another only where that one died');
    const decided = outcomes.filter((outcome) => outcome === 'decided').length;
    assert.ok(isKilled ? decided <= 1 : decided === 1, outcomes.join());
    assert.equal(got.size, PEOPLE, `week ${week}: ${got.size} of ${PEOPLE} got it`);
    const repeated = [...got.values()].filter((ids) => ids.length > 1);
    assert.ok(repeated.length <= (isKilled ? 2 : 0), `week ${week}: ${repeated.length} got it twice`);
    for (const ids of repeated) assert.equal(new Set(ids).size, 1, 'under the same Message-ID');
    twice += repeated.length;
    assert.equal((await store.editions.last())?.edition, now(18).slice(0, 10));
  }
  t.diagnostic(`${WEEKS} weeks, ${KILLS} kills: missed 0, twice ${twice} of ${WEEKS * PEOPLE}`);
});

/**
 * Three processes at once, each with a mail server of its own, so that it is known who sends. The first message is held until
 * the two others wait for their turn, have not waited for it, or are over. Where the sender is killed, one of those two sends the rest.
 */
async function sentByThree(
  envs: readonly Record<string, string>[],
  { now, killAt }: { now: string; killAt: number },
): Promise<{ outcomes: string[]; got: Map<string, string[]>; senders: number }> {
  const children: (ChildProcess | undefined)[] = [];
  const senders = new Set<number>();
  let people = 0;
  let others: Promise<unknown> | undefined;
  const haveCome = async () => {
    const over = children.filter((child) => child?.exitCode != null || child?.signalCode != null).length;
    const waiting = (await asked(envs[0]!.DATABASE_URL!, WAITING)).length;
    return senders.size > 1 || over + waiting >= 2;
  };
  const servers = await Promise.all(
    envs.map((_, i) =>
      aMailServer({
        async onRcptTo(_address, _session, done) {
          senders.add(i);
          others ??= until(haveCome, 'the two others').catch((error: Error) => error);
          const waited = await others;
          if (++people === killAt) children[i]?.kill('SIGKILL');
          done(waited instanceof Error ? waited : null);
        },
      }),
    ),
  );
  const send = (i: number) => {
    const env = { ...envs[i]!, ...MAIL_ENV, SMTP_URL: servers[i]!.url };
    return shingle(['weekly', 'send', '--now', now, '--json'], env, (child) => {
      children[i] = child;
    });
  };
  const ended = await Promise.all(THREE.map(send));
  const outcomes = ended.filter(({ code }) => code === 0).map((one) => String(lastJson(one).outcome));
  const got = new Map<string, string[]>();
  for (const { arrived } of servers)
    for (const { to, raw } of arrived)
      got.set(to[0]!, [...(got.get(to[0]!) ?? []), /^Message-ID: (.*)$/im.exec(raw)![1]!]);
  await Promise.all(servers.map((server) => server.close()));
  return { outcomes, got, senders: senders.size };
}

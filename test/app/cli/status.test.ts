/** `shingle status`: everything on one screen, whether the service runs or not. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openStoreAt } from '../../../src/service/data/store.ts';
import { aCity, type SmallCity } from '../../a-city.ts';
import { commandsOf } from '../../a-command.ts';
import { freePort } from '../../a-port.ts';
import { lastJson, running, shingle } from '../../a-process.ts';
import { add, ask, at, DAY, sent } from '../../service/database/mailing-steps.ts';
import { until } from '../../until.ts';

/** Because the service deletes records of mail that are old. */
const YESTERDAY = Date.now() - Date.parse(at()) - DAY;
const ALERT_EMAIL = 'ops@chamber.example';
const NOBODY = { confirmed: 0, pending: 0, left: 0, bounced: 0 };

type Reported = {
  needs_you: boolean;
  service: Record<string, unknown>;
  data: { listings: number };
  sources: { source: string; run: number; state: string; next_at: string | null }[];
  disk: { free_bytes: number; database_bytes: number };
  subscriptions: object;
  mail: { last_edition: object };
  concerns: { kind: string; source: string | null; sentence: string; since: string | null }[];
};

/** The status as a screen, with each line that goes on in the next as one line, and as JSON. */
function statusOf(city: SmallCity) {
  const shingle = commandsOf(city, { ALERT_EMAIL });
  const seen = async () => {
    const { code, out } = await shingle('status');
    return { code, out, lines: out.replaceAll(/\n {12}(?=\S)/g, ' ').split('\n') };
  };
  const report = async () => lastJson(await shingle('status', '--json')) as unknown as Reported;
  return { shingle, seen, report };
}

async function silentPort(): Promise<number> {
  const silent = createServer((socket) => socket.on('error', () => undefined).resume());
  after(() => silent.close());
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  return (silent.address() as { port: number }).port;
}

test('status shows the state of the service and the next steps on one screen', async () => {
  const city = aCity();
  city.change('archive: false', "weekly: { weekday: 'Friday', time: '08:00' }, archive: false");
  const { shingle, seen, report } = statusOf(city);
  const empty = await seen();
  assert.equal(empty.code, 3);
  assert.match(empty.out, /^Data +no listings yet: run npx shingle ingest$/m);
  assert.match(empty.out, /source licences has never been imported/);
  await shingle('ingest', '--from', city.csv(40));
  const store = await openStoreAt(city.config);
  for (const name of ['ann', 'bo']) await add(store, `${name}@b.example`);
  for (const name of ['cy', 'di', 'ed']) await ask(store, `${name}@b.example`, { ms: YESTERDAY });
  const edition = { edition: '2026-11-16', reason: null, content: '{}' } as const;
  const times = { decidedAt: at(YESTERDAY), expiresAt: at(YESTERDAY + 2 * DAY) };
  await store.editions.decide({ ...edition, ...times }, []);
  await sent(store, YESTERDAY, null);
  await store.close();
  const stopped = await seen();
  assert.equal(stopped.code, 3);
  assert.match(stopped.out, /^- the service is not running\n {4}Start it: npx shingle start$/m);

  const service = await running(['start'], { ...city.env, ALERT_EMAIL });
  const fine = await until(async () => {
    const now = await seen();
    return now.code === 0 && !now.out.includes('no backup yet') && now;
  }, 'a sign of the service in the database, and its first backup');
  for (const line of [
    /^Rivermouth, Oregon +\d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
    /^Data +40 listings, newest filed 2025-12-\d\d \(\d+ days ago\)$/,
    /^ {2}licences +run 1 kept .+ ago, imported by hand$/,
    /^Mail +files in .+, \d waiting$/,
    /^Edition +2026-11-16: 2 sent; next in \d+ (hours|days|minutes), with 0 new businesses so far$/,
    /^Subscribers +2 weekly, 0 on the Pro waitlist, 3 not confirmed, 0 bounced/,
    /^Disk +[\d.]+ \w+ free, database [\d.]+ [kM]B, (newest backup|back it up)/,
    /^Nothing needs your attention$/,
  ])
    assert.ok(
      fine.lines.some((one) => line.test(one)),
      `${line} in\n${fine.out}`,
    );

  await shingle('ingest', '--from', city.csv(4));
  const held = await seen();
  assert.equal(held.code, 3);
  const said = held.out.replaceAll(/\s+/g, ' ');
  for (const piece of [
    'What to do - run 2 of licences was held: this file has 4 rows, fewer than 90 % of the 40 rows of run 1, the last one kept',
    'See why: npx shingle runs show 2 Accept it as it is: npx shingle ingest --accept 2',
  ])
    assert.ok(said.includes(piece), held.out);
  for (const { out } of [fine, held]) assert.ok(out.trimEnd().split('\n').length <= 24, out);
  for (const line of held.out.split('\n'))
    assert.ok(line.length <= 80 || line.includes(city.config.dataFolder), line);
  const { subscriptions, mail, disk, ...told } = await report();
  const { instances, schedule } = told.service;
  assert.deepEqual([told.needs_you, instances, schedule, told.data.listings], [true, 1, true, 40]);
  const [{ source, run, state, next_at } = assert.fail()] = told.sources;
  assert.deepEqual([source, run, state, next_at], ['licences', 2, 'held', null]);
  assert.ok(disk.free_bytes > 0 && disk.database_bytes > 1000);
  assert.deepEqual(subscriptions, {
    weekly: { ...NOBODY, confirmed: 2, pending: 3 },
    'pro-waitlist': NOBODY,
  });
  assert.deepEqual(mail.last_edition, {
    ...{ edition: '2026-11-16', state: 'finished', reason: null, bounced: 0 },
    ...{ sent: 2, waiting: 0, failed: 0, uncertain: 0, expired: 0, canceled: 0 },
  });
  const [concern, ...others] = told.concerns;
  assert.deepEqual([concern?.kind, concern?.source, others], ['held', 'licences', []]);
  assert.ok(!Number.isNaN(Date.parse(concern!.since!)));
  assert.doesNotMatch(held.out + JSON.stringify([subscriptions, mail, told]), /@/, 'no address');
  assert.equal(await service.stop(), 0);
  assert.match((await seen()).out, /^Service +not running$/m);

  const again = await openStoreAt(city.config);
  const startedAt = new Date(Date.now() - DAY).toISOString();
  const seenAt = new Date(Date.now() - 180_000).toISOString();
  await again.alerts.pulse({ instance: 'killed', command: 'start', startedAt }, seenAt);
  await again.close();
  assert.match(
    (await seen()).out,
    /^Service +not running, last seen 3 minutes ago; it may have been killed$/m,
  );
  const killed = await report();
  const lost = { instances: 0, schedule: false, seen_at: seenAt, is_silent: false, is_lost: true };
  assert.deepEqual(killed.service, lost);
  assert.deepEqual([killed.concerns[0]?.kind, killed.concerns[0]?.since], ['not-running', seenAt]);
});

test('status shows a refused start, a killed service and a lost journal at once', async () => {
  const city = aCity();
  await city.ingest(4);
  const { report } = statusOf(city);
  const first = async () => {
    const { service, concerns } = await report();
    return { instances: service.instances, isLost: service.is_lost, ...concerns[0] };
  };
  const port = String(await silentPort());
  assert.equal((await commandsOf(city, { PORT: port })('start')).code, 1);
  const { sentence, isLost } = await first();
  assert.match(
    sentence!,
    /^the service is not running\. Its last start ended at .+: port \d+ of \S+ is in use/,
  );
  assert.equal(isLost, false);
  const killed = await running(['start'], city.env);
  assert.equal((await first()).instances, 1);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'close');
  const gone = await first();
  assert.deepEqual([gone.instances, gone.isLost, gone.sentence], [0, true, 'the service is not running']);
  const env = { ...city.env, PORT: String(await freePort()) }; // where the status asks
  const again = await running(['start'], env);
  assert.equal((await first()).instances, 1, 'the killed one does not count');
  for (const end of ['-wal', '-shm']) rmSync(join(city.config.dataFolder, `shingle.db${end}`));
  const silent = await until(async () => {
    const { concerns } = lastJson(await commandsOf({ env })('status', '--json')) as unknown as Reported;
    return concerns.find(({ kind }) => kind === 'silent');
  }, 'the status to say what health says');
  assert.match(
    silent.sentence,
    /cannot work: the database was deleted or replaced, or its disk was unmounted/,
  );
  await again.stop();
});

test('status shows an import in progress, a second import waits, and an interrupted import begins again', async () => {
  const city = aCity();
  city.change('from: csv()', `from: csv({ url: 'http://127.0.0.1:${await silentPort()}/a.csv' })`);
  const { seen } = statusOf(city);
  const importing = () =>
    until(async () => {
      const { out } = await seen();
      return out.includes('\nImport ') && out;
    }, 'the import in the status');
  const service = await running(['start'], city.env);
  const screen = await importing();
  assert.match(screen, /^Import +running since .+ UTC \(process \d+\)$/m);
  assert.match(screen, /^Data +no listings yet\n/m);
  assert.match(screen, /^Nothing needs your attention$/m);
  let said = '';
  const { err } = await shingle(['ingest'], city.env, (child) => {
    child.stderr!.on('data', (text: string) => {
      said += text;
      if (said.includes('waiting')) child.kill('SIGTERM');
    });
  });
  assert.match(err, /^shingle: waiting for the import that has run since .+ UTC \(process \d+\)$/m);
  assert.equal(await service.stop(), 0);
  const sentence =
    /run 1 of licences failed: stopped with the service before it finished; the next start imports again/;
  assert.match((await seen()).out.replaceAll(/\s+/g, ' '), sentence);
  const again = await running(['start'], city.env);
  await importing();
  assert.equal(await again.stop(), 0);
});

/** `shingle status`: everything on one screen, whether the service runs or not. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openStoreAt } from '../../../src/service/data/store.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { freePort } from '../../a-port.ts';
import { type Ended, lastJson, running, shingle } from '../../a-process.ts';
import { add, ask, at, DAY, sent } from '../../service/database/mailing-steps.ts';
import { until } from '../../until.ts';

/** Because the service deletes records of mail that are old. */
const YESTERDAY = Date.now() - Date.parse(at()) - DAY;

const screenOf = ({ out }: Ended): string[] => out.trimEnd().split('\n');

type Reported = {
  needs_you: boolean;
  service: {
    instances: number;
    schedule: boolean;
    seen_at: string | null;
    is_silent: boolean;
    is_lost: boolean;
  };
  data: { listings: number; newest_filing: string };
  sources: { source: string; run: number; state: string; next_at: string | null }[];
  disk: { free_bytes: number; database_bytes: number };
  subscriptions: { weekly: { confirmed: number } };
  concerns: {
    kind: string;
    source: string | null;
    sentence: string;
    since: string | null;
    steps: string[];
  }[];
};

test('status shows the state of the service and the next steps on one screen', async () => {
  const city = aCity();
  city.change('archive: false', "weekly: { weekday: 'Friday', time: '08:00' }, archive: false");
  const env = { ...city.env, MIN_FREE_BYTES: '0' };
  await (await openStoreAt(city.config)).close();
  const empty = await command(['status'], env);
  assert.equal(empty.code, 3, empty.err);
  assert.match(empty.out, /^Data +no listings yet: run npx shingle ingest$/m);
  assert.match(empty.out, /source licences has never been imported/);
  await command(['ingest', '--from', city.file('a.csv', csvText(businesses(40)))], env);
  const store = await openStoreAt(city.config);
  for (const name of ['ann', 'bo']) await add(store, `${name}@b.example`);
  for (const name of ['cy', 'di', 'ed']) await ask(store, `${name}@b.example`, { ms: YESTERDAY });
  const edition = { edition: '2026-11-16', reason: null, content: '{}' } as const;
  await store.editions.decide(
    { ...edition, decidedAt: at(YESTERDAY), expiresAt: at(YESTERDAY + 2 * DAY) },
    [],
  );
  await sent(store, YESTERDAY, null);
  await store.close();

  const stopped = await command(['status'], env);
  assert.equal(stopped.code, 3);
  assert.match(stopped.out, /^- the service is not running\n {4}Start it: npx shingle start$/m);

  const service = await running(['start'], { ...env, ALERT_EMAIL: 'ops@chamber.example' });
  const fine = await until(async () => {
    const now = await command(['status'], { ...env, ALERT_EMAIL: 'ops@chamber.example' });
    return now.code === 0 && !now.out.includes('no backup yet') ? now : undefined;
  }, 'a sign of the service in the database, and its first backup');
  const screen = screenOf(fine);
  const lines = fine.out.replaceAll(/\n {12}(?=\S)/g, ' ').split('\n'); // a long path makes a line go on in the next
  for (const line of [
    /^Rivermouth, Oregon +\d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
    /^Data +40 listings, newest filed 2025-12-\d\d \(\d+ days ago\)$/,
    /^ {2}licences +run 1 kept .+ ago, imported by hand$/,
    /^Mail +files in .+, \d waiting$/,
    /^Edition +2026-11-16: 2 sent; next in \d+ (hours|days|minutes), with 0 new businesses so far$/,
    /^Disk +[\d.]+ \w+ free, database [\d.]+ [kM]B, (newest backup|back it up)/,
    /^Nothing needs your attention$/,
  ])
    assert.ok(
      lines.some((one) => line.test(one)),
      `${line} in\n${fine.out}`,
    );
  const subscribers = 'Subscribers 2 weekly, 0 on the Pro waitlist, 3 not confirmed, 0 bounced Disk';
  assert.ok(fine.out.replaceAll(/\s+/g, ' ').includes(subscribers), fine.out);
  assert.ok(screen.length <= 24, `${screen.length} lines`);

  await command(['ingest', '--from', city.file('b.csv', csvText(businesses(4)))], env);
  const held = await command(['status'], env);
  assert.equal(held.code, 3);
  const said = held.out.replaceAll(/\s+/g, ' ');
  for (const piece of [
    'What to do - run 2 of licences was held: this file has 4 rows, fewer than 90 % of the 40 rows of run 1, the last one kept',
    'See why: npx shingle runs show 2 Accept it as it is: npx shingle ingest --accept 2',
  ])
    assert.ok(said.includes(piece), held.out);
  for (const line of screenOf(held))
    assert.ok(line.length <= 80 || line.includes(city.config.dataFolder), line);
  assert.ok(screenOf(held).length <= 24);
  const json = await command(['status', '--json'], env);
  assert.equal(json.code, 3);
  const report = lastJson(json) as unknown as Reported;
  assert.deepEqual(
    [report.needs_you, report.service.instances, report.service.schedule, report.data.listings],
    [true, 1, true, 40],
  );
  assert.deepEqual(
    report.sources.map(({ source, run, state, next_at }) => [source, run, state, next_at]),
    [['licences', 2, 'held', null]],
  );
  assert.ok(report.disk.free_bytes > 0 && report.disk.database_bytes > 1000);
  assert.equal(report.subscriptions.weekly.confirmed, 2);
  const [concern, ...others] = report.concerns;
  assert.deepEqual([concern?.kind, concern?.source, others], ['held', 'licences', []]);
  assert.ok(!Number.isNaN(Date.parse(concern!.since!)));
  assert.doesNotMatch(held.out + json.out, /@/, 'no address');
  assert.equal(await service.stop(), 0);
  const after = await command(['status'], env);
  assert.match(after.out, /^Service +not running$/m);

  const again = await openStoreAt(city.config);
  const startedAt = new Date(Date.now() - DAY).toISOString();
  const seenAt = new Date(Date.now() - 180_000).toISOString();
  await again.alerts.pulse({ instance: 'killed', command: 'start', startedAt }, seenAt);
  await again.close();
  const killed = await command(['status'], env);
  assert.match(killed.out, /^Service +not running, last seen 3 minutes ago; it may have been killed$/m);
  const { service: reported, concerns } = lastJson(
    await command(['status', '--json'], env),
  ) as unknown as Reported;
  assert.deepEqual(reported, {
    instances: 0,
    schedule: false,
    seen_at: seenAt,
    is_silent: false,
    is_lost: true,
  });
  assert.deepEqual([concerns[0]?.kind, concerns[0]?.since], ['not-running', seenAt]);
});

test('status shows a refused start, a killed service and a lost journal at once', async () => {
  const city = aCity();
  await command(['ingest', '--from', city.file('a.csv', csvText(businesses(4)))], city.env);
  const first = async (env: Record<string, string> = city.env) => {
    const { service, concerns } = lastJson(await command(['status', '--json'], env)) as unknown as Reported;
    return { instances: service.instances, isLost: service.is_lost, ...concerns[0] };
  };
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  assert.equal((await command(['start'], { ...city.env, PORT: String(port) })).code, 1);
  other.close();
  const refused = await first();
  assert.match(
    refused.sentence!,
    /^the service is not running\. Its last start ended at .+: port \d+ of \S+ is in use/,
  );
  assert.equal(refused.isLost, false);
  const killed = await running(['start'], city.env);
  assert.equal((await first()).instances, 1);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'close');
  const gone = await first();
  assert.deepEqual([gone.instances, gone.isLost, gone.sentence], [0, true, 'the service is not running']);
  const own = { ...city.env, PORT: String(await freePort()) };
  const again = await running(['start'], own);
  assert.equal((await first()).instances, 1, 'the killed one does not count');
  for (const end of ['-wal', '-shm']) rmSync(join(city.config.dataFolder, `shingle.db${end}`));
  const silent = await until(async () => {
    const now = await first(own);
    return now.kind === 'silent' ? now : undefined;
  }, 'the status to say what health says');
  assert.match(
    silent.sentence!,
    /cannot work: the database was deleted or replaced, or its disk was unmounted/,
  );
  await again.stop();
});

test('status shows an import in progress, a second import waits, and an interrupted import begins again', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(
    0,
    '127.0.0.1',
  );
  after(() => silent.close());
  await once(silent, 'listening');
  const city = aCity();
  const { port } = silent.address() as { port: number };
  city.change('from: csv()', `from: csv({ url: 'http://127.0.0.1:${port}/a.csv' })`);
  const importing = () =>
    until(async () => {
      const { out } = await command(['status'], city.env);
      return out.includes('\nImport ') ? out : undefined;
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
  const stopped = await command(['status'], city.env);
  const sentence =
    /run 1 of licences failed: stopped with the service before it finished; the next start imports again/;
  assert.match(stopped.out.replaceAll(/\s+/g, ' '), sentence);
  const again = await running(['start'], city.env);
  await importing();
  assert.equal(await again.stop(), 0);
});

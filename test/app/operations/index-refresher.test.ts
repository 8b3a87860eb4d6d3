/** The index follows the store: one build at a time, replaced as a whole, and the old one stays if a build fails. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCurrentIndex, openIndexRefresher } from '../../../src/app/operations/current-index.ts';
import type { Service } from '../../../src/app/operations/service.ts';
import type { ListingIndex } from '../../../src/service/search/index/open.ts';
import { EVERYTHING } from '../../../src/shared/question.ts';
import { aCity, businesses, NOW } from '../../a-city.ts';
import { aFiling } from '../../a-filing.ts';
import { SILENT, UNWARNED, warningsTo } from '../../a-log.ts';
import { kept } from '../../service/database/store-cases.ts';
import { catalogueOf } from '../../service/search/made-up.ts';
import { until } from '../../until.ts';

type Built = { version: string; finish(): void; fail(error: Error): void };

/** A keeper over a store that only has a version, a day that can be set, and builds that end when told to. */
function aKeeper() {
  const store = { version: 'v1', marks: 'first', day: '2026-11-20', readable: true, hidden: false };
  const builds: Built[] = [];
  const failures: unknown[] = [];
  const swaps: string[] = [];
  const keeper = openIndexRefresher<string>({
    async watch() {
      if (!store.readable) throw new Error('unreadable');
      return { version: store.version, day: store.day, marks: store.marks };
    },
    build: (version, day) =>
      new Promise<ListingIndex>((resolve, fail) => {
        builds.push({ version, finish: () => resolve(catalogueOf([], { version, day })), fail });
      }),
    edit: async (index) =>
      store.hidden && index.version !== 'hidden' ? catalogueOf([], { version: 'hidden' }) : index,
    pollMs: 1,
    failed: (error) => failures.push(error),
    swapped: ({ version, day }) => swaps.push(`${version} ${day}`),
  });
  return { store, builds, failures, swaps, keeper };
}

/** Starts the keeper with its first catalogue already built. */
async function aStartedKeeper() {
  const kept = aKeeper();
  const first = kept.keeper.refresh();
  await until(() => kept.builds[0], 'the first build');
  kept.builds[0]!.finish();
  await first;
  kept.keeper.start();
  return kept;
}

test('after many runs during one build, one more build has the newest run, and its index and state of the store are published together', async () => {
  assert.equal(aKeeper().keeper.current(), undefined, 'before the first build');
  const { store, builds, swaps, keeper } = await aStartedKeeper();
  const shown = () => `${keeper.current()?.index.version} ${keeper.current()?.marks}`;
  Object.assign(store, { version: 'v2', marks: 'second' });
  await until(() => builds[1], 'the second build');
  for (const version of ['v3', 'v4', 'v5']) Object.assign(store, { version, marks: version });
  assert.equal(shown(), 'v1 first', 'the old one answers meanwhile');
  builds[1]!.finish();
  await until(() => builds[2], 'the third build');
  builds[2]!.finish();
  await until(() => shown() === 'v5 v5', 'the newest');
  store.marks = 'later';
  await until(() => shown() === 'v5 later', 'marks without a new version');
  await keeper.close();
  assert.deepEqual(swaps, ['v1 2026-11-20', 'v2 2026-11-20', 'v5 2026-11-20']);
  assert.equal(builds.length, 3);
});

test('a listing that the operator hides during an index build is hidden during and after the build', async () => {
  const { store, builds, keeper } = await aStartedKeeper();
  store.version = 'v2';
  await until(() => builds[1], 'the second build');
  Object.assign(store, { version: 'v3', hidden: true });
  const isHidden = () => keeper.current()?.index.version === 'hidden';
  await until(isHidden, 'the edited index');
  assert.equal(builds.length, 2, 'the build goes on');
  builds[1]!.finish();
  await until(() => builds[2], 'the build with the edit');
  assert.ok(isHidden(), 'the index of v2 is edited before it is served');
  builds[2]!.finish();
  await keeper.close();
});

test('the index stays if a build fails or the store cannot be read, and both are tried again', async () => {
  const { store, builds, failures, keeper } = await aStartedKeeper();
  store.version = 'v2';
  await until(() => builds[1], 'the second build');
  builds[1]!.fail(new Error('no memory'));
  await until(() => builds[2], 'another try');
  assert.deepEqual([keeper.current()?.index.version, failures.length], ['v1', 1]);
  builds[2]!.finish();
  await until(() => keeper.current()?.index.version === 'v2', 'the second catalogue');
  store.readable = false;
  await until(() => keeper.problem() !== undefined, 'the loss');
  assert.ok(keeper.current(), 'the catalogue goes on answering');
  store.readable = true;
  await until(() => keeper.problem() === undefined, 'the return');
  await keeper.close();
});

/** A service with three listings. */
async function aService() {
  const city = aCity();
  await city.ingest(3);
  return { city, service: await city.open() };
}

/** Reads or builds the index of a service, and closes it again. */
async function indexOf(service: Service, log = UNWARNED) {
  const current = openCurrentIndex(service, log);
  await current.refresh();
  await current.close();
  return { index: current.index(), marks: current.marks(), served: servedBy(current) };
}

function servedBy(current: ReturnType<typeof openCurrentIndex>): string[] {
  const index = current.index()!;
  const listings = index.readListings(index.search(EVERYTHING).rows);
  return listings.map(({ name, status }) => `${name} ${status}`).toSorted();
}

test('stopping the service during a build of the index is no error, and the next start builds the index', async () => {
  const { service } = await aService();
  const stopped = openCurrentIndex(service, UNWARNED);
  const first = stopped.refresh();
  await stopped.close();
  await first;
  assert.equal(stopped.index(), undefined);
  assert.equal((await indexOf(service)).index?.size, 3);
});

test('a start reads the stored index, unless the operator has hidden a listing since', async () => {
  const { city, service } = await aService();
  const path = join(service.config.dataFolder, 'index.bin');
  const { served } = await indexOf(service);
  const { mtimeMs } = statSync(path);
  assert.deepEqual((await indexOf(service)).served, served);
  assert.equal(statSync(path).mtimeMs, mtimeMs, 'the file is read, not written again');
  await service.store.suppressions.add({ value: 'Business 1', reason: '', addedAt: NOW });
  assert.deepEqual((await indexOf(service)).served, served.slice(1));
  const wrong = await city.open('2099-01-01T00:00:00.000Z');
  await wrong.ingest({ from: city.csv(4) });
  assert.equal((await indexOf(service)).marks?.dataAsOf, NOW, 'not the time of a wrong clock');
  const isKept = readFileSync(path, 'latin1').includes('Business 1');
  assert.ok(!isKept, 'a hidden listing is in no file of the data folder but the database');
});

test('an index that cannot be stored is served all the same, and the log says so', async () => {
  const { service } = await aService();
  mkdirSync(join(service.config.dataFolder, `index.bin.part-${process.pid}`)); // where it would be written
  const warned: string[] = [];
  assert.equal((await indexOf(service, warningsTo(warned))).index?.size, 3);
  assert.match(warned.join('\n'), /^the index is not kept for the next start: .+$/);
});

test('what the operator hides and corrects is served at once, even if no index can be built', async () => {
  const { city, service } = await aService();
  const config = { ...service.config };
  const current = openCurrentIndex({ ...service, config }, SILENT);
  await current.refresh();
  assert.equal(servedBy(current).length, 3);
  config.dataFolder = join(city.folder, 'nowhere');
  const { suppressions } = service.store;
  await suppressions.add({ value: 'Business 1', reason: '', addedAt: NOW });
  const facts = { name: null, category: null, neighborhood: null, reason: '', addedAt: NOW };
  await suppressions.correct({ ...facts, value: 'Business 2', status: 'closed' });
  await current.refresh();
  assert.deepEqual(servedBy(current), ['Business 2 closed', 'Business 3 open']);
  await current.close();
});

test('the data is as old as the source that was read longest ago', async () => {
  const service = await aCity().open();
  const readAt = { licences: '2026-11-19T00:00:00.000Z', permits: '2026-11-18T00:00:00.000Z' };
  for (const [source, startedAt] of Object.entries(readAt))
    await kept(service.store, [aFiling()], { source, startedAt, endedAt: startedAt });
  const { city } = service.loaded;
  const sources = [...Object.keys(readAt), 'never read'].map((id) => ({ ...city.sources[0]!, id }));
  const loaded = { ...service.loaded, city: { ...city, sources } };
  assert.equal((await indexOf({ ...service, loaded })).marks?.dataAsOf, readAt.permits);
});

test('listings expire and the newest filing counts from midnight in the city, in any time zone, on leap days and at the end of a year', async () => {
  const city = aCity();
  const last = '2028-02-29';
  await city.ingest([...businesses(3), { id: 'last', day: last }], '2028-03-01T12:00:00.000Z');
  const service = await city.open();
  const moments = {
    'America/Los_Angeles': {
      '2028-02-29T07:59:59.000Z': '2028-02-28',
      '2028-03-01T00:00:00.000Z': '2028-02-29',
      '2028-03-01T08:00:00.000Z': '2028-03-01',
    },
    'Pacific/Auckland': {
      '2026-12-31T10:59:59.000Z': '2026-12-31',
      '2026-12-31T11:00:00.000Z': '2027-01-01',
    },
  };
  for (const [timeZone, days] of Object.entries(moments)) {
    let now = NOW;
    const loaded = { ...service.loaded, city: { ...service.loaded.city, timeZone } };
    const current = openCurrentIndex({ ...service, loaded, now: () => now }, UNWARNED);
    for (const [at, day] of Object.entries(days)) {
      now = at;
      await current.refresh();
      const newest = current.marks()?.newest.get('licences');
      const expected = [day, day < last ? '2025-03-03' : last];
      assert.deepEqual([current.index()?.day, newest], expected, `${timeZone} ${at}`);
    }
    await current.close();
  }
});

/** The index follows the store: one build at a time, replaced as a whole, and the old one stays if a build fails. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCurrentIndex, openIndexRefresher } from '../../../src/app/operations/current-index.ts';
import type { ListingIndex } from '../../../src/service/search/index/open.ts';
import type { Log } from '../../../src/shared/logger.ts';
import { EVERYTHING } from '../../../src/shared/question.ts';
import { aCity, businesses, NOW } from '../../a-city.ts';
import { aFiling } from '../../a-filing.ts';
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

test('the service has no index before the first build', () => {
  assert.equal(aKeeper().keeper.current(), undefined);
});

test('after many runs during one build, one more build has the newest run', async () => {
  const { store, builds, swaps, keeper } = await aStartedKeeper();
  store.version = 'v2';
  await until(() => builds[1], 'the second build');
  for (const version of ['v3', 'v4', 'v5']) store.version = version;
  assert.equal(keeper.current()?.index.version, 'v1', 'the old one answers meanwhile');
  builds[1]!.finish();
  await until(() => builds[2], 'the third build');
  builds[2]!.finish();
  await until(() => keeper.current()?.index.version === 'v5', 'the newest');
  await keeper.close();
  assert.deepEqual(swaps, ['v1 2026-11-20', 'v2 2026-11-20', 'v5 2026-11-20']);
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

test('the state of the store and the index built from it are published together', async () => {
  const { store, builds, keeper } = await aStartedKeeper();
  Object.assign(store, { version: 'v2', marks: 'second' });
  await until(() => builds[1], 'the second build');
  assert.equal(keeper.current()?.marks, 'first');
  builds[1]!.finish();
  await until(() => keeper.current()?.marks === 'second', 'the second marks');
  store.marks = 'third';
  await until(() => keeper.current()?.marks === 'third', 'marks without a new version');
  await keeper.close();
  assert.equal(builds.length, 2);
});

test('a failed build keeps the old index, and is tried again', async () => {
  const { store, builds, failures, keeper } = await aStartedKeeper();
  store.version = 'v2';
  await until(() => builds[1], 'the second build');
  builds[1]!.fail(new Error('no memory'));
  await until(() => builds[2], 'another try');
  assert.equal(keeper.current()?.index.version, 'v1');
  assert.equal(failures.length, 1);
  builds[2]!.finish();
  await until(() => keeper.current()?.index.version === 'v2', 'the second catalogue');
  await keeper.close();
});

test('the service notices when the store cannot be read, and when it can be read again', async () => {
  const { store, keeper } = await aStartedKeeper();
  store.readable = false;
  await until(() => (keeper.problem() === undefined ? undefined : true), 'the loss');
  assert.ok(keeper.current(), 'the catalogue goes on answering');
  store.readable = true;
  await until(() => keeper.problem() === undefined, 'the return');
  await keeper.close();
});

test('stopping the service during a build of the index is no error, and the next start builds the index', async () => {
  const city = aCity();
  await city.ingest(businesses(3));
  const service = await city.open();
  const log = { info: () => undefined, warn: assert.fail } as unknown as Log;
  const stopped = openCurrentIndex(service, log);
  const first = stopped.refresh();
  await stopped.close();
  await first;
  assert.equal(stopped.index(), undefined);
  const next = openCurrentIndex(service, log);
  await next.refresh();
  assert.equal(next.index()?.size, 3);
  await next.close();
});

test('a start reads the stored index, unless the operator has hidden a listing since', async () => {
  const city = aCity();
  await city.ingest(businesses(3));
  const service = await city.open();
  const log = { info: () => undefined, warn: assert.fail } as unknown as Log;
  const names: string[][] = [];
  const start = async () => {
    const current = openCurrentIndex(service, log);
    await current.refresh();
    const index = current.index()!;
    const { rows } = index.search(EVERYTHING);
    names.push(index.readListings(rows).map(({ name }) => name));
    await current.close();
    return statSync(join(service.config.dataFolder, 'index.bin')).mtimeMs;
  };
  const first = await start();
  assert.equal(await start(), first, 'the file is read, not written again');
  const [hidden] = names[0]!;
  await service.store.suppressions.add({ value: hidden!, reason: '', addedAt: NOW });
  await start();
  assert.deepEqual(names, [names[0], names[0], names[0]!.slice(1)]);
  const wrong = await city.open('2099-01-01T00:00:00.000Z');
  await wrong.ingest({ from: city.csv(4) });
  const later = openCurrentIndex(service, log);
  await later.refresh();
  assert.equal(later.marks()?.dataAsOf, NOW, 'not the time of a wrong clock');
  await later.close();
  const file = readFileSync(join(service.config.dataFolder, 'index.bin'), 'latin1');
  assert.ok(!file.includes(hidden!), 'a hidden listing is in no file of the data folder but the database');
});

test('an index that cannot be stored is served all the same, and the log says so', async () => {
  const city = aCity();
  await city.ingest(businesses(3));
  const service = await city.open();
  mkdirSync(join(service.config.dataFolder, `index.bin.part-${process.pid}`)); // where it would be written
  const warned: string[] = [];
  const log = {
    info: () => undefined,
    warn: (sentence: string) => void warned.push(sentence),
  } as unknown as Log;
  const current = openCurrentIndex(service, log);
  await current.refresh();
  assert.equal(current.index()?.size, 3);
  assert.match(warned.join('\n'), /^the index is not kept for the next start: .+$/);
  await current.close();
});

test('what the operator hides and corrects is served at once, even if no index can be built', async () => {
  const city = aCity();
  await city.ingest(businesses(3));
  const service = await city.open();
  const config = { ...service.config };
  const log = { info: () => undefined, warn: () => undefined } as unknown as Log;
  const current = openCurrentIndex({ ...service, config }, log);
  await current.refresh();
  const served = () => {
    const index = current.index()!;
    return index.readListings(index.search(EVERYTHING).rows).map(({ name, status }) => `${name} ${status}`);
  };
  assert.equal(served().length, 3);
  config.dataFolder = join(city.folder, 'nowhere');
  const { suppressions } = service.store;
  await suppressions.add({ value: 'Business 1', reason: '', addedAt: NOW });
  const facts = { name: null, category: null, neighborhood: null, reason: '', addedAt: NOW };
  await suppressions.correct({ ...facts, value: 'Business 2', status: 'closed' });
  await current.refresh();
  assert.deepEqual(served().toSorted(), ['Business 2 closed', 'Business 3 open']);
  await current.close();
});

test('the data is as old as the source that was read longest ago', async () => {
  const service = await aCity().open();
  const readAt = { licences: '2026-11-19T00:00:00.000Z', permits: '2026-11-18T00:00:00.000Z' };
  for (const [source, startedAt] of Object.entries(readAt))
    await kept(service.store, [aFiling()], { source, startedAt, endedAt: startedAt });
  const sources = [...Object.keys(readAt), 'never read'].map((id) => ({
    ...service.loaded.city.sources[0]!,
    id,
  }));
  const loaded = { ...service.loaded, city: { ...service.loaded.city, sources } };
  const log = { info: () => undefined, warn: assert.fail } as unknown as Log;
  const current = openCurrentIndex({ ...service, loaded }, log);
  await current.refresh();
  assert.equal(current.marks()?.dataAsOf, readAt.permits);
  await current.close();
});

test('listings expire and the newest filing counts from midnight in the city, in any time zone, on leap days and at the end of a year', async () => {
  const city = aCity();
  const last = '2028-02-29';
  await city.ingest([...businesses(3), { id: 'last', day: last }], '2028-03-01T12:00:00.000Z');
  const service = await city.open();
  for (const [timeZone, days] of [
    [
      'America/Los_Angeles',
      [
        ['2028-02-29T07:59:59.000Z', '2028-02-28'],
        ['2028-03-01T00:00:00.000Z', '2028-02-29'],
        ['2028-03-01T08:00:00.000Z', '2028-03-01'],
      ],
    ],
    [
      'Pacific/Auckland',
      [
        ['2026-12-31T10:59:59.000Z', '2026-12-31'],
        ['2026-12-31T11:00:00.000Z', '2027-01-01'],
      ],
    ],
  ] as const) {
    let now: string = NOW;
    const loaded = { ...service.loaded, city: { ...service.loaded.city, timeZone } };
    const log = { info: () => undefined, warn: assert.fail } as unknown as Log;
    const current = openCurrentIndex({ ...service, loaded, now: () => now }, log);
    for (const [at, day] of days) {
      now = at;
      await current.refresh();
      const newest = current.marks()?.newest.get('licences');
      const expected = [day, day < last ? '2025-03-03' : last];
      assert.deepEqual([current.index()?.day, newest], expected, `${timeZone} ${at}`);
    }
    await current.close();
  }
});

/** Conformance: runs, their filings, and suppressions. */

import assert from 'node:assert/strict';
import type { Repositories } from '../../../src/service/data/store.ts';
import type { KeepOrder } from '../../../src/service/runs/merge-run.ts';
import type { StoredListing } from '../../../src/shared/listing.ts';
import { makeSuppressionTest } from '../../../src/shared/words.ts';
import { aFiling } from '../../a-filing.ts';
import { failingAt } from './failing-at.ts';
import { type Case, countsOf, kept, keysIn, listingsIn, staged } from './store-cases.ts';

const endedAt = '2026-01-05T00:01:00.000Z';
const none = { name: null, category: null, neighborhood: null, status: null, reason: '', addedAt: endedAt };
const later = '2026-01-05T00:02:00.000Z';

const ended = (
  { filings }: Repositories,
  { run, counts, endedAt }: KeepOrder,
  state: 'held' | 'failed' | 'unchanged',
  detail: string,
) => filings.end(run, state, { counts, endedAt, detail });

export const FILING_CASES: Record<string, Case> = {
  'a batch that cannot be put aside is not put aside in part': async (store) => {
    const order = await staged(store, [aFiling({ key: 'A' })]);
    await assert.rejects(
      failingAt('stage:batch', () => store.filings.stage(order.run, [aFiling({ key: 'B' })])),
      /a fault/,
    );
    await store.filings.keep(order);
    assert.equal(await keysIn(store), 'A');
  },

  'filings of one run never reach another': async (store) => {
    const mine = await staged(store, [aFiling({ key: 'MINE' })], { source: 'licences' });
    const yours = await staged(store, [aFiling({ key: 'YOURS' })], { source: 'permits' });
    await store.filings.keep(yours);
    assert.equal(await keysIn(store), 'YOURS');
    await ended(store, mine, 'failed', 'torn');
    await kept(store, [aFiling({ key: 'LATER' })], { source: 'licences' });
    assert.equal(await keysIn(store), 'LATER YOURS');
  },

  'a held run is kept as it was judged when it is accepted': async (store) => {
    const same = aFiling({ key: 'K3', name: 'Red Kite' });
    await kept(store, [aFiling({ key: 'K0', name: 'Grey Owl' }), aFiling({ key: 'K2' }), same]);
    const order = await staged(store, [aFiling(), aFiling({ key: 'K2', name: 'Heron' }), same]);
    const held = await ended(store, order, 'held', 'too few rows');
    assert.deepEqual([held.state, held.detail, held.openings], ['held', 'too few rows', 3]);
    await store.filings.tidy('2026-01-11T23:00:00.000Z');
    const { effect, missing, changing } = (await store.filings.foresee(held))!;
    assert.deepEqual([missing, changing], [{ count: 1, names: ['Grey Owl'] }, ['Blue Heron LLC']]);
    assert.equal(await keysIn(store), 'K0 K2 K3');
    const run = await store.filings.keep(order);
    assert.deepEqual([run.state, run.added, run.detail], ['kept', 1, null]);
    const { added, changed, unchanged, folded, withdrawn, updated } = run;
    assert.deepEqual({ added, changed, unchanged, folded, withdrawn, updated }, effect, 'as it was foreseen');
    assert.equal(await keysIn(store), 'K0 K1 K2 K3');
  },

  'the map outline is stored once, and its change is a new version': async (store) => {
    const versions = [await store.listings.version()];
    assert.equal(await store.listings.outline(), undefined);
    for (const drawing of ['{"areas":[]}', '{"areas":[]}', '{"areas":[1]}']) {
      await store.filings.keepOutline(drawing);
      assert.equal(await store.listings.outline(), drawing);
      versions.push(await store.listings.version());
    }
    assert.deepEqual([versions[2] === versions[1], new Set(versions).size], [true, 3]);
  },

  'a held run is dropped after seven days': async (store) => {
    const order = await staged(store, [aFiling()]);
    await ended(store, order, 'held', 'odd');
    await store.filings.tidy('2026-01-12T00:01:00.001Z');
    assert.equal((await store.filings.run(order.run))?.state, 'failed');
    await assert.rejects(store.filings.keep(order), { code: 'conflict' });
  },

  'a run whose process died is recorded as failed, and its filings are gone': async (store) => {
    const order = await staged(store, [aFiling()]);
    await store.filings.tidy('2026-01-06T00:00:00.000Z');
    const run = await store.filings.run(order.run);
    assert.deepEqual([run?.state, run?.endedAt], ['failed', '2026-01-06T00:00:00.000Z']);
    await assert.rejects(store.filings.stage(order.run, [aFiling()]), { code: 'conflict' });
    await assert.rejects(store.filings.keep(order), { code: 'conflict' });
  },

  'a run ends once': async (store) => {
    const run = await kept(store, [aFiling()]);
    const again = { run: run.run, counts: countsOf([]), endedAt };
    await assert.rejects(store.filings.keep(again), { code: 'conflict' });
    await assert.rejects(ended(store, again, 'failed', 'torn'), { code: 'conflict' });
    await assert.rejects(store.filings.keep({ ...again, run: 99 }), { code: 'missing' });
    assert.equal(await store.filings.run(99), undefined);
  },

  'everything a run counted can be read again, newest run first': async (store) => {
    const order = await staged(store, [aFiling()], { place: 'first.csv' });
    const skipped = { landlord: 3, ['__proto__']: 1 };
    const rejected = [{ reason: 'no filing date', count: 2, lines: [7, 4711] }];
    const counts = { ...order.counts, read: 7, skipped, rejected };
    const run = await store.filings.keep({ ...order, counts });
    assert.deepEqual(run.rejected, rejected);
    assert.deepEqual(Object.entries(run.skipped), Object.entries(skipped));
    assert.equal(run.place, 'first.csv');
    const second = await kept(store, [], { source: 'permits' });
    assert.deepEqual(await store.filings.runs({ limit: 9 }), [second, run]);
    assert.deepEqual(await store.filings.runs({ limit: 1 }), [second]);
    assert.deepEqual(await store.filings.runs({ source: 'licences', limit: 9 }), [run]);
    assert.deepEqual(await store.filings.lastKept('licences'), run);
    assert.equal(await store.filings.lastKept('nobody'), undefined);
  },

  'a source has the time of its last good run and the state of the newest': async (store) => {
    assert.deepEqual(await store.filings.sourceStates(), []);
    const end = async (state: 'unchanged' | 'failed', source: string, day: string, snapshot = true) => {
      const order = await staged(store, [], { source, snapshot, endedAt: `2026-01-${day}:00:00.000Z` });
      await ended(store, order, state, state);
    };
    await kept(store, [], { source: 'daily', endedAt: '2026-01-05T10:00:00.000Z', snapshot: false });
    await end('unchanged', 'daily', '06T10', false);
    await kept(store, [], { source: 'whole', endedAt: '2026-01-05T11:00:00.000Z' });
    await end('unchanged', 'whole', '06T11');
    await end('failed', 'whole', '07T11');
    await end('failed', 'broken', '07T11');
    const states = await store.filings.sourceStates();
    assert.deepEqual(
      states.map(({ source, goodAt, last }) => `${source} ${goodAt} ${last?.state}`),
      [
        'broken null failed',
        'daily 2026-01-05T10:00:00.000Z unchanged',
        'whole 2026-01-06T11:00:00.000Z failed',
      ],
    );
  },

  'what is suppressed is listed once, and can be served again': async (store) => {
    const heron = { value: 'Blue Heron', reason: 'asked on 5 January', addedAt: endedAt };
    const versions = [await store.listings.version()];
    assert.equal(await store.suppressions.add(heron), true);
    versions.push(await store.listings.version());
    assert.equal(await store.suppressions.add({ ...heron, reason: 'asked again' }), false);
    assert.equal(await store.listings.version(), versions[1], 'nothing changed the second time');
    assert.deepEqual(await store.listings.suppressions(), [heron]);
    assert.equal(await store.suppressions.remove('Blue Heron'), true);
    versions.push(await store.listings.version());
    assert.equal(await store.suppressions.remove('Blue Heron'), false);
    assert.deepEqual(await store.listings.suppressions(), []);
    assert.equal(new Set(versions).size, 3);
  },

  'a correction changes what is read of a listing, also after imports, until it is removed': async (
    store,
  ) => {
    const owl = aFiling({ key: 'B', name: 'Grey Owl' });
    await kept(store, [aFiling({ key: 'A', expiresOn: '2025-01-01' }), owl]);
    const before = await listingsIn(store);
    const versions = [await store.listings.version()];
    const said = { ...none, value: 'BLUE HERON, LLC', category: 'Dental' };
    assert.equal(await store.suppressions.correct(said), true);
    versions.push(await store.listings.version());
    await store.suppressions.correct({ ...none, value: 'BLUE HERON, LLC', status: 'open', reason: 'called' });
    const byKey = { ...none, value: 'B', neighborhood: 'Quayside', name: 'Gray Owl' };
    await store.suppressions.correct(byKey);
    const less = { ...none, value: 'Grey Owl', neighborhood: 'Ropewalk' }; // than a correction by key
    await store.suppressions.correct(less);
    const last = { ...none, value: 'gray owl', name: 'Snowy Owl', addedAt: later };
    await store.suppressions.correct(last);
    const filedAs = ({ name, category, neighborhood, status }: StoredListing) => ({
      filed: { name, category, neighborhood, status },
    });
    const corrected = [
      { ...before[0], category: 'Dental', status: 'open', expiresOn: null, ...filedAs(before[0]!) },
      { ...before[1], neighborhood: 'Quayside', name: 'Snowy Owl', ...filedAs(before[1]!) },
    ];
    assert.deepEqual(await listingsIn(store), corrected);
    await kept(store, [aFiling({ key: 'A', status: 'closed' }), owl]);
    corrected[0]!.filed.status = 'closed';
    assert.deepEqual(await listingsIn(store), corrected, 'more weight than the next import');
    const all = [byKey, { ...said, status: 'open', reason: 'called' }, less, last];
    assert.deepEqual(await store.listings.corrections(), all);
    for (const name of ['Grey Owl', 'gray owl', 'SNOWY OWL', 'B']) {
      const isFound = makeSuppressionTest([name]);
      assert.equal((await listingsIn(store)).filter(isFound).length, name === 'gray owl' ? 0 : 1, name);
    }
    assert.deepEqual(await store.listings.namesOfKey(['licences'], 'B'), ['Grey Owl', 'Snowy Owl']);
    assert.equal(await store.suppressions.removeCorrection('BLUE HERON, LLC'), true);
    assert.equal(await store.suppressions.removeCorrection('BLUE HERON, LLC'), false);
    versions.push(await store.listings.version());
    assert.equal((await listingsIn(store))[0]?.status, 'closed');
    assert.equal(new Set(versions).size, 3);
  },

  'news is corrected, too': async (store) => {
    await kept(store, [aFiling({ key: 'A' })]);
    await kept(store, [aFiling({ key: 'A' }), aFiling({ key: 'B', name: 'Grey Owl' })]);
    await store.suppressions.correct({ ...none, value: 'Grey Owl', category: 'Dental' });
    const [news, ...others] = (await store.editions.news()).listings;
    assert.deepEqual([news?.key, news?.category, others], ['B', 'Dental', []]);
  },
};

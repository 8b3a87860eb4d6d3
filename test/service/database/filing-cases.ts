/** Conformance: runs, their filings, and suppressions. */

import assert from 'node:assert/strict';
import type { StoredListing } from '../../../src/shared/listing.ts';
import { makeSuppressionTest } from '../../../src/shared/words.ts';
import { aFiling } from '../../a-filing.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { failingAt } from './failing-at.ts';
import { type Case, countsOf, kept, keysIn, listingsIn, staged } from './store-cases.ts';

const endedAt = '2026-01-05T00:01:00.000Z';
const later = '2026-01-05T00:02:00.000Z';

export const FILING_CASES: Record<string, Case> = {
  'a run that is read but not kept changes nothing that is served': async (store) => {
    const before = await store.listings.version();
    const order = await staged(store, [aFiling()]);
    assert.equal(await keysIn(store), '');
    assert.equal(await store.listings.version(), before);
    assert.equal((await store.filings.run(order.run))?.state, 'running');
  },

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
    await store.filings.end(mine.run, 'failed', { counts: mine.counts, endedAt, detail: 'torn' });
    await kept(store, [aFiling({ key: 'LATER' })], { source: 'licences' });
    assert.equal(await keysIn(store), 'LATER YOURS');
  },

  'a held run is kept as it was judged when it is accepted': async (store) => {
    const same = aFiling({ key: 'K3', name: 'Red Kite' });
    await kept(store, [aFiling({ key: 'K0', name: 'Grey Owl' }), aFiling({ key: 'K2' }), same]);
    const order = await staged(store, [aFiling(), aFiling({ key: 'K2', name: 'Heron' }), same]);
    const ended = { counts: order.counts, endedAt, detail: 'too few rows' };
    const held = await store.filings.end(order.run, 'held', ended);
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
    await store.filings.end(order.run, 'held', { counts: order.counts, endedAt, detail: 'odd' });
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
    await assert.rejects(store.filings.end(run.run, 'failed', { ...again, detail: null }), {
      code: 'conflict',
    });
    await assert.rejects(store.filings.keep({ ...again, run: 99 }), { code: 'missing' });
    assert.equal(await store.filings.run(99), undefined);
  },

  'everything a run counted can be read again, newest run first': async (store) => {
    const order = await staged(store, [aFiling()], { place: 'first.csv' });
    const skipped = { landlord: 3, ['__proto__']: 1 };
    const rejected = [{ reason: 'no filing date', count: 2, lines: [7, 4711] }];
    const run = await store.filings.keep({
      ...order,
      counts: { ...order.counts, read: 7, skipped, rejected },
    });
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
    const end = async (
      state: 'unchanged' | 'failed',
      facts: { source: string; at: string; snapshot: boolean },
    ) => {
      const { run, counts } = await staged(store, [], facts);
      await store.filings.end(run, state, { counts, endedAt: facts.at, detail: state });
    };
    await kept(store, [], { source: 'daily', endedAt: '2026-01-05T10:00:00.000Z', snapshot: false });
    await end('unchanged', { source: 'daily', at: '2026-01-06T10:00:00.000Z', snapshot: false });
    await kept(store, [], { source: 'whole', endedAt: '2026-01-05T11:00:00.000Z' });
    await end('unchanged', { source: 'whole', at: '2026-01-06T11:00:00.000Z', snapshot: true });
    await end('failed', { source: 'whole', at: '2026-01-07T11:00:00.000Z', snapshot: true });
    await end('failed', { source: 'broken', at: '2026-01-07T11:00:00.000Z', snapshot: true });
    const states = await store.filings.sourceStates();
    assert.deepEqual(
      states.map(({ source, goodAt, last }) => [source, goodAt, last?.state]),
      [
        ['broken', null, 'failed'],
        ['daily', '2026-01-05T10:00:00.000Z', 'unchanged'],
        ['whole', '2026-01-06T11:00:00.000Z', 'failed'],
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

  'a correction changes what is read of a listing, also in later imports, until it is removed': async (
    store,
  ) => {
    await kept(store, [
      aFiling({ key: 'A', expiresOn: '2025-01-01' }),
      aFiling({ key: 'B', name: 'Grey Owl' }),
    ]);
    const before = await listingsIn(store);
    const none = {
      name: null,
      category: null,
      neighborhood: null,
      status: null,
      reason: '',
      addedAt: endedAt,
    };
    const versions = [await store.listings.version()];
    const said = { ...none, value: 'BLUE HERON, LLC', category: 'Dental' };
    assert.equal(await store.suppressions.correct(said), true);
    versions.push(await store.listings.version());
    await store.suppressions.correct({ ...none, value: 'BLUE HERON, LLC', status: 'open', reason: 'called' });
    await store.suppressions.correct({ ...none, value: 'B', neighborhood: 'Quayside', name: 'Gray Owl' });
    const less = { ...none, value: 'Grey Owl', neighborhood: 'Ropewalk' }; // than a correction by key
    await store.suppressions.correct(less);
    await store.suppressions.correct({ ...none, value: 'gray owl', name: 'Snowy Owl', addedAt: later });
    const filedAs = ({ name, category, neighborhood, status }: StoredListing) => ({
      filed: { name, category, neighborhood, status },
    });
    const corrected = [
      { ...before[0], category: 'Dental', status: 'open', expiresOn: null, ...filedAs(before[0]!) },
      { ...before[1], neighborhood: 'Quayside', name: 'Snowy Owl', ...filedAs(before[1]!) },
    ];
    assert.deepEqual(await listingsIn(store), corrected);
    await kept(store, [aFiling({ key: 'A', status: 'closed' }), aFiling({ key: 'B', name: 'Grey Owl' })]);
    corrected[0]!.filed.status = 'closed';
    assert.deepEqual(
      await listingsIn(store),
      corrected,
      'a correction is of more weight than the next import',
    );
    assert.deepEqual(await store.listings.corrections(), [
      { ...none, value: 'B', neighborhood: 'Quayside', name: 'Gray Owl' },
      { ...said, status: 'open', reason: 'called' },
      less,
      { ...none, value: 'gray owl', name: 'Snowy Owl', addedAt: later },
    ]);
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
    const none = { name: null, neighborhood: null, status: null, reason: '', addedAt: endedAt };
    await store.suppressions.correct({ ...none, value: 'Grey Owl', category: 'Dental' });
    const { listings } = await store.editions.news();
    assert.deepEqual(
      listings.map(({ key, category }) => [key, category]),
      [['B', 'Dental']],
    );
  },

  'what one instance keeps, another sees': async (store, again) => {
    const other = await again();
    try {
      const before = await other.listings.version();
      await kept(store, [aFiling()]);
      assert.notEqual(await other.listings.version(), before);
      assert.equal(await keysIn(other), 'K1');
    } finally {
      await other.close();
    }
  },

  'one ingest waits for another, and gives up in time': async (store, again) => {
    const other = await again();
    try {
      const order: string[] = [];
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const entered = new Promise<void>((resolve) => {
        void store.alone('ingest', 0, async () => {
          resolve();
          await held;
          order.push('first');
        });
      });
      await entered;
      await assert.rejects(
        other.alone('ingest', 0, async () => order.push('too early')),
        { code: 'store' },
      );
      const second = other.alone('ingest', PATIENCE_MS, async () => order.push('second'));
      release();
      await second;
      assert.deepEqual(order, ['first', 'second']);
    } finally {
      await other.close();
    }
  },
};

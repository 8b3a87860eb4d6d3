/** Conformance: how keeping a run changes the listings. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Filing, Opening } from '../../../src/shared/filing.ts';
import { foldFilings, type KnownListing } from '../../../src/shared/fold-filings.ts';
import { aFiling, anUpdate } from '../../a-filing.ts';
import { rounds, seedFrom } from '../../depth.ts';
import { failingAt } from './failing-at.ts';
import { type Case, kept, keysIn, keysOf, listingsIn, type RunFacts, staged } from './store-cases.ts';

const SEED = seedFrom(20261120);

export const KEEPING_CASES: Record<string, Case> = {
  'a kept run is served whole, and its sums add up': async (store) => {
    const filings = [
      aFiling({ key: 'A', filedOn: '2025-02-01' }),
      aFiling({ key: 'B', expiresOn: '2027-01-01' }),
      aFiling({ key: 'A', filedOn: '2024-02-01' }),
      anUpdate({ key: 'A', status: 'closed' }),
      anUpdate({ key: 'NEVER OPENED', status: 'closed' }),
    ];
    const run = await kept(store, filings);
    const { added, changed, unchanged, folded, withdrawn, updated } = run;
    assert.deepEqual([added, changed, unchanged, folded, withdrawn, updated], [2, 0, 0, 1, 0, 0]);
    assert.equal(run.openings, added + changed + unchanged + folded);
    const of = { source: 'licences', arrivedAt: '2026-01-05T00:01:00.000Z', arrival: 0, isNews: false };
    const facts = { name: 'Blue Heron LLC', category: 'Restaurants', neighborhood: 'Old Town' };
    assert.deepEqual(await listingsIn(store), [
      { ...of, key: 'A', ...facts, status: 'closed', filedOn: '2024-02-01', expiresOn: null },
      { ...of, key: 'B', ...facts, status: 'open', filedOn: '2024-03-01', expiresOn: '2027-01-01' },
    ]);
  },

  'a snapshot is compared with the last, a file of changes with those of its profile': async (store) => {
    const facts = { profileDigest: 'p', snapshot: false };
    for (const some of [{ ...facts, snapshot: true }, facts, facts, { ...facts, profileDigest: 'q' }])
      await kept(store, [aFiling()], some);
    const numbers = async (some: typeof facts) =>
      (await store.filings.compared({ source: 'licences', content: 'new', ...some })).map(({ run }) => run);
    assert.deepEqual(await numbers({ ...facts, snapshot: true }), [1]);
    assert.deepEqual(await numbers(facts), [3, 2, 1]);
    assert.deepEqual(await numbers({ ...facts, profileDigest: 'r' }), []);
  },

  'data has the city of its first run, and is free before that': async (store) => {
    const city = { name: 'Rivermouth', region: 'Oregon' };
    await store.city.write({ ...city, name: 'Before' });
    assert.equal(await store.city.read(), undefined);
    await store.city.write(city);
    await kept(store, [aFiling()]);
    assert.deepEqual(await store.city.read(), city);
  },

  'a run that fails while it is kept leaves no trace, and can be kept after all': async (store) => {
    await kept(store, [aFiling({ key: 'A' }), aFiling({ key: 'B' })]);
    const [before, version] = [await listingsIn(store), await store.listings.version()];
    const order = await staged(store, [aFiling({ key: 'A', name: 'Grey Heron' }), aFiling({ key: 'C' })], {
      anew: true,
    });
    for (const point of ['keep:folded', 'keep:before-commit']) {
      await assert.rejects(
        failingAt(point, () => store.filings.keep(order)),
        /a fault/,
      );
      assert.deepEqual(await listingsIn(store), before);
      assert.equal(await store.listings.version(), version);
      assert.equal((await store.filings.run(order.run))?.state, 'running');
    }
    const run = await store.filings.keep(order);
    assert.deepEqual([run.added, run.changed, run.withdrawn], [1, 1, 1]);
    assert.equal(await keysIn(store), 'A C');
  },

  'a run whose filings are not all there is not kept': async (store) => {
    const order = await staged(store, [aFiling()]);
    const counts = { ...order.counts, read: 2, openings: 2 };
    await assert.rejects(store.filings.keep({ ...order, counts }), { code: 'store' });
    assert.equal(await keysIn(store), '');
  },

  'the version changes when what is served changes, and only then': async (store) => {
    const versions = [await store.listings.version()];
    const keep = async (filings: Filing[], facts: RunFacts = {}) => {
      await kept(store, filings, facts);
      versions.push(await store.listings.version());
    };
    await keep([]);
    await keep([aFiling({ key: 'A' }), aFiling({ key: 'B' })]);
    await keep([aFiling({ key: 'A' }), aFiling({ key: 'B' })]);
    await keep([aFiling({ key: 'A', name: 'Grey Heron' }), aFiling({ key: 'B' })]);
    await keep([aFiling({ key: 'A', name: 'Grey Heron' })], { anew: true });
    for (let i = 0; i < 2; i++) await keep([anUpdate({ key: 'A', status: 'closed' })], { snapshot: false });
    const [fresh, first, added, same, changed, withdrawn, closed, again] = versions;
    assert.deepEqual([same, again], [added, closed]);
    assert.equal(new Set([fresh, first, added, changed, withdrawn, closed]).size, 6);
  },

  'a renewal changes a known listing and never makes one': async (store) => {
    await kept(store, [aFiling({ expiresOn: '2025-01-01' })], { snapshot: false });
    const renewals = ['K1', 'NOBODY'].map((key) => anUpdate({ key, expiresOn: '2027-01-01' }));
    const run = await kept(store, renewals, { snapshot: false });
    assert.deepEqual([run.updates, run.updated, run.added], [2, 1, 0]);
    const [listing, ...others] = await listingsIn(store);
    assert.deepEqual([listing?.expiresOn, listing?.filedOn, others], ['2027-01-01', '2024-03-01', []]);
    assert.equal((await kept(store, renewals.slice(0, 1), { snapshot: false })).updated, 0);
  },

  'a changed profile withdraws what it no longer opens, but not what had vanished before': async (store) => {
    const [a, b, c] = ['A', 'B', 'C'].map((key) => aFiling({ key }));
    await kept(store, [a!, b!, c!]);
    await kept(store, [aFiling({ key: 'OTHER' })], { source: 'permits' });
    await kept(store, [a!, b!]);
    const run = await kept(store, [a!, anUpdate({ key: 'B', status: 'closed' })], { anew: true });
    assert.deepEqual([run.withdrawn, run.updated, run.unchanged], [1, 0, 1]);
    assert.equal(await keysIn(store), 'A C OTHER');
  },

  'a listing whose key changes with the profile keeps its arrival': async (store) => {
    const day = (n: number) => ({ endedAt: `2026-02-0${n}T00:00:00.000Z` });
    const facts = (name: string, n: number) => ({ name, filedOn: `2026-01-0${n}` });
    await kept(store, [aFiling({ key: 'A', ...facts('Heron', 1) })], day(1));
    const old = [aFiling({ key: 'A', ...facts('Heron', 1) }), aFiling({ key: 'B', ...facts('Elder', 2) })];
    await kept(store, old, day(2));
    const renamed = [
      aFiling({ key: '1', ...facts('Heron', 1) }),
      aFiling({ key: '2', ...facts('Elder', 2) }),
      aFiling({ key: '3', ...facts('Elder', 3) }),
      aFiling({ key: '4', ...facts('Sorrel', 2) }),
    ];
    const run = await kept(store, renamed, { ...day(3), anew: true });
    assert.deepEqual([run.added, run.withdrawn], [4, 2]);
    const arrived = (await listingsIn(store)).map(({ key, arrivedAt }) => `${key} ${arrivedAt.slice(9, 10)}`);
    assert.deepEqual(arrived.toSorted(), ['1 1', '2 2', '3 3', '4 3']);
  },

  'listings of one name and day keep places of their own when their keys change': async (store) => {
    const [elder, others] = [aFiling({ key: 'A', name: 'Elder' }), ['B', 'C', 'D']];
    const twins = others.map((key) => aFiling({ key, name: 'Heron', filedOn: '2026-01-02' }));
    await kept(store, [elder]);
    await kept(store, [elder, ...twins]);
    const placesOf = async () =>
      (await listingsIn(store)).map(({ arrivedAt, arrival }) => `${arrivedAt} ${arrival}`).toSorted();
    const before = await placesOf();
    assert.equal(new Set(before).size, 4);
    await kept(store, [elder, ...twins.map((twin) => ({ ...twin, key: `2${twin.key}` }))], { anew: true });
    assert.equal(await keysIn(store), '2B 2C 2D A');
    assert.deepEqual(await placesOf(), before);
  },

  'days whose month was swapped in an accepted file are corrected by the right file': async (store) => {
    const right = ['2020-05-02', '2020-02-05', '2020-03-25', '2020-04-04', '2019-02-05'];
    const swapped = ['2020-02-05', '2020-05-02', '2020-03-25', '2020-04-04', '2019-05-02'];
    const file = (days: string[]) => days.map((filedOn, i) => aFiling({ key: `${i}`, filedOn }));
    const served = async () => (await listingsIn(store)).map(({ filedOn }) => filedOn);
    await kept(store, file(right.slice(0, -1)));
    await kept(store, file(swapped));
    assert.equal((await served())[0], '2020-02-05');
    assert.equal((await kept(store, file(right))).changed, 3);
    assert.deepEqual(await served(), right);
    await kept(store, [aFiling({ key: '4', filedOn: '2021-02-05' })], { snapshot: false });
    assert.equal((await served())[4], '2019-02-05', 'another year is a renewal');
  },

  'all files of the first command are the baseline of their source, later ones are news': async (store) => {
    const of = (source: string, command: string) => ({ source, command, snapshot: false });
    await kept(store, [aFiling({ key: '1' })], of('daily', 'first'));
    await kept(store, [aFiling({ key: '2' })], of('daily', 'first'));
    await kept(store, [aFiling({ key: '3' })], of('daily', 'second'));
    await kept(store, [aFiling({ key: '4' })], of('added later', 'second'));
    assert.equal(keysOf((await listingsIn(store)).filter(({ isNews }) => isNews)), '3');
    const baselines = (await store.filings.runs({ limit: 9 })).map(({ baseline }) => baseline);
    assert.deepEqual(baselines, [true, false, true, true]);
  },

  'rows left out count since the last snapshot, of a source of changes over all runs': async (store) => {
    const keep = async (source: string, snapshot: boolean, skipped: Record<string, number>) => {
      const filing = aFiling({ key: `${source} ${JSON.stringify(skipped)}` });
      const order = await staged(store, [filing], { source, snapshot });
      const left = Object.values(skipped).reduce((sum, rows) => sum + rows, 0);
      const none = {
        openings: 0,
        repeated: 0,
        category: {},
        neighborhood: {},
        status: {},
        empty: {},
        newest: [],
      };
      const shape = { ...none, undecided: { '2026-01-02': left } };
      await store.filings.keep({ ...order, shape, counts: { ...order.counts, read: 2 + left, skipped } });
    };
    assert.equal(await store.filings.countLeftOut(['a', 'b']), undefined);
    await keep('a', true, { person: 50 });
    await keep('a', true, { person: 3, landlord: 2 });
    await keep('a', false, { person: 1 });
    for (let i = 0; i < 3; i++) await keep('b', false, { person: 10 });
    const skipped = new Map(Object.entries({ person: 34, landlord: 2 }));
    const undecided = new Map([['2026-01-02', 15]]); // of the last snapshot, or of the last file of changes
    const counted = await store.filings.countLeftOut(['a', 'b']);
    assert.deepEqual(counted, { read: 46, skipped, rejected: 5, undecided });
  },

  'a listing arrives once, with a place of its own, whatever becomes of it later': async (store) => {
    const minute = (n: number) => ({ endedAt: `2026-02-01T00:0${n}:00.000Z` });
    const arrivals = async () =>
      (await listingsIn(store)).map(
        ({ key, arrivedAt, arrival, isNews }) =>
          `${key} ${arrivedAt.slice(14, 16)} ${arrival}${isNews ? '' : ' baseline'}`,
      );
    const days = { A: '2026-01-01', B: '2026-01-02', C: '2026-01-03', D: '2026-01-03' };
    const [a, b, c, d] = Object.entries(days).map(([key, filedOn]) => aFiling({ key, filedOn })) as [
      ...[Opening, Opening, Opening, Opening],
    ];
    await kept(store, [a], minute(0));
    await kept(store, [a, b, c, d], minute(1));
    const once = ['A 00 0 baseline', 'B 01 3', 'C 01 1', 'D 01 2'];
    assert.deepEqual(await arrivals(), once, 'the newest filing first');
    await kept(store, [a, { ...c, name: 'Grey Heron', filedOn: '2025-12-03' }, d], minute(2));
    await kept(store, [a, b, c, d], minute(3));
    assert.deepEqual(await arrivals(), once, 'a listing that changed, and one that was absent');
    const told = { reason: 'r', addedAt: minute(3).endedAt };
    const correction = { name: null, category: 'Legal', neighborhood: null, status: null };
    await store.suppressions.correct({ value: 'B', ...correction, ...told });
    await store.suppressions.add({ value: 'C', ...told });
    await store.suppressions.remove('C');
    assert.deepEqual(await arrivals(), once, 'a correction, and a removal that is taken back');
    await kept(store, [a, b, c], { ...minute(4), anew: true });
    await kept(store, [a, b, c, d], minute(5));
    assert.deepEqual((await arrivals()).at(-1), 'D 05 1', 'a listing that was withdrawn and came back');
    await kept(store, [b, c], { ...minute(6), source: 'merged' });
    assert.deepEqual(
      (await arrivals()).slice(-2),
      ['B 06 0 baseline', 'C 06 0 baseline'],
      'a source of another name',
    );
  },

  'a held run arrives when it is accepted, and no run before those that were kept before': async (store) => {
    const at = (second: string) => ({ endedAt: `2026-02-01T00:00:${second}Z` });
    await kept(store, [aFiling({ key: 'A' })], at('01.000'));
    const held = await staged(store, [aFiling({ key: 'A' }), aFiling({ key: 'B' })], at('02.000'));
    const { run, ...ended } = held;
    await store.filings.end(run, 'held', ended);
    await kept(store, [aFiling({ key: 'C' })], { ...at('30.000'), source: 'other' });
    await store.filings.keep({ ...held, ...at('31.000'), now: () => at('32.000').endedAt });
    await kept(store, [aFiling({ key: 'D' })], { ...at('05.000'), snapshot: false });
    const found = (await listingsIn(store)).map(({ key, arrivedAt }) => `${key} ${arrivedAt.slice(17, 23)}`);
    assert.deepEqual(found, ['A 01.000', 'B 32.000', 'D 32.001', 'C 30.000'], 'D: a clock was set back');
  },

  'a filing of long ago is served, but is not news': async (store) => {
    await kept(store, [aFiling({ key: 'baseline' })], { command: 'first', snapshot: false });
    const filings = ['2025-11-30', '2025-12-01'].map((filedOn) => aFiling({ key: filedOn, filedOn }));
    const second = { command: 'second', snapshot: false, newsFrom: '2025-12-01' };
    const { run } = await kept(store, filings, second);
    const { runs, listings } = await store.editions.news();
    assert.deepEqual([runs, keysOf(listings)], [[run], '2025-12-01']);
    const all = await listingsIn(store);
    assert.deepEqual([all.length, all.filter(({ isNews }) => isNews)], [3, listings]);
  },

  'the same snapshot again is unchanged, unless another came between': async (store) => {
    const same = { content: 'the same bytes', profileDigest: 'profile 1' };
    await kept(store, [aFiling()], same);
    const again = await kept(store, [aFiling()], same);
    assert.deepEqual([again.state, again.read, again.openings], ['unchanged', 0, 0]);
    await kept(store, [aFiling({ name: 'Grey Heron' })]);
    const back = await kept(store, [aFiling()], same);
    assert.deepEqual([back.state, back.changed], ['kept', 1]);
    assert.equal((await kept(store, [aFiling()], { ...same, profileDigest: 'profile 2' })).state, 'kept');
  },

  'a feed of changes knows every file it has kept': async (store) => {
    const monday = { content: "Monday's bytes", snapshot: false };
    const first = await kept(store, [aFiling({ key: '1' })], monday);
    await kept(store, [aFiling({ key: '2' })], { snapshot: false });
    assert.equal((await kept(store, [aFiling({ key: '1' })], monday)).state, 'unchanged');
    assert.equal((await store.filings.decision(first))?.state, 'unchanged');
    assert.equal(await store.filings.decision({ ...first, profileDigest: 'another' }), undefined);
  },

  [`whatever comes, the listings are those of a plain reckoning (seed ${SEED})`]: async (store) => {
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(aPlainRun, { minLength: 1, maxLength: 5 }), async (runs) => {
        const source = `source ${++turn}`;
        const reckoned = new Map<string, Reckoned>();
        for (const { filings, anew } of runs) {
          const run = await kept(store, filings, { source, anew });
          assert.equal(run.openings, run.added + run.changed + run.unchanged + run.folded);
          reckon(reckoned, filings, anew);
        }
        const mine = (await listingsIn(store)).filter((listing) => listing.source === source);
        const wanted = [...reckoned].toSorted(([a], [b]) => (a < b ? -1 : 1));
        assert.deepEqual(
          mine.map(({ key, ...facts }) => [key, factsOf(facts)]),
          wanted.map(([key, { known }]) => [key, factsOf(known)]),
        );
      }),
      { seed: SEED, numRuns: rounds(120) },
    );
  },
};

const factsOf = ({
  name,
  status,
  filedOn,
  expiresOn,
}: Pick<KnownListing, 'name' | 'status' | 'filedOn' | 'expiresOn'>) => ({ name, status, filedOn, expiresOn });

type Reckoned = { known: KnownListing; isAbsent: boolean };

const day = fc.constantFrom('2020-01-01', '2021-05-05', '2024-12-31');
const key = fc.constantFrom('A', 'b', 'É', 'z', '𝒵', 'A ', '\uffee');
const name = fc.constantFrom('Blue Heron', 'Grey Heron');
const aPlainRun = fc.record({
  anew: fc.boolean(),
  filings: fc.array(
    fc.oneof(
      fc.record({ key, name, filedOn: day, expiresOn: fc.option(day) }).map(aFiling),
      fc.record({ key, name: fc.option(name), termOn: day, expiresOn: fc.option(day) }).map(anUpdate),
    ),
    { maxLength: 8 },
  ),
});

/** The same rules in the plainest words there are: a map, no order, no database. */
function reckon(reckoned: Map<string, Reckoned>, filings: readonly Filing[], anew: boolean): void {
  const opened = new Set(filings.filter(({ kind }) => kind === 'opening').map((filing) => filing.key));
  const named = new Set(filings.map((filing) => filing.key));
  for (const [known, listing] of reckoned) {
    if (anew && !opened.has(known) && !listing.isAbsent) reckoned.delete(known);
    else listing.isAbsent = !named.has(known);
  }
  for (const one of named) {
    if (!opened.has(one) && !reckoned.has(one)) continue;
    const own = filings.filter((filing) => filing.key === one);
    reckoned.set(one, { known: foldFilings(own, reckoned.get(one)?.known, anew)!, isAbsent: false });
  }
}

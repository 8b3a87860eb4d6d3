/** Merging: one listing for each business and premises, at its first filing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Filing } from '../../../src/shared/filing.ts';
import { foldFilings } from '../../../src/shared/fold-filings.ts';
import { deriveStatus } from '../../../src/shared/listing.ts';
import { aFiling, anUpdate } from '../../a-filing.ts';

const SEED = 20261120;

test('the latest term determines status and expiry', () => {
  const folded = foldFilings(
    [
      anUpdate({ termOn: '2026-01-01', status: 'closed' }),
      aFiling({ expiresOn: '2025-02-28' }),
      anUpdate({ termOn: '2025-03-01', expiresOn: '2027-02-28', status: 'open' }),
    ],
    undefined,
    false,
  );
  assert.equal(folded?.status, 'closed');
  assert.equal(folded?.expiresOn, '2027-02-28');
});

test('a business that closes on its first day is closed, and a business that is renewed on the day of a closure is open', () => {
  const [first, closure] = [aFiling({ filedOn: '2025-01-01' }), anUpdate({ status: 'closed' })];
  const statusOf = (filings: Filing[]) => foldFilings(filings, undefined, false)?.status;
  const sameDay = { ...closure, termOn: first.termOn };
  assert.equal(statusOf([sameDay, first, first]), 'closed');
  const renewal = aFiling({ filedOn: '2026-01-01', termOn: '2026-01-01' });
  assert.equal(statusOf([first, renewal, { ...closure, termOn: renewal.termOn }]), 'open');
});

test('a renewal keeps a listing from expiring', () => {
  const renewed = foldFilings(
    [aFiling({ expiresOn: '2025-02-28' }), anUpdate({ expiresOn: '2027-02-28' })],
    undefined,
    false,
  )!;
  assert.equal(deriveStatus(renewed, '2026-11-20'), 'open');
  assert.equal(deriveStatus(renewed, '2027-02-28'), 'open', 'the last day is a good day');
  assert.equal(deriveStatus(renewed, '2027-03-01'), 'expired');
});

test('a renewal without an expiry removes the expiry of the earlier term, and an update keeps it', () => {
  const first = aFiling({ expiresOn: '2025-02-28' });
  const known = foldFilings([first], undefined, false);
  const renewal = aFiling({ filedOn: '2025-03-01' });
  assert.equal(foldFilings([first, renewal], undefined, false)?.expiresOn, null);
  assert.equal(foldFilings([renewal], known, false)?.expiresOn, null);
  assert.equal(foldFilings([first, anUpdate({ status: 'open' })], undefined, false)?.expiresOn, '2025-02-28');
  assert.equal(foldFilings([anUpdate({ status: 'open' })], known, false)?.expiresOn, '2025-02-28');
});

test('only an open listing expires', () => {
  assert.equal(deriveStatus({ status: 'closed', expiresOn: '2020-01-01' }, '2026-11-20'), 'closed');
});

test('an update changes a known listing, but not its filing date', () => {
  const known = foldFilings([aFiling()], undefined, false);
  const moved = foldFilings([anUpdate({ neighborhood: 'Harbor', status: 'closed' })], known, false);
  assert.deepEqual(moved, { ...known, neighborhood: 'Harbor', status: 'closed' });
});

test('a listing that is imported again keeps its filing date, unless the rules have changed', () => {
  const known = foldFilings([aFiling({ filedOn: '2020-01-01' })], undefined, false);
  assert.equal(foldFilings([aFiling({ filedOn: '2024-03-01' })], known, false)?.filedOn, '2020-01-01');
  assert.equal(foldFilings([aFiling({ filedOn: '2024-03-01' })], known, true)?.filedOn, '2024-03-01');
});

test('a later filing can fill in values that the first filing lacks', () => {
  const folded = foldFilings(
    [
      { ...aFiling({ filedOn: '2021-01-01' }), category: null, neighborhood: null },
      aFiling({ filedOn: '2022-01-01', category: 'Bakeries', neighborhood: 'Harbor', name: 'Another name' }),
    ],
    undefined,
    false,
  );
  assert.deepEqual(
    [folded?.name, folded?.category, folded?.neighborhood],
    ['Blue Heron LLC', 'Bakeries', 'Harbor'],
  );
});

const day = fc.constantFrom('2020-01-01', '2021-05-05', '2021-05-06', '2024-12-31');
const status = fc.constantFrom('open', 'closed', 'abandoned', 'unknown') as fc.Arbitrary<'open' | 'closed'>;
const filing: fc.Arbitrary<Filing> = fc.oneof(
  fc
    .record({ filedOn: day, termOn: day, status, expiresOn: fc.option(day), name: fc.constantFrom('A', 'B') })
    .map(aFiling),
  fc
    .record({
      termOn: day,
      status: fc.option(status),
      expiresOn: fc.option(day),
      name: fc.option(fc.constantFrom('A', 'C')),
    })
    .map(anUpdate),
);

test(`the order of rows never matters (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.array(filing, { minLength: 1, maxLength: 6 }), fc.nat(), (filings, turn) => {
      const turned = [...filings.slice(turn % filings.length), ...filings.slice(0, turn % filings.length)];
      assert.deepEqual(
        foldFilings(turned.toReversed(), undefined, false),
        foldFilings(filings, undefined, false),
      );
    }),
    { seed: SEED, numRuns: 1_000 },
  );
});

/** Merging: one listing for each business and premises, at its first filing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Filing } from '../../../src/shared/filing.ts';
import { foldFilings } from '../../../src/shared/fold-filings.ts';
import { deriveStatus } from '../../../src/shared/listing.ts';
import { aFiling, anUpdate } from '../../a-filing.ts';

const SEED = 20261120;

const fold = (...filings: Filing[]) => foldFilings(filings, undefined, false)!;
/** A listing that is known, after another import. */
const later = (known: ReturnType<typeof fold>, filing: Filing, isNewRule = false) =>
  foldFilings([filing], known, isNewRule)!;

test('the latest term determines status and expiry', () => {
  const { status, expiresOn } = fold(
    anUpdate({ termOn: '2026-01-01', status: 'closed' }),
    aFiling({ expiresOn: '2025-02-28' }),
    anUpdate({ termOn: '2025-03-01', expiresOn: '2027-02-28', status: 'open' }),
  );
  assert.deepEqual([status, expiresOn], ['closed', '2027-02-28']);
});

test('a business that closes on its first day is closed, and a business that is renewed on the day of a closure is open', () => {
  const first = aFiling({ filedOn: '2025-01-01' });
  const closedOn = (termOn: string) => anUpdate({ status: 'closed', termOn });
  assert.equal(fold(closedOn(first.termOn), first, first).status, 'closed');
  const renewal = aFiling({ filedOn: '2026-01-01', termOn: '2026-01-01' });
  assert.equal(fold(first, renewal, closedOn(renewal.termOn)).status, 'open');
});

test('a renewal keeps a listing from expiring, and only an open listing expires', () => {
  const renewed = fold(aFiling({ expiresOn: '2025-02-28' }), anUpdate({ expiresOn: '2027-02-28' }));
  assert.equal(deriveStatus(renewed, '2026-11-20'), 'open');
  assert.equal(deriveStatus(renewed, '2027-02-28'), 'open', 'the last day is a good day');
  assert.equal(deriveStatus(renewed, '2027-03-01'), 'expired');
  assert.equal(deriveStatus({ status: 'closed', expiresOn: '2020-01-01' }, '2026-11-20'), 'closed');
});

test('a renewal without an expiry removes the expiry of the earlier term, and an update keeps it', () => {
  const first = aFiling({ expiresOn: '2025-02-28' });
  const [renewal, update] = [aFiling({ filedOn: '2025-03-01' }), anUpdate({ status: 'open' })];
  for (const [filing, expiresOn] of [
    [renewal, null],
    [update, '2025-02-28'],
  ] as const) {
    assert.equal(fold(first, filing).expiresOn, expiresOn);
    assert.equal(later(fold(first), filing).expiresOn, expiresOn);
  }
});

test('an update changes a known listing, but not its filing date', () => {
  const known = fold(aFiling());
  const moved = later(known, anUpdate({ neighborhood: 'Harbor', status: 'closed' }));
  assert.deepEqual(moved, { ...known, neighborhood: 'Harbor', status: 'closed' });
});

test('a listing that is imported again keeps its filing date, unless the rules have changed', () => {
  const known = fold(aFiling({ filedOn: '2020-01-01' }));
  const again = aFiling({ filedOn: '2024-03-01' });
  assert.equal(later(known, again).filedOn, '2020-01-01');
  assert.equal(later(known, again, true).filedOn, '2024-03-01');
});

test('a later filing can fill in values that the first filing lacks', () => {
  const { name, category, neighborhood } = fold(
    { ...aFiling({ filedOn: '2021-01-01' }), category: null, neighborhood: null },
    aFiling({ filedOn: '2022-01-01', category: 'Bakeries', neighborhood: 'Harbor', name: 'Another name' }),
  );
  assert.deepEqual([name, category, neighborhood], ['Blue Heron LLC', 'Bakeries', 'Harbor']);
});

const day = fc.constantFrom('2020-01-01', '2021-05-05', '2021-05-06', '2024-12-31');
const status = fc.constantFrom('open', 'closed', 'abandoned', 'unknown') as fc.Arbitrary<'open' | 'closed'>;
const name = fc.constantFrom('A', 'B', 'C');
const filing: fc.Arbitrary<Filing> = fc.oneof(
  fc.record({ filedOn: day, termOn: day, status, expiresOn: fc.option(day), name }).map(aFiling),
  fc
    .record({ termOn: day, status: fc.option(status), expiresOn: fc.option(day), name: fc.option(name) })
    .map(anUpdate),
);

test(`the order of rows never matters (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.array(filing, { minLength: 1, maxLength: 6 }), fc.nat(), (filings, turn) => {
      const turned = [...filings.slice(turn % filings.length), ...filings.slice(0, turn % filings.length)];
      assert.deepEqual(fold(...turned.toReversed()), fold(...filings));
    }),
    { seed: SEED, numRuns: 1_000 },
  );
});

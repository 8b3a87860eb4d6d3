/** A sound file may still be wrong: a swapped column, a status that flipped for a tenth of the city. It waits for a person. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, businesses, csvText, type Filed } from '../a-city.ts';

/** 400 businesses of four kinds in five neighborhoods, some of them changed. */
function register(change: (business: Filed, i: number) => Filed = (business) => business): string {
  const kinds = ['Restaurants', 'Legal', 'Cleaning', 'Uncategorized'];
  return csvText(
    businesses(400).map((business, i) =>
      change({ ...business, kind: kinds[i % 4]!, area: `Quarter ${i % 5}` }, i),
    ),
  );
}

const DRIFTS: [what: string, change: (business: Filed, i: number) => Filed, state: string, reason: RegExp][] =
  [
    ['nothing', (one) => one, 'unchanged', /same file/],
    [
      'the kind of 4 % lost',
      (one, i) => (i % 25 === 0 ? { ...one, kind: 'Uncategorized' } : one),
      'kept',
      /^$/,
    ],
    [
      'the kind of 20 % lost',
      (one, i) => (i % 4 === 1 ? { ...one, kind: 'Uncategorized' } : one),
      'held',
      /category of 50 %/,
    ],
    [
      'a neighborhood that was never there, for 15 %',
      (one, i) => (i % 7 === 0 ? { ...one, area: 'New Quarter' } : one),
      'kept',
      /^$/,
    ],
    [
      'neighborhoods that were never there, for 33 %',
      (one, i) => (i % 3 === 0 ? { ...one, area: `${i} Main` } : one),
      'held',
      /34 % .* a neighborhood that no opening/,
    ],
    ['kind and neighborhood swapped', (one) => ({ ...one, kind: one.area!, area: one.kind! }), 'held', /./],
  ];

for (const [what, change, state, reason] of DRIFTS) {
  test(`a register with ${what} is ${state}`, { timeout: 20_000 }, async () => {
    const city = aCity();
    const service = await city.open();
    const [first] = await service.ingest({ from: city.file('a.csv', register()) });
    assert.equal(first!.state, 'kept');
    const [run] = await service.ingest({ from: city.file('b.csv', register(change)) });
    assert.deepEqual([run!.state, reason.test(run!.detail ?? '')], [state, true], run!.detail ?? '');
    if (state !== 'held') return;
    const accepted = await service.accept(run!.run);
    assert.equal(accepted.state, 'kept');
    const [again] = await service.ingest({
      from: city.file(
        'c.csv',
        register((one, i) => ({ ...change(one, i), name: `N ${i}` })),
      ),
    });
    assert.equal(again!.state, 'kept', 'what was accepted is the new measure');
  });
}

test('a status that flips for more than a tenth is held, unless the profile was changed to say so', {
  timeout: 20_000,
}, async () => {
  const city = aCity();
  city.change("status: 'open', filedOn", "status: row.WHAT === 'shut' ? 'closed' : 'open', filedOn");
  const service = await city.open();
  await service.ingest({ from: city.file('a.csv', register()) });
  const shut = register((one, i) => (i % 8 === 0 ? { ...one, what: 'shut' } : one));
  const [held] = await service.ingest({ from: city.file('b.csv', shut) });
  assert.equal(held!.state, 'held');
  assert.match(held!.detail!, /88 % of the openings are open, and were 100 %/);
  city.change("operator: { name: 'The chamber'", "operator: { name: 'The city'");
  const changed = await city.open();
  const [kept] = await changed.ingest({ from: city.file('c.csv', shut) });
  assert.equal(kept!.state, 'kept', kept!.detail ?? '');
});

/** A valid file can still be wrong: a swapped column, a status that changed for a tenth of the city, other towns. It is held. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, businesses, csvText, type Filed } from '../../a-city.ts';
import { aRegister, findingsIn, rowsWith } from './a-register.ts';

type Change = (business: Filed, i: number) => Filed;

/** 400 businesses of four kinds in five neighborhoods, some of them changed. */
function register(change: Change = (business) => business): string {
  const kinds = ['Restaurants', 'Legal', 'Cleaning', 'Uncategorized'];
  return csvText(
    businesses(400).map((business, i) =>
      change({ ...business, kind: kinds[i % 4]!, area: `Quarter ${i % 5}` }, i),
    ),
  );
}

/** So many in a hundred of them. */
const among = (i: number, percent: number) => i % 100 < percent;
/** Of each hundred, 25 have no kind (those of `i % 4 === 3`); so many more of them have none, or so many fewer. */
const kindless = (percent: number) => (one: Filed, i: number) =>
  i % 4 === 1 && among(i, 4 * percent) ? { ...one, kind: 'Uncategorized' } : one;
const named = (percent: number) => (one: Filed, i: number) =>
  i % 4 === 3 && among(i, 4 * percent) ? { ...one, kind: 'Legal' } : one;
const every = (percent: number, changed: Filed) => (one: Filed, i: number) =>
  among(i, percent) ? { ...one, ...changed } : one;

test('a run is held if a reason for leaving out rows disappears, or a column with few cells', async () => {
  for (const [what, reason] of [
    ['landlord', /0 of 400 rows \(0 %\) are left out as "landlord", compared with 7.2 %/],
    ['other', /400 of 400 rows \(100 %\) have nothing in the column "WHAT", compared with 92.8 %/],
  ] as const) {
    const city = aCity();
    const service = await city.open();
    const some = register((one, i) => (i % 14 === 0 ? { ...one, what } : one));
    await service.ingest({ from: city.file('a.csv', some) });
    const [run] = await service.ingest({ from: city.file('b.csv', register()) });
    assert.equal(run!.state, 'held');
    assert.match(run!.detail!, reason);
  }
});

type Limit = [what: string, inside: number, outside: number, change: (percent: number) => Change];

/** Names that every object has already. */
const OBJECT_NAMES = ['constructor', '__proto__'];

const LIMITS: Limit[] = [
  ['whose kind was lost', 4, 6, kindless],
  ['whose kind was found', 4, 6, named],
  ['whose neighborhood was lost', 4, 6, (percent) => every(percent, { area: '' })],
  ['of a kind that was never there', 19, 21, (percent) => every(percent, { kind: 'Bakeries' })],
  ['of a neighborhood that was never there', 19, 21, (percent) => every(percent, { area: 'New Quarter' })],
  ...OBJECT_NAMES.map(
    (kind): Limit => [
      `of the kind ${kind}, which was never there`,
      19,
      21,
      (percent) => every(percent, { kind }),
    ],
  ),
  ['moved to earlier years', 19, 21, (percent) => every(percent, { day: '2019-05-01' })],
  ['whose status flips', 9, 11, (percent) => every(percent, { what: 'shut' })],
];

for (const [what, inside, outside, change] of LIMITS) {
  test(`a snapshot with ${inside} % ${what} is kept, and a snapshot with ${outside} % is held`, async () => {
    const city = aCity();
    city.change("status: 'open', filedOn", "status: row.WHAT === 'shut' ? 'closed' : 'open', filedOn");
    const service = await city.open();
    const stateOf = async (text: string) => (await service.ingest({ from: city.file('a.csv', text) }))[0]!;
    assert.equal((await stateOf(register())).state, 'kept');
    const held = await stateOf(register(change(outside)));
    assert.equal(held.state, 'held', held.detail ?? '');
    const kept = await stateOf(register(change(inside)));
    assert.equal(kept.state, 'kept', kept.detail ?? '');
    assert.ok(kept.changed > 0 || kept.added > 0, 'it did change');
  });
}

test('a snapshot is held if more than a fifth of the openings leave years long ago', async () => {
  const city = aCity();
  const service = await city.open();
  const stateOf = async (percent: number) => {
    const text = register(every(percent, { day: '2019-05-01' }));
    return (await service.ingest({ from: city.file('a.csv', text) }))[0]!.state;
  };
  assert.deepEqual([await stateOf(60), await stateOf(39), await stateOf(41)], ['kept', 'held', 'kept']);
});

test('a status that changes for more than a tenth of the openings is held, unless the profile was changed', async () => {
  const city = aCity();
  city.change("status: 'open', filedOn", "status: row.WHAT === 'shut' ? 'closed' : 'open', filedOn");
  const service = await city.open();
  await service.ingest({ from: city.file('a.csv', register()) });
  const shut = register((one, i) => (i % 8 === 0 ? { ...one, what: 'shut' } : one));
  const [held] = await service.ingest({ from: city.file('b.csv', shut) });
  assert.equal(held!.state, 'held');
  assert.match(held!.detail!, /87.5 % of the openings have the status open, compared with 100 %/);
  city.change("operator: { name: 'The chamber'", "operator: { name: 'The city'");
  const changed = await city.open();
  const [kept] = await changed.ingest({ from: city.file('c.csv', shut) });
  assert.equal(kept!.state, 'kept', kept!.detail ?? '');
});

test('a doubled or an older file is held under a changed profile, too', async () => {
  const some = businesses(400).map((one, i) => (i < 390 ? one : { ...one, day: `2026-09-${i - 380}` }));
  const files = { 'repeat another row': [...some, ...some], 'an older copy': some.slice(0, 385) };
  for (const [why, rows] of Object.entries(files)) {
    const city = aCity();
    const service = await city.open();
    await service.ingest({ from: city.file('a.csv', csvText(some)) });
    city.change("operator: { name: 'The chamber'", "operator: { name: 'The city'");
    const changed = await city.open();
    const [held] = await changed.ingest({ from: city.file('b.csv', csvText(rows)) });
    assert.equal(held!.state, 'held');
    assert.ok(held!.detail!.includes(why), held!.detail!);
  }
});

test('check warns if nearly all rows of other towns are in a few towns, which may be parts of the city', async () => {
  const city = aRegister(
    ['kindOf, opening,', 'kindOf, opening, skip,'],
    ["columns: ['ID',", "columns: ['TOWN', 'ID',"],
    ['const filedOn', "if (row.TOWN !== 'Rivermouth') return skip('outside the city');\n      const filedOn"],
  );
  const find = async (share: number, townOf: (i: number) => string) => {
    const found = await findingsIn(
      city,
      rowsWith((i) => ({ TOWN: i % 100 < share ? townOf(i) : 'Rivermouth' })),
    );
    return found.find(({ code }) => code === 'outside-city');
  };
  const part = (i: number) => (i % 4 ? 'EAST RIVERMOUTH' : 'Otterfall');
  const left = await find(24, part);
  assert.deepEqual(
    [left?.severity, left?.count, left?.examples],
    ['warn', 96, ['east rivermouth: 72', 'otterfall: 24']],
  );
  assert.equal(await find(20, part), undefined, 'too few');
  assert.equal(await find(48, (i) => `Town ${'ABCDEFGHIJKLMNOPQRSTUVWX'[i % 24]}`), undefined, 'far towns');
  assert.equal((await find(52, (i) => `Town ${i % 52}`))?.severity, 'stop');
});

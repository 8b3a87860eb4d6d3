/** A valid file can still be wrong: a swapped column, a status that changed for a tenth of the city, other towns. It is held. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, businesses, csvText, type Filed } from '../../a-city.ts';
import { aRegister, findingsIn, rowsWith } from './a-register.ts';

type Change = (business: Filed, i: number) => Filed;

const KINDS = ['Restaurants', 'Legal', 'Cleaning', 'Uncategorized'];
/** 400 businesses of four kinds in five neighborhoods, some of them changed. */
const register = (change: Change = (business) => business) =>
  businesses(400).map((one, i) => change({ ...one, kind: KINDS[i % 4]!, area: `Quarter ${i % 5}` }, i));

/** So many in a hundred of them. */
const among = (i: number, percent: number) => i % 100 < percent;
/** Of each hundred, 25 have no kind (those of `i % 4 === 3`); so many more of them have none, or so many fewer. */
const kindless = (percent: number) => (one: Filed, i: number) =>
  i % 4 === 1 && among(i, 4 * percent) ? { ...one, kind: 'Uncategorized' } : one;
const named = (percent: number) => (one: Filed, i: number) =>
  i % 4 === 3 && among(i, 4 * percent) ? { ...one, kind: 'Legal' } : one;
const every = (changed: Filed) => (percent: number) => (one: Filed, i: number) =>
  among(i, percent) ? { ...one, ...changed } : one;

/** Imports these files one after the other, the first of which is kept; with `under`, the others under a changed profile. */
async function importOf(files: readonly (readonly Filed[])[], under?: 'a changed profile') {
  const city = aCity();
  city.change("status: 'open', filedOn", "status: row.WHAT === 'shut' ? 'closed' : 'open', filedOn");
  let service = await city.open();
  const runs = [];
  for (const [i, rows] of files.entries()) {
    runs.push((await service.ingest({ from: city.file(`${i}.csv`, csvText(rows)) }))[0]!);
    if (i > 0 || under === undefined) continue;
    city.change("operator: { name: 'The chamber'", "operator: { name: 'The city'");
    service = await city.open();
  }
  return runs;
}

for (const [what, reason] of [
  ['landlord', /0 of 400 rows \(0 %\) are left out as "landlord", compared with 7.2 %/],
  ['other', /400 of 400 rows \(100 %\) have nothing in the column "WHAT", compared with 92.8 %/],
] as const)
  test(`a run is held if a column with few cells is empty, or a reason to leave rows out disappears: ${what}`, async () => {
    const some = register((one, i) => (i % 14 === 0 ? { ...one, what } : one));
    const [, run] = await importOf([some, register()]);
    assert.match(`${run!.state}: ${run!.detail}`, new RegExp(`^held: .*${reason.source}`));
  });

type Limit = [what: string, inside: number, outside: number, change: (percent: number) => Change];

const LIMITS: Limit[] = [
  ['whose kind was lost', 4, 6, kindless],
  ['whose kind was found', 4, 6, named],
  ['whose neighborhood was lost', 4, 6, every({ area: '' })],
  ['of a kind that was never there', 19, 21, every({ kind: 'Bakeries' })],
  ['of a neighborhood that was never there', 19, 21, every({ area: 'New Quarter' })],
  // names that every object has already
  ...['constructor', '__proto__'].map((kind): Limit => [`of the kind ${kind}`, 19, 21, every({ kind })]),
  ['moved to earlier years', 19, 21, every({ day: '2019-05-01' })],
  ['whose status flips', 9, 11, every({ what: 'shut' })],
];

for (const [what, inside, outside, change] of LIMITS)
  test(`a snapshot with ${inside} % ${what} is kept, and a snapshot with ${outside} % is held`, async () => {
    const files = [register(), register(change(outside)), register(change(inside))];
    const [, held, kept] = await importOf(files);
    assert.deepEqual([held!.state, kept!.state], ['held', 'kept'], `${held!.detail} ${kept!.detail}`);
    assert.ok(kept!.changed > 0 || kept!.added > 0, 'it did change');
  });

test('a snapshot is held if more than a fifth of the openings leave years long ago', async () => {
  const runs = await importOf([60, 39, 41].map((percent) => register(every({ day: '2019-05-01' })(percent))));
  const states = runs.map(({ state }) => state);
  assert.deepEqual(states, ['kept', 'held', 'kept']);
});

test('a status that changes for more than a tenth of the openings is held, unless the profile was changed', async () => {
  const shut = register((one, i) => (i % 8 === 0 ? { ...one, what: 'shut' } : one));
  const [, held] = await importOf([register(), shut]);
  assert.match(
    `${held!.state} ${held!.detail}`,
    /^held .*87.5 % of the openings have the status open, compared with 100 %/,
  );
  const [, kept] = await importOf([register(), shut], 'a changed profile');
  assert.equal(kept!.state, 'kept', kept!.detail ?? '');
});

test('a doubled or an older file is held under a changed profile, too', async () => {
  const some = businesses(400).map((one, i) => (i < 390 ? one : { ...one, day: `2026-09-${i - 380}` }));
  const files = { 'repeat another row': [...some, ...some], 'an older copy': some.slice(0, 385) };
  for (const [why, rows] of Object.entries(files)) {
    const [, held] = await importOf([some, rows], 'a changed profile');
    assert.match(`${held!.state} ${held!.detail}`, new RegExp(`^held .*${why}`));
  }
});

test('check warns if nearly all rows of other towns are in a few towns, which may be parts of the city', async () => {
  const city = aRegister(
    ['kindOf, opening,', 'kindOf, opening, skip,'],
    ["columns: ['ID',", "columns: ['TOWN', 'ID',"],
    ['const filedOn', "if (row.TOWN !== 'Rivermouth') return skip('outside the city');\n      const filedOn"],
  );
  const find = async (share: number, townOf: (i: number) => string) => {
    const rows = rowsWith((i) => ({ TOWN: i % 100 < share ? townOf(i) : 'Rivermouth' }));
    return (await findingsIn(city, rows)).find(({ code }) => code === 'outside-city');
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

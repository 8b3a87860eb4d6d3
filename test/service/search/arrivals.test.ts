/** The order of arrivals: a reader that pages through it while imports go on gets each item once. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Position } from '../../../src/service/search/index/arrivals.ts';
import type { BuildRow } from '../../../src/service/search/index/build.ts';
import { rounds, seedFrom } from '../../depth.ts';
import { aRow, asking, catalogueOf } from './made-up.ts';

const NEWEST: Position = { at: '9999', place: 0 };

/** What an import does: it brings listings, and renames, redates, moves or removes some that were there. */
const step = fc.record({
  arrive: fc.nat(9),
  isLate: fc.boolean(),
  change: fc.array(fc.tuple(fc.nat(), fc.constantFrom('name', 'day', 'area', 'gone')), { maxLength: 4 }),
});
const course = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 12 }),
  limit: fc.integer({ min: 1, max: 6 }),
});

/** The rows after an import. Keys tell apart what arrived; half of it matches the search. */
function imported(
  rows: readonly BuildRow[],
  { arrive, isLate, change }: typeof step extends fc.Arbitrary<infer S> ? S : never,
  at: number,
) {
  const kept = rows.map((row) => ({ ...row }));
  for (const [which, how] of change) {
    const row = kept[which % Math.max(1, kept.length)];
    if (row === undefined) continue;
    if (how === 'name') row.name = `Renamed ${which} of ${row.key}`;
    else if (how === 'day') row.filedOn = `2026-0${1 + (which % 8)}-01`;
    else if (how === 'area') row.neighborhood = `Area ${which}`;
    else kept.splice(kept.indexOf(row), 1);
  }
  const arrivedAt = `2026-01-01T00:00:00.${String(at).padStart(3, '0')}Z`;
  const fresh = Array.from({ length: arrive }, (_, i) =>
    aRow({
      ...{ key: `${at}-${i}`, name: 'Alike', category: i % 2 === 0 ? 'Restaurants' : 'Bars' },
      ...{ arrivedAt, arrival: at === 0 ? 0 : i + 1, isNews: at > 0 && !(isLate && i > 4) },
    }),
  );
  return [...kept, ...fresh];
}

test('a feed reader gets each item once, newest first, even if an import comes between two pages', () => {
  fc.assert(
    fc.property(course, fc.boolean(), ({ steps, limit }, isNarrow) => {
      const question = asking({ limit, category: isNarrow ? ['Restaurants'] : [] });
      const matches = ({ isNews, category }: BuildRow) => isNews && (!isNarrow || category === 'Restaurants');
      let rows: BuildRow[] = [];
      let next: Position | undefined = NEWEST;
      let expected: BuildRow[] = [];
      const read: Position[] = [];
      const isSame = (a: Position) => (b: BuildRow) => a.at === b.arrivedAt && a.place === b.arrival;
      for (let at = 0; at < steps.length || next !== undefined; at++) {
        const given = steps[at];
        if (given !== undefined) rows = imported(rows, given, at);
        if (at < 2) continue;
        if (at === 2) expected = rows.filter(matches);
        if (next === undefined) break;
        const page = catalogueOf(rows).readArrivals(question, next);
        assert.equal(page.items.length, page.rows.length);
        assert.ok(page.items.length <= limit);
        read.push(...page.items);
        // what was removed before it was reached is not there to be read
        const gone = (row: BuildRow) =>
          !rows.some(({ key }) => key === row.key) && !read.some((one) => isSame(one)(row));
        expected = expected.filter((row) => !gone(row));
        next = page.next;
      }
      if (steps.length < 3) return;
      const order = expected.toSorted((a, b) =>
        a.arrivedAt === b.arrivedAt ? a.arrival - b.arrival : a.arrivedAt < b.arrivedAt ? 1 : -1,
      );
      assert.deepEqual(
        read.map(({ at, place }) => `${at} ${place}`),
        order.map(({ arrivedAt, arrival }) => `${arrivedAt} ${arrival}`),
      );
    }),
    { seed: seedFrom(20_261_120), numRuns: rounds(500) },
  );
});

test('the first page of a feed without news has the newest filings of the first import, and no later page has any', () => {
  const rows = ['a', 'b', 'c'].map((key) => aRow({ key, arrival: 0, isNews: false }));
  const index = catalogueOf(rows);
  const read = (before?: Position) => index.readArrivals(asking({ limit: 2 }), before).rows.length;
  assert.deepEqual([read(), read(NEWEST)], [2, 0]);
});

/** A day, and when it begins in a zone: west and east of Greenwich, and on days on which clocks change. */
const BEGINNINGS: [timeZone: string, day: string, instant: string][] = [
  ['UTC', '2026-07-01', '2026-07-01T00:00:00.000Z'],
  ['America/Los_Angeles', '2026-07-01', '2026-07-01T07:00:00.000Z'],
  ['America/Los_Angeles', '2026-03-09', '2026-03-09T07:00:00.000Z'],
  ['America/Los_Angeles', '2026-03-08', '2026-03-08T08:00:00.000Z'],
  ['Europe/Paris', '2026-07-01', '2026-06-30T22:00:00.000Z'],
  ['Europe/Paris', '2026-10-25', '2026-10-24T22:00:00.000Z'],
  ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00.000Z'],
];

test('“added since a day” begins at midnight in the city', () => {
  for (const [timeZone, added_from, begins] of BEGINNINGS) {
    const times = [-2, 0, 2].map((minutes) => new Date(Date.parse(begins) + minutes * 60_000).toISOString());
    const rows = times.map((arrivedAt) => aRow({ key: arrivedAt, arrivedAt, isNews: true }));
    const { total } = catalogueOf(rows, { timeZone }).search(asking({ added_from }));
    assert.equal(total, 2, `${added_from} in ${timeZone}`);
  }
});

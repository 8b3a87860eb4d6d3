/** Runs that are held: nothing served changes until an operator has checked them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv, type Source, skip } from '../../src/city/define.ts';
import { findObjection, type RunToCheck } from '../../src/ingest/guard.ts';
import type { JudgedCounts, Run } from '../../src/ingest/ports.ts';
import { emptyCounts } from '../../src/ingest/run-counts.ts';
import { openShapeCounter } from '../../src/ingest/shape.ts';
import { aCity, businesses, csvText } from '../a-city.ts';

const snapshot: Source = {
  id: 's',
  publisher: 'County',
  homepage: 'https://county.example',
  licence: 'CC0-1.0',
  checked: 'documentation',
  from: csv(),
  delivers: 'snapshot',
  columns: ['A'],
  verdict: () => skip('not asked'),
};

function rows(read: number, rejected = 0): JudgedCounts {
  return {
    ...emptyCounts(),
    read,
    rejected: rejected === 0 ? [] : [{ reason: 'no date', count: rejected, lines: [2] }],
  };
}

const seen = (source: Source, tally: JudgedCounts): RunToCheck => ({
  ...{ tally, shape: openShapeCounter().shape, profile: 'p' },
  snapshot: source.delivers === 'snapshot',
});

function objection(
  source: Source,
  read: number,
  of: { base?: number; rejected?: number },
): string | undefined {
  const base = of.base === undefined ? undefined : ({ run: 1, read: of.base, shape: null } as Run);
  return findObjection(source, seen(source, rows(read, of.rejected)), base)?.state;
}

const SHARES: [percent: number, state: string | undefined][] = [
  [0, 'failed'],
  [1, 'held'],
  [50, 'held'],
  [89, 'held'],
  [90, undefined],
  [91, undefined],
  [100, undefined],
  [150, undefined],
  [300, undefined],
  [301, 'held'],
];

for (const [percent, state] of SHARES) {
  test(`a snapshot of ${percent} % of the last one is ${state ?? 'kept'}`, () => {
    assert.equal(objection(snapshot, 2_000 * (percent / 100), { base: 2_000 }), state);
  });
}

test('percentages of fewer than 20 rows are ignored', () => {
  assert.equal(objection(snapshot, 5, { base: 19 }), undefined);
  assert.equal(objection(snapshot, 5, { base: 20 }), 'held');
  assert.equal(objection(snapshot, 19, { rejected: 3 }), undefined);
  assert.equal(objection(snapshot, 20, { rejected: 1 }), 'held');
});

test('a feed of changes may vary widely, and may be empty', () => {
  const changes: Source = { ...snapshot, delivers: 'changes' };
  assert.equal(objection(changes, 1, { base: 2_000 }), undefined);
  assert.equal(objection(changes, 0, { base: 2_000 }), undefined);
});

test('more than one damaged row in a hundred is held, unless the profile says otherwise', () => {
  assert.equal(objection(snapshot, 1_000, { rejected: 10 }), undefined);
  assert.equal(objection(snapshot, 1_000, { rejected: 11 }), 'held');
  assert.equal(objection({ ...snapshot, rejectedShare: 0.05 }, 1_000, { rejected: 50 }), undefined);
});

test('a file with only damaged rows is held, however short it is', () => {
  assert.equal(objection(snapshot, 3, { rejected: 3 }), 'held');
});

test('the detail says what was compared and which rows to look at', () => {
  assert.match(
    findObjection(snapshot, seen(snapshot, rows(100)), { run: 7, read: 200 } as Run)!.detail,
    /run \(7\) had 200 rows .* 100: fewer than 90 %/,
  );
  assert.match(
    findObjection(snapshot, seen(snapshot, rows(100, 2)), undefined)!.detail,
    /2 of 100 rows .*no date, line 2/,
  );
});

test('a status that a table found in its prototype is a damaged row, not a crash', async () => {
  const city = aCity();
  city.change("status: 'open', filedOn", 'status: ({ Active: "open" } as any)[row.WHAT], filedOn');
  city.change("status: 'closed'", 'status: ({} as any)[row.KIND]');
  const rows = businesses(300).map((row) => ({ ...row, what: 'Active' }));
  const odd = [
    { id: 'A', what: 'constructor' },
    { id: 'B', what: '' },
    { id: 'C', what: 'closure', kind: 'toString' },
  ];
  const [run] = await (await city.open()).ingest({ from: city.file('odd.csv', csvText([...rows, ...odd])) });
  assert.deepEqual([run!.state, run!.read, run!.openings], ['kept', 303, 300], run!.detail ?? '');
  assert.deepEqual(
    run!.rejected.map(({ reason, count }) => [reason, count]),
    [['unknown status', 3]],
  );
});

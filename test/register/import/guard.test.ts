/** Runs that are held: nothing served changes until an operator has checked them. */

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import type { Source } from '../../../src/register/profile/define.ts';
import { openShapeCounter } from '../../../src/register/rows/row-counts.ts';
import { findObjection, type KeptRun, type RunToCheck } from '../../../src/service/runs/hold-rules.ts';
import { addDays } from '../../../src/shared/day.ts';
import { emptyCounts, type JudgedCounts } from '../../../src/shared/report.ts';
import { aCity, businesses, csvText, type Filed } from '../../a-city.ts';
import { aRegister, type Cells, rowsWith, SOURCE as snapshot, toCsv } from './a-register.ts';

function rows(read: number, rejected = 0): JudgedCounts {
  return {
    ...emptyCounts(),
    read,
    rejected: ['no name', 'no date']
      .map((reason, i) => ({ reason, count: i === 0 ? Math.min(1, rejected) : rejected - 1, lines: [9 - i] }))
      .filter(({ count }) => count > 0),
  };
}

const seen = (source: Source, tally: JudgedCounts): RunToCheck => ({
  ...{ tally, shape: openShapeCounter(source, '2026-11-20').shape, profileDigest: 'p' },
  snapshot: source.delivers === 'snapshot',
});

function keptRun(run: number, read: number): KeptRun {
  return { run, read, openings: 0, skipped: {}, profileDigest: 'p', shape: null };
}

type Of = { base?: number; rejected?: number };
function objection(source: Source, read: number, of: Of): string | undefined {
  const kept = of.base === undefined ? [] : [keptRun(1, of.base)];
  return findObjection(source, seen(source, rows(read, of.rejected)), kept)?.state;
}

const changes: Source = { ...snapshot, delivers: 'changes' };
const lenient: Source = { ...snapshot, rejectedShare: 0.05 };

/** What becomes of a run: rows read, and those of the last snapshot or the damaged ones of this file. */
const OUTCOMES: [state: string | undefined, why: string, read: number, of: Of, source?: Source][] = [
  ['failed', 'it has 0 % of the last snapshot', 0, { base: 2_000 }],
  ['held', '1 %', 20, { base: 2_000 }],
  ['held', '89 %', 1_780, { base: 2_000 }],
  [undefined, '90 %', 1_800, { base: 2_000 }],
  [undefined, '300 %', 6_000, { base: 2_000 }],
  ['held', '301 %', 6_020, { base: 2_000 }],
  [undefined, 'percentages of fewer than 20 rows are ignored', 5, { base: 19 }],
  ['held', 'those of 20 rows are not', 5, { base: 20 }],
  [undefined, 'so are damaged ones of fewer than 20 rows', 19, { rejected: 3 }],
  ['held', 'two damaged rows of 20', 20, { rejected: 2 }],
  [undefined, 'a single damaged row', 20, { rejected: 1 }],
  [undefined, 'one damaged row in a hundred', 1_000, { rejected: 10 }],
  ['held', 'more than one damaged row in a hundred', 1_000, { rejected: 11 }],
  [undefined, 'the profile allows more', 1_000, { rejected: 50 }, lenient],
  ['held', 'a file has only damaged rows, even if it is short', 3, { rejected: 3 }],
  [undefined, 'a file of changes can have any number of rows', 1, { base: 2_000 }, changes],
  [undefined, 'a file of changes can have no rows', 0, { base: 2_000 }, changes],
];

for (const [state, why, read, of, source = snapshot] of OUTCOMES)
  test(`a run is ${state ?? 'kept'}: ${why}`, () => assert.equal(objection(source, read, of), state));

test('under a changed profile, a column that both profiles read and that has become empty holds a run', () => {
  const withEmpty = (empty: Record<string, number>) => {
    const { shape, ...rest } = seen(snapshot, rows(200));
    return { ...rest, shape: { ...shape, empty } };
  };
  const kept = [
    { ...keptRun(1, 200), profileDigest: 'of before', shape: withEmpty({ A: 0, B: 3, C: 0 }).shape },
  ];
  const detailOf = (empty: Record<string, number>) => findObjection(snapshot, withEmpty(empty), kept)?.detail;
  assert.equal(
    detailOf({ A: 0, B: 200 }),
    '200 of 200 rows (100 %) have nothing in the column "B", compared with 1.5 % in the last kept run (1)',
  );
  assert.equal(detailOf({ A: 0, B: 3, D: 200 }), undefined, 'a column that only the new profile reads');
});

test('of applications that are not decided, the newest days are counted, in any order of the rows', () => {
  const { shape, see } = openShapeCounter(snapshot, '2026-11-20');
  const days = Array.from({ length: 3_499 }, (_, i) => addDays('2017-01-01', (i * 37) % 3_499));
  for (const filedOn of [...days, ...days, 'soon'])
    see({ kind: 'skip', reason: 'pending', filedOn }, undefined, '');
  for (const day of days.toSorted().slice(-1_500)) assert.equal(shape.undecided[day], 2, day);
  assert.ok(Object.keys(shape.undecided).length < 3_000, 'limited memory');
});

/** Ingests 150 businesses as changes, then a file in which some are landlords, which are left out. */
async function ingestChanges(landlords: number, rows: number) {
  const city = aCity();
  city.change("delivers: 'snapshot'", "delivers: 'changes'");
  const service = await city.open();
  const ingest = async (name: string, some: Filed[]) =>
    (await service.ingest({ from: city.file(name, csvText(some)) }))[0]!;
  await ingest('1.csv', businesses(150));
  const some = businesses(rows).map((one, i) => (i < landlords ? { ...one, what: 'landlord' } : one));
  return { service, ingest, run: await ingest('2.csv', some) };
}

test('a file of changes is held when most of its rows have a problem that was rare before', async () => {
  assert.equal((await ingestChanges(9, 9)).run.state, 'kept', 'too few rows to tell');
  assert.equal((await ingestChanges(5, 10)).run.state, 'kept');
  const { service, ingest, run } = await ingestChanges(6, 10);
  assert.equal(run.state, 'held');
  assert.match(
    run.detail!,
    /^6 of 10 rows \(60 %\) are left out as "landlord", compared with 0 % in the kept runs before it \(up to 1\)$/,
  );
  const accepted = await service.accept(run.run);
  assert.equal(accepted.detail, `You accepted this run, which was held: ${run.detail}`);
  const landlords = businesses(11).map((one) => ({ ...one, what: 'landlord' }));
  const again = await ingest('3.csv', landlords);
  assert.equal(again.state, 'kept', 'what was accepted is the new measure');
});

test('messages show the share that a profile allows without rounding errors', () => {
  for (const [rejectedShare, text] of Object.entries({ 0.07: '7 %', 0.005: '0.5 %', [1 / 3]: '33.3333 %' })) {
    const source = { ...snapshot, rejectedShare: Number(rejectedShare) };
    const { detail } = findObjection(source, seen(source, rows(100, 40)))!;
    assert.ok(detail.endsWith(`the limit is ${text} (most common: no date, line 8)`), detail);
  }
});

/** The run of a city whose verdict on its last row is this code, and the service. */
async function runOf(code: string) {
  const city = aCity();
  city.change('verdict(row) {', `verdict(row) {\n      if (row.WHAT === 'odd') return ${code};`);
  const rows = [...businesses(300), { ...businesses(1)[0]!, id: 'ODD', what: 'odd' }];
  const service = await city.open();
  const [run] = await service.ingest({ from: city.file('a.csv', csvText(rows)) });
  return { run: run!, service };
}

const FACTS = "key: 'K', name: 'Heron', status: 'open', filedOn: '2026-01-05', termOn: '2026-01-05'";

for (const [what, code, reason] of [
  ['category is a function', `opening({ ${FACTS}, category: ({} as any).constructor })`, 'unknown category'],
  ['new category is one', `update({ ${FACTS}, category: ({} as any).toString })`, 'unknown category'],
  ['neighborhood is one', `opening({ ${FACTS}, neighborhood: ({} as any).valueOf })`, 'unknown neighborhood'],
  ['status is one', `opening({ ${FACTS}, status: ({} as any).constructor })`, 'unknown status'],
  ['status is missing', `opening({ ${FACTS}, status: undefined as any })`, 'unknown status'],
  ['new status is one', `update({ ${FACTS}, status: ({} as any).toString })`, 'unknown status'],
  ['key is missing', `opening({ ${FACTS}, key: undefined as any })`, 'no key'],
  ['name is missing', `opening({ ${FACTS}, name: undefined as any })`, 'no name'],
  ['filing date is a number', `opening({ ${FACTS}, filedOn: 20260105 as any })`, 'filedOn is not text'],
  ['renewal has no date', `update({ key: 'K', termOn: undefined as any })`, 'no filing date'],
  ['reason to reject it is "constructor"', `reject('constructor')`, 'constructor'],
] as const)
  test(`a row is rejected if its ${what}`, async () => {
    const { run } = await runOf(code);
    assert.deepEqual([run.state, run.openings], ['kept', 300], run.detail ?? '');
    assert.deepEqual(run.rejected, [{ reason, count: 1, lines: [302] }]);
  });

test('a reason to skip with the name of a JavaScript property is counted', async () => {
  for (const reason of ['constructor', '__proto__']) {
    const { run } = await runOf(`skip('${reason}')`);
    assert.deepEqual(Object.entries(run.skipped), [[reason, 1]]);
  }
});

for (const [what, code] of [
  ['throws', '(undefined as any).name'],
  ['returns nothing', 'undefined as any'],
  ['returns a promise', "Promise.resolve(skip('later')) as any"],
  ['returns an opening without facts', "{ kind: 'opening' } as any"],
  ['skips without a reason', 'skip(undefined as any)'],
  ['gives a point without boundaries', `opening({ ${FACTS}, point: { longitude: 1, latitude: 2 } })`],
] as const)
  test(`a run fails and names the source and the line if a verdict ${what}`, async () => {
    const { run, service } = await runOf(code);
    assert.equal(run.state, 'failed');
    assert.match(run.detail!, /^source "licences", line 302: the profile cannot judge this row: ./);
    const states = (await service.store.filings.runs({ limit: 5 })).map(({ state }) => state);
    assert.deepEqual(states, ['failed']);
  });

test('a run with an internal error fails, and the error is thrown', async () => {
  const city = aCity();
  const service = await city.open();
  const progress = () => {
    throw new Error('not our day');
  };
  const from = city.file('a.csv', csvText(businesses(3)));
  await assert.rejects(service.ingest({ from, progress }), /not our day/);
  const [run] = await service.store.filings.runs({ limit: 5 });
  assert.deepEqual([run!.state, run!.detail], ['failed', 'not our day']);
});

/** Ingests a feed of so many files with these rows, as changes. */
async function ingestFeed(rows: readonly Cells[], files: number, accepts = '') {
  const city = aRegister(["delivers: 'snapshot'", `delivers: 'changes'${accepts}`]);
  mkdirSync(`${city.folder}/feed`);
  const size = rows.length / files;
  for (let i = 0; i < files; i++) city.file(`feed/${i}.csv`, toCsv(rows.slice(i * size, i * size + size)));
  const runs = await (await city.open()).ingest({ from: `${city.folder}/feed` });
  const count = (run: (typeof runs)[0]) => run.findings.find(({ code }) => code === 'outside-city')?.count;
  return { states: runs.map(({ state }) => state), counts: runs.map(count) };
}

test('the first files of changes are judged together', async () => {
  const rows = rowsWith((i) => ({ TOWN: i < 30 ? 'Farfield' : 'RIVERMOUTH' })).toReversed();
  const { states, counts } = await ingestFeed(rows, 4);
  assert.deepEqual([...states, counts[3]], ['kept', 'kept', 'kept', 'held', 30]);
});

test('many files of changes are examined whenever their rows have doubled, and after the last file', async () => {
  const rows = rowsWith((i) => ({ TOWN: i % 10 === 0 ? 'Farfield' : 'Rivermouth' })).slice(0, 350);
  const { counts } = await ingestFeed(rows, 7, ", accepts: { 'outside-city': 'two towns' }");
  assert.deepEqual(counts, [5, 10, 10, 20, 20, 20, 35]);
});

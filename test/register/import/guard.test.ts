/** Runs that are held: nothing served changes until an operator has checked them. */

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { type Source, skip } from '../../../src/register/profile/define.ts';
import { csv } from '../../../src/register/profile/formats.ts';
import { openShapeCounter } from '../../../src/register/rows/row-counts.ts';
import { findObjection, type KeptRun, type RunToCheck } from '../../../src/service/runs/hold-rules.ts';
import { addDays } from '../../../src/shared/day.ts';
import { emptyCounts, type JudgedCounts } from '../../../src/shared/report.ts';
import { aCity, businesses, csvText, type Filed } from '../../a-city.ts';
import { aRegister, type Cells, rowsWith, toCsv } from './a-register.ts';

const snapshot: Source = {
  id: 's',
  publisher: 'County',
  homepage: 'https://county.example',
  license: 'CC0-1.0',
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

function objection(
  source: Source,
  read: number,
  of: { base?: number; rejected?: number },
): string | undefined {
  const kept = of.base === undefined ? [] : [keptRun(1, of.base)];
  return findObjection(source, seen(source, rows(read, of.rejected)), kept)?.state;
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
  test(`a snapshot with ${percent} % of the rows of the last snapshot is ${state ?? 'kept'}`, () => {
    assert.equal(objection(snapshot, 2_000 * (percent / 100), { base: 2_000 }), state);
  });
}

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
  const newest = days.toSorted().slice(-1_500);
  assert.deepEqual(
    newest.map((day) => shape.undecided[day]),
    newest.map(() => 2),
  );
  assert.ok(Object.keys(shape.undecided).length < 3_000, 'limited memory');
});

test('percentages of fewer than 20 rows, and a single damaged row, are ignored', () => {
  assert.equal(objection(snapshot, 5, { base: 19 }), undefined);
  assert.equal(objection(snapshot, 5, { base: 20 }), 'held');
  assert.equal(objection(snapshot, 19, { rejected: 3 }), undefined);
  assert.equal(objection(snapshot, 20, { rejected: 2 }), 'held');
  assert.equal(objection(snapshot, 20, { rejected: 1 }), undefined);
});

test('a file of changes can have any number of rows, even none', () => {
  const changes: Source = { ...snapshot, delivers: 'changes' };
  assert.equal(objection(changes, 1, { base: 2_000 }), undefined);
  assert.equal(objection(changes, 0, { base: 2_000 }), undefined);
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
  const again = await ingest(
    '3.csv',
    businesses(11).map((one) => ({ ...one, what: 'landlord' })),
  );
  assert.equal(again.state, 'kept', 'what was accepted is the new measure');
});

test('a run with more than one damaged row in a hundred is held, unless the profile says otherwise', () => {
  assert.equal(objection(snapshot, 1_000, { rejected: 10 }), undefined);
  assert.equal(objection(snapshot, 1_000, { rejected: 11 }), 'held');
  assert.equal(objection({ ...snapshot, rejectedShare: 0.05 }, 1_000, { rejected: 50 }), undefined);
});

test('a file with only damaged rows is held, even if it is short', () => {
  assert.equal(objection(snapshot, 3, { rejected: 3 }), 'held');
});

test('messages show the share that a profile allows without rounding errors', () => {
  for (const [rejectedShare, text] of [
    [0.07, '7 %'],
    [0.005, '0.5 %'],
    [1 / 3, '33.3333 %'],
  ] as const) {
    const source = { ...snapshot, rejectedShare };
    assert.match(
      findObjection(source, seen(source, rows(100, 40)))!.detail,
      new RegExp(`the limit is ${text} \\(most common: no date, line 8\\)$`),
    );
  }
});

test('a status with the name of a JavaScript property rejects the row without a crash', async () => {
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

/** A city whose verdict on a row is the code in its column WHAT. */
function aCityThatReturns(code: string) {
  const city = aCity();
  city.change('verdict(row) {', `verdict(row) {\n      if (row.WHAT === 'odd') return ${code};`);
  const odd = { ...businesses(1)[0]!, id: 'ODD', what: 'odd' };
  return {
    city,
    ingest: async () =>
      (await city.open()).ingest({ from: city.file('a.csv', csvText([...businesses(300), odd])) }),
  };
}

const FACTS = "key: 'K', name: 'Heron', status: 'open', filedOn: '2026-01-05', termOn: '2026-01-05'";

for (const [what, code, reason] of [
  ['category is a function', `opening({ ${FACTS}, category: ({} as any).constructor })`, 'unknown category'],
  ['new category is one', `update({ ${FACTS}, category: ({} as any).toString })`, 'unknown category'],
  ['neighborhood is one', `opening({ ${FACTS}, neighborhood: ({} as any).valueOf })`, 'unknown neighborhood'],
  ['key is missing', `opening({ ${FACTS}, key: undefined as any })`, 'no key'],
  ['name is missing', `opening({ ${FACTS}, name: undefined as any })`, 'no name'],
  ['filing date is a number', `opening({ ${FACTS}, filedOn: 20260105 as any })`, 'filedOn is not text'],
  ['renewal has no date', `update({ key: 'K', termOn: undefined as any })`, 'no filing date'],
  ['reason to reject it is "constructor"', `reject('constructor')`, 'constructor'],
] as const)
  test(`a row is rejected if its ${what}`, async () => {
    const [run] = await aCityThatReturns(code).ingest();
    assert.deepEqual([run!.state, run!.openings], ['kept', 300], run!.detail ?? '');
    assert.deepEqual(run!.rejected, [{ reason, count: 1, lines: [302] }]);
  });

test('a reason to skip with the name of a JavaScript property is counted', async () => {
  for (const reason of ['constructor', '__proto__']) {
    const [run] = await aCityThatReturns(`skip('${reason}')`).ingest();
    assert.deepEqual(Object.entries(run!.skipped), [[reason, 1]]);
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
    const { city, ingest } = aCityThatReturns(code);
    const [run] = await ingest();
    assert.equal(run!.state, 'failed');
    assert.match(run!.detail!, /^source "licences", line 302: the profile cannot judge this row: ./);
    const { store } = await city.open();
    assert.deepEqual(
      (await store.filings.runs({ limit: 5 })).map(({ state }) => state),
      ['failed'],
    );
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

/** Ingests a feed of files with these rows. */
async function ingestFeed(
  rows: readonly Cells[],
  { files, source = '' }: { files: number; source?: string },
) {
  const city = aRegister(["delivers: 'snapshot'", `delivers: 'changes'${source}`]);
  mkdirSync(`${city.folder}/feed`);
  const size = rows.length / files;
  for (let i = 0; i < files; i++) city.file(`feed/${i}.csv`, toCsv(rows.slice(i * size, i * size + size)));
  return (await city.open()).ingest({ from: `${city.folder}/feed` });
}

test('the first files of changes are judged together', async () => {
  const rows = rowsWith((i) => ({ TOWN: i < 30 ? 'Farfield' : 'RIVERMOUTH' })).toReversed();
  const runs = await ingestFeed(rows, { files: 4 });
  assert.deepEqual(
    runs.map(({ state }) => state),
    ['kept', 'kept', 'kept', 'held'],
  );
  assert.deepEqual([runs[3]!.findings[0]?.code, runs[3]!.findings[0]?.count], ['outside-city', 30]);
});

test('many files of changes are examined whenever their rows have doubled, and after the last file', async () => {
  const rows = rowsWith((i) => ({ TOWN: i % 10 === 0 ? 'Farfield' : 'Rivermouth' })).slice(0, 350);
  const runs = await ingestFeed(rows, { files: 7, source: ", accepts: { 'outside-city': 'two towns' }" });
  const counts = runs.map(({ findings }) => findings.find(({ code }) => code === 'outside-city')?.count);
  assert.deepEqual(counts, [5, 10, 10, 20, 20, 20, 35]);
});

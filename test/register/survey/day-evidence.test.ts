/** Days tell first filings from renewals and applications, whatever their headers say: each sign just above its threshold and not at it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRepeatCheck } from '../../../src/register/findings/check-repeats.ts';
import { gatherEvidence } from '../../../src/register/findings/evidence.ts';
import { type DayColumn, isFirstDay } from '../../../src/register/survey/day-columns.ts';
import { describeRelation, findRenewalSigns, relateDays } from '../../../src/register/survey/day-evidence.ts';
import { namesDay } from '../../../src/register/survey/day-formats.ts';
import { addDays } from '../../../src/shared/day.ts';
import { aRegister, type Cells, findingsIn, rowsWith } from '../import/a-register.ts';

/** So many rows, one on each third day of about eight years. */
const spread = (rows: number) =>
  Array.from({ length: rows }, (_, i) => [addDays('2018-01-01', 3 * i), 1] as const);

const says = (days: Parameters<typeof findRenewalSigns>[0]) =>
  findRenewalSigns(days).map((sign) => sign.says);

test('the date of an application is not mistaken for the first filing', () => {
  const isFirst = (header: string) => isFirstDay({ header } as DayColumn);
  assert.deepEqual(['start date', 'application start date', 'license start date'].map(isFirst), [
    true,
    false,
    true,
  ]);
});

test('a header that only says what is no filing names no day', () => {
  for (const header of ['phone', 'fax', 'status', 'inspection'])
    assert.equal(namesDay(header), false, header);
  for (const header of ['phone date', 'status date', 'start date', 'expires', 'closed on'])
    assert.equal(namesDay(header), true, header);
});

test('dates in two months, on the same days of each year or on a few busy days are read as renewals', () => {
  assert.deepEqual(says(spread(1000)), []);
  const inSpring = (rows: number) => [
    ...Array.from(
      { length: rows },
      (_, i) => [`${2019 + (i % 7)}-0${4 + (i % 2)}-${10 + (i % 19)}`, 1] as const,
    ),
    ...spread(1000)
      .filter(([day]) => !/-0[45]-/.test(day))
      .slice(0, 400),
  ];
  assert.deepEqual(says(inSpring(289)), []);
  assert.match(says(inSpring(290)).join(), /^are in April and May, where first filings have about 20 %$/);

  const wave = Array.from({ length: 600 }, (_, i) => [`2019-0${4 + (i % 2)}-${10 + (i % 19)}`, 1] as const);
  assert.deepEqual(says([...wave, ...spread(600)]), [], 'a wave of one year is no season');
  assert.match(says([...wave, ...inSpring(200).slice(0, 200)]).join(), /^are in April and May,/);

  const quarters = ['01-15', '04-15', '07-15', '10-15'];
  const onQuarters = (rows: number) => [
    ...[2019, 2022].flatMap((year) => quarters.map((day) => [`${year}-${day}`, rows / 8] as const)),
    ...spread(1000)
      .filter(([day]) => !day.endsWith('-15'))
      .slice(0, 550),
  ];
  assert.deepEqual(says(onQuarters(448)), []);
  assert.deepEqual(says(onQuarters(456)), ['are on the same 4 days of each year']);
  const once = [
    ...quarters.map((day) => [`2019-${day}`, 99] as const),
    ...spread(1000)
      .filter(([day]) => !day.endsWith('-15'))
      .slice(0, 450),
  ];
  assert.deepEqual(says(once), [], 'days that do not come again');

  const onBusyDays = (rows: number) =>
    [...spread(1000).slice(0, 800), ['2019-03-05', rows / 2], ['2021-08-10', rows / 2]] as const;
  assert.deepEqual(says(onBusyDays(200)), []);
  assert.deepEqual(says(onBusyDays(202)), ['are on 2 days with hundreds of filings']);
  assert.deepEqual(says([...spread(1000), ['2019-03-05', 350]]), [], 'one busy day is judged on its own');
});

test('papers of a few weeks are a wave of renewals if others follow a year and more later', () => {
  const weeks = (rows: number) =>
    Array.from({ length: rows }, (_, i) => [addDays('2013-11-13', i % 17), 1] as const);
  const later = (rows: number) =>
    Array.from({ length: rows }, (_, i) => [addDays('2014-12-01', 30 * i), 1] as const);
  assert.deepEqual(says(weeks(1000)), []);
  assert.deepEqual(says([...weeks(995), ...later(5)]), [], 'a few wrong years');
  assert.deepEqual(says([...weeks(985), ...later(15)]), [
    'are within 17 days, and others a year and more later',
  ]);
  const before = later(15).map(([day, rows]) => [addDays(day, -2000), rows] as const);
  assert.deepEqual(says([...weeks(985), ...before]), [], 'a feed of new filings, some of them late');
});

test('few dates, dates of less than a year and days that mean "not known" are not read as renewals', () => {
  assert.deepEqual(
    says(spread(99).map(([, rows], i) => [`${2018 + (i % 8)}-04-${10 + (i % 20)}`, rows])),
    [],
  );
  assert.deepEqual(says(Array.from({ length: 90 }, (_, i) => [addDays('2026-06-01', i), 30])), []);
  assert.deepEqual(says([...spread(1000), ['1900-01-01', 9000], ['1970-01-01', 9000]]), []);
});

/** The relation of gaps in days, each with its number of rows of 100. */
const relate = (gaps: Record<number, number>) =>
  relateDays(Object.entries(gaps).map(([gap, rows]) => [Number(gap), rows]));

test('the survey says whether the earlier of two days is the first filing, the application or another day', () => {
  for (const [kind, gaps, sentence] of [
    [
      'first',
      { 0: 83, 1780: 17 },
      /by 4\.9 years in the middle, the same on 83 % and never later: it seems to be the first filing/,
    ],
    ['first', { 0: 94, 300: 5, [-3]: 1 }, /it seems to be the first filing/],
    ['first', { 366: 30, 730: 40, 1096: 20, 500: 10 }, /on 100 % of the rows, by 2\.0 years in the middle/],
    [
      'application',
      { 10: 30, 44: 40, 180: 28, 900: 2 },
      /by 44 days in the middle: it seems to be the application/,
    ],
    ['other', { 500: 40, 900: 30, 1300: 30 }, /it may be the first filing or the application/],
    [
      'other',
      { 200: 40, 900: 30, [-40]: 30 },
      /later on 30 %: it is neither the first filing nor the application/,
    ],
    ['other', { 10: 40, 181: 60 }, /may be the first filing/],
    ['none', { 0: 96, 300: 4 }, undefined],
    ['none', { 0: 93, 300: 4, [-3]: 3 }, undefined],
    ['none', { 44: 50, [-44]: 50 }, undefined],
  ] as const) {
    const relation = relate(gaps as Record<number, number>);
    assert.equal(relation.kind, kind, JSON.stringify(gaps));
    if (sentence !== undefined) assert.match(describeRelation(relation), sentence);
  }
});

test('renewals repeat the names of earlier years under other keys', () => {
  const measure = (names: number, most?: number, isSameKey = false) => {
    const ages = openRepeatCheck(
      gatherEvidence([], [], { cityName: 'Rivermouth', today: '2026-01-01' }),
      most,
    );
    for (let i = 0; i < 4_000; i++) {
      const year = 2018 + Math.floor(i / 500);
      const key = isSameKey ? `K${i % names}` : `K${i}`;
      ages.see({ key, name: `Heron Bakery ${i % names}`, filedOn: `${year}-05-0${1 + (i % 9)}` }, () => '');
    }
    return ages.measureKnownNames();
  };
  assert.equal(measure(4_000), 0);
  assert.equal(measure(500), 1);
  assert.ok(Math.abs(measure(500, 128) - 1) < 0.01);
  assert.ok(Math.abs(measure(3_000, 256) - 1_000 / 3_500) < 0.06, `${measure(3_000, 256)}`);
  assert.equal(measure(500, undefined, true), 0, 'a key of the name merges its renewals');
});

test('repeated businesses are counted in bounded memory, in a sample if there are too many', () => {
  const city = { cityName: 'Rivermouth', today: '2026-01-01' };
  const check = openRepeatCheck(gatherEvidence(['ADDRESS'], [() => '1 Quay St'], city), 256);
  for (let i = 0; i < 4_000; i++)
    for (const year of ['2024', '2025'])
      check.see({ key: `${year}-${i}`, name: `Heron ${i}`, filedOn: `${year}-01-02` }, () => `${i} Quay St`);
  const finding = check.find(8_000);
  assert.ok(Math.abs(finding!.share - 0.5) < 0.1, `${finding!.share}`);
});

test('a business counts as repeated once for each further key, however often a key is filed again', () => {
  const city = { cityName: 'Rivermouth', today: '2026-01-01' };
  const check = openRepeatCheck(gatherEvidence(['ADDRESS'], [() => '1 Quay St'], city));
  for (let i = 0; i < 100; i++)
    for (const [key, filedOn] of [
      ['a', '2022-01-02'],
      ['b', '2023-01-02'],
      ['b', '2024-01-02'],
      ['a', '2025-01-02'],
    ] as const)
      check.see({ key: `${key}${i}`, name: `Heron ${i}`, filedOn }, () => `${i} Quay St`);
  assert.equal(check.find(400)?.count, 100);
});

test('a register without addresses tells a repeated business by its point', () => {
  const city = { cityName: 'Rivermouth', today: '2026-01-01' };
  const cells: Cells[] = Array.from({ length: 50 }, (_, i) => ({
    LATITUDE: `33.7${i}01`,
    LONGITUDE: `-118.1${i}02`,
  }));
  const evidence = gatherEvidence(
    ['LATITUDE', 'LONGITUDE'],
    cells.map((row) => (column: string) => row[column]!),
    city,
  );
  const check = openRepeatCheck(evidence);
  for (const [i, row] of cells.entries())
    for (const year of ['2024', '2025'])
      check.see({ key: `${year}-${i}`, name: 'Heron', filedOn: `${year}-01-02` }, (column) => row[column]!);
  assert.equal(check.find(100)?.count, 50);
});

test('renewals hold a first run, which names the share of such rows', async () => {
  const spring = (i: number) => ({ DAY: `${2019 + (i % 7)}-0${4 + (i % 2)}-${10 + (i % 19)}` });
  for (const [change, detail] of [
    [spring, /not of first filings: 100 % are in April and May,/],
    [
      (i: number): Cells => ({ NAME: `Heron Bakery ${i % 200}` }),
      /57 % of the names of a year were there in an earlier year/,
    ],
  ] as const) {
    const findings = await findingsIn(aRegister(), rowsWith(change));
    const found = findings.find(({ code }) => code === 'current-licenses');
    assert.equal(found?.severity, 'stop', JSON.stringify(findings));
    assert.match(found!.detail, detail);
  }
});

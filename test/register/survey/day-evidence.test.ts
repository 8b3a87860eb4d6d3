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

type Days = Parameters<typeof findRenewalSigns>[0];
const says = (...days: Days[]) => findRenewalSigns(days.flat()).map((sign) => sign.says);
/** So many days, with a row on each. */
const days = (count: number, dayOf: (i: number) => string): Days =>
  Array.from({ length: count }, (_, i) => [dayOf(i), 1] as const);
/** One on each third day of about eight years. */
const spread = (count: number) => days(count, (i) => addDays('2018-01-01', 3 * i));
const without = (some: Days, pattern: RegExp) => some.filter(([day]) => !pattern.test(day));
const springDay = (i: number, year: number) => `${year}-0${4 + (i % 2)}-${10 + (i % 19)}`;

test('the date of an application is not mistaken for the first filing', () => {
  const isFirst = (header: string) => isFirstDay({ header } as DayColumn);
  const headers = ['start date', 'application start date', 'license start date'];
  assert.deepEqual(headers.map(isFirst), [true, false, true]);
});

test('a header that only says what is no filing names no day', () => {
  for (const header of ['phone', 'fax', 'status', 'inspection'])
    assert.equal(namesDay(header), false, header);
  for (const header of ['phone date', 'status date', 'start date', 'expires', 'closed on'])
    assert.equal(namesDay(header), true, header);
});

test('dates in two months, on the same days of each year or on a few busy days are read as renewals', () => {
  assert.deepEqual(says(spread(1000)), []);
  const spring = (count: number) => days(count, (i) => springDay(i, 2019 + (i % 7)));
  const rest = without(spread(1000), /-0[45]-/).slice(0, 400);
  assert.deepEqual(says(spring(289), rest), []);
  const inSpring = /^are in April and May, where first filings have about 20 %$/;
  assert.match(says(spring(290), rest).join(), inSpring);
  const wave = days(600, (i) => springDay(i, 2019));
  assert.deepEqual(says(wave, spread(600)), [], 'a wave of one year is no season');
  assert.match(says(wave, spring(200)).join(), inSpring);

  const quarters = (year: number, rows: number): Days =>
    ['01', '04', '07', '10'].map((month) => [`${year}-${month}-15`, rows] as const);
  const others = without(spread(1000), /-15$/).slice(0, 550);
  assert.deepEqual(says(quarters(2019, 56), quarters(2022, 56), others), []);
  assert.deepEqual(says(quarters(2019, 57), quarters(2022, 57), others), [
    'are on the same 4 days of each year',
  ]);
  assert.deepEqual(says(quarters(2019, 99), others.slice(0, 450)), [], 'days that do not come again');

  const busy = (rows: number): Days => [
    ['2019-03-05', rows],
    ['2021-08-10', rows],
  ];
  assert.deepEqual(says(spread(800), busy(100)), []);
  assert.deepEqual(says(spread(800), busy(101)), ['are on 2 days with hundreds of filings']);
  assert.deepEqual(says(spread(1000), [['2019-03-05', 350]]), [], 'one busy day is judged on its own');
});

test('papers of a few weeks are a wave of renewals if others follow a year and more later', () => {
  const weeks = (count: number) => days(count, (i) => addDays('2013-11-13', i % 17));
  const later = (count: number) => days(count, (i) => addDays('2014-12-01', 30 * i));
  assert.deepEqual(says(weeks(1000)), []);
  assert.deepEqual(says(weeks(995), later(5)), [], 'a few wrong years');
  assert.deepEqual(says(weeks(985), later(15)), ['are within 17 days, and others a year and more later']);
  const before = days(15, (i) => addDays('2009-06-10', 30 * i));
  assert.deepEqual(says(weeks(985), before), [], 'a feed of new filings, some of them late');
});

test('few dates, dates of less than a year and days that mean "not known" are not read as renewals', () => {
  assert.deepEqual(says(days(99, (i) => `${2018 + (i % 8)}-04-${10 + (i % 20)}`)), []);
  assert.deepEqual(says(days(2_700, (i) => addDays('2026-06-01', i % 90))), []);
  const unknown = ['1900-01-01', '1970-01-01'].map((day) => [day, 9000] as const);
  assert.deepEqual(says(spread(1000), unknown), []);
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

const CITY = { cityName: 'Rivermouth', today: '2026-01-01' };

test('renewals repeat the names of earlier years under other keys', () => {
  const measure = (names: number, most?: number, keyOf = (i: number) => i) => {
    const ages = openRepeatCheck(gatherEvidence([], [], CITY), most);
    for (let i = 0; i < 4_000; i++) {
      const filedOn = `${2018 + Math.floor(i / 500)}-05-0${1 + (i % 9)}`;
      ages.see({ key: `K${keyOf(i)}`, name: `Heron Bakery ${i % names}`, filedOn }, () => '');
    }
    return ages.measureKnownNames();
  };
  assert.equal(measure(4_000), 0);
  assert.equal(measure(500), 1);
  assert.ok(Math.abs(measure(500, 128) - 1) < 0.01);
  assert.ok(Math.abs(measure(3_000, 256) - 1_000 / 3_500) < 0.06, `${measure(3_000, 256)}`);
  assert.equal(
    measure(500, undefined, (i) => i % 500),
    0,
    'a key of the name merges its renewals',
  );
});

/** The finding on so many businesses, each filed at its own address under these keys and days. */
function findRepeats(count: number, filings: Record<string, string[]>, most?: number) {
  const check = openRepeatCheck(gatherEvidence(['ADDRESS'], [() => '1 Quay St'], CITY), most);
  const all = Object.entries(filings).flatMap(([key, days]) => days.map((filedOn) => ({ key, filedOn })));
  for (let i = 0; i < count; i++)
    for (const { key, filedOn } of all.toSorted((a, b) => (a.filedOn < b.filedOn ? -1 : 1)))
      check.see({ key: `${key}${i}`, name: `Heron ${i}`, filedOn }, () => `${i} Quay St`);
  return check.find(count * all.length);
}

test('repeated businesses are counted in bounded memory, in a sample if there are too many', () => {
  const finding = findRepeats(4_000, { a: ['2024-01-02'], b: ['2025-01-02'] }, 256);
  assert.ok(Math.abs(finding!.share - 0.5) < 0.1, `${finding!.share}`);
});

test('a business counts as repeated once for each further key, however often a key is filed again', () => {
  const finding = findRepeats(100, { a: ['2022-01-02', '2025-01-02'], b: ['2023-01-02', '2024-01-02'] });
  assert.equal(finding?.count, 100);
});

test('a register without addresses tells a repeated business by its point', () => {
  const cells: Cells[] = Array.from({ length: 50 }, (_, i) => {
    return { LATITUDE: `33.7${i}01`, LONGITUDE: `-118.1${i}02` };
  });
  const rows = cells.map((row) => (column: string) => row[column]!);
  const check = openRepeatCheck(gatherEvidence(['LATITUDE', 'LONGITUDE'], rows, CITY));
  for (const [i, row] of rows.entries())
    for (const year of ['2024', '2025'])
      check.see({ key: `${year}-${i}`, name: 'Heron', filedOn: `${year}-01-02` }, row);
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

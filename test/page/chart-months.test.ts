/** Which months and years the chart shows for a time that was asked for, and what they are compared with. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChartMonth, findDays, listChartMonths, listYears } from '../../src/page/chart/chart-months.ts';
import { addMonths } from '../../src/shared/day.ts';
import {
  ALL_TIME,
  choosePeriod,
  clipDays,
  type Days,
  findUsualDays,
  findYearBefore,
  isOverlap,
  isPartly,
  spanMonths,
  spanYear,
} from '../../src/shared/periods.ts';

const END = '2016-10-31';

/** One filing in every January, two in every February and so on, newest first, from `first` to `last`. */
function everyMonth(first: string, last: string): { value: string; count: number }[] {
  const months: { value: string; count: number }[] = [];
  for (let value = last; value >= first; value = addMonths(value, -1))
    months.push({ value, count: Number(value.slice(5)) });
  return months;
}

const MONTHS = everyMonth('2013-01', '2016-10');

/** The chart of a search for these days; the counts of the compared period are those of all. */
function chartOf(asked: Days, { dataEnd = END, few = MONTHS, fewBefore = MONTHS } = {}): ChartMonth[] {
  const period = choosePeriod(asked, { dataEnd, byMonth: MONTHS });
  const counts = { asked: { now: few, before: fewBefore }, anyTime: { now: MONTHS, before: MONTHS } };
  return listChartMonths(period, counts, dataEnd);
}

/** First and last month shown, and those that are compared. */
function shown(filed_from: string, filed_to: string): string {
  const months = chartOf({ filed_from, filed_to });
  const compared = months.filter(({ isAsked }) => isAsked).map(({ month }) => month);
  return `${months[0]!.month}..${months.at(-1)!.month} ${compared[0]}..${compared.at(-1)}`;
}

test('the chart shows the compared months with the rest of their year, or twelve months, and never the future', () => {
  for (const [from, to, expected] of [
    ['', '', '2016-01..2016-10 2016-01..2016-10'],
    ['2015-01-01', '2015-12-31', '2015-01..2015-12 2015-01..2015-12'],
    ['2015-03-01', '2015-03-31', '2015-01..2015-12 2015-03..2015-03'],
    ['2016-10-01', '2016-10-31', '2016-01..2016-10 2016-10..2016-10'],
    ['2014-11-01', '2015-02-28', '2014-03..2015-02 2014-11..2015-02'],
    ['2013-01-01', '2015-06-30', '2014-07..2015-06 2014-07..2015-06'],
    ['2014-05-10', '', '2015-11..2016-10 2015-11..2016-10'],
    ['', '2014-05-10', '2013-05..2014-05 2013-05..2014-05'],
    ['2016-01-01', '9999-12-31', '2016-01..2016-10 2016-01..2016-10'],
    ['2031-01-01', '', '2016-01..2016-10 2016-01..2016-10'],
    ['2016-05-01', '2014-05-31', '2016-01..2016-10 2016-01..2016-10'],
    ['0150-01-01', '0150-12-31', '1900-01..1900-12 undefined..undefined'],
  ] as const)
    assert.equal(shown(from, to), expected, `${from} ${to}`);
});

test('twelve months are compared until March, and the year to date from April', () => {
  assert.deepEqual(findUsualDays('2016-03-31'), { filed_from: '2015-04-01', filed_to: '2016-03-31' });
  assert.deepEqual(findUsualDays('2016-04-01'), { filed_from: '2016-01-01', filed_to: '2016-04-01' });
});

test('each month of a chart has its count and the count of the same days a year before', () => {
  const june = chartOf(spanMonths('2015-06'))[5];
  const whole = { filed_from: '2015-06-01', filed_to: '2015-06-30' };
  const counts = { count: 6, before: 6 };
  assert.deepEqual(june, { month: '2015-06', days: whole, ...counts, isAsked: true, isPart: false });
  const days = { filed_from: '2015-06-10', filed_to: '2015-06-20' };
  const few = [{ value: '2015-06', count: 2 }];
  const [may, part] = chartOf(days, { few, fewBefore: [{ value: '2014-06', count: 1 }] }).slice(4);
  assert.deepEqual([may!.count, may!.before, may!.isAsked], [5, 5, false]);
  assert.deepEqual([part!.count, part!.before, part!.isAsked, part!.days], [2, 1, true, days]);
});

test('the chart begins with its oldest year, and counts all years before it as one', () => {
  const { years, earlier } = listYears(MONTHS);
  assert.deepEqual(
    years.map(({ year, count }) => `${year} ${count} ${isOverlap(spanYear('2015'), spanYear(year))}`),
    ['2013 78 false', '2014 78 false', '2015 78 true', '2016 55 false'],
  );
  assert.equal(earlier, undefined);
  const long = listYears(everyMonth('1985-01', '2016-12'));
  assert.deepEqual([long.years.length, long.years[0]?.year], [23, '1994']);
  assert.deepEqual(long.earlier, { year: '1993', count: 9 * 78 });
});

test('the period of a search is the requested period, or the days of its filings', () => {
  const from = (filed_from: string) => ({ filed_from, filed_to: '' });
  const to = { filed_to: '2016-10-31' };
  assert.deepEqual(findDays(ALL_TIME, MONTHS, END), { filed_from: '2013-01-01', ...to });
  assert.deepEqual(findDays(from('2014-02-03'), MONTHS, END), { filed_from: '2014-02-03', ...to });
  assert.equal(findDays(ALL_TIME, [], END), undefined);
  assert.equal(findDays({ filed_from: '2015-01-02', filed_to: '2015-01-01' }, [], END), undefined);
});

test('the month in which the data ends is compared with the same days of the year before, in every view', () => {
  const dataEnd = '2016-10-06';
  const year = spanYear('2016');
  const early = { dataEnd, fewBefore: [{ value: '2015-10', count: 3 }] };
  const october = { filed_from: '2016-10-01', filed_to: '2016-10-06' };
  const parts = chartOf(year, early).filter(({ isPart }) => isPart);
  assert.deepEqual(
    parts.map(({ days, before }) => [days, before]),
    [[october, 3]],
  );
  assert.equal(chartOf(october, early).at(-1)?.before, 3);
  const toDate = { filed_from: '2016-01-01', filed_to: '2016-10-06' };
  assert.deepEqual(findDays(year, MONTHS, dataEnd), toDate);
  assert.deepEqual([isPartly(year, dataEnd), clipDays(year, dataEnd)], [true, toDate]);
  for (const [day, before] of [
    ['2024-02-28', '2023-02-28'],
    ['2024-02-29', '2023-02-28'],
    ['2025-02-28', '2024-02-29'],
  ] as const)
    assert.equal(findYearBefore(day), before);
});

test('a comparison covers at most a year, ends with the data, and begins where the register does', () => {
  const compare = (filed_from: string, filed_to: string, dataEnd = '2016-10-06') => {
    const { now, before, caveat } = choosePeriod({ filed_from, filed_to }, { dataEnd, byMonth: MONTHS });
    return [now, before].map((days) => `${days.filed_from} ${days.filed_to}`).concat(caveat ?? []);
  };
  assert.deepEqual(compare('', ''), ['2016-01-01 2016-10-06', '2015-01-01 2015-10-06']);
  assert.deepEqual(compare('2016-01-01', '2016-12-31'), ['2016-01-01 2016-10-06', '2015-01-01 2015-10-06']);
  assert.deepEqual(compare('', '', '2016-03-05'), ['2015-03-06 2016-03-05', '2014-03-06 2015-03-05']);
  assert.deepEqual(compare('2016-02-01', '2016-02-29'), ['2016-02-01 2016-02-29', '2015-02-01 2015-02-28']);
  assert.deepEqual(compare('', '2015-12-31'), ['2015-01-01 2015-12-31', '2014-01-01 2014-12-31']);
  assert.deepEqual(compare('2014-05-10', ''), ['2015-10-07 2016-10-06', '2014-10-07 2015-10-06', 'long']);
  assert.deepEqual(compare('2016-10-06', ''), ['2016-10-06 2016-10-06', '2015-10-06 2015-10-06']);
  assert.deepEqual(compare('2016-10-07', '')[2], 'future');
  assert.deepEqual(compare('2016-02-01', '2016-01-01')[2], 'backwards');
  assert.deepEqual(compare('2013-01-01', '2013-12-31')[2], 'begins', 'nothing is known of 2012');
});

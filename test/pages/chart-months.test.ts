/** Which months and years the chart shows for a time that was asked for, and what they are compared with. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMonths } from '../../src/listings/day.ts';
import {
  ALL_TIME,
  findDays,
  listChartMonths,
  listChartYears,
  type MonthCounts,
  makeSpan,
} from '../../src/pages/chart-months.ts';

/** One filing in every January, two in every February and so on, newest first, from `first` to `last`. */
function everyMonth(first: string, last: string): { value: string; count: number }[] {
  const months: { value: string; count: number }[] = [];
  for (let value = last; value >= first; value = addMonths(value, -1))
    months.push({ value, count: Number(value.slice(5)) });
  return months;
}

const counts: MonthCounts = {
  asked: everyMonth('2013-01', '2016-10'),
  anyTime: everyMonth('2013-01', '2016-10'),
  lastMonth: '2016-10',
};

/** First and last month shown, and those asked for. */
function shown(span: { filed_from: string; filed_to: string }, given = counts): string {
  const months = listChartMonths(span, given);
  const asked = months.filter(({ isAsked }) => isAsked).map(({ month }) => month);
  return `${months[0]!.month}..${months.at(-1)!.month} ${asked[0]}..${asked.at(-1)}`;
}

test('it shows twelve months: those asked for, the rest of their year, or the last of a longer time', () => {
  assert.equal(shown(ALL_TIME), '2015-11..2016-10 2015-11..2016-10');
  assert.equal(shown(makeSpan('2015-01', '2015-12')), '2015-01..2015-12 2015-01..2015-12');
  assert.equal(shown(makeSpan('2015-03')), '2015-01..2015-12 2015-03..2015-03');
  assert.equal(shown(makeSpan('2016-10')), '2015-11..2016-10 2016-10..2016-10');
  assert.equal(shown(makeSpan('2014-11', '2015-02')), '2014-03..2015-02 2014-11..2015-02');
  assert.equal(shown(makeSpan('2013-01', '2015-06')), '2014-07..2015-06 2014-07..2015-06');
  assert.equal(shown({ filed_from: '2014-05-10', filed_to: '' }), '2015-11..2016-10 2015-11..2016-10');
  assert.equal(shown({ filed_from: '', filed_to: '2014-05-10' }), '2013-06..2014-05 2013-06..2014-05');
});

test('it ends with the present, whatever is asked, and shows nothing as asked for where no day is', () => {
  assert.equal(
    shown({ filed_from: '2016-01-01', filed_to: '9999-12-31' }),
    '2015-11..2016-10 2016-01..2016-10',
  );
  assert.equal(shown({ filed_from: '2031-01-01', filed_to: '' }), '2015-11..2016-10 undefined..undefined');
  assert.equal(
    shown({ filed_from: '2016-05-01', filed_to: '2014-05-31' }).split(' ')[1],
    'undefined..undefined',
  );
  assert.equal(
    shown({ filed_from: '0001-01-01', filed_to: '0001-12-31' }),
    '1900-01..1900-12 undefined..undefined',
  );
  const early = { ...counts, anyTime: everyMonth('2016-01', '2016-12') };
  assert.equal(shown(makeSpan('2016-12'), early), '2016-01..2016-12 2016-12..2016-12');
});

test('a month has its count, that of the year before, and where days are asked for only what they count', () => {
  const [june] = listChartMonths(makeSpan('2015-06'), counts).filter(({ month }) => month === '2015-06');
  assert.deepEqual(june, { month: '2015-06', count: 6, before: 6, isAsked: true });
  const days = { filed_from: '2015-06-10', filed_to: '2015-06-20' };
  const few = { ...counts, asked: [{ value: '2015-06', count: 2 }] };
  const [, may, part] = listChartMonths(days, few).slice(3);
  assert.deepEqual(may, { month: '2015-05', count: 5, before: undefined, isAsked: false });
  assert.deepEqual(part, { month: '2015-06', count: 2, before: undefined, isAsked: true });
});

test('years are newest first, and the last entry counts all before them', () => {
  const years = listChartYears(makeSpan('2015-01', '2015-12'), counts);
  assert.deepEqual(
    years.map(({ label, count, isAsked, isFirst }) => [label, count, isAsked, isFirst]),
    [
      ['2016', 55, false, false],
      ['2015', 78, true, false],
      ['2014', 78, false, false],
      ['2013', 78, false, false],
    ],
  );
  const long = listChartYears(ALL_TIME, { ...counts, anyTime: everyMonth('1985-01', '2016-12') });
  const total = long.reduce((sum, { count }) => sum + count, 0);
  assert.deepEqual([long.length, total, long.every(({ isAsked }) => isAsked)], [25, 32 * 78, true]);
  assert.deepEqual(long.at(-1)!.span, { filed_from: '', filed_to: '1992-12-31' });
  assert.ok(long.at(-1)!.isFirst);
});

test('the days of a search are those asked for, else those of its filings', () => {
  assert.deepEqual(findDays(ALL_TIME, counts.asked), { from: '2013-01-01', to: '2016-10-31' });
  assert.deepEqual(findDays({ filed_from: '2014-02-03', filed_to: '' }, counts.asked), {
    from: '2014-02-03',
    to: '2016-10-31',
  });
  assert.equal(findDays(ALL_TIME, []), undefined);
  assert.equal(findDays({ filed_from: '2015-01-02', filed_to: '2015-01-01' }, []), undefined);
});

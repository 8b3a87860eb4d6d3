/** Which months and years the chart shows for a time that was asked for, and what they are compared with. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMonths } from '../../../src/listings/day.ts';
import { compareSpan } from '../../../src/web/pages/changes/periods.ts';
import {
  ALL_TIME,
  findDataEnd,
  findDays,
  findYearBefore,
  listChartMonths,
  listChartYears,
  type MonthCounts,
  makeSpan,
} from '../../../src/web/pages/chart/chart-months.ts';

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
  dataEnd: '2016-10-31',
  sameDaysBefore: 10,
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
  const days6 = { from: '2015-06-01', to: '2015-06-30' };
  assert.deepEqual(june, {
    month: '2015-06',
    days: days6,
    count: 6,
    before: 6,
    isAsked: true,
    isPart: false,
  });
  const days = { filed_from: '2015-06-10', filed_to: '2015-06-20' };
  const few = { ...counts, asked: [{ value: '2015-06', count: 2 }] };
  const [, may, part] = listChartMonths(days, few).slice(3);
  assert.deepEqual([may!.count, may!.before, may!.isAsked], [5, undefined, false]);
  assert.deepEqual([part!.count, part!.before, part!.isAsked], [2, undefined, true]);
  assert.deepEqual(part!.days, { from: '2015-06-10', to: '2015-06-20' });
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
  const old = everyMonth('1985-01', '2016-12');
  const long = listChartYears(ALL_TIME, { ...counts, asked: old, anyTime: old, dataEnd: '2016-12-31' });
  const total = long.reduce((sum, { count }) => sum + count, 0);
  assert.deepEqual([long.length, total, long.every(({ isAsked }) => isAsked)], [25, 32 * 78, true]);
  assert.deepEqual(long.at(-1)!.span, { filed_from: '', filed_to: '1992-12-31' });
  assert.ok(long.at(-1)!.isFirst);
});

test('the days of a search are those asked for, else those of its filings', () => {
  assert.deepEqual(findDays(ALL_TIME, counts.asked, '2016-10-31'), { from: '2013-01-01', to: '2016-10-31' });
  assert.deepEqual(findDays({ filed_from: '2014-02-03', filed_to: '' }, counts.asked, '2016-10-31'), {
    from: '2014-02-03',
    to: '2016-10-31',
  });
  assert.equal(findDays(ALL_TIME, [], '2016-10-31'), undefined);
  assert.equal(findDays({ filed_from: '2015-01-02', filed_to: '2015-01-01' }, [], '2016-10-31'), undefined);
});

test('the month in which the data ends, and everything with it, is compared with the same days of the year before', () => {
  const early = { ...counts, dataEnd: '2016-10-06', sameDaysBefore: 3 };
  const year = makeSpan('2016-01', '2016-12');
  const months = listChartMonths(year, early);
  assert.deepEqual(
    months.filter(({ isPart }) => isPart).map(({ days, before }) => [days, before]),
    [[{ from: '2016-10-01', to: '2016-10-06' }, 3]],
  );
  assert.deepEqual(compareSpan(year, { dataEnd: '2016-10-06', byMonth: early.anyTime }), {
    now: { from: '2016-01-01', to: '2016-10-06' },
    before: { from: '2015-01-01', to: '2015-10-06' },
    limit: undefined,
  });
  assert.deepEqual(findDays(year, early.asked, '2016-10-06'), { from: '2016-01-01', to: '2016-10-06' });
  const [first] = listChartYears(year, early);
  assert.deepEqual([first!.isPart, first!.days], [true, { from: '2016-01-01', to: '2016-10-06' }]);
  const toTheDay = { filed_from: '2016-10-01', filed_to: '2016-10-06' };
  assert.equal(listChartMonths(toTheDay, early).at(-1)?.before, 3);
  assert.equal(findYearBefore('2024-02-28'), '2023-02-28');
  assert.equal(findYearBefore('2024-02-29'), '2023-02-28');
  assert.equal(findYearBefore('2025-02-28'), '2024-02-29');
  assert.equal(findDataEnd('2031-01-01', '2026-11-20'), '2026-11-20', 'a filing of the future');
});

test('a comparison covers a year at most, ends with the data, and begins where the register does', () => {
  const compare = (filed_from: string, filed_to: string, dataEnd = '2016-10-06') => {
    const { now, before, limit } = compareSpan(
      { filed_from, filed_to },
      { dataEnd, byMonth: counts.anyTime },
    );
    return [`${now.from} ${now.to}`, `${before.from} ${before.to}`, limit];
  };
  assert.deepEqual(compare('', ''), ['2016-01-01 2016-10-06', '2015-01-01 2015-10-06', undefined]);
  assert.deepEqual(compare('', '', '2016-03-05'), [
    '2015-03-06 2016-03-05',
    '2014-03-06 2015-03-05',
    undefined,
  ]);
  assert.deepEqual(compare('2016-02-01', '2016-02-29'), [
    '2016-02-01 2016-02-29',
    '2015-02-01 2015-02-28',
    undefined,
  ]);
  assert.deepEqual(compare('', '2015-12-31'), ['2015-01-01 2015-12-31', '2014-01-01 2014-12-31', undefined]);
  assert.deepEqual(compare('2014-05-10', ''), ['2015-10-07 2016-10-06', '2014-10-07 2015-10-06', 'long']);
  assert.deepEqual(compare('2017-01-01', '')[2], 'future');
  assert.deepEqual(compare('2016-02-01', '2016-01-01')[2], 'backwards');
  assert.deepEqual(compare('2013-01-01', '2013-12-31')[2], 'few', 'nothing is known of 2012');
});

/** Dates as registers write them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DayFormat, dayAt, parseDay } from '../../src/city/city.ts';

const CASES: [string, DayFormat, string | undefined][] = [
  ['2016-07-25', 'YYYY-MM-DD', '2016-07-25'],
  ['2016-07-25T00:00:00.000Z', 'YYYY-MM-DD', '2016-07-25'],
  ['2016-12-31T23:30:00-08:00', 'YYYY-MM-DD', '2016-12-31'],
  ['2016-07-25 14:03:00', 'YYYY-MM-DD', '2016-07-25'],
  [' 2016-02-29 ', 'YYYY-MM-DD', '2016-02-29'],
  ['2015-02-29', 'YYYY-MM-DD', undefined],
  ['2016-13-01', 'YYYY-MM-DD', undefined],
  ['2016-07-00', 'YYYY-MM-DD', undefined],
  ['16-07-25', 'YYYY-MM-DD', undefined],
  ['2016-07-25x', 'YYYY-MM-DD', undefined],
  ['7/25/2016', 'M/D/YYYY', '2016-07-25'],
  ['07/05/2016', 'M/D/YYYY', '2016-07-05'],
  ['12/31/2019 11:59:59 PM', 'M/D/YYYY', '2019-12-31'],
  ['25/7/2016', 'M/D/YYYY', undefined],
  ['7/25/16', 'M/D/YYYY', undefined],
  ['0/1/2016', 'M/D/YYYY', undefined],
  ['20160725', 'YYYYMMDD', '2016-07-25'],
  ['00000000', 'YYYYMMDD', undefined],
  ['2016725', 'YYYYMMDD', undefined],
  ['', 'YYYY-MM-DD', undefined],
  ['2016/7/5 07:00:00+00', 'YYYY-MM-DD', '2016-07-05'],
  ['25.7.2016', 'D/M/YYYY', '2016-07-25'],
  ['03-15-2024', 'M/D/YYYY', '2024-03-15'],
  ['Jan 5, 2024', 'MMM D, YYYY', '2024-01-05'],
  ['September 30 2024', 'MMM D, YYYY', '2024-09-30'],
  ['Foo 5, 2024', 'MMM D, YYYY', undefined],
  ['05-JAN-2024', 'D-MMM-YYYY', '2024-01-05'],
  ['05-JAN-24', 'D-MMM-YYYY', undefined],
  ['45717', 'excel', '2025-03-01'],
  ['45717.5', 'excel', '2025-03-01'],
  ['0', 'excel', undefined],
  ['1753-11-01', 'YYYY-MM-DD', '1753-11-01'],
  ['0202-01-01', 'YYYY-MM-DD', '0202-01-01'],
];

for (const [text, format, day] of CASES) {
  test(`"${text}" read as ${format} is ${day ?? 'no day'}`, () => {
    assert.equal(parseDay(text, format), day);
  });
}

test('a two-digit year is the last one not after the stated pivot, and no day without a pivot', () => {
  for (const [text, pivot, day] of [
    ['2/22/21', 2029, '2021-02-22'],
    ['12/31/29', 2029, '2029-12-31'],
    ['1/1/30', 2029, '1930-01-01'],
    ['1/1/87', 2029, '1987-01-01'],
    ['1/1/00', 2029, '2000-01-01'],
    ['7/4/76 12:00 AM', 2029, '1976-07-04'],
    ['1/1/87', 2087, '2087-01-01'],
    ['1/1/00', 1999, '1900-01-01'],
    ['2/29/23', 2029, undefined],
    ['2/22/2021', 2029, undefined],
    ['2/22/21', undefined, undefined],
  ] as const)
    assert.equal(parseDay(text, 'M/D/YY', pivot === undefined ? {} : { pivot }), day, `${text} ${pivot}`);
});

test('two-digit years are read in the other orders as well', () => {
  assert.equal(parseDay('22/2/21', 'D/M/YY', { pivot: 2029 }), '2021-02-22');
  assert.equal(parseDay('05-JAN-87', 'D-MMM-YY', { pivot: 2029 }), '1987-01-05');
  assert.equal(parseDay('05-JAN-87', 'D-MMM-YY'), undefined);
  assert.equal(parseDay('22/2/2021', 'D/M/YY', { pivot: 2029 }), undefined);
});

test('a date is the same in all three formats, whatever time follows it', () => {
  const day = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 23 }), (date, hour) => {
      const iso = date.toISOString().slice(0, 10);
      const [y, m, d] = iso.split('-') as [string, string, string];
      const time = `${String(hour).padStart(2, '0')}:30:00.000Z`;
      assert.equal(parseDay(`${iso}T${time}`, 'YYYY-MM-DD'), iso);
      assert.equal(parseDay(`${Number(m)}/${Number(d)}/${y}`, 'M/D/YYYY'), iso);
      assert.equal(parseDay(y + m + d, 'YYYYMMDD'), iso);
    }),
    { seed: 20161006, numRuns: 300 },
  );
});

test('a timestamp with an offset becomes the local date; exactly midnight UTC stays the written date', () => {
  for (const [text, day] of [
    ['2016/12/31 07:30:00+00', '2016-12-30'],
    ['2017-01-01T07:59:59Z', '2016-12-31'],
    ['2017-01-01T08:00:00+00:00', '2017-01-01'],
    ['2017-01-01T01:00:00-0700', '2017-01-01'],
    ['2017-01-01T00:00:00Z', '2017-01-01'],
    ['2017-01-01T08:00:00', undefined],
    ['soon', undefined],
  ] as const)
    assert.equal(dayAt(text, 'America/Los_Angeles'), day, text);
});

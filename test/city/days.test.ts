/** Dates as registers write them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DayFormat, dayAt, parseDay } from '../../src/city/city.ts';
import cases from './days.json' with { type: 'json' };

for (const [text, format, day] of cases as [string, DayFormat, string | null][]) {
  test(`"${text}" read as ${format} is ${day ?? 'no day'}`, () => {
    assert.equal(parseDay(text, format) ?? null, day);
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

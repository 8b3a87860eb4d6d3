/** Dates as registers write them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DayFormat, dayAt, parseDay } from '../../../src/register/profile/city.ts';
import { isMissing } from '../../../src/register/profile/mapping/cells.ts';
import { findToday } from '../../../src/shared/day.ts';
import cases from './days.json' with { type: 'json' };

for (const [text, format, day] of cases as [string, DayFormat, string | null][]) {
  test(`"${text}" read as ${format} is ${day ?? 'no day'}`, () => {
    assert.equal(parseDay(text, format) ?? null, day);
  });
}

test('a two-digit year is the last such year up to the pivot, and means nothing without a pivot', () => {
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

test('two-digit years are read in every order of day, month and year', () => {
  assert.equal(parseDay('22/2/21', 'D/M/YY', { pivot: 2029 }), '2021-02-22');
  assert.equal(parseDay('05-JAN-87', 'D-MMM-YY', { pivot: 2029 }), '1987-01-05');
  assert.equal(parseDay('05-JAN-87', 'D-MMM-YY'), undefined);
  assert.equal(parseDay('22/2/2021', 'D/M/YY', { pivot: 2029 }), undefined);
});

test('a date means the same in every format and with every name of its month, with any time after it', () => {
  const day = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 23 }), (date, hour) => {
      const iso = date.toISOString().slice(0, 10);
      const [y, m, d] = iso.split('-') as [string, string, string];
      const time = `${String(hour).padStart(2, '0')}:30:00.000Z`;
      assert.equal(parseDay(`${iso}T${time}`, 'YYYY-MM-DD'), iso);
      assert.equal(parseDay(`${Number(m)}/${Number(d)}/${y}`, 'M/D/YYYY'), iso);
      assert.equal(parseDay(y + m + d, 'YYYYMMDD'), iso);
      // the British write Sept
      for (const locale of ['en-US', 'en-GB'])
        for (const month of ['short', 'long'] as const) {
          const name = date.toLocaleString(locale, { month, timeZone: 'UTC' });
          assert.equal(parseDay(`${name} ${Number(d)}, ${y}`, 'MMM D, YYYY'), iso, name);
        }
    }),
    { seed: 20161006, numRuns: 300 },
  );
});

/** A moment, and its date in a city west and one east of Greenwich: over midnight, a leap day, the end of a year, and clocks that change. */
const MOMENTS: [moment: string, west: string, east: string][] = [
  ['2016-12-31T23:59:59Z', '2016-12-31', '2017-01-01'],
  ['2024-02-29T07:59:59Z', '2024-02-28', '2024-02-29'],
  ['2024-02-29T11:00:01Z', '2024-02-29', '2024-03-01'],
  ['2026-03-08T09:59:59Z', '2026-03-08', '2026-03-08'], // an hour before clocks in the west go forward
  ['2026-03-09T06:59:59Z', '2026-03-08', '2026-03-09'],
  ['2026-03-09T07:00:00Z', '2026-03-09', '2026-03-09'],
  ['2026-11-01T06:59:59Z', '2026-10-31', '2026-11-01'],
  ['2026-11-02T07:59:59Z', '2026-11-01', '2026-11-02'],
  ['2026-09-26T11:59:59Z', '2026-09-26', '2026-09-26'],
  ['2026-09-27T10:59:59Z', '2026-09-27', '2026-09-27'], // clocks in the east have gone forward
  ['2026-09-27T11:00:00Z', '2026-09-27', '2026-09-28'],
  ['1973-03-03T09:46:41Z', '1973-03-03', '1973-03-03'], // the first of nine digits
  ['2001-09-09T01:46:39Z', '2001-09-08', '2001-09-09'], // the last of nine
  ['2001-09-09T01:46:41Z', '2001-09-08', '2001-09-09'], // the first of ten
];
const [WEST, EAST] = ['America/Los_Angeles', 'Pacific/Auckland'];

test('every form of a timestamp, and the current time, becomes the local day of the city', () => {
  for (const [moment, west, east] of MOMENTS)
    for (const [timeZone, day] of [
      [WEST, west],
      [EAST, east],
    ] as const) {
      const ms = Date.parse(moment);
      const s = ms / 1000;
      const local = moment.replace('Z', '');
      for (const text of [
        ...[`${ms}`, `${s}`, ` ${s} `, moment, local.concat('.000Z'), `${local}+00:00`, `${local}+0000`],
        ...[`${local}+00`, local.replaceAll('-', '/').replace('T', ' ').concat(' Z')],
        `${new Date(ms - 7 * 3_600_000).toISOString().slice(0, 19)}-07:00`,
      ])
        assert.equal(dayAt(text, timeZone), day, `${text} in ${timeZone}`);
      assert.equal(findToday({ timeZone }, moment), day, `${moment} in ${timeZone}`);
    }
  for (const text of ['12345678', '12345678901', '12345678901234', '-1234567890', '1234567890.5'])
    assert.equal(dayAt(text, WEST), undefined, text);
});

test('a timestamp with an offset becomes the local date, and midnight UTC keeps the written date', () => {
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

test('words with which programs mark a missing value count as empty in every column', () => {
  const missing = '\\N|NULL|N/A|#Ref!|#VALUE!|[null]|0000-00-00|0000-00-00 00:00:00|00/00/0000|1/0/1900';
  for (const text of missing.split('|')) assert.ok(isMissing(text), text);
  for (const text of ['0', '01/02/2024', '1/01/1900', '007', 'Nil Cafe', '#1 Nails'])
    assert.ok(!isMissing(text), text);
});

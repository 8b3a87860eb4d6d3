/** How a draft reads days and official types, and that its table can be changed in a spreadsheet. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command } from '../../a-command.ts';
import {
  checkDraft,
  env,
  folder,
  init,
  isoOf,
  judgeBy,
  makeRecords,
  nameOf,
  testDrafts,
  tradeOf,
  two,
  writeCsv,
} from './a-register.ts';

const printed = (iso: string) => {
  const [weekday, day, month, year] = new Date(iso).toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${day} ${year} 00:00:00 GMT-0500 (Eastern Standard Time)`;
};

testDrafts({
  'two-digit years are read with a pivot that the draft states, and a day that many rows share means "not known"':
    {
      count: 2_000,
      cells: (i) => ({
        Classification: tradeOf(i),
        Business: nameOf(i),
        Address: `${i} Quay St`,
        'ACCOUNT START DATE':
          i % 12 === 0 ? '1/1/87' : `${1 + (i % 12)}/${1 + (i % 28)}/${two((1988 + (i % 34)) % 100)}`,
      }),
      lines: ['filed: { column: ACCOUNT START DATE, format: M/D/YY, pivot: 2031, unknown: [ 1987-01-01 ] }'],
      leftOut: { 'filing date not known': 167 },
      check: (listings) => {
        const years = listings.map(({ filedOn }) => filedOn.slice(0, 4)).sort();
        assert.deepEqual([years[0], years.at(-1)], ['1988', '2021']);
      },
    },
  'in a file of few days, one on which many began is real': { dayOf: (i) => `2025-06-0${1 + (i % 5)}` },
  'days as browsers print them are read, and of two statuses the one that differs': {
    shop: (i) => ({ 'Application Status': 'APPROVED', 'License Status': i % 4 ? 'Active' : 'Expired' }),
    dayOf: (i) => printed(isoOf(i)),
    lines: ['column: License Status', 'open: [ Active ]'],
    check: (listings) => assert.equal(listings[5]!.filedOn, isoOf(5)),
  },
  'a state of the country is no status, a record of JSON no type, and a cell that says false no name': {
    shop: (i) => ({
      'Business Name': i % 10 ? nameOf(i) : 'False',
      State: ['NSW', 'QLD', 'ACT', 'VIC'][i % 4]!,
      Estado: ['CA', 'OR'][i % 2]!,
      'Business Type': `{"id": ${i % 8}, "name": "${tradeOf(i)}"}`,
      Class: tradeOf(i),
    }),
    lines: ['category: { column: Class,...'],
    lacks: ['status'],
    leftOut: { 'no name': 40 },
  },
  'a column with days in two formats is read in both formats': {
    dayOf: (i) => (i % 3 ? `${1 + (i % 12)}/15/2024` : `2024-${two(1 + (i % 12))}-15`),
  },
  'a column with "date" and "number" in its name is read as days, and a column with "number" alone is read as numbers':
    {
      cells: (i) => ({
        MATRICULA: `${20_000_000 + i}`,
        'RAZON SOCIAL': nameOf(i),
        'FECHA MATRICULA': isoOf(i).replaceAll('-', ''),
        'FECHA RENOVACION': `202603${10 + (i % 20)}`,
        폐업일자: i % 9 === 0 ? '20260401' : '',
      }),
      lines: [
        'filed: { column: FECHA MATRICULA, format: YYYYMMDD }',
        'ended: { column: 폐업일자, format: YYYYMMDD }',
        'key: MATRICULA',
      ],
    },
  'the first of three Japanese dates of a permit is the filing, and the last is the expiry': {
    cells: (i) => ({
      許可番号: `${20_000 + i}`,
      屋号: nameOf(i),
      最新許可年月日: `2026/${1 + (i % 9)}/${1 + (i % 28)}`,
      '許可（確認）年月日': isoOf(i).replaceAll('-', '/'),
      終了年月日: `2031/${1 + (i % 9)}/${1 + (i % 28)}`,
    }),
    lines: ['filed: { column: 許可（確認）年月日...', 'expires: { column: 終了年月日...'],
  },
  'a register with only names and days is mapped with the names as keys': {
    count: 120,
    cells: (i) => ({ 'Trade Name': nameOf(i % 100), 'Start Date': isoOf(i % 100) }),
    listings: 100,
  },
});

test('headers that are glued are read as their words, with those that forbid a role', async () => {
  const draft = (...dates: string[]) => {
    const daysOf = (i: number) => Object.fromEntries(dates.map((date, at) => [date, isoOf(i + at)]));
    const recordOf = (i: number) => ({ PERMITNUMBER: `P${i}`, ...daysOf(i), RESTAURANTNAME: nameOf(i) });
    return init(makeRecords(300, recordOf));
  };
  const { out } = await draft('MOSTRECENTLICENSEDATE', 'RESTAURANTOPENDATE');
  assert.match(out, /^ +name +RESTAURANTNAME .*by its header/m);
  assert.match(out, /^ +filed +RESTAURANTOPENDATE .*by its header/m);
  for (const date of [
    'MOSTRECENTLICENSEDATE',
    'FECHAULTIMARENOVACION',
    'lastinspectedon',
    'permitupdatedttm',
  ]) {
    const refused = await draft(date);
    assert.equal(refused.code, 3, refused.out);
    assert.match(refused.err, new RegExp(`${date}: .*, but its header means another day`));
  }
});

test('a refusal names the columns that have days among other words', async () => {
  const { err, code } = await init(
    makeRecords(60, (i) => ({
      'Business Name': nameOf(i),
      Standing: `Active from ${1 + (i % 28)}\u00a0Mar ${2010 + (i % 9)}`,
      Suite: `Unit ${i}-2020`,
    })),
  );
  assert.equal(code, 3);
  assert.match(err, /dates .* among other words.*\n {2}Standing: Active from [^\n]*\n(?! {2}Suite)/);
});

test('init names empty columns that should have dates, and does not mistake addresses for dates', async () => {
  const { err } = await init(
    makeRecords(60, (i) => ({
      'Business Name': nameOf(i),
      'Establishment Address 2': `Unit ${i}`,
      'License Start Date': '',
    })),
  );
  assert.match(err, /No row has a date in these columns: License Start Date\nNothing/);
  assert.doesNotMatch(err, /Address/);
});

test('words after “no” or “with” in a type do not decide its category, and codes and titles take precedence', async () => {
  const types = [
    ['Restaurant, no liquor service', 'Restaurants'],
    ['445110 - Supermarkets (except Tobacco)', 'Grocery & Convenience'],
    ['Full-Service Restaurants', 'Restaurants'],
    ['Retail Non-Food', null],
  ] as const;
  await checkDraft({
    shop: (i) => ({ 'Business Name': `Heron Wharf ${i}`, 'Business Type': types[i % 4]![0] }),
    check: (listings) =>
      assert.deepEqual(
        listings.slice(0, 4).map(({ category }) => category),
        types.map(([, category]) => category),
      ),
  });
});

test('rented homes and stalls for a day are not new businesses, and the draft lists their types for the operator', async () => {
  const types = ['Rental- Residential', 'Special Event Vendor', 'Bakery', 'Nail Salon', 'Rentals'];
  const records = makeRecords(400, (i) => ({
    'License #': `${1_000 + i}`,
    'Trade Name': nameOf(i),
    'Business Type': i === 399 ? 'Rental' : types[i % 5]!,
    'Start Date': isoOf(i),
  }));
  const { path: out } = await init(records);
  const count = async () => (await judgeBy(out, records)).listings.length;
  assert.equal(await count(), 161);
  const path = join(out, 'categories.csv');
  const text = readFileSync(path, 'utf8');
  assert.match(text, /^Rentals,.*,no$/m, 'landlords: no city has so many shops that rent things');
  assert.match(text, /^Rental,.*,yes$/m);
  writeFileSync(path, text.replace(/^(Special Event Vendor,.*),no$/m, '$1,yes'));
  assert.equal(await count(), 241, text);
});

test('a drafted folder works at once, without an installation and below a package of another module system', async () => {
  const records = makeRecords(60, (i) => ({ id: `${i}`, 'Business Name': nameOf(i), Opened: isoOf(i) }));
  const town = join(folder, 'elsewhere/town');
  await command(['init', writeCsv(records), '--out', town, '--no-install'], env);
  writeFileSync(join(folder, 'elsewhere/package.json'), '{ "type": "commonjs" }');
  const checked = await command(['check'], { ...env, SHINGLE_CITY: town });
  assert.deepEqual([checked.code, checked.err], [0, ''], checked.out);
  assert.match(checked.out, /60 rows = 60 openings/);
});

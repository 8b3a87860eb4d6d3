/** How a draft reads days and official types, and that its table can be changed in a spreadsheet. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command } from '../../a-command.ts';
import {
  countSkipped,
  draftRegister,
  draftRows,
  env,
  folder,
  isoOf,
  judgeBy,
  makeRecords,
  nameOf,
  tradeOf,
  writeCsv,
} from './a-register.ts';

test('two-digit years are read with a pivot that the draft states, and a day that many rows share means "not known"', async () => {
  const records = makeRecords(2_000, (i) => ({
    Classification: tradeOf(i),
    Business: nameOf(i),
    Address: `${i} Quay St`,
    'ACCOUNT START DATE':
      i % 12 === 0
        ? '1/1/87'
        : `${1 + (i % 12)}/${1 + (i % 28)}/${String((1988 + (i % 34)) % 100).padStart(2, '0')}`,
  }));
  const drafted = await draftRegister(records);
  assert.match(drafted.text, /format: M\/D\/YY, pivot: 2031/);
  assert.match(drafted.text, /unknown: \[ 1987-01-01 \]/);
  assert.equal(countSkipped(drafted, 'filing date not known'), 167);
  const years = drafted.listings.map(({ filedOn }) => Number(filedOn.slice(0, 4)));
  assert.deepEqual([Math.min(...years), Math.max(...years)], [1988, 2021]);
});

test('in a file with few days, a day on which many businesses began is a real day', async () => {
  const drafted = await draftRows(300, (i) => ({
    id: `${1_000 + i}`,
    'Business Name': nameOf(i),
    'Filing Date': `2025-06-${String(1 + (i % 5)).padStart(2, '0')}`,
  }));
  assert.equal(drafted.listings.length, 300, drafted.text);
});

test('headers that are glued are read as their words, with those that forbid a role', async () => {
  const draft = (...dates: string[]) => {
    const records = makeRecords(300, (i) => ({
      PERMITNUMBER: `${1_000 + i}`,
      ...Object.fromEntries(dates.map((date, at) => [date, isoOf(i + at)])),
      RESTAURANTNAME: nameOf(i),
    }));
    const out = join(folder, `glued-${dates.join('-')}`);
    return command(['init', writeCsv(records), '--out', out, '--no-install'], env);
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

test('days as browsers print them are read, and of two statuses the one that differs', async () => {
  const drafted = await draftRows(300, (i) => ({
    'License Number': `${1_000 + i}`,
    'Business Name': nameOf(i),
    'Application Status': 'APPROVED',
    'License Status': i % 4 ? 'Active' : 'Expired',
    'Commence Operations Date': `${new Date(isoOf(i)).toUTCString().slice(0, 3)} ${
      ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][i % 12]
    } ${isoOf(i).slice(8)} ${isoOf(i).slice(0, 4)} 00:00:00 GMT-0500 (Eastern Standard Time)`,
  }));
  assert.equal(drafted.listings[5]?.filedOn, isoOf(5), drafted.text);
  assert.match(drafted.text, /column: License Status\n +open: \[ Active \]/);
});

test('a state of the country is no status, a record of JSON no type, and a cell that says false no name', async () => {
  const drafted = await draftRows(300, (i) => ({
    'License Number': `${1_000 + i}`,
    'Trade Name': i % 10 ? nameOf(i) : 'False',
    State: ['NSW', 'QLD', 'ACT', 'VIC'][i % 4]!,
    'Business Type': `{"id": ${i % 8}, "name": "${tradeOf(i)}"}`,
    Class: tradeOf(i),
    'Start Date': isoOf(i),
  }));
  assert.doesNotMatch(drafted.text, /^ +status:/m);
  assert.match(drafted.text, /^ +category: \{ column: Class,/m);
  assert.equal(countSkipped(drafted, 'no name'), 30, drafted.text);
});

test('a refusal names the columns that have days among other words', async () => {
  const records = makeRecords(60, (i) => ({
    'Business Name': nameOf(i),
    Standing: `Active from ${1 + (i % 28)}\u00a0Mar ${2010 + (i % 9)}`,
    Suite: `Unit ${i}-2020`,
  }));
  const { err, code } = await command(['init', writeCsv(records), '--no-install'], env);
  assert.equal(code, 3);
  assert.match(err, /dates .* among other words.*\n {2}Standing: Active from [^\n]*\n(?! {2}Suite)/);
});

test('a column with days in two formats is read in both formats', async () => {
  const drafted = await draftRows(300, (i) => ({
    id: `${1_000 + i}`,
    'Business Name': nameOf(i),
    'Filing Date': i % 3 ? `${1 + (i % 12)}/15/2024` : `2024-${String(1 + (i % 12)).padStart(2, '0')}-15`,
  }));
  assert.equal(drafted.listings.length, 300, drafted.text);
});

test('words after “no” or “with” in a type do not decide its category, and codes and titles take precedence', async () => {
  const types = [
    ['Restaurant, no liquor service', 'Restaurants'],
    ['445110 - Supermarkets (except Tobacco)', 'Grocery & Convenience'],
    ['Retail Non-Food', undefined],
    ['Full-Service Restaurants', 'Restaurants'],
  ] as const;
  const drafted = await draftRows(400, (i) => ({
    'License #': `${1_000 + i}`,
    'Trade Name': `Heron Wharf ${i}`,
    'Business Type': types[i % 4]![0],
    'Start Date': isoOf(i),
  }));
  for (const [i, [text, kind]] of types.entries()) {
    const judgement = drafted.judgements[i]!;
    assert.ok(judgement.kind === 'opening');
    if (kind === undefined) assert.notEqual(judgement.category, 'Restaurants', text);
    else assert.equal(judgement.category, kind, `${text}\n${drafted.text}`);
  }
});

test('rented homes and stalls for a day are not new businesses, and the draft lists their types for the operator', async () => {
  const types = ['Rental- Residential', 'Special Event Vendor', 'Bakery', 'Nail Salon', 'Rentals'];
  const records = makeRecords(400, (i) => ({
    'License #': `${1_000 + i}`,
    'Trade Name': nameOf(i),
    'Business Type': i === 399 ? 'Rental' : types[i % 5]!,
    'Start Date': isoOf(i),
  }));
  const out = join(folder, 'changed');
  await command(['init', writeCsv(records), '--out', out, '--no-install'], env);
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
  const home = join(folder, 'elsewhere');
  const records = makeRecords(60, (i) => ({
    id: `${i}`,
    'Business Name': nameOf(i),
    'Start Date': isoOf(i),
  }));
  const place = writeCsv(records);
  await command(['init', place, '--out', join(home, 'town'), '--no-install'], env);
  writeFileSync(join(home, 'package.json'), '{ "type": "commonjs" }');
  const checked = await command(['check'], { ...env, SHINGLE_CITY: join(home, 'town') });
  assert.deepEqual([checked.code, checked.err], [0, ''], checked.out);
  assert.match(checked.out, /60 rows = 60 openings/);
});

test('a column with "date" and "number" in its name is read as days, and a column with "number" alone is read as numbers', async () => {
  const drafted = await draftRows(300, (i) => ({
    MATRICULA: `${20_000_000 + i}`,
    'RAZON SOCIAL': nameOf(i),
    'FECHA MATRICULA': isoOf(i).replaceAll('-', ''),
    'FECHA RENOVACION': `202603${10 + (i % 20)}`,
    폐업일자: i % 9 === 0 ? '20260401' : '',
  }));
  assert.match(drafted.text, /^ +filed: \{ column: FECHA MATRICULA, format: YYYYMMDD \}$/m);
  assert.match(drafted.text, /^ +ended: \{ column: 폐업일자, format: YYYYMMDD \}$/m);
  assert.match(drafted.text, /^ +key: MATRICULA$/m);
});

test('the first of three Japanese dates of a permit is the filing, and the last is the expiry', async () => {
  const drafted = await draftRows(300, (i) => ({
    許可番号: `${20_000 + i}`,
    屋号: nameOf(i),
    最新許可年月日: `2026/${1 + (i % 9)}/${1 + (i % 28)}`,
    '許可（確認）年月日': isoOf(i).replaceAll('-', '/'),
    終了年月日: `2031/${1 + (i % 9)}/${1 + (i % 28)}`,
  }));
  assert.match(drafted.text, /^ +filed: \{ column: 許可（確認）年月日/m);
  assert.match(drafted.text, /^ +expires: \{ column: 終了年月日/m);
});

test('init names empty columns that should have dates, and does not mistake addresses for dates', async () => {
  const refused = await command(
    [
      'init',
      writeCsv(
        makeRecords(60, (i) => ({
          'Business Name': nameOf(i),
          'Establishment Address 2': `Unit ${i}`,
          'License Start Date': '',
        })),
      ),
      '--no-install',
    ],
    env,
  );
  assert.match(refused.err, /No row has a date in these columns: License Start Date\nNothing/);
  assert.doesNotMatch(refused.err, /Address/);
});

test('a register with only names and days is mapped with the names as keys', async () => {
  const drafted = await draftRegister(
    makeRecords(120, (i) => ({ 'Trade Name': nameOf(i % 100), 'Start Date': isoOf(i % 100) })),
  );
  assert.equal(drafted.listings.length, 100, drafted.text);
});

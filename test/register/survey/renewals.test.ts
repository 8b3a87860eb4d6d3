/** A renewal does not make a business new: a draft folds repeats, and judges rows that say so as updates. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Column } from '../../../src/register/survey/columns.ts';
import { listRenewalTexts } from '../../../src/register/survey/statuses.ts';
import { addDays, toDayNumber } from '../../../src/shared/day.ts';
import { COUNT, checkDraft, init, isoOf, makeRecords, nameOf, testDrafts, tradeOf } from './a-register.ts';

const isGranted = (i: number) => i % 5 > 2;
const weekday = (i: number) => addDays('2016-01-04', 7 * Math.floor(i / 5) + (i % 5));

testDrafts({
  'the day on which an account was created takes precedence over the first day of its license': {
    cells: (i) => ({
      'License Effective Date': `2025-01-${10 + (i % 18)}`,
      'Account Number': `${70_000 + i}`,
      'Business Name': nameOf(i),
      'Account Created': isoOf(i),
      'License Status': 'Renewed',
    }),
    lines: ['filed: { column: Account Created, format: YYYY-MM-DD }'],
  },
  'a business whose license is being renewed or moved is open': {
    shop: (i) => ({
      'License Status': ['Renewal Licensed', 'Pending Renewal', 'Move in Progress', 'Pending'][i % 4]!,
    }),
    leftOut: { 'never opened: Pending': COUNT / 4 },
    statuses: ['open'],
  },
  'a status in unknown words is unknown, and the date of a status is not a filing date': {
    cells: (i) => ({
      'Account Number': `${70_000 + i}`,
      'Trade Name': nameOf(i),
      'First Issued': isoOf(i),
      date_statut: isoOf(i + 7),
      Status: ['Qvarl', 'Zembro'][i % 2]!,
      x: `${298_000 + 7 * i}`,
    }),
    lines: ['filed: { column: First Issued...', 'key: Account Number'],
    statuses: ['unknown'],
  },
  'if nearly all licenses have an end, it is an expiry and not a closure': {
    shop: () => ({ 'End Date': '2026-12-31' }),
    lines: ['expires: { column: End Date...'],
  },
  'a yearly license with the status "renewed" is an update if the register has no day of creation': {
    cells: (i) => ({
      'Permit No': `P${70_000 + i}`,
      'Business Name': nameOf(i),
      'Issue Date': isoOf(i),
      'Permit Status': i % 4 ? 'Renewed' : 'Issued - New',
    }),
    listings: COUNT / 4,
    updates: (COUNT * 3) / 4,
  },
  'a key must be unique in the whole file, not only in its first rows': {
    count: 6_000,
    cells: (i) => ({
      // Unique in the first 5,500 rows; then one number for all.
      'License Number': i < 5_500 ? `L${10_000 + i}` : 'L99999',
      'Parcel Number': `${Math.floor(i / 88)}`,
      // Not unique at first sight, and unique after all.
      'Account #': `A${10_000 + i}`,
      'Business Name': nameOf(i),
      Address: `${i} Quay St`,
      'Business Type': tradeOf(i),
      'Start Date': isoOf(i),
    }),
    lines: ['key: "Account #"'],
  },
  'init does not choose a number that many businesses share as the key': {
    count: 880,
    shop: (i) => ({ 'License ID': `${Math.floor(i / 88)}`, Address: `${i} Quay St` }),
  },
  'pending rows without a day are skipped, and rows with an unreadable day are rejected': {
    shop: (i) => ({ Status: i % 10 ? 'Active' : 'Pending' }),
    dayOf: (i) => (i % 10 ? (i === 7 ? 'soon' : isoOf(i)) : ''),
    leftOut: { 'never opened: Pending': COUNT / 10, 'unreadable filing date': 1 },
    held: false,
  },
  'the first filing is the date of a permit that renewals do not change, whatever its header is': {
    cells: (i) => ({
      'Permit No': `P${70_000 + i}`,
      'Business Name': nameOf(i),
      'Permit Date': i % 5 === 0 ? isoOf(i).replace(/^\d+/, (year) => `${Number(year) + 5}`) : isoOf(i),
      'Date B': isoOf(i),
    }),
    lines: ['filed: { column: Date B,...'],
  },
  'the day of the license takes precedence over the day of a hearing that deferred applications also have': {
    cells: (i) => ({
      'License No': `L${1000 + i}`,
      'Trade Name': nameOf(i),
      Status: isGranted(i) ? 'Granted' : 'Deferred',
      'Hearing Date': isoOf(i),
      'Granted Date': isGranted(i) ? addDays(isoOf(i), i % 4 === 0 ? 330 : 0) : '',
    }),
    args: ['--name', 'Otterfall'],
    lines: ['filed: { column: Granted Date...'],
    leftOut: { 'never opened: Deferred': (COUNT * 3) / 5 },
    held: false,
  },
  'a new license number with another year does not make a business new, and times with offsets are local days':
    {
      count: 600,
      cells: (i) => {
        const [year, business] = [23 + Math.floor(i / 200), i % 200];
        return {
          FOLDERYEAR: `${year}`,
          LicenceRSN: `${4_000_000 + i}`,
          LicenceNumber: `${year}-${148_000 + i}`,
          BusinessName: `Holdings ${business} Ltd`,
          BusinessTradeName: nameOf(business),
          Status: 'Issued',
          IssuedDate: `20${year - 1}-12-${10 + (i % 18)}T00:30:00+00:00`,
          BusinessType: 'Restaurant',
          BusinessSubType: i % 2 ? 'Class 1 no liquor service' : 'Class 1 with liquor service',
          House: `${business}`,
          Street: 'QUAY ST',
          City: 'Vancouver',
          Province: 'BC',
          LocalArea: ['Northbank', 'Ropewalk', 'Cooper Wharf'][i % 3]!,
        };
      },
      delimiter: ';',
      lines: ['timeZone: America/Vancouver'],
      listings: 200,
      check: (listings) => {
        assert.equal(listings[0]!.filedOn, '2022-12-09', 'the local day, not the text of the offset');
        assert.ok(listings.every(({ filedOn, category }) => filedOn < '2023' && category === 'Restaurants'));
      },
    },
  'a column of application types turns renewals and moves into updates': {
    cells: (i) => ({
      ID: `${i}-20${10 + (i % 10)}`,
      'LICENSE ID': `${90_000 + i}`,
      'LICENSE NUMBER': `${5_000 + Math.floor(i / 4)}`,
      'DOING BUSINESS AS NAME': nameOf(Math.floor(i / 4)),
      ADDRESS: `${Math.floor(i / 4)} QUAY ST`,
      'APPLICATION TYPE': ['ISSUE', 'RENEW', 'RENEW', 'C_LOC'][i % 4]!,
      'APPLICATION CREATED DATE': i % 4 === 0 ? isoOf(i) : '',
      'LICENSE TERM START DATE': `02/16/${2010 + (i % 10)}`,
      'DATE ISSUED': isoOf(i),
    }),
    lines: ['filed: { column: DATE ISSUED,...'],
    listings: COUNT / 4,
    updates: (COUNT * 3) / 4,
  },
});

for (const header of ['Row', '行番号', 'Número'])
  testDrafts({
    [`init does not choose the number of a row, "${header}", as the key`]: {
      cells: (i) => ({
        [header]: `${i + 1}`,
        'Business Name': nameOf(i),
        Address: `${i} Quay St`,
        'Start Date': isoOf(i),
      }),
      lines: ['key: { nameAnd: [ Address ] }'],
    },
  });

for (const [format, first] of [
  ['excel', '1899-12-30'],
  ['excel1904', '1904-01-01'],
] as const)
  testDrafts({
    [`days counted from ${first} are recognized by the weekdays on which an office is closed`]: {
      dayOf: (i) => `${toDayNumber(weekday(i)) - toDayNumber(first)}`,
      args: ['--name', 'Otterfall'],
      lines: [`filed: { column: Date Opened, format: ${format} }`],
      check: ([listing]) => assert.equal(listing!.filedOn, '2016-01-04'),
    },
  });

test('thirty licenses of one term are enough to see that they are renewed', async () => {
  for (const [count, held] of [
    [29, false],
    [30, /current-licenses: .*: 83\.3 % expire within one term of the filing$/],
  ] as const)
    await checkDraft({
      ...{ count, held },
      shop: (i) => ({ 'Expiration Date': addDays(isoOf(i), i % 6 === 5 ? 729 : 364) }),
    });
});

test('a number that would be a later year than the filing is not read as a year', async () => {
  for (const codes of [4, 50]) {
    const records = makeRecords(300, (i) => ({
      'Licence No.': `B${10 + (i % codes)}-${4_000_000 + i}`,
      'Trade Name': `${nameOf(i)} ${i}`,
      Address: `${i} Quay St`,
      Issued: isoOf(i),
    }));
    const { out } = await init(records, '--json');
    assert.equal(/number from an earlier year/.test(out), codes === 4, out);
  }
});

test('texts of applications are read as renewals in six languages, and as changes only beside a text for new businesses', () => {
  const listOf = (header: string, ...texts: string[]) =>
    listRenewalTexts({ header, values: texts.map((text) => [text, 1] as const) } as unknown as Column);
  for (const [first = '', renewal = '', change = ''] of [
    'ISSUE|RENEW|C_LOC',
    'New|Re-issued|Change of Address',
    'Alta|Renovación|Cambio de domicilio',
    'Création|Renouvellement|Transfert',
    'Abertura|Renovação|Alteração',
    'Anmeldung|Verlängerung|Ummeldung',
    'Nuova apertura|Rinnovo|Variazione',
  ].map((texts) => texts.split('|'))) {
    assert.deepEqual(listOf('type', first, renewal, change), [renewal, change], renewal);
    assert.deepEqual(listOf('type', renewal, change), [renewal], change);
  }
  assert.deepEqual(
    listOf('type', 'New/Renewal', 'Non-renewed', 'Change of ownership', 'REN - 2026', 'Renovation'),
    ['REN - 2026'],
  );
  assert.deepEqual(listOf('renewal', 'Y', 'Yes', 'TRUE', '1', 'N', '0'), ['Y', 'Yes', 'TRUE', '1']);
});

test('init refuses the date of the most recent license as the first filing, and shows its days as evidence', async () => {
  const records = makeRecords(300, (i) => ({
    'Permit No': `P${70_000 + i}`,
    'Business Name': nameOf(i),
    Most_Recent_License_Date: `${2018 + (i % 7)}-0${4 + (i % 2)}-${10 + (i % 19)}`,
  }));
  const ended = await init(records);
  assert.equal(ended.code, 3, ended.out);
  assert.match(ended.out, /^ {2}\? filed +none/m, 'the chosen columns are printed without a terminal');
  assert.match(ended.err, /Most_Recent_License_Date: .*These look like renewals: 100 % are in April and May/);
});

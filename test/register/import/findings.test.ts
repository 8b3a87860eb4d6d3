/** Findings: each kind of misunderstanding is found just above its threshold and not at it, and may be accepted. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../../../src/shared/day.ts';
import type { FindingCode } from '../../../src/shared/report.ts';
import {
  aRegister,
  type Cells,
  DAYS_BETWEEN,
  findingsIn,
  firstRows,
  ROWS,
  rowsWith,
  toCsv,
} from './a-register.ts';

type Case = {
  what: string;
  code: FindingCode;
  severity: 'stop' | 'warn';
  /** So many rows are found... */
  found: number;
  /** ...and so many are not, or only as a `warn`. */
  below: number;
  rows: (count: number) => Cells[];
  edits?: readonly (readonly [string, string])[];
  /** How much of it is counted, and its share, where these are not those of the rows. */
  count?: number;
  share?: number;
  examples?: RegExp;
  detail?: RegExp;
};

const PERSON = { NAME: 'Odile Fenwright' };
const TOWN = { TOWN: 'RIVERMOUTH', STATE: 'OR' };
const changeRows = (base: (i: number) => Cells, count: number, changed: Cells | ((i: number) => Cells)) =>
  rowsWith((i) => ({ ...base(i), ...firstRows(count, changed)(i) }));

const CASES: Case[] = [
  {
    what: "names that are the owner's, in another order",
    ...{ code: 'personal-names', severity: 'stop', found: 5, below: 4, examples: /Odile Fenwright/ },
    rows: (count) =>
      changeRows((i) => ({ OWNER: `Quill ${i}x Ltd` }), count, { ...PERSON, OWNER: 'FENWRIGHT, ODILE F' }),
  },
  {
    what: "names that are the owner's, in a script without word lists",
    ...{ code: 'personal-names', severity: 'stop', found: 5, below: 4, examples: /Ольга Тернова/ },
    rows: (count) =>
      changeRows((i) => ({ NAME: `Пекарня Солнце ${i}`, OWNER: `Тернов ${i}x` }), count, {
        NAME: 'Ольга Тернова',
        OWNER: 'Тернова, Ольга Петровна',
      }),
  },
  {
    what: 'names like people’s among those that a column calls individuals',
    ...{ code: 'personal-names', severity: 'stop', found: 13, below: 12, count: 5 },
    rows: (count) =>
      changeRows((i) => ({ 'Entity Type': i < 200 ? 'Individual' : 'Corporation' }), count, PERSON),
  },
  {
    what: 'names that have the shape of people’s',
    ...{ code: 'personal-names', severity: 'stop', found: 61, below: 60 },
    rows: (count) => rowsWith(firstRows(count, PERSON)),
  },
  {
    what: 'fewer names that have the shape of people’s',
    ...{ code: 'personal-names', severity: 'warn', found: 21, below: 20 },
    rows: (count) => rowsWith(firstRows(count, PERSON)),
  },
  {
    what: 'renewals under other keys',
    ...{ code: 'repeated-businesses', severity: 'stop', found: 9, below: 8, examples: /Heron Bakery 20\b/ },
    rows: (count) =>
      changeRows(
        (i) => ({ 'Business Address': `${i} Quay St` }),
        count,
        (i) => ({
          NAME: `Heron Bakery ${i + 20}`,
          'Business Address': `${i + 20} QUAY ST.`,
        }),
      ),
  },
  {
    what: 'other towns',
    ...{ code: 'outside-city', severity: 'stop', found: 9, below: 8, examples: /\(Farfield\)/ },
    rows: (count) => changeRows(() => TOWN, count, { TOWN: 'Farfield' }),
  },
  {
    what: 'many towns, none of which is the city',
    ...{ code: 'outside-city', severity: 'stop', found: 2, below: 1, count: ROWS, examples: /^farfield/ },
    rows: (count) => rowsWith((i) => ({ TOWN: `Farfield ${'ABCDEFGH'[i % count]}` })),
  },
  {
    what: 'many counties, and no town',
    ...{ code: 'outside-city', severity: 'stop', found: 5, below: 4, count: ROWS, examples: /^farfield/ },
    rows: (count) => rowsWith((i) => ({ 'Premise County': `Farfield ${'ABCDEFGH'[i % count]}` })),
  },
  {
    what: 'other states',
    ...{ code: 'outside-city', severity: 'stop', found: 9, below: 8 },
    rows: (count) => changeRows(() => TOWN, count, { STATE: 'WA' }),
  },
  {
    what: 'points far away',
    ...{ code: 'outside-city', severity: 'stop', found: 9, below: 8 },
    rows: (count) =>
      changeRows((i) => ({ Latitude: `45.${100 + i}`, Longitude: '-123.5' }), count, { Latitude: '47.5' }),
  },
  {
    what: 'a flag that says outside',
    ...{ code: 'outside-city', severity: 'stop', found: 9, below: 8 },
    rows: (count) => changeRows(() => ({ OUTSIDECITY: 'No' }), count, { OUTSIDECITY: 'Yes' }),
  },
  {
    what: 'neighborhoods with the name of the city',
    ...{ code: 'coarse-neighborhoods', severity: 'stop', found: 241, below: 240 },
    rows: (count) => changeRows(() => TOWN, count, { AREA: 'CITY OF RIVERMOUTH' }),
  },
  {
    what: 'neighborhoods that are numbers of districts',
    ...{ code: 'coarse-neighborhoods', severity: 'stop', found: 241, below: 240 },
    rows: (count) => rowsWith(firstRows(count, (i) => ({ AREA: `District ${i % 9}` }))),
  },
  {
    what: 'one neighborhood for most',
    ...{ code: 'coarse-neighborhoods', severity: 'stop', found: 241, below: 240 },
    rows: (count) => rowsWith((i) => ({ AREA: i < count ? 'Old Town' : `Quarter of ${i % 50} oaks` })),
  },
  {
    what: 'no neighborhood in spite of addresses',
    ...{ code: 'unplaced', severity: 'warn', found: 41, below: 40 },
    rows: (count) => changeRows((i) => ({ 'Site Address': `${i} Quay St` }), count, { AREA: '' }),
  },
  {
    what: 'a first filing in another column, before renewals',
    ...{ code: 'date-choice', severity: 'stop', found: 21, below: 20, examples: /CREATED 2001-02-03/ },
    rows: (count) =>
      changeRows((i) => ({ CREATED: addDays('2026-11-18', -DAYS_BETWEEN * i) }), count, {
        CREATED: '2001-02-03',
      }),
  },
  {
    what: 'an earlier day in another column, which may be the first filing',
    ...{ code: 'date-choice', severity: 'stop', found: 201, below: 200, examples: /CREATED 2001-02-03/ },
    rows: (count) => changeRows(() => ({ CREATED: '' }), count, { CREATED: '2001-02-03' }),
  },
  {
    what: 'an application a month before the license',
    ...{ code: 'date-choice', severity: 'warn', found: 201, below: 200, examples: /CREATED 2026-10-19/ },
    rows: (count) =>
      changeRows(
        () => ({ CREATED: '' }),
        count,
        (i) => ({ CREATED: addDays('2026-11-18', -DAYS_BETWEEN * i - 30) }),
      ),
  },
  {
    what: 'pending rows that are mostly of the newest year',
    ...{ code: 'recent-skips', severity: 'warn', found: 20, below: 19, examples: /^Pending: 20 rows/ },
    share: 0.1852, // of 108 in the newest year
    rows: (count) => rowsWith(firstRows(count, { KIND: 'Pending' })),
    edits: [
      ['reject, source }', 'reject, skip, source }'],
      [
        "reject('no filing date');",
        "reject('no filing date');\n      if (row.KIND === 'Pending') return skip('never opened: Pending', filedOn);",
      ],
    ],
  },
  {
    what: 'one day for many',
    ...{ code: 'date-choice', severity: 'stop', found: 121, below: 120 },
    rows: (count) => rowsWith((i) => (i >= ROWS - count ? { DAY: '2024-01-01' } : ({} as Cells))),
  },
  {
    what: 'one day for many, in a feed of changes',
    ...{ code: 'date-choice', severity: 'stop', found: 121, below: 120 },
    rows: (count) => rowsWith((i) => (i >= ROWS - count ? { DAY: '2024-01-01' } : ({} as Cells))),
    edits: [["delivers: 'snapshot'", "delivers: 'changes'"]],
  },
  {
    what: 'licenses that all expire on the same few days',
    ...{ code: 'current-licenses', severity: 'stop', found: 359, below: 358, count: 361 },
    rows: (count) =>
      rowsWith((i) => ({ 'Expiration Date': i < count ? '2026-12-31' : addDays('2030-01-01', i) })),
  },
  {
    what: 'filings of one year alone, beside an expiry',
    ...{ code: 'current-licenses', severity: 'stop', found: 361, below: 360 },
    rows: (count) =>
      rowsWith((i) => ({
        DAY: addDays('2026-11-18', i < count ? -(i % 390) : -500 - i),
        'Expiration Date': addDays('2030-01-01', 3 * i),
      })),
  },
  {
    what: 'papers that fill the last term, of which none has ended',
    ...{ code: 'current-licenses', severity: 'stop', found: 393, below: 392 },
    rows: (count) =>
      rowsWith((i) => {
        const day = addDays('2026-11-18', -DAYS_BETWEEN * i);
        return { 'Permit Date': day, 'Expiration Date': addDays(day, i < count ? 1_300 : 600) };
      }),
  },
  {
    what: 'licenses of one term',
    ...{ code: 'current-licenses', severity: 'stop', found: 321, below: 320 },
    rows: (count) =>
      rowsWith((i) => {
        const day = addDays('2026-11-18', -DAYS_BETWEEN * i);
        return { 'Expiration Date': addDays(day, i < count ? 364 : 2_000) };
      }),
  },
  {
    what: 'a filing date that is an expiry',
    ...{ code: 'no-first-date', severity: 'stop', found: 400, below: 0 },
    rows: (count) =>
      rowsWith((i) => ({ DAY: '', EXPIRES: i < count ? addDays('2026-11-18', -DAYS_BETWEEN * i) : '' })),
    edits: [
      ["'AREA', 'DAY']", "'AREA', 'EXPIRES']"],
      ['row.DAY', 'row.EXPIRES'],
    ],
  },
  {
    what: 'days and months that cannot be told apart',
    ...{ code: 'ambiguous-dates', severity: 'stop', found: 400, below: 399 },
    rows: (count) =>
      rowsWith((i) => ({ DAY: `${1 + (i % 12)}/${i < count ? 1 + (i % 9) : 25}/${2015 + (i % 10)}` })),
    edits: [["parseDay(row.DAY, 'YYYY-MM-DD')", "parseDay(row.DAY, 'M/D/YYYY')"]],
  },
  {
    what: 'nothing that is open',
    ...{ code: 'one-status', severity: 'stop', found: 400, below: 399 },
    rows: (count) => rowsWith(firstRows(count, { KIND: 'Shut' })),
    edits: [["status: 'open'", "status: row.KIND === 'Shut' ? 'closed' : 'open'"]],
  },
  {
    what: 'all open, although a column says otherwise',
    ...{ code: 'one-status', severity: 'stop', found: 21, below: 20 },
    rows: (count) =>
      rowsWith((i) => ({ 'License Status': i < count ? ['Closed', 'Abandoned'][i % 2]! : 'Active' })),
  },
  {
    what: 'companies that are left out as people',
    ...{
      code: 'dropped-businesses',
      severity: 'stop',
      found: 9,
      below: 7,
      examples: /Fenwright Holdings LLC/,
    },
    rows: (count) =>
      rowsWith((i) => ({
        ...(i < count + 10 && { KIND: 'Person' }),
        NAME: i < count ? 'Fenwright Holdings LLC' : i < count + 10 ? 'Odile Fenwright ME' : `Tern ${i}`,
      })),
    edits: [
      ['reject, source }', 'reject, PERSONAL_NAME, skip, source }'],
      ['const filedOn', "if (row.KIND === 'Person') return skip(PERSONAL_NAME);\n      const filedOn"],
    ],
  },
  {
    what: 'permits that are no new business',
    ...{ code: 'not-storefronts', severity: 'warn', found: 5, below: 4, examples: /Special Event Permit: 5/ },
    rows: (count) => rowsWith(firstRows(count, { KIND: 'Special Event Permit' })),
  },
  {
    what: 'many rows at one address on one day',
    ...{ code: 'not-storefronts', severity: 'warn', found: 20, below: 19 },
    examples: /^1 quay st, 2025-03-01: 20 openings$/,
    detail: /^20 openings .* at one address \(.*\) with 20 or more on the same day/,
    rows: (count) =>
      changeRows((i) => ({ 'Street Address': `${i + 2} Quay St` }), count, {
        ...{ 'Street Address': '1 Quay St', DAY: '2025-03-01' },
      }),
  },
  {
    what: 'companies at the addresses of two agents',
    ...{ code: 'registered-offices', severity: 'warn', found: 55, below: 48 },
    examples: /^1 quay st ste 300: 30 companies\n1 quay st ste 200: 25 companies$/,
    detail: /^55 openings .* at 2 addresses \(.*\), up to 30 at one:/,
    rows: (count) =>
      changeRows(
        (i) => ({ 'Street Address': `${i + 2} Quay St` }),
        count,
        (i) => ({
          NAME: `Quill ${i} LLC`,
          'Street Address': `1 Quay St Ste ${i < Math.min(count - 24, 30) ? 300 : 200}`,
        }),
      ),
  },
  {
    what: 'a profile as drafted',
    ...{ code: 'placeholders', severity: 'warn', found: 8, below: 0 },
    rows: () => rowsWith(),
    edits: [
      ["name: 'Rivermouth'", "name: 'Unnamed'"],
      ["region: 'Oregon'", "region: 'Fill in the region'"],
      ["timeZone: 'America/Los_Angeles'", "timeZone: 'Etc/UTC'"],
      ["name: 'The chamber'", "name: 'Fill in who runs this'"],
      ["publisher: 'City'", "publisher: 'Fill in the publisher'"],
      ["homepage: 'https://data.rivermouth.example'", "homepage: 'https://example.org/fill-in'"],
      ["license: 'CC0-1.0'", "notice: 'Fill in', license: 'Fill in the licence'"],
    ],
  },
  {
    what: 'a register that nobody keeps up',
    ...{ code: 'stale', severity: 'warn', found: 46, below: 45, count: 1 },
    rows: (days) => rowsWith((i) => ({ DAY: addDays('2026-11-20', -days - DAYS_BETWEEN * i) })),
  },
];

test('a sound register has no findings, even if many shops have one address', async () => {
  assert.deepEqual(await findingsIn(aRegister(), rowsWith()), []);
  const companies = changeRows(
    (i) => ({ OWNER: `Quill ${i}x Ltd`, 'Entity Type': i < 200 ? 'Individual' : 'Corporation' }),
    5,
    { ...PERSON, OWNER: 'FENWRIGHT, ODILE F', 'Entity Type': 'Corporation' },
  );
  for (const { code } of await findingsIn(aRegister(), companies)) assert.notEqual(code, 'personal-names');
  const mall = firstRows(40, (i) => ({
    'Street Address': '1 Quay St',
    ...(i < 25 && { NAME: `Quill ${i} LLC` }),
  }));
  const street = rowsWith((i) => ({ 'Street Address': `${i + 2} Quay St`, ...mall(i) }));
  assert.deepEqual(await findingsIn(aRegister(), street), []);
  const licenses = firstRows(40, (i) => ({ 'Street Address': '1 Quay St', NAME: `Quill ${i % 13} LLC` }));
  const shops = rowsWith((i) => ({ 'Street Address': `${i + 2} Quay St`, ...licenses(i) }));
  const codes = (await findingsIn(aRegister(), shops)).map(({ code }) => code);
  assert.ok(!codes.includes('registered-offices'), 'a company with three licenses is one company');
});

for (const {
  what,
  code,
  severity,
  found,
  below,
  rows,
  edits = [],
  count = found,
  share,
  examples,
  detail,
} of CASES)
  test(`${code}, ${severity}: ${what}`, async () => {
    const findings = await findingsIn(aRegister(...edits), rows(found));
    const finding = findings.find((one) => one.code === code);
    assert.deepEqual([finding?.severity, finding?.count], [severity, count], JSON.stringify(findings));
    assert.ok(finding!.detail.length > 20 && finding!.fix.length > 4 && finding!.examples.length <= 10);
    assert.deepEqual(finding!.examples, [...new Set(finding!.examples)]);
    if (share !== undefined) assert.equal(finding!.share, share);
    if (examples !== undefined) assert.match(finding!.examples.join('\n'), examples);
    if (detail !== undefined) assert.match(finding!.detail, detail);
    if (code === 'placeholders') return;
    const other = (await findingsIn(aRegister(...edits), rows(below))).find((one) => one.code === code);
    assert.notEqual(other?.severity, severity, JSON.stringify(other));
    if (CASES.find((one) => one.code === code)!.what !== what) return; // accepted by its code
    const accepts = `accepts: { '${code}': 'it is so' }, columns: [`;
    const accepted = await findingsIn(aRegister(...edits, ['columns: [', accepts]), rows(found));
    const known = accepted.find((one) => one.code === code);
    assert.deepEqual([known?.severity, known?.accepted], ['warn', 'it is so']);
  });

test('a code at the start of all license numbers is not mistaken for a year, and postal codes with the same first letter count as one city', async () => {
  const codes = rowsWith((i) => ({
    ID: `C11-${10_000 + i}-LIC`,
    'Expiration Date': addDays('2030-01-01', 3 * i),
    'Postal Code': `V${5 + (i % 2)}K 0B9`,
  }));
  assert.deepEqual(await findingsIn(aRegister(), codes), []);
  const numbers = codes.map((row, i) => ({ ...row, ID: `${1999 + (i % 2)}-${10_000 + i}` }));
  const [found] = await findingsIn(aRegister(), numbers);
  assert.equal(found?.code, 'current-licenses');
  const far = codes.map((row, i) => (i < 9 ? { ...row, 'Postal Code': 'T2P 0B9' } : row));
  const [outside] = await findingsIn(aRegister(), far);
  assert.equal(outside?.code, 'outside-city');
});

test('a company with the name of its owner is not mistaken for a person', async () => {
  const rows = rowsWith((i) => ({ NAME: `Wilder ${i}`, OWNER: `Quill ${i}x`, FORM_TYPE: 'Individual' }));
  const firm = firstRows(18, { ...PERSON, OWNER: 'Odile Fenwright Inc' });
  assert.deepEqual(
    await findingsIn(
      aRegister(),
      rows.map((row, i) => ({ ...row, ...firm(i) })),
    ),
    [],
  );
});

test('a finding of severity stop holds the first run until it is accepted, and no later run', async () => {
  const city = aRegister();
  const rows = changeRows(() => TOWN, 30, { TOWN: 'Farfield' });
  const service = await city.open();
  const [held] = await service.ingest({ from: city.file('a.csv', toCsv(rows)) });
  assert.equal(held?.state, 'held');
  assert.match(held!.detail!, /outside-city: 30 openings \(7\.5 %\) lie outside the city/);
  assert.deepEqual(
    held!.findings.map(({ code, severity, count, share }) => [code, severity, count, share]),
    [['outside-city', 'stop', 30, 0.075]],
  );
  assert.deepEqual(Object.keys(held!.findings[0]!), ['code', 'severity', 'count', 'share', 'detail']);

  const kept = await service.accept(held!.run);
  assert.deepEqual([kept.state, kept.added, kept.findings], ['kept', ROWS, held!.findings]);
  const [later] = await service.ingest({
    from: city.file('b.csv', toCsv(rows.map((row) => ({ ...row, TOWN: 'X' })))),
  });
  assert.deepEqual([later?.state, later?.findings], ['kept', []]);
});

test('a sample of the rows of a large register gives the same shares as all rows', async () => {
  const rows = Array.from({ length: 30 }, (_, part) =>
    changeRows(() => TOWN, 0, {}).map((row, i) => ({
      ...row,
      ID: `${part}-${i}`,
      TOWN: (i * 7 + part) % 10 === 0 ? 'Farfield' : 'Rivermouth',
    })),
  ).flat();
  const findings = await findingsIn(aRegister(), rows);
  const outside = findings.find(({ code }) => code === 'outside-city');
  assert.equal(rows.length, 12_000);
  assert.ok(Math.abs(outside!.share - 0.1) < 0.01, `${outside!.share}`);
  assert.ok(Math.abs(outside!.count - 1_200) < 120, `${outside!.count}`);
  const people = [...rows, { ...rows[0]!, ID: 'one more' }].map((row) => ({ ...row, ...PERSON }));
  const all = (await findingsIn(aRegister(), people)).find(({ code }) => code === 'personal-names');
  assert.deepEqual([all!.count, /12,001 openings \(100 %\)/.test(all!.detail)], [12_001, true], all!.detail);
});

test('the advice about a frequent name leads to columns of types in words, not in codes', async () => {
  const rows = rowsWith((i) => ({
    ...{ 'NAICS Code': '722511', 'Business Type': ['Shop', 'Bakery'][i % 2]! },
    ...(i < 25 && { NAME: 'Heron Machine' }),
  }));
  const find = async (some: typeof rows) =>
    (await findingsIn(aRegister(), some)).find(({ code }) => code === 'not-storefronts');
  assert.match(
    (await find(rows))!.fix,
    /find out what tells them from businesses \(perhaps "Business Type"\)/,
  );
  const activities = rows.map((row) => (row.NAME === 'Heron Machine' ? { ...row, ID: 'one business' } : row));
  assert.equal(await find(activities), undefined);
});

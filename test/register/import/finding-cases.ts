/** Registers in each of which one thing is wrong, and what the finding says of it. */

import { addDays } from '../../../src/shared/day.ts';
import type { FindingCode } from '../../../src/shared/report.ts';
import { type Cells, DAYS_BETWEEN, firstRows, ROWS, rowsWith } from './a-register.ts';

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
  fix?: RegExp;
  /** What it says, in full. */
  detail: string;
};

export const PERSON = { NAME: 'Odile Fenwright' };
export const TOWN = { TOWN: 'RIVERMOUTH', STATE: 'OR' };
export const changeRows = (
  base: (i: number) => Cells,
  count: number,
  changed: Cells | ((i: number) => Cells),
) => rowsWith((i) => ({ ...base(i), ...firstRows(count, changed)(i) }));

const SKIPS_PEOPLE = [
  ['reject, source }', 'reject, PERSONAL_NAME, skip, source }'],
  ['const filedOn', "if (row.KIND === 'Person') return skip(PERSONAL_NAME);\n      const filedOn"],
] as const;

export const CASES: Case[] = [
  {
    what: "names that are the owner's, in another order",
    detail: `5 openings (1.3 %) have a person's name, according to the owner's name in "OWNER"`,
    ...{ code: 'personal-names', severity: 'stop', found: 5, below: 4, examples: /Odile Fenwright/ },
    rows: (count) =>
      changeRows((i) => ({ OWNER: `Quill ${i}x Ltd` }), count, { ...PERSON, OWNER: 'FENWRIGHT, ODILE F' }),
  },
  {
    what: "names that are the owner's, in a script without word lists",
    detail: `5 openings (1.3 %) have a person's name, according to the owner's name in "OWNER"`,
    ...{ code: 'personal-names', severity: 'stop', found: 5, below: 4, examples: /Ольга Тернова/ },
    rows: (count) =>
      changeRows((i) => ({ NAME: `Пекарня Солнце ${i}`, OWNER: `Тернов ${i}x` }), count, {
        NAME: 'Ольга Тернова',
        OWNER: 'Тернова, Ольга Петровна',
      }),
  },
  {
    what: 'names like people’s among those that a column calls individuals',
    detail: "5 openings (1.3 %) have a person's name, according to the legal form in Entity Type",
    ...{ code: 'personal-names', severity: 'stop', found: 13, below: 12, count: 5 },
    rows: (count) =>
      changeRows((i) => ({ 'Entity Type': i < 200 ? 'Individual' : 'Corporation' }), count, PERSON),
  },
  {
    what: 'names that have the shape of people’s',
    detail: "the names of 61 openings (15.3 %) look like people's names, 61 of them clearly",
    ...{ code: 'personal-names', severity: 'stop', found: 61, below: 60 },
    rows: (count) => rowsWith(firstRows(count, PERSON)),
  },
  {
    what: 'fewer names that have the shape of people’s',
    detail: "the names of 21 openings (5.3 %) look like people's names, 8 of them clearly",
    ...{ code: 'personal-names', severity: 'warn', found: 21, below: 20 },
    rows: (count) => rowsWith(firstRows(count, (i) => (i < 8 ? PERSON : { NAME: 'Brisco Fenwright' }))),
  },
  {
    what: 'renewals under other keys',
    detail:
      '9 openings (2.3 %) repeat the name and place ("Business Address") of another under a different key and on another day: renewals seem to be read as openings',
    ...{
      code: 'repeated-businesses',
      severity: 'stop',
      found: 9,
      below: 8,
      examples: /^Heron Bakery 20: 2026-11-18, 2026-09-19\n/,
    },
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
    detail: '9 openings (2.3 %) lie outside the city ("TOWN": 9)',
    ...{ code: 'outside-city', severity: 'stop', found: 9, below: 8, examples: /\(Farfield\)/ },
    rows: (count) => changeRows(() => TOWN, count, { TOWN: 'Farfield' }),
  },
  {
    what: 'many towns, none of which is the city',
    detail:
      'the register seems to cover several towns, not one city: "TOWN" has 3 towns, the largest with 180, 132, 88 rows',
    ...{ code: 'outside-city', severity: 'stop', found: 9, below: 4, count: ROWS, examples: /^farfield/ },
    rows: (count) => rowsWith((i) => ({ TOWN: `Farfield ${'AAAABBBCC'[i % count]}` })),
  },
  {
    what: 'many towns, of which the city has less than half of the rows',
    detail:
      '228 openings (57 %) lie outside the city ("TOWN": 228); the register seems to cover several towns: 5 towns, the largest with 172, 57, 57, 57, 57 rows',
    ...{ code: 'outside-city', severity: 'stop', found: 7, below: 3, count: 228 },
    rows: (count) =>
      rowsWith((i) => ({ TOWN: i % 7 < 10 - count ? 'Rivermouth' : `Farfield ${'ABCDEFG'[i % 7]}` })),
  },
  {
    what: 'many counties, and no town',
    detail:
      'the register seems to cover several towns, not one city: "Premise County" has 5 towns, the largest with 80, 80, 80, 80, 80 rows',
    ...{ code: 'outside-city', severity: 'stop', found: 5, below: 4, count: ROWS, examples: /^farfield/ },
    rows: (count) => rowsWith((i) => ({ 'Premise County': `Farfield ${'ABCDEFGH'[i % count]}` })),
  },
  {
    what: 'other states, and other towns',
    detail: '9 openings (2.3 %) lie outside the city ("TOWN": 4, "STATE": 6)',
    fix: /If not, "TOWN", "STATE" can tell its own rows/,
    ...{ code: 'outside-city', severity: 'stop', found: 9, below: 8 },
    rows: (count) =>
      changeRows(
        () => TOWN,
        count,
        (i) => (i < 3 ? { TOWN: 'Farfield' } : { STATE: 'WA', ...(i === 3 && { TOWN: 'Hartwick' }) }),
      ),
  },
  {
    what: 'points far away',
    detail: '9 openings (2.3 %) lie outside the city ("Latitude", "Longitude": 9)',
    examples: /^Heron Bakery 0 \(at 47\.50, -123\.50\)\n/,
    ...{ code: 'outside-city', severity: 'stop', found: 9, below: 8 },
    rows: (count) =>
      changeRows((i) => ({ Latitude: `45.${100 + i}`, Longitude: '-123.5' }), count, { Latitude: '47.5' }),
  },
  {
    what: 'a flag that says outside',
    detail: '9 openings (2.3 %) lie outside the city ("OUTSIDECITY": 9)',
    examples: /^Heron Bakery 0 \(OUTSIDECITY says so\)\n/,
    ...{ code: 'outside-city', severity: 'stop', found: 9, below: 8 },
    rows: (count) => changeRows(() => ({ OUTSIDECITY: 'No' }), count, { OUTSIDECITY: 'Yes' }),
  },
  {
    what: 'neighborhoods with the name of the city',
    detail: 'the neighborhood of 241 openings (60.3 %) is the name of the city',
    ...{ code: 'coarse-neighborhoods', severity: 'stop', found: 241, below: 240 },
    rows: (count) => changeRows(() => TOWN, count, { AREA: 'CITY OF RIVERMOUTH' }),
  },
  {
    what: 'neighborhoods that are numbers of districts',
    detail: 'the neighborhood of 241 openings (60.3 %) is the number of a district',
    ...{ code: 'coarse-neighborhoods', severity: 'stop', found: 241, below: 240 },
    rows: (count) => rowsWith(firstRows(count, (i) => ({ AREA: `District ${i % 9}` }))),
  },
  {
    what: 'one neighborhood for most',
    detail: 'the neighborhood of 241 openings (60.3 %) is always the same',
    ...{ code: 'coarse-neighborhoods', severity: 'stop', found: 241, below: 240 },
    rows: (count) => rowsWith((i) => ({ AREA: i < count ? 'Old Town' : `Quarter of ${i % 50} oaks` })),
  },
  {
    what: 'no neighborhood in spite of addresses',
    detail: '41 openings (10.3 %) have no neighborhood, although the file has "Site Address"',
    ...{ code: 'unplaced', severity: 'warn', found: 41, below: 40 },
    rows: (count) => changeRows((i) => ({ 'Site Address': `${i} Quay St` }), count, { AREA: '' }),
  },
  {
    what: 'a first filing in another column, before renewals',
    detail:
      '"CREATED" is earlier than the filing date on 5 % of the rows, by 25.7 years in the middle, the same on 95 % and never later: it seems to be the first filing, and the filing date a renewal',
    fix: /^compare "CREATED" and the filing date/,
    ...{ code: 'date-choice', severity: 'stop', found: 21, below: 20, examples: /CREATED 2001-02-03/ },
    rows: (count) =>
      changeRows((i) => ({ CREATED: addDays('2026-11-18', -DAYS_BETWEEN * i) }), count, {
        CREATED: '2001-02-03',
      }),
  },
  {
    what: 'an earlier day in another column, which may be the first filing',
    detail:
      '"CREATED" is earlier than the filing date on 100 % of the rows, by 25.0 years in the middle: it may be the first filing or the application',
    fix: /^compare "CREATED" and the filing date/,
    ...{ code: 'date-choice', severity: 'stop', found: 201, below: 200, examples: /CREATED 2001-02-03/ },
    rows: (count) => changeRows(() => ({ CREATED: '' }), count, { CREATED: '2001-02-03' }),
  },
  {
    what: 'an application a month before the license',
    detail:
      '"CREATED" is earlier than the filing date on 100 % of the rows, by 30 days in the middle: it seems to be the application, and the filing date the license',
    ...{
      code: 'date-choice',
      severity: 'warn',
      found: 201,
      below: 200,
      examples: /^Heron Bakery 0: filed 2026-11-18, CREATED 2026-10-19\n/,
    },
    rows: (count) =>
      changeRows(
        () => ({ CREATED: '' }),
        count,
        (i) => ({ CREATED: addDays('2026-11-18', -DAYS_BETWEEN * i - 30) }),
      ),
  },
  {
    what: 'pending rows that are mostly of the newest year',
    detail:
      '20 of 2026 are left out by their status, most of them in the newest year. So comparisons with the year before are too low, and pages say so',
    ...{
      code: 'recent-skips',
      severity: 'warn',
      found: 20,
      below: 19,
      examples: /^Pending: 18 rows in all years\nDenied: 2 /,
    },
    share: 0.1852, // of 108 in the newest year
    rows: (count) => rowsWith(firstRows(count, (i) => ({ KIND: i < 2 ? 'Denied' : 'Pending' }))),
    edits: [
      ['reject, source }', 'reject, skip, source }'],
      [
        "reject('no filing date');",
        "reject('no filing date');\n      if (row.KIND !== 'Alpha') return skip('never opened: ' + row.KIND, filedOn);",
      ],
    ],
  },
  {
    what: 'one day for many',
    detail: '81 openings (20.3 %) share the filing date 2024-01-01',
    examples: /^2024-01-01: 81 openings$/,
    ...{ code: 'date-choice', severity: 'stop', found: 81, below: 80 },
    rows: (count) => rowsWith((i) => (i >= ROWS - count ? { DAY: '2024-01-01' } : ({} as Cells))),
  },
  {
    what: 'one day for many, in a feed of changes',
    detail: '81 openings (20.3 %) share the filing date 2024-01-01',
    ...{ code: 'date-choice', severity: 'stop', found: 81, below: 80 },
    rows: (count) => rowsWith((i) => (i >= ROWS - count ? { DAY: '2024-01-01' } : ({} as Cells))),
    edits: [["delivers: 'snapshot'", "delivers: 'changes'"]],
  },
  {
    what: 'licenses that all expire on the same few days',
    detail:
      'the filing dates look like dates of renewals, not of first filings: 90.3 % expire on the same few days',
    ...{ code: 'current-licenses', severity: 'stop', found: 359, below: 358, count: 361 },
    rows: (count) =>
      rowsWith((i) => ({ 'Expiration Date': i < count ? '2026-12-31' : addDays('2030-01-01', i) })),
  },
  {
    what: 'filings of one year alone, beside an expiry',
    detail:
      'the filing dates look like dates of renewals, not of first filings: 90.3 % were filed within 400 days of the newest',
    ...{ code: 'current-licenses', severity: 'stop', found: 361, below: 360 },
    rows: (count) =>
      rowsWith((i) => ({
        DAY: addDays('2026-11-18', i < count ? -(i % 390) : -500 - i),
        'Expiration Date': addDays('2030-01-01', 3 * i),
      })),
  },
  {
    what: 'papers that fill the last term, of which none has ended',
    detail:
      'the filing dates look like dates of renewals, not of first filings: 98.3 % are of the last term, which none has outlived',
    ...{ code: 'current-licenses', severity: 'stop', found: 393, below: 392 },
    rows: (count) =>
      rowsWith((i) => {
        const day = addDays('2026-11-18', -DAYS_BETWEEN * i);
        return { 'Permit Date': day, 'Expiration Date': addDays(day, i < count ? 1_300 : 600) };
      }),
  },
  {
    what: 'licenses of one term',
    detail:
      'the filing dates look like dates of renewals, not of first filings: 80.3 % expire within one term of the filing',
    ...{ code: 'current-licenses', severity: 'stop', found: 321, below: 320 },
    rows: (count) =>
      rowsWith((i) => {
        const day = addDays('2026-11-18', -DAYS_BETWEEN * i);
        return { 'Expiration Date': addDays(day, i < count ? 364 : 2_000) };
      }),
  },
  {
    what: 'a filing date that is an expiry',
    detail: 'the filing date is read from "EXPIRES", which is not a first filing',
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
    detail: 'no day in "DAY" is above 12, so day and month cannot be told apart',
    ...{ code: 'ambiguous-dates', severity: 'stop', found: 400, below: 399 },
    rows: (count) =>
      rowsWith((i) => ({ DAY: `${1 + (i % 12)}/${i < count ? 1 + (i % 9) : 25}/${2015 + (i % 10)}` })),
    edits: [["parseDay(row.DAY, 'YYYY-MM-DD')", "parseDay(row.DAY, 'M/D/YYYY')"]],
  },
  {
    what: 'nothing that is open',
    detail: 'none of the 400 openings is open',
    ...{ code: 'one-status', severity: 'stop', found: 400, below: 399 },
    rows: (count) => rowsWith(firstRows(count, { KIND: 'Shut' })),
    edits: [["status: 'open'", "status: row.KIND === 'Shut' ? 'closed' : 'open'"]],
  },
  {
    what: 'all open, although a column says otherwise',
    detail: 'all openings are open, although 21 openings (5.3 %) are closed according to "License Status"',
    fix: /^look at "License Status":/,
    ...{ code: 'one-status', severity: 'stop', found: 21, below: 20 },
    rows: (count) =>
      rowsWith((i) => ({ 'License Status': i < count ? ['Closed', 'Abandoned'][i % 2]! : 'Active' })),
  },
  {
    what: 'companies that are left out as people',
    detail: '9 rows with the name of a company or a trade are skipped as personal names',
    fix: /What leaves them out: the verdict$/,
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
    edits: SKIPS_PEOPLE,
  },
  {
    what: 'few openings beside the rows of people',
    detail:
      '321 rows are skipped as personal names: this seems to be a register of people, so 79 openings (100 %) are probably people, too',
    ...{ code: 'personal-names', severity: 'stop', found: 321, below: 320, count: 79 },
    rows: (count) => rowsWith(firstRows(count, { ...PERSON, KIND: 'Person' })),
    edits: SKIPS_PEOPLE,
  },
  {
    what: 'numbers that a workbook counts from two years',
    detail: 'the days in "DAY" are numbers, which a workbook counts from 1900 or from 1904, four years apart',
    ...{ code: 'ambiguous-dates', severity: 'stop', found: 400, below: 0 },
    rows: (count) => rowsWith((i) => ({ DAY: `${(i < count ? 44_500 : 46_000) - DAYS_BETWEEN * i}` })),
    edits: [["parseDay(row.DAY, 'YYYY-MM-DD')", "parseDay(row.DAY, 'excel')"]],
  },
  {
    what: 'names with lost characters',
    detail: '3 openings (0.8 %) have a name with lost characters',
    ...{ code: 'damaged-names', severity: 'warn', found: 3, below: 0 },
    rows: (count) => rowsWith(firstRows(count, (i) => ({ NAME: `Caf\ufffd Heron ${i}` }))),
  },
  {
    what: 'numbers as names',
    detail:
      '5 openings (1.3 %) have a number as their name: some rows seem to have their cells in other columns',
    ...{ code: 'damaged-names', severity: 'stop', found: 5, below: 4 },
    rows: (count) => rowsWith(firstRows(count, (i) => ({ NAME: `BL-2019-00${100 + i}` }))),
  },
  {
    what: 'two names that are frequent',
    detail:
      '45 openings (11.3 %) have 2 names that occur 20 times or more: machines, rooms or permits rather than businesses',
    ...{ code: 'not-storefronts', severity: 'stop', found: 45, below: 19 },
    rows: (count) => rowsWith(firstRows(count, (i) => ({ NAME: i < 20 ? 'Heron Machine' : 'Tern Machine' }))),
  },
  {
    what: 'permits that are no new business',
    detail:
      '5 openings (1.3 %) have a type in "KIND" that is not a new business (events, rentals, machines, vehicles, people at work or at home)',
    fix: /which of these types of "KIND" are/,
    ...{ code: 'not-storefronts', severity: 'warn', found: 5, below: 4, examples: /Special Event Permit: 5/ },
    rows: (count) => rowsWith(firstRows(count, { KIND: 'Special Event Permit' })),
  },
  {
    what: 'many rows at one address on one day',
    detail:
      '20 openings (5 %) are at one address ("Street Address") with 20 or more on the same day: probably the rooms of a hotel, the carts of one owner or the like, not separate new businesses',
    ...{ code: 'not-storefronts', severity: 'warn', found: 20, below: 19 },
    examples: /^1 quay st, 2025-03-01: 20 openings$/,
    rows: (count) =>
      changeRows((i) => ({ 'Street Address': `${i + 2} Quay St` }), count, {
        ...{ 'Street Address': '1 Quay St', DAY: '2025-03-01' },
      }),
  },
  {
    what: 'companies at the addresses of two agents',
    detail:
      '55 openings (13.8 %) are companies at 2 addresses ("Street Address"), up to 30 at one: offices of their accountants or agents, not places of business',
    ...{ code: 'registered-offices', severity: 'warn', found: 55, below: 48 },
    examples: /^1 quay st ste 300: 30 companies\n1 quay st ste 200: 25 companies$/,
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
    detail:
      'name, operator.name, region, sources[0].publisher, sources[0].homepage, sources[0].license, sources[0].notice, timeZone are still as drafted',
    fix: /^fill in name, operator.name, region, .* timeZone in the profile \(or set OPERATOR_NAME/,
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
    detail: 'the newest filing is 46 days old (2026-10-05), more than 45',
    ...{ code: 'stale', severity: 'warn', found: 46, below: 45, count: 1 },
    rows: (days) => rowsWith((i) => ({ DAY: addDays('2026-11-20', -days - DAYS_BETWEEN * i) })),
  },
];

/** Registers in each of which one thing is wrong, and what the finding says of it. */

import { addDays } from '../../../src/shared/day.ts';
import type { FindingCode } from '../../../src/shared/report.ts';
import { type Cells, DAYS_BETWEEN, firstRows, ROWS, rowsWith } from './a-register.ts';

type Sign = {
  code: FindingCode;
  severity: 'stop' | 'warn';
  /** So many rows are found... */
  found: number;
  /** ...and so many are not, or only as a `warn`. */
  below: number;
  /** How much of it is counted, where it is not so many rows. */
  count: number;
};

type Case = Sign & {
  /** What it says, in full. */
  detail: string;
  fix?: RegExp;
  examples?: RegExp;
  share?: number;
  /** Cells of every row, if so many are wrong. */
  all?: (i: number, count: number) => Cells;
  /** Cells of the wrong ones, which come first. */
  first?: Cells | ((i: number, count: number) => Cells);
  edits?: readonly (readonly [string, string])[];
};

const stop = (code: FindingCode, found: number, below: number, count = found): Sign => {
  return { code, severity: 'stop', found, below, count };
};
const warn = (code: FindingCode, found: number, below: number, count = found): Sign => {
  return { ...stop(code, found, below, count), severity: 'warn' };
};

export const PERSON = { NAME: 'Odile Fenwright' };
export const TOWN = { TOWN: 'RIVERMOUTH', STATE: 'OR' };
export const changeRows = (
  base: (i: number) => Cells,
  count: number,
  changed: Cells | ((i: number) => Cells),
) => rowsWith((i) => ({ ...base(i), ...firstRows(count, changed)(i) }));

/** The rows of a case of which so many are wrong. */
export const rowsOf = ({ all, first }: Case, count: number) =>
  rowsWith((i) => {
    const wrong = typeof first === 'function' ? first(i, count) : first;
    return { ...all?.(i, count), ...(i < count && wrong) };
  });

/** The usual filing date of a row. */
const dayOf = (i: number) => addDays('2026-11-18', -DAYS_BETWEEN * i);

const BY_OWNER = `5 openings (1.3 %) have a person's name, according to the owner's name in "OWNER"`;
const RENEWED = 'the filing dates look like dates of renewals, not of first filings';
const SEVERAL = 'the register seems to cover several towns';
const ON_A_DAY = '81 openings (20.3 %) share the filing date 2024-01-01';
const ON_NEW_YEAR = (i: number, count: number): Cells => (i < ROWS - count ? {} : { DAY: '2024-01-01' });
const SKIPS_PEOPLE = [
  ['reject, source }', 'reject, PERSONAL_NAME, skip, source }'],
  ['const filedOn', "if (row.KIND === 'Person') return skip(PERSONAL_NAME);\n      const filedOn"],
] as const;
const SKIPS_PENDING = [
  ['reject, source }', 'reject, skip, source }'],
  ['if (filedOn', "if (row.KIND !== 'Alpha') return skip('never opened: ' + row.KIND, filedOn); if (filedOn"],
] as const;

export const CASES: Record<string, Case> = {
  "names that are the owner's, in another order": {
    ...stop('personal-names', 5, 4),
    detail: BY_OWNER,
    examples: /Odile Fenwright/,
    all: (i) => ({ OWNER: `Quill ${i}x Ltd` }),
    first: { ...PERSON, OWNER: 'FENWRIGHT, ODILE F' },
  },
  "names that are the owner's, in a script without word lists": {
    ...stop('personal-names', 5, 4),
    detail: BY_OWNER,
    examples: /Ольга Тернова/,
    all: (i) => ({ NAME: `Пекарня Солнце ${i}`, OWNER: `Тернов ${i}x` }),
    first: { NAME: 'Ольга Тернова', OWNER: 'Тернова, Ольга Петровна' },
  },
  'names like people’s among those that a column calls individuals': {
    ...stop('personal-names', 13, 12, 5),
    detail: "5 openings (1.3 %) have a person's name, according to the legal form in Entity Type",
    all: (i) => ({ 'Entity Type': i < 200 ? 'Individual' : 'Corporation' }),
    first: PERSON,
  },
  'names that have the shape of people’s': {
    ...stop('personal-names', 61, 60),
    detail: "the names of 61 openings (15.3 %) look like people's names, 61 of them clearly",
    first: PERSON,
  },
  'fewer names that have the shape of people’s': {
    ...warn('personal-names', 21, 20),
    detail: "the names of 21 openings (5.3 %) look like people's names, 8 of them clearly",
    first: (i) => (i < 8 ? PERSON : { NAME: 'Brisco Fenwright' }),
  },
  'renewals under other keys': {
    ...stop('repeated-businesses', 9, 8),
    detail:
      '9 openings (2.3 %) repeat the name and place ("Business Address") of another under a different key and on another day: renewals seem to be read as openings',
    examples: /^Heron Bakery 20: 2026-11-18, 2026-09-19\n/,
    all: (i) => ({ 'Business Address': `${i} Quay St` }),
    first: (i) => ({ NAME: `Heron Bakery ${i + 20}`, 'Business Address': `${i + 20} QUAY ST.` }),
  },
  'other towns': {
    ...stop('outside-city', 9, 8),
    detail: '9 openings (2.3 %) lie outside the city ("TOWN": 9)',
    examples: /\(Farfield\)/,
    all: () => TOWN,
    first: { TOWN: 'Farfield' },
  },
  'many towns, none of which is the city': {
    ...stop('outside-city', 9, 4, ROWS),
    detail: `${SEVERAL}, not one city: "TOWN" has 3 towns, the largest with 180, 132, 88 rows`,
    examples: /^farfield/,
    all: (i, count) => ({ TOWN: `Farfield ${'AAAABBBCC'[i % count]}` }),
  },
  'many towns, of which the city has less than half of the rows': {
    ...stop('outside-city', 7, 3, 228),
    detail: `228 openings (57 %) lie outside the city ("TOWN": 228); ${SEVERAL}: 5 towns, the largest with 172, 57, 57, 57, 57 rows`,
    all: (i, count) => ({ TOWN: i % 7 < 10 - count ? 'Rivermouth' : `Farfield ${'ABCDEFG'[i % 7]}` }),
  },
  'many counties, and no town': {
    ...stop('outside-city', 5, 4, ROWS),
    detail: `${SEVERAL}, not one city: "Premise County" has 5 towns, the largest with 80, 80, 80, 80, 80 rows`,
    examples: /^farfield/,
    all: (i, count) => ({ 'Premise County': `Farfield ${'ABCDEFGH'[i % count]}` }),
  },
  'other states, and other towns': {
    ...stop('outside-city', 9, 8),
    detail: '9 openings (2.3 %) lie outside the city ("TOWN": 4, "STATE": 6)',
    fix: /If not, "TOWN", "STATE" can tell its own rows/,
    all: () => TOWN,
    first: (i) => (i < 3 ? { TOWN: 'Farfield' } : { STATE: 'WA', ...(i === 3 && { TOWN: 'Hartwick' }) }),
  },
  'points far away': {
    ...stop('outside-city', 9, 8),
    detail: '9 openings (2.3 %) lie outside the city ("Latitude", "Longitude": 9)',
    examples: /^Heron Bakery 0 \(at 47\.50, -123\.50\)\n/,
    all: (i) => ({ Latitude: `45.${100 + i}`, Longitude: '-123.5' }),
    first: { Latitude: '47.5' },
  },
  'a flag that says outside': {
    ...stop('outside-city', 9, 8),
    detail: '9 openings (2.3 %) lie outside the city ("OUTSIDECITY": 9)',
    examples: /^Heron Bakery 0 \(OUTSIDECITY says so\)\n/,
    all: () => ({ OUTSIDECITY: 'No' }),
    first: { OUTSIDECITY: 'Yes' },
  },
  'neighborhoods with the name of the city': {
    ...stop('coarse-neighborhoods', 241, 240),
    detail: 'the neighborhood of 241 openings (60.3 %) is the name of the city',
    all: () => TOWN,
    first: { AREA: 'CITY OF RIVERMOUTH' },
  },
  'neighborhoods that are numbers of districts': {
    ...stop('coarse-neighborhoods', 241, 240),
    detail: 'the neighborhood of 241 openings (60.3 %) is the number of a district',
    first: (i) => ({ AREA: `District ${i % 9}` }),
  },
  'one neighborhood for most': {
    ...stop('coarse-neighborhoods', 241, 240),
    detail: 'the neighborhood of 241 openings (60.3 %) is always the same',
    all: (i) => ({ AREA: `Quarter of ${i % 50} oaks` }),
    first: { AREA: 'Old Town' },
  },
  'no neighborhood in spite of addresses': {
    ...warn('unplaced', 41, 40),
    detail: '41 openings (10.3 %) have no neighborhood, although the file has "Site Address"',
    all: (i) => ({ 'Site Address': `${i} Quay St` }),
    first: { AREA: '' },
  },
  'a first filing in another column, before renewals': {
    ...stop('date-choice', 21, 20),
    detail:
      '"CREATED" is earlier than the filing date on 5 % of the rows, by 25.7 years in the middle, the same on 95 % and never later: it seems to be the first filing, and the filing date a renewal',
    fix: /^compare "CREATED" and the filing date/,
    examples: /CREATED 2001-02-03/,
    all: (i) => ({ CREATED: dayOf(i) }),
    first: { CREATED: '2001-02-03' },
  },
  'an earlier day in another column, which may be the first filing': {
    ...stop('date-choice', 201, 200),
    detail:
      '"CREATED" is earlier than the filing date on 100 % of the rows, by 25.0 years in the middle: it may be the first filing or the application',
    fix: /^compare "CREATED" and the filing date/,
    examples: /CREATED 2001-02-03/,
    all: () => ({ CREATED: '' }),
    first: { CREATED: '2001-02-03' },
  },
  'an application a month before the license': {
    ...warn('date-choice', 201, 200),
    detail:
      '"CREATED" is earlier than the filing date on 100 % of the rows, by 30 days in the middle: it seems to be the application, and the filing date the license',
    examples: /^Heron Bakery 0: filed 2026-11-18, CREATED 2026-10-19\n/,
    all: () => ({ CREATED: '' }),
    first: (i) => ({ CREATED: addDays(dayOf(i), -30) }),
  },
  'pending rows that are mostly of the newest year': {
    ...warn('recent-skips', 20, 19),
    detail:
      '20 of 2026 are left out by their status, most of them in the newest year. So comparisons with the year before are too low, and pages say so',
    examples: /^Pending: 18 rows in all years\nDenied: 2 /,
    share: 0.1852, // of 108 in the newest year
    first: (i) => ({ KIND: i < 2 ? 'Denied' : 'Pending' }),
    edits: SKIPS_PENDING,
  },
  'one day for many': {
    ...stop('date-choice', 81, 80),
    detail: ON_A_DAY,
    examples: /^2024-01-01: 81 openings$/,
    all: ON_NEW_YEAR,
  },
  'one day for many, in a feed of changes': {
    ...stop('date-choice', 81, 80),
    detail: ON_A_DAY,
    all: ON_NEW_YEAR,
    edits: [["delivers: 'snapshot'", "delivers: 'changes'"]],
  },
  'licenses that all expire on the same few days': {
    ...stop('current-licenses', 359, 358, 361),
    detail: `${RENEWED}: 90.3 % expire on the same few days`,
    all: (i) => ({ 'Expiration Date': addDays('2030-01-01', i) }),
    first: { 'Expiration Date': '2026-12-31' },
  },
  'filings of one year alone, beside an expiry': {
    ...stop('current-licenses', 361, 360),
    detail: `${RENEWED}: 90.3 % were filed within 400 days of the newest`,
    all: (i) => ({ DAY: addDays('2026-11-18', -500 - i), 'Expiration Date': addDays('2030-01-01', 3 * i) }),
    first: (i) => ({ DAY: addDays('2026-11-18', -(i % 390)) }),
  },
  'papers that fill the last term, of which none has ended': {
    ...stop('current-licenses', 393, 392),
    detail: `${RENEWED}: 98.3 % are of the last term, which none has outlived`,
    all: (i) => ({ 'Permit Date': dayOf(i), 'Expiration Date': addDays(dayOf(i), 600) }),
    first: (i) => ({ 'Expiration Date': addDays(dayOf(i), 1_300) }),
  },
  'licenses of one term': {
    ...stop('current-licenses', 321, 320),
    detail: `${RENEWED}: 80.3 % expire within one term of the filing`,
    all: (i) => ({ 'Expiration Date': addDays(dayOf(i), 2_000) }),
    first: (i) => ({ 'Expiration Date': addDays(dayOf(i), 364) }),
  },
  'a filing date that is an expiry': {
    ...stop('no-first-date', 400, 0),
    detail: 'the filing date is read from "EXPIRES", which is not a first filing',
    all: () => ({ DAY: '', EXPIRES: '' }),
    first: (i) => ({ EXPIRES: dayOf(i) }),
    edits: [
      ["'AREA', 'DAY']", "'AREA', 'EXPIRES']"],
      ['row.DAY', 'row.EXPIRES'],
    ],
  },
  'days and months that cannot be told apart': {
    ...stop('ambiguous-dates', 400, 399),
    detail: 'no day in "DAY" is above 12, so day and month cannot be told apart',
    all: (i) => ({ DAY: `${1 + (i % 12)}/25/${2015 + (i % 10)}` }),
    first: (i) => ({ DAY: `${1 + (i % 12)}/${1 + (i % 9)}/${2015 + (i % 10)}` }),
    edits: [["parseDay(row.DAY, 'YYYY-MM-DD')", "parseDay(row.DAY, 'M/D/YYYY')"]],
  },
  'nothing that is open': {
    ...stop('one-status', 400, 399),
    detail: 'none of the 400 openings is open',
    first: { KIND: 'Shut' },
    edits: [["status: 'open'", "status: row.KIND === 'Shut' ? 'closed' : 'open'"]],
  },
  'all open, although a column says otherwise': {
    ...stop('one-status', 21, 20),
    detail: 'all openings are open, although 21 openings (5.3 %) are closed according to "License Status"',
    fix: /^look at "License Status":/,
    all: () => ({ 'License Status': 'Active' }),
    first: (i) => ({ 'License Status': ['Closed', 'Abandoned'][i % 2]! }),
  },
  'companies that are left out as people': {
    ...stop('dropped-businesses', 9, 7),
    detail: '9 rows with the name of a company or a trade are skipped as personal names',
    fix: /What leaves them out: the verdict$/,
    examples: /Fenwright Holdings LLC/,
    all: (i, count) => ({
      ...(i < count + 10 && { KIND: 'Person' }),
      NAME: i < count + 10 ? 'Odile Fenwright ME' : `Tern ${i}`,
    }),
    first: { NAME: 'Fenwright Holdings LLC' },
    edits: SKIPS_PEOPLE,
  },
  'few openings beside the rows of people': {
    ...stop('personal-names', 321, 320, 79),
    detail:
      '321 rows are skipped as personal names: this seems to be a register of people, so 79 openings (100 %) are probably people, too',
    first: { ...PERSON, KIND: 'Person' },
    edits: SKIPS_PEOPLE,
  },
  'numbers that a workbook counts from two years': {
    ...stop('ambiguous-dates', 400, 0),
    detail: 'the days in "DAY" are numbers, which a workbook counts from 1900 or from 1904, four years apart',
    all: (i) => ({ DAY: `${46_000 - DAYS_BETWEEN * i}` }),
    first: (i) => ({ DAY: `${44_500 - DAYS_BETWEEN * i}` }),
    edits: [["parseDay(row.DAY, 'YYYY-MM-DD')", "parseDay(row.DAY, 'excel')"]],
  },
  'names with lost characters': {
    ...warn('damaged-names', 3, 0),
    detail: '3 openings (0.8 %) have a name with lost characters',
    first: (i) => ({ NAME: `Caf\ufffd Heron ${i}` }),
  },
  'numbers as names': {
    ...stop('damaged-names', 5, 4),
    detail:
      '5 openings (1.3 %) have a number as their name: some rows seem to have their cells in other columns',
    first: (i) => ({ NAME: `BL-2019-00${100 + i}` }),
  },
  'two names that are frequent': {
    ...stop('not-storefronts', 45, 19),
    detail:
      '45 openings (11.3 %) have 2 names that occur 20 times or more: machines, rooms or permits rather than businesses',
    first: (i) => ({ NAME: i < 20 ? 'Heron Machine' : 'Tern Machine' }),
  },
  'permits that are no new business': {
    ...warn('not-storefronts', 5, 4),
    detail:
      '5 openings (1.3 %) have a type in "KIND" that is not a new business (events, rentals, machines, vehicles, people at work or at home)',
    fix: /which of these types of "KIND" are/,
    examples: /Special Event Permit: 5/,
    first: { KIND: 'Special Event Permit' },
  },
  'many rows at one address on one day': {
    ...warn('not-storefronts', 20, 19),
    detail:
      '20 openings (5 %) are at one address ("Street Address") with 20 or more on the same day: probably the rooms of a hotel, the carts of one owner or the like, not separate new businesses',
    examples: /^1 quay st, 2025-03-01: 20 openings$/,
    all: (i) => ({ 'Street Address': `${i + 2} Quay St` }),
    first: { 'Street Address': '1 Quay St', DAY: '2025-03-01' },
  },
  'companies at the addresses of two agents': {
    ...warn('registered-offices', 55, 48),
    detail:
      '55 openings (13.8 %) are companies at 2 addresses ("Street Address"), up to 30 at one: offices of their accountants or agents, not places of business',
    examples: /^1 quay st ste 300: 30 companies\n1 quay st ste 200: 25 companies$/,
    all: (i) => ({ 'Street Address': `${i + 2} Quay St` }),
    first: (i, count) => {
      const suite = i < Math.min(count - 24, 30) ? 300 : 200;
      return { NAME: `Quill ${i} LLC`, 'Street Address': `1 Quay St Ste ${suite}` };
    },
  },
  'a profile as drafted': {
    ...warn('placeholders', 8, 0),
    detail:
      'name, operator.name, region, sources[0].publisher, sources[0].homepage, sources[0].license, sources[0].notice, timeZone are still as drafted',
    fix: /^fill in name, operator.name, region, .* timeZone in the profile \(or set OPERATOR_NAME/,
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
  'a register that nobody keeps up': {
    ...warn('stale', 46, 45, 1),
    detail: 'the newest filing is 46 days old (2026-10-05), more than 45',
    all: (i, days) => ({ DAY: addDays('2026-11-20', -days - DAYS_BETWEEN * i) }),
  },
};

/** Registers that no mapping can save hold their first run: by what the file shows, not by what the mapping says. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { addDays } from '../../../src/shared/day.ts';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import {
  env,
  familyOf,
  folder,
  givenOf,
  isoOf,
  makeRecords,
  nameOf,
  type Records,
  tradeOf,
  two,
  writeCsv,
} from './a-register.ts';

const NOW = '2026-11-21T03:00:00Z';
const ROWS = 240;

type Case = { code: string; records: Records; use?: readonly string[] };

const common = (i: number) => ({
  'License No': `L${1000 + i}`,
  'Trade Name': nameOf(i),
  Type: tradeOf(i),
});

const CASES: Record<string, Case> = {
  'licenses of today, which all expire on one day': {
    code: 'current-licenses',
    records: makeRecords(ROWS, (i) => ({
      ...common(i),
      'Issue Date': addDays('2026-01-05', i),
      'Expiration Date': '2026-12-31',
    })),
  },
  'numbers in place of some names': {
    code: 'damaged-names',
    records: makeRecords(ROWS, (i) => ({
      ...common(i),
      ...(i % 8 === 0 && { 'License No': nameOf(i), 'Trade Name': `L${1000 + i}` }),
      'Issue Date': isoOf(i),
    })),
  },
  'one day on all rows': {
    code: 'date-choice',
    records: makeRecords(30, (i) => ({ ...common(i), Moment: '2024-03-04' })),
  },
  'days and months that cannot be told apart, in any format': {
    code: 'ambiguous-dates',
    records: makeRecords(ROWS, (i) => ({
      ...common(i),
      'Issue Date': `${1 + (i % 12)}/${1 + ((i * 5) % 12)}/${10 + (i % 14)}`,
    })),
  },
  'digits alone that are days in two orders': {
    code: 'ambiguous-dates',
    records: makeRecords(ROWS, (i) => ({
      ...common(i),
      'Issue Date': `${two(1 + (i % 12))}${two(1 + ((i * 5) % 12))}${2010 + (i % 14)}`,
    })),
  },
  'numbers of days since 1900 or 1904': {
    code: 'ambiguous-dates',
    records: makeRecords(ROWS, (i) => ({ ...common(i), 'Issue Date': `${40_000 + 8 * i}` })),
  },
  'parts of the city that the register names as towns': {
    code: 'outside-city',
    records: makeRecords(ROWS, (i) => ({
      ...common(i),
      'Issue Date': isoOf(i),
      City: ['Otterfall', 'Northbank', 'Ropewalk', 'Cooper Wharf', 'Southgate', 'Mill Hill'][i % 6]!,
    })),
  },
  'an expiry in place of a first filing': {
    code: 'no-first-date',
    records: makeRecords(ROWS, (i) => ({ ...common(i), 'Expiration Date': isoOf(i) })),
    use: ['filed=Expiration Date'],
  },
  'a few rows that are left of a register of people': {
    code: 'personal-names',
    records: makeRecords(ROWS, (i) => ({
      'License No': `L${1000 + i}`,
      'Applicant Name': i % 12 === 0 ? `${familyOf(i)} 2nd` : `${givenOf(i)} ${familyOf(i)}`,
      'License Date': isoOf(i),
    })),
  },
  'shops whose names look like people': {
    code: 'dropped-businesses',
    records: makeRecords(ROWS, (i) => ({
      ...common(i),
      ...(i % 5 === 0 && { 'Trade Name': `${givenOf(i / 5)} ${familyOf(i)} Law`, Type: 'Counsel' }),
      'Issue Date': isoOf(i),
    })),
  },
};

for (const [what, { code, records, use = [] }] of Object.entries(CASES))
  test(`${what} hold the first run until the operator has looked`, async () => {
    const out = join(folder, what.replace(/\W+/g, '-'));
    const options = ['--name', 'Otterfall', '--no-install', ...use.flatMap((one) => ['--use', one])];
    const made = await command(['init', writeCsv(records), '--out', out, ...options], env);
    assert.equal(made.code, 0, made.err);
    const data = { SHINGLE_DATA: join(out, 'data') };
    const held = await command(['ingest', '--json', '--now', NOW], data, { cwd: out });
    assert.equal(held.code, 3, held.out);
    const [run] = lastJson(held).runs as { run: number; findings: { code: string; severity: string }[] }[];
    const stops = run!.findings.filter(({ severity }) => severity === 'stop').map((one) => one.code);
    assert.ok(stops.includes(code), held.out);
    const accepted = await command(['ingest', '--accept', String(run!.run), '--now', NOW], data, {
      cwd: out,
    });
    assert.equal(accepted.code, 0, accepted.err);
  });

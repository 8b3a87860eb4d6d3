/** Registers that no mapping can save hold their first run: by what the file shows, not by what the mapping says. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { addDays } from '../../../src/shared/day.ts';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { familyOf, givenOf, init, isoOf, makeRecords, nameOf, personOf, tradeOf, two } from './a-register.ts';

const NOW = '2026-11-21T03:00:00Z';
const TOWNS = ['Otterfall', 'Northbank', 'Ropewalk', 'Cooper Wharf', 'Southgate', 'Mill Hill'];

const shopOf = (i: number) => ({
  'License No': `L${1000 + i}`,
  'Trade Name': nameOf(i),
  Type: tradeOf(i),
  'Issue Date': isoOf(i),
});

/** Registers, each with the finding that holds it. */
const CASES: Record<string, [code: string, record: (i: number) => Record<string, string>, use?: string]> = {
  'licenses of today, which all expire on one day': [
    'current-licenses',
    (i) => ({ ...shopOf(i), 'Issue Date': addDays('2026-01-05', i), 'Expiration Date': '2026-12-31' }),
  ],
  'numbers in place of some names': [
    'damaged-names',
    (i) => ({ ...shopOf(i), ...(i % 8 === 0 && { 'License No': nameOf(i), 'Trade Name': `L${1000 + i}` }) }),
  ],
  'one day on all rows': ['date-choice', (i) => ({ ...shopOf(i), 'Issue Date': '2024-03-04' })],
  'days and months that cannot be told apart, in any format': [
    'ambiguous-dates',
    (i) => ({ ...shopOf(i), 'Issue Date': `${1 + (i % 12)}/${1 + ((i * 5) % 12)}/${10 + (i % 14)}` }),
  ],
  'digits alone that are days in two orders': [
    'ambiguous-dates',
    (i) => ({
      ...shopOf(i),
      'Issue Date': `${two(1 + (i % 12))}${two(1 + ((i * 5) % 12))}${2010 + (i % 14)}`,
    }),
  ],
  'days of a workbook': ['ambiguous-dates', (i) => ({ ...shopOf(i), 'Issue Date': `${40_000 + 8 * i}` })],
  'parts of the city, named as towns': ['outside-city', (i) => ({ ...shopOf(i), City: TOWNS[i % 6]! })],
  'an expiry in place of a first filing': [
    'no-first-date',
    (i) => ({ 'License No': `L${1000 + i}`, 'Trade Name': nameOf(i), 'Expiration Date': isoOf(i) }),
    'filed=Expiration Date',
  ],
  'a few rows that are left of a register of people': [
    'personal-names',
    (i) => ({
      'License No': `L${1000 + i}`,
      'Applicant Name': i % 12 === 0 ? `${familyOf(i)} 2nd` : personOf(i),
      'License Date': isoOf(i),
    }),
  ],
  'shops whose names look like people': [
    'dropped-businesses',
    (i) => ({
      ...shopOf(i),
      ...(i % 5 === 0 && { 'Trade Name': `${givenOf(i / 5)} ${familyOf(i)} Law`, Type: 'Counsel' }),
    }),
  ],
};

for (const [what, [code, record, use]] of Object.entries(CASES))
  test(`${what} hold the first run until the operator has looked`, async () => {
    const made = await init(makeRecords(240, record), '--name', 'Otterfall', ...(use ? ['--use', use] : []));
    assert.equal(made.code, 0, made.err);
    const data = { SHINGLE_DATA: join(made.path, 'data') };
    const held = await command(['ingest', '--json', '--now', NOW], data, { cwd: made.path });
    assert.equal(held.code, 3, held.out);
    const [run] = lastJson(held).runs as { run: number; findings: { code: string; severity: string }[] }[];
    const stops = run!.findings.filter(({ severity }) => severity === 'stop').map((one) => one.code);
    assert.ok(stops.includes(code), held.out);
    const accept = ['ingest', '--accept', String(run!.run), '--now', NOW];
    const accepted = await command(accept, data, { cwd: made.path });
    assert.equal(accepted.code, 0, accepted.err);
  });

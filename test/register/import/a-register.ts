/** A made-up register in which nothing is wrong, for tests that make one thing wrong in it. */

import { dryRunCity } from '../../../src/app/operations/dry-run-city.ts';
import type { ShownFinding } from '../../../src/register/findings/finding.ts';
import { type Source, skip } from '../../../src/register/profile/define.ts';
import { csv } from '../../../src/register/profile/formats.ts';
import { addDays } from '../../../src/shared/day.ts';
import { aCity, NOW, type SmallCity } from '../../a-city.ts';

/** A source whose verdict nobody asks. */
export const SOURCE: Source = {
  ...{ id: 'licenses', publisher: 'City', homepage: 'https://data.rivermouth.example', license: 'CC0-1.0' },
  ...{ checked: 'documentation', from: csv(), delivers: 'snapshot', columns: ['NAME'], optional: ['DAY'] },
  verdict: () => skip('never asked'),
};

export const ROWS = 400;
/** So that the filings of one year are not most of them. */
export const DAYS_BETWEEN = 3;

/** Cells by their column. */
export type Cells = Record<string, string>;

const AREAS = ['Old Town', 'Ropewalk', 'Northbank', 'Millrace', 'Tannery Row'];

/** So many sound rows, the newest filed two days ago; `change` says what differs in the row of a number from 0. */
export function rowsWith(change: (i: number) => Cells = () => ({})): Cells[] {
  return Array.from({ length: ROWS }, (_, i) => ({
    ID: `L${i}`,
    NAME: `Heron Bakery ${i}`,
    KIND: 'Alpha',
    AREA: AREAS[i % AREAS.length]!,
    DAY: addDays('2026-11-18', -DAYS_BETWEEN * i),
    ...change(i),
  }));
}

/** Changes the first so many rows. */
export function firstRows(count: number, cells: Cells | ((i: number) => Cells)): (i: number) => Cells {
  return (i) => (i < count ? (typeof cells === 'function' ? cells(i) : cells) : {});
}

export function toCsv(rows: readonly Cells[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly string[]) => `${cells.map((cell) => `"${cell}"`).join(',')}\n`;
  return line(columns) + rows.map((row) => line(columns.map((column) => row[column] ?? ''))).join('');
}

const PROFILE = `
import { csv, defineCity, kindOf, opening, parseDay, reject, source } from 'shingle/city';
export default defineCity({ name: 'Rivermouth', region: 'Oregon', timeZone: 'America/Los_Angeles',
  operator: { name: 'The chamber', contact: 'listings@rivermouth.example' },
  sources: [source({ id: 'licences', publisher: 'City', homepage: 'https://data.rivermouth.example', license: 'CC0-1.0',
    checked: 'documentation', from: csv(), delivers: 'snapshot', rejectedShare: 1,
    columns: ['ID', 'NAME', 'KIND', 'AREA', 'DAY'],
    verdict(row) {
      const filedOn = parseDay(row.DAY, 'YYYY-MM-DD');
      if (filedOn === undefined) return reject('no filing date');
      return opening({ key: row.ID, name: row.NAME, category: 'Restaurants', neighborhood: row.AREA, status: 'open', filedOn });
    },
  })],
});`;

/** A city with that register; `edits` are texts of its profile and what replaces them. */
export function aRegister(...edits: readonly (readonly [string, string])[]): SmallCity {
  const city = aCity();
  let text = PROFILE;
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new Error(`the profile does not hold ${from}`);
    text = text.replace(from, () => to);
  }
  city.config.city = city.file('register.ts', text);
  return city;
}

/** What `check` finds in these rows. */
export async function findingsIn(city: SmallCity, rows: readonly Cells[]): Promise<ShownFinding[]> {
  const [report] = await dryRunCity(city.config, { from: city.file('a.csv', toCsv(rows)), now: () => NOW });
  return report!.findings;
}

/** Registers made up for tests: written as CSV, mapped by the program, and judged by the mapping as it stands. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCity } from '../../../src/register/profile/load.ts';
import { openBoundaries } from '../../../src/register/profile/places/boundaries.ts';
import { readShapes } from '../../../src/register/profile/places/boundary-shapes.ts';
import { openJudge } from '../../../src/register/rows/judge.ts';
import { openPlacer } from '../../../src/register/rows/placing.ts';
import type { Filing } from '../../../src/shared/filing.ts';
import type { Judgement } from '../../../src/shared/report.ts';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { lastJson } from '../../a-process.ts';

export const folder = aFolder();
export const env = { SHINGLE_DATA: join(folder, 'data') };

export type Records = readonly Readonly<Record<string, string>>[];
export type Opening = Extract<Filing, { kind: 'opening' }>;

export type Drafted = {
  /** The text of the profile. */
  text: string;
  state: string;
  /** Why the run would be held. */
  detail: string;
  /** What became of each record, in order. */
  judgements: readonly Judgement[];
  /** One for each key, at its earliest date. */
  listings: readonly Opening[];
};

let written = 0;

/** A CSV file whose header is the first record's keys. */
export function writeCsv(records: Records, delimiter = ','): string {
  const columns = Object.keys(records[0]!);
  const cell = (text: string) => (/[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [columns, ...records.map((record) => columns.map((column) => record[column]!))];
  const path = join(folder, `register-${written++}.csv`);
  writeFileSync(path, lines.map((cells) => cells.map(cell).join(delimiter)).join('\r\n'));
  return path;
}

/** Drafts a profile of these records without a terminal and judges them by it, unedited. */
export async function draftRegister(
  records: Records,
  { delimiter = ',', args = [] }: { delimiter?: string; args?: readonly string[] } = {},
): Promise<Drafted> {
  const out = join(folder, `city-${written++}`);
  const place = writeCsv(records, delimiter);
  const made = await command(['init', place, '--out', out, '--json', '--no-install', ...args], env);
  assert.equal(made.code, 0, made.err);
  const { state, detail } = lastJson(made).runs[0]!;
  return { state: String(state), detail: String(detail ?? ''), ...(await judgeBy(out, records)) };
}

/** Judges records by the profile in a folder. */
export async function judgeBy(out: string, records: Records): Promise<Omit<Drafted, 'state' | 'detail'>> {
  const { city } = await loadCity(out);
  const { boundaries } = city;
  const shapes =
    boundaries &&
    openBoundaries(readShapes(readFileSync(join(out, 'boundaries.geojson'), 'utf8'), boundaries.property));
  const place = openPlacer(city, { boundaries: shapes, addresses: undefined });
  const judge = openJudge(city.sources[0]!, { today: '2026-01-01' }, { place });
  const judgements = records.map((record, i) => judge(record, i + 2));
  const listings = new Map<string, Opening>();
  for (const judgement of judgements) {
    if (judgement.kind !== 'opening') continue;
    const before = listings.get(judgement.key);
    if (before === undefined || judgement.filedOn < before.filedOn) listings.set(judgement.key, judgement);
  }
  return { text: readFileSync(join(out, 'city.yaml'), 'utf8'), judgements, listings: [...listings.values()] };
}

/** How many records were skipped for this reason. */
export function countSkipped({ judgements }: Drafted, reason: string): number {
  return judgements.filter((one) => one.kind === 'skip' && one.reason === reason).length;
}

export const TRADES = [
  'Bakery',
  'Dental Office',
  'Auto Repair',
  'Nail Salon',
  'Coffee',
  'Plumbing',
  'Tavern',
  'Law Office',
];
const FIRST = [
  'Heron',
  'Tide',
  'Kestrel',
  'Millrace',
  'Otter',
  'Lantern',
  'Quarry',
  'Saffron',
  'Copper',
  'Thistle',
];

export const tradeOf = (i: number) => TRADES[i % 8]!;
/** A trade name, each another one. */
export const nameOf = (i: number) => `${FIRST[i % 10]} ${tradeOf(i)} ${Math.floor(i / 10)}`;
export const two = (n: number) => String(n).padStart(2, '0');
/** A day of the years 2019 to 2024. */
export const isoOf = (i: number) => `${2019 + (i % 6)}-${two(1 + (i % 12))}-${two(1 + (i % 28))}`;
export const usOf = (i: number) => `${1 + (i % 12)}/${1 + (i % 28)}/${2019 + (i % 6)}`;

const GIVEN = ['Odile', 'Bram', 'Ines', 'Osric', 'Tamsin', 'Evander', 'Maud', 'Corin', 'Petra', 'Lorcan'];
const FAMILY = [
  'Fenwright',
  'Castellane',
  'Wolverley',
  'Ternwood',
  'Ashgrove',
  'Pellham',
  'Dunmore',
  'Varley',
];

export const givenOf = (i: number) => GIVEN[i % 10]!;
export const familyOf = (i: number) => FAMILY[Math.floor(i / 10) % 8]!;

/** As many records as asked for. */
export function makeRecords(count: number, record: (i: number) => Record<string, string>): Records {
  return Array.from({ length: count }, (_, i) => record(i));
}

/** Drafts a profile of so many records. */
export const draftRows = (count: number, record: (i: number) => Record<string, string>): Promise<Drafted> =>
  draftRegister(makeRecords(count, record));

/** Registers made up for tests: written as CSV, mapped by the program, and judged by the mapping as it stands. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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

/** Where the files of the tests are. */
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

/** What `init` says of a register in a file, or of these records, and the folder of the city that it writes. */
export async function init(register: string | Records, ...args: string[]) {
  const path = join(folder, `city-${written++}`);
  const place = typeof register === 'string' ? register : writeCsv(register);
  return { path, ...(await command(['init', place, '--out', path, '--no-install', ...args], env)) };
}

/** Drafts a profile of these records without a terminal and judges them by it, unedited. */
async function draftRegister(records: Records, { delimiter, args = [] }: Draft): Promise<Drafted> {
  const made = await init(writeCsv(records, delimiter), '--json', ...args);
  assert.equal(made.code, 0, made.err);
  const { state, detail } = lastJson(made).runs[0]!;
  return { state: String(state), detail: String(detail ?? ''), ...(await judgeBy(made.path, records)) };
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

const TRADE_NAMES = 'Bakery|Dental Office|Auto Repair|Nail Salon|Coffee|Plumbing|Tavern|Law Office';
export const TRADES = TRADE_NAMES.split('|');
const FIRST = 'Heron Tide Kestrel Millrace Otter Lantern Quarry Saffron Copper Thistle'.split(' ');

export const tradeOf = (i: number) => TRADES[i % 8]!;
/** A trade name, each another one. */
export const nameOf = (i: number) => `${FIRST[i % 10]} ${tradeOf(i)} ${Math.floor(i / 10)}`;
export const two = (n: number) => String(n).padStart(2, '0');
/** A day of the years 2019 to 2024. */
export const isoOf = (i: number) => `${2019 + (i % 6)}-${two(1 + (i % 12))}-${two(1 + (i % 28))}`;
export const usOf = (i: number) => `${1 + (i % 12)}/${1 + (i % 28)}/${2019 + (i % 6)}`;

const GIVEN = ['Odile', 'Bram', 'Ines', 'Osric', 'Tamsin', 'Evander', 'Maud', 'Corin', 'Petra', 'Lorcan'];
const FAMILY = 'Fenwright Castellane Wolverley Ternwood Ashgrove Pellham Dunmore Varley'.split(' ');

export const givenOf = (i: number) => GIVEN[i % 10]!;
export const familyOf = (i: number) => FAMILY[Math.floor(i / 10) % 8]!;

export const personOf = (i: number) => `${givenOf(i)} ${familyOf(i)}`;

/** As many records as asked for. */
export function makeRecords(count: number, record: (i: number) => Record<string, string>): Records {
  return Array.from({ length: count }, (_, i) => record(i));
}

export const COUNT = 400;

/** A register, and what a draft makes of it. */
export type Draft = {
  /** The cells of each record, or those that it has beside the cells of a shop. */
  cells?: (i: number) => Record<string, string>;
  shop?: (i: number) => Record<string, string>;
  /** The first filing of a shop. */
  dayOf?: (i: number) => string;
  count?: number;
  delimiter?: string;
  args?: readonly string[];
  /** Lines of the mapping, or their beginnings before `...`. */
  lines?: readonly string[];
  /** Words that the mapping does not have. */
  lacks?: readonly string[];
  /** How many rows are left out, by reason; no other row is. */
  leftOut?: Record<string, number>;
  updates?: number;
  /** How many listings there are, if it is not one for each other row. */
  listings?: number;
  /** What no listing is called. */
  hides?: RegExp;
  neighborhoods?: readonly (string | null)[];
  statuses?: readonly string[];
  check?: (listings: readonly Opening[]) => void;
  /** Why the first run is held, or that it is kept. */
  held?: RegExp | false;
};

/** Drafts a profile of a register, and asserts what it says and does. */
export async function checkDraft(draft: Draft): Promise<Drafted> {
  const { shop = () => ({}), dayOf = isoOf, count = COUNT, leftOut = {}, updates = 0 } = draft;
  const shopOf = (i: number) => {
    const [number, name] = [`${10_000 + i}`, nameOf(i)];
    return { 'License ID': number, 'Business Name': name, ...shop(i), 'Date Opened': dayOf(i) };
  };
  const drafted = await draftRegister(makeRecords(count, draft.cells ?? shopOf), draft);
  const { text, judgements, listings } = drafted;
  const lines = text.split('\n').map((line) => line.trim());
  const isOf = (wanted: string) => {
    const [beginning = '', ...end] = wanted.split('...');
    return (line: string) => (end.length === 0 ? line === wanted : line.startsWith(beginning));
  };
  for (const wanted of draft.lines ?? []) assert.ok(lines.some(isOf(wanted)), `${wanted}\n${text}`);
  for (const word of draft.lacks ?? []) assert.ok(!lines.some(isOf(`${word}:...`)), `${word}\n${text}`);

  const reasons = judgements.flatMap((one) => ('reason' in one ? [one.reason] : []));
  const counts = [...Map.groupBy(reasons, (one) => one)].map(([reason, { length }]) => [reason, length]);
  assert.deepEqual(Object.fromEntries(counts), leftOut, text);
  assert.equal(judgements.filter(({ kind }) => kind === 'update').length, updates, text);
  assert.equal(listings.length, draft.listings ?? count - reasons.length, text);
  for (const { name } of listings) assert.doesNotMatch(name, draft.hides ?? /^$/);
  for (const [fact, wanted] of [
    ['neighborhood', draft.neighborhoods],
    ['status', draft.statuses],
  ] as const)
    if (wanted !== undefined)
      assert.deepEqual([...new Set(listings.map((one) => one[fact]))].sort(), wanted, text);
  draft.check?.(listings);
  if (draft.held !== undefined) {
    assert.equal(drafted.state, draft.held ? 'held' : 'kept', drafted.detail);
    assert.match(drafted.detail, draft.held || /^$/);
  }
  return drafted;
}

export function testDrafts(drafts: Record<string, Draft>): void {
  for (const [what, draft] of Object.entries(drafts)) test(what, async () => void (await checkDraft(draft)));
}

/**
 * Makes the sample city's export, boundaries and addresses, byte for byte the same every time: `node cities/sample/generate.ts`
 * writes them, `--check` only says whether what is there is what it would write. Everything in them is made up.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { boundaries, OUT_OF_TOWN, pointIn } from './ground.ts';
import { random, weighted } from './random.ts';
import {
  ADJECTIVES,
  ANIMALS,
  DIRECTIONS,
  FAMILIES,
  FIRSTS,
  JUNK_KINDS,
  KINDS,
  PLACES,
  SPANISH,
  STREETS,
  WORDS,
} from './words.ts';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const HEADER =
  'FILE_NO,INSTRUMENT,BUSINESS_NAME,KIND_CODE,FILED_DATE,EXPIRES_DATE,LONGITUDE,LATITUDE,PREMISES,REGISTRANT';
const SEED = 20_261_010;
const BUSINESSES = 4_330;
const NEWS = 26;
const FIRST_DAY = Date.UTC(2021, 0, 4);
const LAST_DAY = Date.UTC(2026, 9, 2); // the Friday before the later week
const WEEK = { first: Date.UTC(2026, 9, 5), last: Date.UTC(2026, 9, 9) };
const DAY_MS = 86_400_000;
const WEIGHTS = KINDS.map(({ weight }) => weight);

type Business = {
  name: string;
  kind: string;
  filed: number;
  point: [string, string];
  premises: string;
  registrant: string;
};
type Row = { at: number; cells: string[] };

/** The files by their path below this folder. */
export function generated(): Record<string, string> {
  const next = random(SEED);
  const known = Array.from({ length: BUSINESSES }, () =>
    business(next, dayBetween(next, FIRST_DAY, LAST_DAY)),
  );
  const later = Array.from({ length: NEWS }, () => business(next, dayBetween(next, WEEK.first, WEEK.last)));
  const points = listAddressPoints([...known, ...later]);
  removePoints([...known, ...later], points);
  const numbers = { last: 100_000 };
  const history = [...known.flatMap((one) => instruments(next, one)), ...odd(next)];
  const news = [
    ...later.map((one) => row(one, 'ORIGINAL', one.filed)),
    ...latecomers(next),
    ...closing(next, known),
  ];
  return {
    'addresses.csv': writeAddresses(points),
    'boundaries.geojson': `{ "type": "FeatureCollection", "features": [\n${boundaries()
      .map((one) => JSON.stringify(one))
      .join(',\n')}\n] }\n`,
    'export/2026-10-02-register.csv': csv(
      history.filter(({ at }) => at <= LAST_DAY),
      numbers,
    ),
    'news/2026-10-09-week.csv': csv(news, numbers),
  };
}

type AddressPoints = ReadonlyMap<string, Business['point']>;

/** Where each premises is, as the town's own list of addresses has it: the first business at an address says where it is. */
function listAddressPoints(businesses: readonly Business[]): AddressPoints {
  const points = new Map<string, Business['point']>();
  for (const { premises, point } of businesses)
    if (isInTown(point) && !points.has(premises)) points.set(premises, point);
  return points;
}

/** Whoever has no premises in town gives a post office box. */
function isInTown([longitude]: Business['point']): boolean {
  return Number(longitude) !== 0 && longitude !== OUT_OF_TOWN[0];
}

/** One in seven filings has an address and no coordinates: the list of addresses knows where that is. */
function removePoints(businesses: readonly Business[], points: AddressPoints): void {
  for (const [i, one] of businesses.entries())
    if (i % 7 === 3 && points.get(one.premises) === one.point) one.point = ['', ''];
}

/** As OpenAddresses publishes addresses, without the columns that would be empty. */
function writeAddresses(points: AddressPoints): string {
  const lines = [...points].map(([premises, point]) => {
    const [, number, street] = /^(\d+) (.*)$/.exec(premises)!;
    return [...point, number, street].join(',');
  });
  return `LON,LAT,NUMBER,STREET\n${lines.toSorted().join('\n')}\n`;
}

function business(next: () => number, filed: number): Business {
  const kind = KINDS[weighted(next, WEIGHTS)]!;
  const number = 1 + Math.floor(next() * 980);
  const name = shouted(next, filled(next, pick(next, kind.names)));
  const kindCode = next() < 0.7 ? kind.naics : pick(next, JUNK_KINDS);
  const point = pointIn(next);
  const street = pick(next, STREETS);
  return {
    name,
    kind: kindCode,
    filed,
    point,
    premises: isInTown(point) ? `${number} ${street}` : `PO BOX ${number}`,
    registrant: `${pick(next, FIRSTS)} ${pick(next, FAMILIES)}`.toUpperCase(),
  };
}

/** A business's life: filed, perhaps re-filed, amended, renewed after five years, abandoned. */
function instruments(next: () => number, one: Business): Row[] {
  const rows = [row(one, 'ORIGINAL', one.filed)];
  const after = (days: number) => one.filed + Math.floor(next() * days) * DAY_MS;
  if (next() < 0.04) rows.push(row(one, 'ORIGINAL', after(900)));
  if (next() < 0.03) rows.push(row(one, 'AMENDMENT', after(700)));
  if (next() < 0.02) rows.push(row(one, 'WITHDRAWAL', after(700)));
  if (next() < 0.07) rows.push(row(one, 'ABANDONMENT', after(1_200)));
  if (next() < 0.6) rows.push(row(one, 'RENEWAL', fiveYears(one.filed) - 20 * DAY_MS));
  return rows;
}

/** Rows as every register has them: people's own names, a test, and damage that must not be repaired by guessing. */
function odd(next: () => number): Row[] {
  const at = () => dayBetween(next, FIRST_DAY, LAST_DAY);
  const people = Array.from({ length: 60 }, () => {
    const one = business(next, at());
    return row(
      { ...one, name: `${pick(next, FIRSTS)} ${pick(next, FAMILIES)}`.toUpperCase() },
      'ORIGINAL',
      one.filed,
    );
  });
  const tests = Array.from({ length: 3 }, () =>
    row({ ...business(next, at()), name: 'TEST FILING DO NOT USE' }, 'ORIGINAL', at()),
  );
  const damaged = ['2/31/2024', '1/1/1900', '6/15/2106', '', '13/40/2023'].map((written) => {
    const spoiled = row(business(next, at()), 'ORIGINAL', at());
    spoiled.cells[4] = written;
    return spoiled;
  });
  const nameless = Array.from({ length: 3 }, () =>
    row({ ...business(next, at()), name: '' }, 'ORIGINAL', at()),
  );
  return [...people, ...tests, ...damaged, ...nameless];
}

/** Filings that reached the register days after their date: news by when they are seen. */
function latecomers(next: () => number): Row[] {
  return Array.from({ length: 6 }, () => {
    const one = business(next, WEEK.first - Math.floor(3 + next() * 20) * DAY_MS);
    return row(one, 'ORIGINAL', one.filed);
  });
}

function closing(next: () => number, known: readonly Business[]): Row[] {
  const at = () => dayBetween(next, WEEK.first, WEEK.last);
  return Array.from({ length: 18 }, (_, i) =>
    row(pick(next, known), i < 7 ? 'ABANDONMENT' : 'RENEWAL', at()),
  );
}

function row(one: Business, instrument: string, at: number): Row {
  const expires = instrument === 'ABANDONMENT' || instrument === 'WITHDRAWAL' ? '' : written(fiveYears(at));
  return {
    at,
    cells: [
      '',
      instrument,
      one.name,
      one.kind,
      written(at),
      expires,
      ...one.point,
      one.premises,
      one.registrant,
    ],
  };
}

function csv(rows: readonly Row[], numbers: { last: number }): string {
  const lines = rows
    .toSorted((a, b) => a.at - b.at)
    .map(({ cells }) => [String(++numbers.last), ...cells.slice(1)].map(quoted).join(','));
  return `${HEADER}\r\n${lines.map((line) => `${line}\r\n`).join('')}`;
}

function filled(next: () => number, shape: string): string {
  const from: Record<string, readonly string[]> = {
    place: PLACES,
    word: WORDS,
    adjective: ADJECTIVES,
    animal: ANIMALS,
    spanish: SPANISH,
    family: FAMILIES,
    first: FIRSTS,
    direction: DIRECTIONS,
    digit: ['2', '4', '9'],
  };
  return shape.replace(/\{(\w+)\}/g, (_, slot: string) => pick(next, from[slot]!));
}

/** Counties write in capitals; now and then somebody did not. */
function shouted(next: () => number, name: string): string {
  return next() < 0.93 ? name.toUpperCase() : name;
}

/** More filings in spring, few in December, none on Sundays and Saturdays. */
function dayBetween(next: () => number, first: number, last: number): number {
  for (;;) {
    const at = first + Math.floor((next() * (last - first)) / DAY_MS + next()) * DAY_MS;
    const date = new Date(Math.min(at, last));
    const busy = [0.8, 0.85, 1, 1, 0.95, 0.9, 0.8, 0.8, 0.85, 0.85, 0.7, 0.5][date.getUTCMonth()]!;
    if (date.getUTCDay() % 6 !== 0 && next() < busy) return date.getTime();
  }
}

function fiveYears(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear() + 5, date.getUTCMonth(), date.getUTCDate());
}

function written(at: number): string {
  const date = new Date(at);
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
}

function quoted(cell: string): string {
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function pick<T>(next: () => number, from: readonly T[]): T {
  return from[Math.floor(next() * from.length)]!;
}

/** What is there and what would be written differ in these files. */
export function stale(): string[] {
  return Object.entries(generated())
    .filter(([name, text]) => {
      try {
        return readFileSync(join(FOLDER, name), 'utf8') !== text;
      } catch {
        return true;
      }
    })
    .map(([name]) => name);
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const names = stale();
    process.stdout.write(
      names.length === 0 ? 'the sample is as generated\n' : `stale: ${names.join(', ')}\n`,
    );
    process.exitCode = names.length === 0 ? 0 : 1;
  } else {
    for (const [name, text] of Object.entries(generated())) {
      mkdirSync(dirname(join(FOLDER, name)), { recursive: true });
      writeFileSync(join(FOLDER, name), text);
    }
  }
}

/** A small city in a temporary folder: its profile, its files and its data, for tests that ingest and serve. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openService, type Service } from '../src/app/operations/service.ts';
import { type Config, readConfig } from '../src/config.ts';
import { openSqlite } from '../src/service/database/engines/sqlite.ts';

/** An evening on which the day in UTC is no longer that of an American city, so that a test notices who confuses them. */
export const NOW = '2026-11-21T03:00:00.000Z';

/** What a process needs so that it can send email. */
export const MAIL_ENV = {
  MAIL_FROM: 'news@rivermouth.example',
  MAIL_POSTAL_ADDRESS: '1 Quay Street',
  PUBLIC_URL: 'https://rivermouth.example',
};

const PROFILE = `
import { csv, defineCity, opening, parseDay, reject, skip, source, update } from 'shingle/city';
export default defineCity({
  name: 'Rivermouth', region: 'Oregon', timeZone: 'America/Los_Angeles',
  archive: false, operator: { name: 'The chamber', contact: 'listings@rivermouth.example' },
  sources: [source({
    id: 'licences', publisher: 'City', homepage: 'https://data.rivermouth.example', license: 'CC0-1.0',
    checked: 'documentation', from: csv(), delivers: 'snapshot', freshForHours: 48, newForDays: 36500,
    accepts: { 'coarse-neighborhoods': 'one is enough', 'date-choice': 'one day is enough', stale: 'days are fixed' },
    columns: ['ID', 'NAME', 'KIND', 'AREA', 'DAY', 'WHAT'],
    verdict(row) {
      if (row.WHAT === 'landlord') return skip('landlord');
      const filedOn = parseDay(row.DAY, 'YYYY-MM-DD');
      if (filedOn === undefined) return reject('no filing date');
      if (row.WHAT === 'closure') return update({ key: row.ID, termOn: filedOn, status: 'closed' });
      return opening({ key: row.ID, name: row.NAME, category: row.KIND, neighborhood: row.AREA, status: 'open', filedOn });
    },
  })],
});`;

export type Filed = { id?: string; name?: string; kind?: string; area?: string; day?: string; what?: string };

/** A CSV in the shape the small city's profile reads. */
export function csvText(rows: readonly Filed[]): string {
  const lines = rows.map(
    ({
      id = '1',
      name = 'Blue Heron',
      kind = 'Restaurants',
      area = 'Old Town',
      day = '2026-03-01',
      what = '',
    }) => [id, name, kind, area, day, what].join(','),
  );
  return `ID,NAME,KIND,AREA,DAY,WHAT\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** `count` different businesses, filed on days of 2025. */
export function businesses(count: number): Filed[] {
  return Array.from({ length: count }, (_, i) => ({
    id: String(i + 1),
    name: `Business ${i + 1}`,
    day: `2025-${String((i % 12) + 1).padStart(2, '0')}-${String((i % 28) + 1).padStart(2, '0')}`,
  }));
}

export type SmallCity = {
  folder: string;
  config: Config;
  /** Writes a file beside the profile and answers its path. */
  file(name: string, text: string): string;
  /** Writes a file of these filings, or of so many businesses, and answers its path. */
  csv(rows: number | readonly Filed[]): string;
  /** The profile's text. */
  readonly profile: string;
  /** Changes the profile by replacing text in it. */
  change(from: string, to: string): void;
  /** Makes sources with these ids of its source. */
  changeSources(...ids: string[]): void;
  /** A service on this city's data; closed after the test file. */
  open(now?: string): Promise<Service>;
  /** Ingests such a file in a service that is closed again. */
  ingest(rows: number | readonly Filed[], now?: string): Promise<void>;
  /** What a process of this city needs in its environment. */
  readonly env: { SHINGLE_CITY: string; SHINGLE_DATA: string };
  /** Copies the data, which no service may have open, and answers the copy's folder. */
  copyData(): string;
};

/** A fresh city; everything of it is removed after the test file. */
export function aCity(): SmallCity {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-city-'));
  const open: Service[] = [];
  let text = PROFILE;
  let written = 0;
  let copies = 0;
  const write = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const csv = (rows: number | readonly Filed[]) =>
    write(`filings-${++written}.csv`, csvText(typeof rows === 'number' ? businesses(rows) : rows));
  const config = readConfig({
    SHINGLE_CITY: write('city-0.ts', text),
    SHINGLE_DATA: join(folder, 'data'),
    PORT: '0',
    MIN_FREE_BYTES: '0',
    MAIL_FROM: 'Rivermouth <news@rivermouth.example>',
  });
  void openSqlite(config.dataFolder).close(); // commands create none
  after(async () => {
    await Promise.all(open.map((service) => service.close()));
    rmSync(folder, { recursive: true });
  });
  const openAt = async (now = NOW) => {
    const service = await openService(config, () => now);
    open.push(service);
    return service;
  };
  const change = (from: string, to: string) => {
    if (!text.includes(from)) throw new Error(`the profile does not hold ${from}`);
    text = text.replace(from, () => to);
    config.city = write(`city-${++written}.ts`, text);
  };
  return {
    folder,
    config,
    file: write,
    csv,
    get profile() {
      return text;
    },
    change,
    changeSources(...ids) {
      change('sources: [source({', `sources: ${JSON.stringify(ids)}.map((id) => source({`);
      change("id: 'licences',", 'id,');
      change('})],\n', '})),\n');
    },
    open: openAt,
    async ingest(rows, now) {
      const service = await openAt(now);
      await service.ingest({ from: csv(rows) });
      await service.close();
    },
    get env() {
      return { SHINGLE_CITY: config.city, SHINGLE_DATA: config.dataFolder };
    },
    copyData() {
      const copy = join(folder, `copy-${++copies}`);
      cpSync(config.dataFolder, copy, { recursive: true });
      return copy;
    },
  };
}

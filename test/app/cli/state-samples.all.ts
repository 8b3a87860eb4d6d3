/** Rows that publishers of states and countries have published, read by packs as the notes of the samples say. */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fillPack, readPack } from '../../../src/register/survey/packs.ts';
import { splitCsvText } from '../../../src/shared/text/csv-text.ts';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { lastJson } from '../../a-process.ts';
import { realData } from '../../real-data.ts';

const folder = aFolder();

type Sample = {
  /** A pack, and the spellings of the town. */
  city: { pack: string; spellings: string[] };
  file: string;
  /** Changes the rows into what the portal answers. */
  change?: (row: Record<string, unknown>) => Record<string, unknown>;
  openings: number;
  skipped: Record<string, number>;
  /** Some of what would be served. */
  serves: readonly string[];
};

const PACKS = fileURLToPath(new URL('../../../packs/', import.meta.url));
const LOWER = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key.toLowerCase(), value]));
const FRENCH = (row: Record<string, unknown>) => ({
  ...LOWER(row),
  etatadministratifetablissement: row.etatAdministratifEtablissement === 'F' ? 'Fermé' : 'Actif',
});

const SAMPLES: Record<string, Sample> = {
  'Oregon, assumed names': {
    city: { pack: 'oregon', spellings: ['COOS BAY', 'PORTLAND'] },
    file: 'us-or-oregon/sample-assumed-names-2017.csv',
    openings: 2,
    skipped: { 'another party to the business': 2, 'outside the city': 6 },
    serves: ['Ace Roofing Co. | Construction & Trades | ZIP 97211 | open | 1964-07-01'],
  },
  'Oregon, new in April 2017': {
    city: { pack: 'oregon', spellings: ['PORTLAND', 'HILLSBORO'] },
    file: 'us-or-oregon/sample-new-april-2017.csv',
    openings: 2,
    skipped: { 'another party to the business': 3, 'outside the city': 5 },
    serves: ['4 Payments, Inc. | Uncategorized | ZIP 97206 | open | 2017-04-03'],
  },
  'Oregon, last month': {
    city: { pack: 'oregon', spellings: ['BANKS', 'E WENATCHEE'] },
    file: 'us-or-oregon/sample-new-last-month-esjy-u4fc-2017.csv',
    openings: 1,
    skipped: { 'another party to the business': 1, 'outside the city': 8 },
    serves: ['Banks Veterinary Service | Pets & Veterinary | ZIP 97106 | open | 2017-03-01'],
  },
  'Oregon, 2026': {
    city: { pack: 'oregon', spellings: ['PORTLAND'] },
    file: 'us-or-oregon/sample-soda-2026.json',
    openings: 1,
    skipped: { 'another party to the business': 3 },
    serves: ['Financegoalz LLC | Uncategorized | ZIP 97201 | open | 2026-05-29'],
  },
  Colorado: {
    city: { pack: 'colorado', spellings: ['DENVER', 'CORTEZ'] },
    file: 'us-co-colorado/sample.json',
    change: (row) => ({ principaladdress2: '', ...row }),
    openings: 3,
    skipped: { 'outside the city': 1 },
    serves: [
      'Gto Roofing LLC | Construction & Trades | ZIP 80236 | open | 2026-09-02',
      'Southwest Contracting, LLC | Construction & Trades | Unknown | unknown | 1978-02-28',
    ],
  },
  Connecticut: {
    city: { pack: 'connecticut', spellings: ['ENFIELD', 'MILFORD', 'SANDY HOOK', 'DANBURY'] },
    file: 'us-ct-connecticut/sample-business-master.csv',
    change: (row) => ({ ...row, dissolution_date: '' }),
    openings: 3,
    skipped: { 'outside the city': 1, 'no filing date': 1 },
    serves: [
      'Nutmeg Accounting LLC | Accounting & Tax | Sandy Hook | open | 2026-06-11',
      'Connecticut Custom Car, Inc. | Auto Repair | Enfield | open | 2018-01-01',
    ],
  },
  Pennsylvania: {
    city: { pack: 'pennsylvania', spellings: ['HONEY BROOK', 'MACUNGIE'] },
    file: 'us-pa-pennsylvania/sample.json',
    openings: 2,
    skipped: {},
    serves: ["Marberger's Contractors Llc | Construction & Trades | ZIP 19344 | open | 2025-07-30"],
  },
  'France, the record of Opendatasoft': {
    city: { pack: 'france', spellings: ['97701'] },
    file: 'fr-sirene/sample-opendatasoft-record.json',
    openings: 0,
    skipped: { 'no name': 1 },
    serves: [],
  },
  'France, stock': {
    city: { pack: 'france', spellings: ['01143', '94076', '98727'] },
    file: 'fr-sirene/sample.csv',
    change: FRENCH,
    openings: 0,
    skipped: { 'no name': 3, 'outside the city': 1 },
    serves: [],
  },
};

/** The text of a city for a sample, in a folder of its own. */
function writeCity(name: string, { city }: Sample): string {
  const out = mkdtempSync(join(folder, 'city-'));
  const file = (one: string) => readFileSync(join(PACKS, city.pack, one), 'utf8');
  const yaml = fillPack(
    readPack(city.pack, file('city.yaml')),
    { name, spellings: city.spellings },
    '1900-01-02',
  );
  writeFileSync(join(out, 'city.yaml'), yaml);
  if (yaml.includes('categories.csv')) writeFileSync(join(out, 'categories.csv'), file('categories.csv'));
  return out;
}

/** The rows of a pack's sample as its portal gives them. */
function writeRows(path: string, out: string, change = (row: Record<string, unknown>) => row): string {
  const text = readFileSync(path, 'utf8');
  const yaml = readFileSync(join(out, 'city.yaml'), 'utf8');
  let rows: Record<string, unknown>[];
  if (path.endsWith('.json')) {
    const parsed = JSON.parse(text);
    rows = Array.isArray(parsed) ? parsed : [parsed.fields];
  } else {
    const [header, ...records] = splitCsvText(text, ',');
    rows = records.map(({ cells }) => Object.fromEntries(cells.map((cell, i) => [header!.cells[i]!, cell])));
  }
  const isFrench = yaml.includes('id: sirene');
  const select = /select=([^&]*)/.exec(yaml)?.[1]?.split(',') ?? [];
  const known = rows.map((row) => ({
    ...Object.fromEntries(select.map((one) => [one, ''])),
    ...change(row),
  }));
  const file = join(out, isFrench ? 'rows.csv' : 'rows.json');
  const quote = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const csv = () => [select, ...known.map((row) => select.map((one) => row[one as keyof typeof row]))];
  writeFileSync(
    file,
    isFrench
      ? csv()
          .map((line) => line.map(quote).join(';'))
          .join('\n')
      : JSON.stringify([...known]),
  );
  return file;
}

for (const [name, sample] of Object.entries(SAMPLES)) {
  const { path, skip } = realData(`state-registers/${sample.file}`);
  test(`${name}: the sample is read as its notes say`, { skip }, async () => {
    const out = writeCity(name, sample);
    const from = writeRows(path, out, sample.change);
    const ended = await command(['check', '--from', from, '--json'], { SHINGLE_CITY: out });
    type Report = Pick<Sample, 'openings' | 'skipped'> & {
      state: string;
      newest: Record<string, string>[];
    };
    const [run] = lastJson(ended).runs as unknown as Report[];
    assert.deepEqual([run!.openings, run!.skipped], [sample.openings, sample.skipped]);
    assert.notEqual(run!.state, 'failed');
    const served = run!.newest.map((one) => Object.values(one).join(' | '));
    for (const line of sample.serves) assert.ok(served.includes(line), `${line}: ${served.join('\n')}`);
  });
}

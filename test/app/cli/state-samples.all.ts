/** Rows as the portals of states have published them, read by the packs as the notes of the samples say. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fillPack, readPack } from '../../../src/register/writing/fill-pack.ts';
import { splitCsvText } from '../../../src/shared/text/csv-text.ts';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { lastJson } from '../../a-process.ts';
import { realData } from '../../real-data.ts';

const PACKS = fileURLToPath(new URL('../../../packs/', import.meta.url));

/** Of a file: its pack, the spellings of the town, a column that is empty in it, and what becomes of its rows. */
type Sample = [
  ...[pack: string, town: string, empty: string | undefined, openings: number],
  ...[skipped: Record<string, number>, serves: string],
];

const SAMPLES: Record<string, Sample> = {
  'us-or-oregon/sample-assumed-names-2017.csv': [
    ...(['oregon', 'COOS BAY|PORTLAND', undefined, 2] as const),
    { 'another party to the business': 2, 'outside the city': 6 },
    'Ace Roofing Co. | Construction & Trades | ZIP 97211 | open | 1964-07-01',
  ],
  'us-or-oregon/sample-soda-2026.json': [
    ...(['oregon', 'PORTLAND', undefined, 1] as const),
    { 'another party to the business': 3 },
    'Financegoalz LLC | Uncategorized | ZIP 97201 | open | 2026-05-29',
  ],
  'us-co-colorado/sample.json': [
    ...(['colorado', 'DENVER|CORTEZ', 'principaladdress2', 3] as const),
    { 'outside the city': 1 },
    'Southwest Contracting, LLC | Construction & Trades | Unknown | unknown | 1978-02-28',
  ],
  'us-ct-connecticut/sample-business-master.csv': [
    ...(['connecticut', 'ENFIELD|MILFORD|SANDY HOOK|DANBURY', 'dissolution_date', 3] as const),
    { 'outside the city': 1, 'no filing date': 1 },
    'Connecticut Custom Car, Inc. | Auto Repair | Enfield | open | 2018-01-01',
  ],
  'us-pa-pennsylvania/sample.json': [
    ...(['pennsylvania', 'HONEY BROOK|MACUNGIE', undefined, 2] as const),
    {},
    "Marberger's Contractors Llc | Construction & Trades | ZIP 19344 | open | 2025-07-30",
  ],
};

function readRows(path: string): Record<string, unknown>[] {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.json')) return JSON.parse(text);
  const [header, ...records] = splitCsvText(text, ',');
  return records.map(({ cells }) => Object.fromEntries(cells.map((cell, i) => [header!.cells[i]!, cell])));
}

for (const [file, [pack, town, empty, openings, skipped, serves]] of Object.entries(SAMPLES)) {
  const { path, skip } = realData(`state-registers/${file}`);
  test(`the pack ${pack} reads ${file} as published`, { skip }, async () => {
    const city = aFolder();
    const yaml = readFileSync(join(PACKS, pack, 'city.yaml'), 'utf8');
    const spellings = town.split('|');
    writeFileSync(
      join(city, 'city.yaml'),
      fillPack(readPack(pack, yaml), { name: 'Otterfall', spellings }, '1900-01-02'),
    );
    const categories = join(PACKS, pack, 'categories.csv');
    if (existsSync(categories)) writeFileSync(join(city, 'categories.csv'), readFileSync(categories));
    const rows = readRows(path).map((row) => (empty === undefined ? row : { [empty]: '', ...row }));
    const from = join(city, 'rows.json');
    writeFileSync(from, JSON.stringify(rows));
    const ended = await command(['check', '--from', from, '--json'], { SHINGLE_CITY: city });
    const [run] = lastJson(ended).runs as { openings: number; skipped: object; newest: object[] }[];
    assert.deepEqual([run!.openings, run!.skipped], [openings, skipped]);
    const served = run!.newest.map((one) => Object.values(one).join(' | '));
    assert.ok(served.includes(serves), `${serves}: ${served.join('\n')}`);
  });
}

/** Findings in real registers: the first import with a shipped profile is kept, with warnings only. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { realData } from '../../real-data.ts';
import { aRegister } from '../../register/import/a-register.ts';

const NOW = ['--now', '2026-11-21T03:00:00Z'];

const REAL = {
  'long-beach': [
    'long-beach/business_licenses.csv',
    'long-beach/neighborhoods.geojson',
    ['dropped-businesses', 'not-storefronts', 'placeholders'],
  ],
  chicago: [
    'chicago/business-licenses-sample.csv',
    'chicago/neighborhoods.geojson',
    [...['date-choice', 'not-storefronts'], ...['placeholders', 'stale']],
  ],
  'pasco-county': ['pasco-county/daily', undefined, ['placeholders']],
  'san-luis-obispo': [
    'san-luis-obispo/raw_data.xlsx',
    undefined,
    [...['coarse-neighborhoods', 'dropped-businesses', 'not-storefronts'], 'placeholders'],
  ],
  vancouver: [
    'vancouver/business-licences.csv',
    undefined,
    ['current-licenses', 'personal-names', 'placeholders', 'stale'],
  ],
  // "Variedades Angela" is skipped as a person, and is known to be a shop since Spanish words are read
  'little-rock': ['little-rock/business_licenses.csv', undefined, ['dropped-businesses', 'placeholders']],
} as const;

for (const [city, [place, boundaries, codes]] of Object.entries(REAL)) {
  const file = realData(place);
  test(`the first import of the real filings of ${city} is kept, with warnings only`, {
    skip: file.skip,
  }, async () => {
    const env = { SHINGLE_CITY: city, SHINGLE_DATA: aRegister().config.dataFolder };
    const drawn = boundaries === undefined ? [] : ['--boundaries', realData(boundaries).path];
    const ended = await command(['ingest', '--from', file.path, ...drawn, '--json', ...NOW], env);
    assert.equal(ended.code, 0, ended.out);
    const runs = lastJson(ended).runs as { findings: { code: string; severity: string }[] }[];
    const { findings } = runs.at(-1)!;
    assert.deepEqual(findings.map(({ code }) => code).toSorted(), codes);
    assert.ok(findings.every(({ severity }) => severity === 'warn'));
  });
}

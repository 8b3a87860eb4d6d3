/** Findings in real registers: the first import with a shipped profile is kept, with warnings only. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { realData } from '../../real-data.ts';
import { aRegister } from '../../register/import/a-register.ts';

const NOW = ['--now', '2026-11-21T03:00:00Z'];

const LONG_BEACH = ['dropped-businesses', 'not-storefronts', 'placeholders'];

const REAL: [city: string, place: string, codes: string[], boundaries?: string][] = [
  ['long-beach', 'business_licenses.csv', LONG_BEACH, 'neighborhoods.geojson'],
  [
    ...(['chicago', 'business-licenses-sample.csv'] as const),
    ['date-choice', 'not-storefronts', 'placeholders', 'stale'],
    'neighborhoods.geojson',
  ],
  ['pasco-county', 'daily', ['placeholders']],
  ['san-luis-obispo', 'raw_data.xlsx', ['coarse-neighborhoods', ...LONG_BEACH]],
  ['vancouver', 'business-licences.csv', ['current-licenses', 'personal-names', 'placeholders', 'stale']],
  // "Variedades Angela" is skipped as a person, and is known to be a shop since Spanish words are read
  ['little-rock', 'business_licenses.csv', ['dropped-businesses', 'placeholders']],
];

for (const [city, place, codes, boundaries] of REAL) {
  const file = realData(`${city}/${place}`);
  test(`the first import of the real filings of ${city} is kept, with warnings only`, {
    skip: file.skip,
  }, async () => {
    const env = { SHINGLE_CITY: city, SHINGLE_DATA: aRegister().config.dataFolder };
    const drawn = boundaries === undefined ? [] : ['--boundaries', realData(`${city}/${boundaries}`).path];
    const ended = await command(['ingest', '--from', file.path, ...drawn, '--json', ...NOW], env);
    assert.equal(ended.code, 0, ended.out);
    const runs = lastJson(ended).runs as { findings: { code: string; severity: string }[] }[];
    const found = runs.at(-1)!.findings.map(({ code, severity }) => `${severity} ${code}`);
    assert.equal(String(found.toSorted()), String(codes.map((code) => `warn ${code}`)));
  });
}

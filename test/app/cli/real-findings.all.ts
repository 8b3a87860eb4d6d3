/** Findings in real registers: shipped profiles are kept, and careless profiles are held for what is wrong with them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { realData } from '../../real-data.ts';
import { aRegister } from '../../register/import/a-register.ts';

const NOW = ['--now', '2026-11-20T12:00:00Z'];

const REAL = {
  'long-beach': [
    'long-beach/business_licenses.csv',
    'long-beach/neighborhoods.geojson',
    ['damaged-names', 'dropped-businesses', 'not-storefronts', 'placeholders'],
  ],
  chicago: [
    'chicago/business-licenses-sample.csv',
    'chicago/neighborhoods.geojson',
    [...['date-choice', 'kinds-from-text', 'not-storefronts'], ...['placeholders', 'stale']],
  ],
  'pasco-county': ['pasco-county/daily', undefined, ['coarse-neighborhoods', 'placeholders']],
  'san-luis-obispo': [
    'san-luis-obispo/raw_data.xlsx',
    undefined,
    [...['coarse-neighborhoods', 'dropped-businesses', 'kinds-from-text', 'not-storefronts'], 'placeholders'],
  ],
  vancouver: [
    'vancouver/business-licences.csv',
    undefined,
    ['current-licenses', 'kinds-from-text', 'personal-names', 'placeholders', 'stale'],
  ],
  // "Variedades Angela" is skipped as a person, and is known to be a shop since Spanish words are read
  'little-rock': [
    'little-rock/business_licenses.csv',
    undefined,
    ['dropped-businesses', 'kinds-from-text', 'placeholders'],
  ],
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

const UNKNOWN = {
  'san-luis-obispo/raw_data.xlsx': [
    ...['personal-names', 'outside-city', 'not-storefronts', 'kinds-from-text', 'unplaced'],
  ],
  'vancouver/business-licences.csv': ['repeated-businesses', 'stale'],
  'little-rock/business_licenses.csv': ['outside-city', 'coarse-neighborhoods', 'not-storefronts', 'stale'],
} as const;

/** What somebody who does not look closely makes of these registers. */
const CARELESS = {
  'san-luis-obispo/raw_data.xlsx': {
    uses: 'excel()',
    columns: ['Account #', 'DBA', 'Business type', 'Start date'],
    day: "row['Start date'].replace(/ .*/, '')",
    opening: "key: row['Account #'], name: row.DBA, category: kindOf({ name: row['Business type'] })",
  },
  'vancouver/business-licences.csv': {
    uses: "csv({ delimiter: ';' })",
    columns: ['LicenceNumber', 'BusinessName', 'IssuedDate', 'LocalArea'],
    day: 'row.IssuedDate',
    opening: 'key: row.LicenceNumber, name: row.BusinessName, neighborhood: row.LocalArea',
  },
  'little-rock/business_licenses.csv': {
    uses: 'csv()',
    columns: ['Classification', 'Business', 'Address', 'City', 'ACCOUNT START DATE'],
    day: "row['ACCOUNT START DATE'].replace(/(\\d\\d)$/, (year) => (Number(year) > 26 ? '19' : '20') + year)",
    opening: 'key: keyOf(row.Business, row.Address), name: row.Business, neighborhood: row.City',
  },
} as const;

for (const [place, codes] of Object.entries(UNKNOWN)) {
  const file = realData(place);
  test(`a careless profile of ${place} is held for its mistake`, { skip: file.skip }, async () => {
    const { uses, columns, day, opening } = CARELESS[place as keyof typeof CARELESS];
    const city = aRegister();
    const names = { s: 'San Luis Obispo', v: 'Vancouver', l: 'Little Rock' };
    const text = `
import { csv, defineCity, excel, keyOf, kindOf, opening, parseDay, reject, source } from 'shingle/city';
const dayOf = (text) => parseDay(text, 'M/D/YYYY') ?? parseDay(text, 'YYYY-MM-DD');
export default defineCity({
  name: '${names[place[0] as keyof typeof names]}', region: 'R', timeZone: 'America/Chicago', operator: { name: 'o', contact: 'o@b.example' },
  sources: [source({ id: 's', publisher: 'p', homepage: 'https://h.example', license: 'x', checked: 'documentation',
    from: ${uses}, delivers: 'snapshot', rejectedShare: 1, columns: ${JSON.stringify(columns)},
    verdict(row) {
      const filedOn = dayOf(${day});
      return filedOn === undefined ? reject('no day') : opening({ ${opening}, status: 'open', filedOn });
    } })] });`;
    const env = { ...city.env, SHINGLE_CITY: city.file('careless.ts', text) };
    const ended = await command(['ingest', '--from', file.path, '--json', ...NOW], env);
    assert.equal(ended.code, 3, ended.err);
    const [run] = lastJson(ended).runs as { findings: { code: string }[] }[];
    const found = run!.findings.map(({ code }) => code);
    for (const code of codes)
      assert.ok(
        found.some((one) => one === code),
        `${code} in ${found.join(', ')}`,
      );
  });
}

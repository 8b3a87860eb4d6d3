/** A draft finds the address, in one column or in parts, and says which files place it. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { guessBoundaries } from '../../../src/register/profile/places/boundary-shapes.ts';
import { lastJson } from '../../a-process.ts';
import { squaresInARow } from '../../squares.ts';
import { folder, init, isoOf, makeRecords, nameOf, tradeOf } from './a-register.ts';

const COUNT = 200;
const SQUARES = squaresInARow(-92, 34, [{ name: 'Northbank' }, { name: 'Ropewalk' }]);
const boundaries = join(folder, 'two-squares.geojson');
const addresses = join(folder, 'two-streets.csv');
writeFileSync(boundaries, SQUARES);
const points = Array.from({ length: COUNT }, (_, i) => {
  return `${i % 2 ? -90.5 : -91.5},34.5,${i + 1},${i % 2 ? 'N OAK AVE' : 'QUAY ST'}\n`;
});
writeFileSync(addresses, `LON,LAT,NUMBER,STREET\n${points.join('')}`);

type Columns = (i: number, street: string) => Record<string, string>;
const COLUMNS: Record<string, Columns> = {
  'in one column': (i, street) => ({ 'Site Address': `${i + 1} ${street}` }),
  'with the town behind it': (i, street) => ({ Address: `${i + 1} ${street}, Otterfall, AR 72201` }),
  'in parts': (i, street) => {
    const [before, name, suffix] = street.includes('Oak') ? ['N.', 'OAK', 'AVE'] : ['', 'QUAY', 'ST'];
    const number = { 'Street Number': `${i + 1}`, 'Street Direction': before!, Unit: i % 9 ? '' : '4B' };
    return { ...number, 'Street Name': name!, 'Street Suffix': suffix! };
  },
};

for (const [how, columns] of Object.entries(COLUMNS)) {
  const records = makeRecords(COUNT, (i) => ({
    'License ID': `${10_000 + i}`,
    'Business Name': nameOf(i),
    Type: tradeOf(i),
    ...columns(i, i % 2 ? 'North Oak Avenue' : 'Quay Street'),
    City: 'Otterfall',
    State: 'AR',
    County: 'Pulaski',
    Zip: '72201',
    'Date Opened': isoOf(i),
  }));

  test(`a file of addresses places an address ${how}, without a change to the draft`, async () => {
    const made = await init(records, '--json', '--boundaries', boundaries, '--addresses', addresses);
    assert.equal(made.code, 0, made.err);
    const [run] = lastJson(made).runs as unknown as { state: string; coverage: object; placing: object }[];
    const text = readFileSync(join(made.path, 'city.yaml'), 'utf8');
    assert.deepEqual([run!.state, run!.coverage], ['kept', { category: 1, neighborhood: 1 }], text);
    assert.deepEqual(run!.placing, { placed: { exact: COUNT }, missed: {}, streets: [] }, text);
    for (const column of Object.keys(columns(0, ''))) assert.ok(text.includes(column), column);
  });

  test(`without a file of addresses, for an address ${how}, the draft says which file to get and where`, async () => {
    const { out: shown } = await init(records);
    assert.match(shown, /The rows have addresses \(".*"\) but no coordinates/);
    assert.match(shown, /TIGER2025\/ADDRFEAT\/tl_2025_CODE_addrfeat\.zip \(CODE is the county's five digits/);
    assert.match(shown, /--boundaries FILE --addresses FILE/);
  });
}

test('addresses without boundaries are refused before any file is read', async () => {
  const refused = await init('nothing.csv', '--addresses', addresses);
  assert.deepEqual([refused.code, /requires --boundaries/.test(refused.err)], [2, true], refused.err);
});

test('ZIP areas as boundaries are named by their codes', () => {
  const areas = ['72205', '72207'].map((code) => {
    return { CLASSFP20: 'B5', ZCTA5CE20: code, MTFCC20: 'G6350', FUNCSTAT20: 'S' };
  });
  assert.equal(guessBoundaries(squaresInARow(0, 0, areas)).property, 'ZCTA5CE20');
});

/** Towns, ZIP areas and points as registers write them into one column. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInTown, parsePoint, zipArea } from '../../../src/register/profile/city.ts';
import { openPlacer } from '../../../src/register/rows/placing.ts';
import { UNKNOWN_NEIGHBORHOOD } from '../../../src/shared/listing.ts';

const isIn = (text: string) => isInTown(text, ['Otterfall']);

for (const text of [
  ...['Otterfall', 'OTTERFALL', ' Otterfall, AR 72201-1234 ', 'OTTERFALL AR 72201', 'Otterfall AR'],
  ...['City of Otterfall', 'OTTERFALL CITY', '12 Quay St, Otterfall, AR 72201'],
  ...['12 Quay St, Suite 4, Otterfall, AR, 72201, USA', '12 Quay St, Otterfall, AR, (34.74650, -92.28960)'],
  ...['', 'UNKNOWN', 'unk'],
])
  test(`"${text}" is in Otterfall`, () => assert.equal(isIn(text), true));

for (const text of [
  ...['North Otterfall', 'Otterfall Heights', 'Millrace, AR 72201', '12 Otterfall Rd, Millrace, AR 72201'],
])
  test(`"${text}" is not in Otterfall`, () => assert.equal(isIn(text), false));

test('a short word of a town is the same as the word spelled out, and accents do not matter', () => {
  const words = { St: 'Saint', Ste: 'Sainte', Ft: 'Fort', Mt: 'Mount' };
  for (const [short, long] of Object.entries(words))
    for (const other of Object.values(words))
      for (const [one, same] of [
        [`${short.toUpperCase()}. KESTREL`, `${other} Kestrel`],
        [`${other} Kestrel`, `${short} Kestrel`],
      ] as const)
        assert.equal(isInTown(one, [same]), other === long, `${one} in ${same}`);
  for (const [text, town] of Object.entries({
    ...{ 'SAINT-KESTREL': 'St Kestrel', 'PORT ST KESTREL': 'Port Saint Kestrel', Otterfáll: 'Otterfall' },
    ...{ 'OTTERFALL 3': 'OTTERFALL 11', 'Otterfall 7e Arrondissement': 'Otterfall' },
  }))
    assert.equal(isInTown(text, [town]), true, text);
  assert.equal(isInTown('Ternwood 3', ['Otterfall 3']), false);
});

for (const [area, texts] of Object.entries({
  'ZIP 93401': ['93401', '93401-2661', '934012661', '93401.0', 'OTTERFALL, CA 93401-2661'],
  V6C: ['V6C 0B9', 'v6c0b9'],
  undefined: ['00000', '9340', 'Otterfall', ''],
}))
  for (const text of texts)
    test(`the ZIP area of "${text}" is ${area}`, () => assert.equal(String(zipArea(text)), area));

for (const text of [
  ...['POINT (-122.4 37.7)', 'POINT(-122.4 37.7)', '(37.7, -122.4)', '37.7, -122.4'],
  ...['-122.4 37.7', '{"coordinates": [-122.4, 37.7], "type": "Point"}'],
  '{"latitude":"37.7","longitude":"-122.4","human_address":"{}"}',
  '{"longitude":-122.4,"latitude":37.7}',
])
  test(`"${text}" is a point`, () =>
    assert.deepEqual(parsePoint(text), { longitude: '-122.4', latitude: '37.7' }));

const PRECISE = { longitude: '-122.400', latitude: '37.700' };
for (const address of ['12 Quay St\nOtterfall, TN 37013\n', '12 Quay St, Otterfall, TN 37013 '])
  test(`a point is read after the address "${address}"`, () =>
    assert.deepEqual(parsePoint(`${address}(37.700, -122.400)`), PRECISE));

for (const text of [
  ...['', '12 Quay St', '6502221.32, 1738058.35', '37.7', 'POINT EMPTY', '12 Quay St (2, 4)'],
  '{"latitude":1}',
])
  test(`"${text}" is no point`, () => assert.equal(parsePoint(text), undefined));

test('a ZIP code in any form leads to its own neighborhood alone', () => {
  const nothing = { boundaries: undefined, addresses: undefined };
  const place = openPlacer({ zips: { '93401': 'Downtown' } }, nothing);
  for (const zip of ['93401', '93401-2661', '934012661'])
    assert.equal(place({ zip }).neighborhood, 'Downtown', zip);
  for (const zip of ['', '9340', '93402-3401']) assert.equal(place({ zip }).neighborhood, null, zip);
  const unknown = { neighborhood: UNKNOWN_NEIGHBORHOOD, zip: '93401' };
  assert.deepEqual(place(unknown), { neighborhood: null, by: 'column' }, 'a profile says so');
});

/** Towns, ZIP areas and points as registers write them into one column. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInTown, parsePoint, zipArea } from '../../../src/register/profile/city.ts';
import { openPlacer } from '../../../src/register/rows/placing.ts';
import { UNKNOWN_NEIGHBORHOOD } from '../../../src/shared/listing.ts';

for (const [text, is] of [
  ['Otterfall', true],
  ['OTTERFALL', true],
  [' Otterfall, AR 72201-1234 ', true],
  ['OTTERFALL AR 72201', true],
  ['Otterfall AR', true],
  ['City of Otterfall', true],
  ['OTTERFALL CITY', true],
  ['12 Quay St, Otterfall, AR 72201', true],
  ['12 Quay St, Suite 4, Otterfall, AR, 72201, USA', true],
  ['12 Quay St, Otterfall, AR, (34.74650, -92.28960)', true],
  ['', true],
  ['UNKNOWN', true],
  ['unk', true],
  ['North Otterfall', false],
  ['Otterfall Heights', false],
  ['Millrace, AR 72201', false],
  ['12 Otterfall Rd, Millrace, AR 72201', false],
] as const)
  test(`"${text}" is ${is ? '' : 'not '}in Otterfall`, () => assert.equal(isInTown(text, ['Otterfall']), is));

test('a short word of a town is the same as the word spelled out, and accents do not matter', () => {
  const words = { St: 'Saint', Ste: 'Sainte', Ft: 'Fort', Mt: 'Mount' };
  for (const [short, long] of Object.entries(words))
    for (const other of Object.values(words))
      for (const [one, same] of [
        [`${short.toUpperCase()}. KESTREL`, `${other} Kestrel`],
        [`${other} Kestrel`, `${short} Kestrel`],
      ] as const)
        assert.equal(isInTown(one, [same]), other === long, `${one} in ${same}`);
  assert.equal(isInTown('SAINT-KESTREL', ['St Kestrel']), true);
  assert.equal(isInTown('PORT ST KESTREL', ['Port Saint Kestrel']), true);
  assert.equal(isInTown('Otterfáll', ['Otterfall']), true);
  assert.equal(isInTown('OTTERFALL 3', ['OTTERFALL 11']), true);
  assert.equal(isInTown('Otterfall 7e Arrondissement', ['Otterfall']), true);
  assert.equal(isInTown('Ternwood 3', ['Otterfall 3']), false);
});

for (const [text, area] of [
  ['93401', 'ZIP 93401'],
  ['93401-2661', 'ZIP 93401'],
  ['934012661', 'ZIP 93401'],
  ['93401.0', 'ZIP 93401'],
  ['OTTERFALL, CA 93401-2661', 'ZIP 93401'],
  ['V6C 0B9', 'V6C'],
  ['v6c0b9', 'V6C'],
  ['00000', undefined],
  ['9340', undefined],
  ['Otterfall', undefined],
  ['', undefined],
] as const)
  test(`the ZIP area of "${text}" is ${area}`, () => assert.equal(zipArea(text), area));

for (const text of [
  ...['POINT (-122.4 37.7)', 'POINT(-122.4 37.7)', '(37.7, -122.4)', '37.7, -122.4'],
  ...['-122.4 37.7', '{"coordinates": [-122.4, 37.7], "type": "Point"}'],
  ...[
    '{"latitude":"37.7","longitude":"-122.4","human_address":"{}"}',
    '{"longitude":-122.4,"latitude":37.7}',
  ],
])
  test(`"${text}" is a point`, () =>
    assert.deepEqual(parsePoint(text), { longitude: '-122.4', latitude: '37.7' }));

for (const address of ['12 Quay St\nOtterfall, TN 37013\n', '12 Quay St, Otterfall, TN 37013 '])
  test(`a point is read after the address "${address}"`, () =>
    assert.deepEqual(parsePoint(`${address}(37.700, -122.400)`), {
      longitude: '-122.400',
      latitude: '37.700',
    }));

for (const text of [
  '',
  '12 Quay St',
  '6502221.32, 1738058.35',
  '37.7',
  'POINT EMPTY',
  '12 Quay St (2, 4)',
  '{"latitude":1}',
])
  test(`"${text}" is no point`, () => assert.equal(parsePoint(text), undefined));

test('a ZIP code in any form leads to its own neighborhood alone', () => {
  const place = openPlacer(
    { zips: { '93401': 'Downtown' } },
    { boundaries: undefined, addresses: undefined },
  );
  for (const zip of ['93401', '93401-2661', '934012661'])
    assert.equal(place({ zip }).neighborhood, 'Downtown', zip);
  for (const zip of ['', '9340', '93402-3401']) assert.equal(place({ zip }).neighborhood, null, zip);
  const unknown = { neighborhood: UNKNOWN_NEIGHBORHOOD, zip: '93401' };
  assert.deepEqual(place(unknown), { neighborhood: null, by: 'column' }, 'a profile says so');
});

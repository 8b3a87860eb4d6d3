/** Names as people write them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tidyName } from '../../src/city/city.ts';
import { anyCharacter } from '../any-character.ts';

const CASES: [string, string][] = [
  ["MCDONALD'S #12 OF LA", "McDonald's #12 of LA"],
  ["O'BRIEN'S PUB", "O'Brien's Pub"],
  ['H-E-B', 'H-E-B'],
  ['A/C REPAIR', 'A/C Repair'],
  ['TERN SUPPLY DBA GULL WORKS INC', 'Tern Supply DBA Gull Works Inc'],
  ['BLUE HERON LLC', 'Blue Heron LLC'],
  ['BLUE HERON, L.L.C.', 'Blue Heron, L.L.C.'],
  ['HERON & CO LTD', 'Heron & Co Ltd'],
  ['2ND STREET CIGARS', '2nd Street Cigars'],
  ['KING HENRY VIII TAVERN', 'King Henry VIII Tavern'],
  ['VI NAILS', 'Vi Nails'],
  ['THE HOUSE OF THE RISING DOUGH', 'The House of the Rising Dough'],
  ['LA PALOMA', 'La Paloma'],
  ['LA FITNESS', 'LA Fitness'],
  ['USA COIN LAUNDRY', 'USA Coin Laundry'],
  ['BBQ PIT', 'BBQ Pit'],
  ['JMS PLBG SVCS', 'JMS Plbg Svcs'],
  ['J T TERNWOOD MD INC', 'J T Ternwood MD Inc'],
  ['AT&T STORE', 'AT&T Store'],
  ['WORKERS.COM', 'Workers.com'],
  ['7-ELEVEN', '7-Eleven'],
  ['ÉCLAIR CAFÉ', 'Éclair Café'],
  ['  HERON \t  BAY  ', 'Heron Bay'],
  ['Heron   Bay', 'Heron Bay'],
  ['little skye bakery', 'little skye bakery'],
  ['heron \u202eyab\u0007 co', 'heron yab co'],
  ['99?? STORE', '99¢ Store'],
  ['DK 98 ?? + STORE', 'DK 98¢ + Store'],
  ['TERN ??? GULL', 'Tern – Gull'],
  ["PHYSICAL??OCCUPAT'NL??HAND THERAPY", "Physical Occupat'nl Hand Therapy"],
];

for (const [shouted, readable] of CASES) {
  test(`"${shouted}" reads "${readable}"`, () => assert.equal(tidyName(shouted), readable));
}

const words = fc
  .array(fc.constantFrom('LLC', "O'BRIEN", '??', '???', 'LA', '2ND', 'OF', 'A/C', 'MCKAY', 'é', 'II', '99'))
  .map((list) => list.join(' '));
const anyName = fc.oneof(words, fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme-ascii' }));

test('tidying a tidy name changes nothing', () => {
  fc.assert(
    fc.property(anyName, (name) => assert.equal(tidyName(tidyName(name)), tidyName(name))),
    { seed: 20161006, numRuns: 2000 },
  );
});

test('a name with a letter or a digit never becomes empty, and no control or bidi character is left', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const tidy = tidyName(name);
      if (/[\p{L}\p{N}]/u.test(name)) assert.match(tidy, /[\p{L}\p{N}]/u);
      assert.doesNotMatch(tidy, /[\p{Cc}\p{Cf}]|^ | $| {2}/u);
    }),
    { seed: 20161007, numRuns: 2000 },
  );
});

test('letters and digits stay as they are but for their case', () => {
  const ascii = fc.string({ unit: fc.constantFrom(..."ABZ09 '&-./,#(MCOLI") });
  fc.assert(
    fc.property(ascii, (name) => {
      assert.equal(tidyName(name).toUpperCase(), name.replace(/ +/g, ' ').trim());
    }),
    { seed: 20161008, numRuns: 2000 },
  );
});

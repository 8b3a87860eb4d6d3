/** Names as people write them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkRegister } from '../../../src/register/findings/check-register.ts';
import type { SampledRegister } from '../../../src/register/findings/evidence.ts';
import { tidyName } from '../../../src/register/profile/city.ts';
import { tidyText } from '../../../src/register/readers/row.ts';
import { anyCharacter } from '../../any-character.ts';
import cases from './names.json' with { type: 'json' };

const CASES = cases as [string, string][];

for (const [shouted, readable] of CASES) {
  test(`"${shouted}" is served as "${readable}"`, () => assert.equal(tidyName(shouted), readable));
}

const words = fc
  .array(fc.constantFrom('LLC', "O'BRIEN", '??', '???', 'LA', '2ND', 'OF', 'A/C', 'MCKAY', 'é', 'II', '99'))
  .map((list) => list.join(' '));
const anyName = fc.oneof(words, fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme-ascii' }));

const always = (names: fc.Arbitrary<string>, check: (name: string) => void) =>
  fc.assert(fc.property(names, check), { seed: 20161006, numRuns: 2000 });

test('tidying a tidy name changes nothing', () =>
  always(anyName, (name) => assert.equal(tidyName(tidyName(name)), tidyName(name))));

test('a name with a letter or a digit never becomes empty, and keeps no control or bidi character', () =>
  always(anyName, (name) => {
    const tidy = tidyName(name);
    if (/[\p{L}\p{N}]/u.test(name)) assert.match(tidy, /[\p{L}\p{N}]/u);
    assert.doesNotMatch(tidy, /[\p{Cc}\p{Cf}]|^ | $| {2}/u);
  }));

test('letters and digits of a name do not change, except for their case', () =>
  always(fc.string({ unit: fc.constantFrom(..."ABZ09 '&-./,#(MCOLI") }), (name) =>
    assert.equal(tidyName(name).toUpperCase(), name.replace(/ +/g, ' ').trim()),
  ));

const REPAIRED: [damaged: string, repaired: string][] = [
  ['CafÃ© RenÃ©e', 'Café Renée'],
  ['Oâ€™Malley â€“ Pub', 'O’Malley – Pub'],
  ['CAFÃ‰ Nâº 5', 'CAFÉ Nâº 5'],
  ['Ð\u009aÐ°Ñ„Ðµ', 'Кафе'],
  ['ã‚«ãƒ•ã‚§', 'カフェ'],
  ['CafÃƒÂ©', 'Café'],
  ['Joe&#39;s Bar &amp;amp; Grill', "Joe's Bar & Grill"],
  ['Caf&eacute; &Uuml;ber&#x2019;s', 'Café Über’s'],
  ['Don&#146;s', 'Don’s'],
  ['Fern\nCoffee', 'Fern Coffee'],
  ['24 Hour\nFitness', '24 Hour Fitness'],
  ['12 Quay St\r\nOtterfall, AR 72201', '12 Quay St, Otterfall, AR 72201'],
  ['12 Quay St,\nOtterfall ON K1A 0B1', '12 Quay St, Otterfall ON K1A 0B1'],
];
const AS_WRITTEN = 'AT&T; Store|R&D; Lab|CAFÉ’S|NIÑO™|Ｃａｆｅ|Ânimo|São João – Pão|H&M|&#0;|é»'.split('|');

test('certain damage is repaired, and all other text stays as it is written', () => {
  for (const [damaged, repaired] of REPAIRED) assert.equal(tidyText(damaged), repaired, damaged);
  for (const text of AS_WRITTEN) assert.equal(tidyText(text), text);
  always(fc.string({ unit: anyCharacter }), (text) => assert.equal(tidyText(tidyText(text)), tidyText(text)));
});

test('a name with lost characters is a finding, and a repaired name is none', () => {
  const find = (names: readonly string[]) => {
    const openings = names.map((name) => ({ name, status: 'open', cell: () => tidyText(name), weight: 1 }));
    const register = { evidence: { names: ['Name'], roles: {} }, openings, total: openings.length };
    return checkRegister(register as unknown as SampledRegister).find((one) => one !== undefined);
  };
  const found = find(['Caf\ufffd', 'Se?or Frog', 'CafÃ©', 'Who? Cafe', 'Blue Heron']);
  assert.deepEqual([found?.code, found?.count], ['damaged-names', 2]);
  assert.deepEqual(found?.examples, ['Caf\ufffd', 'Se?or Frog']);
  assert.equal(find(['CafÃ©', 'Blue Heron', '99?? STORE', 'HERON???S NEST']), undefined);
  const shops = ['Pier 1 Imports', '7-Eleven 23814', '24/7 Gym', 'Studio 5', '8 Café', '808', 'No. 9'];
  const many = Array.from({ length: 36 }, (_, i) => [...shops, '오션뷰 1107A', '하늘정원 101호'][i % 9]!);
  assert.equal(find(many), undefined);
  assert.equal(find([...many, 'L10023', '24-148301', 'BL 2024 0012', '0042311', '第12345号'])?.count, 5);
});

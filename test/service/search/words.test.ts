/** How texts are split into words, by example; docs/api.md has the rule. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSets } from '../../../src/service/search/sets.ts';
import { openLookup } from '../../../src/service/search/words/lookup.ts';
import { aRow, asking, catalogueOf, partsOf } from './made-up.ts';

const finds = (name: string, q: string): boolean =>
  catalogueOf([aRow({ name })]).search(asking({ q })).total === 1;

test('“Bar-B-Que” is one word, and a search for “bars” does not find it', () => {
  for (const name of ['Smokey Bar-B-Que', 'SMOKEY BAR B Q', 'Smokey Bar-B-Q’s', 'Smokey Barbque']) {
    assert.ok(!finds(name, 'bars'), name);
    for (const q of ['bbq', 'barbecue', name, 'bar b que', 'bar-b-q'])
      assert.ok(finds(name, q), `${name}: ${q}`);
  }
  assert.ok(finds('Smokey Bar-B-Que & Bar', 'bars'));
  for (const name of ['Bar B Queen', 'Bar B']) assert.ok(finds(name, 'bars'), name);
});

test('repeated words of a query do not change the answer', () => {
  const parts = partsOf([aRow({ name: 'S & T Market' }), aRow({ key: 'K2', name: 'T-S Supply' })]);
  const sets = openSets(parts.sets, parts.size);
  let unions = 0;
  const countedUnion: typeof sets.union = (...asked) => {
    unions++;
    return sets.union(...asked);
  };
  const lookup = openLookup(parts, { ...sets, union: countedUnion });
  const countUnions = (q: string): number => {
    unions = 0;
    sets.begin();
    lookup.rows(q, []);
    return unions;
  };
  assert.equal(countUnions('s '.repeat(99)), 1);
  assert.equal(countUnions('s t '.repeat(49)), 2);
  assert.equal(countUnions('s-t t-s '.repeat(24)), 3 + 3); // both words, and joined
  assert.equal(countUnions('s-s-s-s-s t'), 3);
  assert.equal(countUnions('s-s-s-s-s t'), 0); // as a page asks for its counts
});

test('every spelling of a name finds the name', () => {
  for (const apostrophe of "'’‘ʼ`´′＇") {
    for (const q of ['joes', "Joe's", 'JOE’S', 'joe´s', 'joʼes']) assert.ok(finds(`Joe${apostrophe}s`, q), q);
  }
  for (const q of ['7 eleven', '7-eleven', '7eleven', '7-ele']) assert.ok(finds('7-Eleven', q), q);
  for (const q of ['heb', 'H-E-B', 'h e b', 'h.e.b.', 'he', 'HEB']) assert.ok(finds('H-E-B', q), q);
  for (const q of ['d and z', 'dandz', 'd&z', 'D & Z', 'd＆z']) assert.ok(finds('D&Z', q), q);
  for (const q of ['cafe', 'CAFÉ', 'cafe\u0301', 'caf']) assert.ok(finds('Café', q), q);
  for (const [name, q] of [
    ...[
      ['Straße Imbiss', 'strasse'],
      ['Smørrebrød', 'smorrebrod'],
      ['Łódź Deli', 'lodz'],
      ['Ærø Café', 'aero'],
    ],
    ...[
      ['Đặng Nails', 'dang nails'],
      ['Þór Gym', 'thor'],
      ['Kırmızı', 'kirmizi'],
      ['Cafe Soren', 'søren'],
    ],
    // scripts without spaces are found inside
    ...[
      ['金龍餐廳', '餐廳'],
      ['金龍餐廳', '金龍餐廳'],
      ['東京ラーメン横丁', 'ラーメン'],
      ['ร้านอาหารไทย', 'อาหาร'],
    ],
  ] as const)
    assert.ok(finds(name, q), `${name} ${q}`);
  assert.ok(!finds('金龍餐廳', '龍金餐'));
});

test('a query can have OR between words, a minus sign and quotation marks, and no other operators', () => {
  const names = ['Bread Wine', 'Bread and Wine', 'Bread or Wine', 'Bread not Wine', 'Near Wine', 'Wine'];
  const found = (q: string) => names.filter((name) => finds(name, q));
  const CASES: [q: string, names: string[]][] = [
    ['bread AND wine', ['Bread and Wine']],
    ['bread OR wine', names],
    ['bread OR -wine', []],
    ['bread NOT wine', ['Bread not Wine']],
    ['NOT wine', ['Bread not Wine']],
    ['NEAR(bread wine)', []],
    ['NEAR/2 wine', []],
    ['NEAR wine', ['Near Wine']],
    ['AND', ['Bread and Wine']],
    ['OR', ['Bread or Wine']],
    ['NOT', ['Bread not Wine']],
    ['name:wine', []],
    ['bread -wine', []],
    ['bread -win*', []],
    ['bread -win -win*', []],
    ['+wine ^bread*', names.slice(0, 4)],
    ['"wine bread"', []],
    ['"bread wine"', ['Bread Wine']],
    ['bread | wine', names.slice(0, 4)],
    ['bread & wine', ['Bread and Wine']],
  ];
  for (const [q, wanted] of CASES) assert.deepEqual(found(q), wanted, q);
});

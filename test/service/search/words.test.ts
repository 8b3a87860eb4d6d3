/** How texts are split into words, and what other words mean, by example; docs/api.md has the rule. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { openSets } from '../../../src/service/search/sets.ts';
import { openLookup } from '../../../src/service/search/words/lookup.ts';
import { aRow, asking, catalogueOf, partsOf } from './made-up.ts';
import { OPTIONS } from './shops.ts';

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

test('initials joined by “&” are one word too', () => {
  for (const name of ['H & R Block', 'H&R Block'])
    for (const q of ['hr block', 'h&r block', 'h & r block', 'h and r block']) assert.ok(finds(name, q), q);
  assert.ok(!finds('Fish & R Block', 'hr block'));
});

test('repeated words of a query do not change the answer', () => {
  const parts = partsOf([aRow({ name: 'S T Market' }), aRow({ key: 'K2', name: 'T-S Supply' })]);
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

test('a type or kind with other trades too counts for none of them, and other words are those of the answer', () => {
  const typed = Array.from({ length: 20 }, (_, i) =>
    aRow({ key: `typed${i}`, name: `Chair ${i}`, category: 'Beauty & Hair', type: 'barber beauty booth' }),
  );
  const bare = { category: 'Beauty & Hair', neighborhood: 'Belmont Shore' };
  const rows = [
    ...typed,
    aRow({ key: 'named', name: 'Ann Barber', category: 'Beauty & Hair' }),
    aRow({ key: 'other', name: 'Main Fades', ...bare }),
    aRow({ key: 'nails', name: 'Nails by Ann', category: 'Beauty & Hair' }),
    aRow({ key: 'party', name: 'Ann Catering', category: 'Food Trucks & Catering' }),
    aRow({ key: 'plain', name: 'Main Kitchen', category: 'Food Trucks & Catering' }),
  ];
  const town = openIndex(partsOf(rows, { day: '2016-10-06' }), OPTIONS);
  const ask = (q: string) => town.read(asking({ q }));
  const compare = (q: string) => [ask(q).search, ask(q).against!].map(town.count);
  assert.deepEqual(compare('barbers vs nail salons'), [2, 1]);
  // both are of one kind, which tells neither
  assert.deepEqual(compare('food trucks vs caterers'), [1, 0]);
  assert.equal(ask('food trucks vs caterers').words[0]?.mixed, 'Food Trucks & Catering');
  const wordOf = (q: string) => ask(q).words.find(({ text }) => text === 'barbers');
  assert.deepEqual(wordOf('barbers'), {
    text: 'barbers',
    fate: 'name',
    others: ['fades'],
    mixed: 'barber beauty booth',
  });
  assert.equal(wordOf('barbers in old town')?.others, undefined);
});

test('what means the same is excluded by its own words', () => {
  const names = ['Ann Catering', 'Main Caterers', 'Lake Chef', 'Pine Banquets'];
  const town = catalogueOf(
    names.map((name, i) => aRow({ key: `${i}`, name, category: 'Food Trucks & Catering' })),
  );
  const count = (q: string) => town.search(asking({ q })).total;
  assert.equal(count('caterers'), 4);
  assert.equal(count('caterers -catering'), 3);
  assert.equal(count('-catering'), 0);
  // a beginning that a synonym adds is its own too, unless what is asked for has it
  const left = (category: string, some: readonly string[], q: string) =>
    catalogueOf(some.map((name) => aRow({ key: name, name, category }))).search(asking({ q })).total;
  const washes = ['Legacy Detail', 'Pine Detailing', 'Main Car Wash'];
  assert.equal(left('Auto Repair', washes, 'car wash'), 3);
  assert.equal(left('Auto Repair', washes, 'car wash -detailing'), 1);
  const greens = ['VeganShoku', 'I Love Vegan', 'Veggie House', 'Po Kong Vegetarian'];
  assert.equal(left('Restaurants', greens, 'vegetarian -vegan'), 2);
  // one type has both
  const inns = catalogueOf(
    [...Array.from({ length: 20 }, (_, i) => `Lake House ${i}`), 'Main Motel'].map((name, i) =>
      aRow({ key: `${i}`, name, category: 'Hotels & Lodging', type: 'hotels and motels' }),
    ),
  );
  assert.equal(inns.search(asking({ q: 'hotels -motels' })).total, 20);
  const drinks = catalogueOf(
    ['Main Liquor', 'Ann Wine & Spirits', 'Pine Wines'].map((name, i) =>
      aRow({ key: `${i}`, name, category: 'Liquor & Tobacco' }),
    ),
  );
  const { search, words } = drinks.read(asking({ q: 'liquor stores but not wine shops' }));
  assert.equal(drinks.search(search).total, 1);
  assert.ok(!words.some(({ to }) => to === 'Liquor & Tobacco'));
});

test('a kind that is more than what is asked for is named, and that of a trade in few names beside many others', () => {
  const names = [...Array.from({ length: 19 }, (_, i) => `Shine ${i}`), 'Main Window Washing', 'Foot Hills'];
  const rows = names.map((name, i) => aRow({ key: `${i}`, name, category: 'Cleaning' }));
  const wordsOf = (some: typeof rows, q: string) =>
    openIndex(partsOf(some, { day: '2016-10-06' }), OPTIONS).read(asking({ q })).words;
  assert.deepEqual(wordsOf(rows, 'house cleaning'), [
    { text: 'house cleaning', fate: 'kind', to: 'Cleaning' },
  ]);
  // a type of the register tells it
  const typed = rows.map((row, i) =>
    aRow({ ...row, key: `t${i}`, name: `Lake ${i}`, type: 'house cleaning' }),
  );
  assert.deepEqual(wordsOf([...rows, ...typed], 'maid'), [{ text: 'maid', fate: 'kind' }]);
  assert.equal(catalogueOf([...rows, ...typed]).search(asking({ q: 'maid' })).total, typed.length);
  assert.deepEqual(wordsOf(rows, 'cleaners'), [{ text: 'cleaners', fate: 'kind' }]);
  const asked = { text: 'window washing', fate: 'name', others: ['window'] };
  assert.deepEqual(wordsOf(rows, 'window washing'), [{ ...asked, mixed: 'Cleaning', others: ['window'] }]);
  assert.deepEqual(wordsOf(rows.slice(2), 'window washing'), [asked]);
});

test('a type with trades of two categories tells none of a listing without a category', () => {
  const rows = Array.from({ length: 20 }, (_, i) =>
    aRow({
      key: `${i}`,
      name: `Shots ${i}`,
      type: 'photographers and portrait painters',
      category: 'Uncategorized',
    }),
  );
  rows.push(aRow({ key: 'p', name: 'Main Painting', category: 'Construction & Trades' }));
  const town = catalogueOf(rows);
  assert.equal(town.search(asking({ q: 'painter' })).total, 1);
  assert.equal(town.search(asking({ q: '"portrait painters"' })).total, 20);
});

test('other words of a trade say it', () => {
  const town = catalogueOf(
    [
      ['Beauty & Hair', 'Foot Hills Nails'],
      ['Medical', 'Main Foot Massage'],
      ['Beauty & Hair', 'Main Barber'],
      ['Beauty & Hair', 'Lake Tattoo'],
      ['Arts & Entertainment', 'Pottery Studio'],
      ['Arts & Entertainment', 'Ann Portraits'],
      ['Food Trucks & Catering', 'High Street Kitchen'],
      ['Food Trucks & Catering', 'Taco Wheels'],
      ['Food Trucks & Catering', 'La Paleteria'],
      ['Auto Repair', 'Main Bicycle Repair'],
      ['Nonprofits & Community', 'Pine Baptist Church'],
      ['Nonprofits & Community', 'Churchill Merchants'],
      ['Restaurants', 'Shawarma Corner'],
      ['Restaurants', 'Vegan Bowls'],
      ['Pets & Veterinary', 'Lake Pets'],
      ['Pets & Veterinary', 'Main Aquatics'],
    ].map(([category, name], i) => aRow({ key: `${i}`, name: name!, category: category! })),
  );
  const count = (q: string) => town.search(asking({ q })).total;
  for (const q of [
    'massage',
    'haircut',
    'tattoo',
    'photographer',
    'food truck',
    'paletas',
    'bike',
    'church',
    'aquarium',
  ])
    assert.equal(count(q), 1, q);
  for (const q of ['hair salon', 'piercing', 'synagogue', 'mosque', 'temple', 'halal'])
    assert.equal(count(q), 0, q);
  assert.equal(town.search(town.read(asking({ q: 'where can I eat vegan' })).search).total, 1);
});

test('another spelling has the other words of what it is corrected to, and a known phrase is likelier than two words', () => {
  const sales = Array.from({ length: 9 }, (_, i) =>
    aRow({ key: `sales${i}`, name: `Nail Sales ${i}`, category: 'Consulting' }),
  );
  const rows = [
    ...sales,
    aRow({ key: 'nails', name: 'Ann Nail Salon', category: 'Beauty & Hair' }),
    aRow({ key: 'pastry', name: 'Main Pastry', category: 'Cafes & Bakeries' }),
  ];
  const town = openIndex(partsOf(rows, { day: '2016-10-06' }), OPTIONS);
  const ask = (q: string) => town.read(asking({ q }));
  assert.deepEqual(ask('bakry').words, [
    { text: 'bakry', fate: 'corrected', to: 'bakery', others: ['pastry'] },
  ]);
  assert.equal(ask('nail salns').search.q, 'nail salon');
});

/** How texts are split into words, and what other words mean, by example; docs/api.md has the rule. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSets } from '../../../src/service/search/sets.ts';
import { openLookup } from '../../../src/service/search/words/lookup.ts';
import { aRow, asking, catalogueOf, namedRows, numbered, partsOf } from './made-up.ts';
import { aTown } from './shops.ts';

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
  const town = aTown([
    ...namedRows({ 'Beauty & Hair': numbered('Chair', 20) }, { type: 'barber beauty booth' }),
    ...namedRows({ 'Beauty & Hair': ['Main Fades'] }, { neighborhood: 'Belmont Shore' }),
    ...namedRows({
      'Beauty & Hair': ['Ann Barber', 'Nails by Ann'],
      'Food Trucks & Catering': ['Ann Catering', 'Main Kitchen'],
    }),
  ]);
  const compare = (q: string) => [town.search(q), town.read(q).against!].map(town.countSearch);
  assert.deepEqual(compare('barbers vs nail salons'), [2, 1]);
  // both are of one kind, which tells neither
  assert.deepEqual(compare('food trucks vs caterers'), [1, 0]);
  assert.equal(town.read('food trucks vs caterers').words[0]?.mixed, 'Food Trucks & Catering');
  const wordOf = (q: string) => town.read(q).words.find(({ text }) => text === 'barbers');
  const barbers = { text: 'barbers', fate: 'name', others: ['fades'], mixed: 'barber beauty booth' };
  assert.deepEqual(wordOf('barbers'), barbers);
  assert.equal(wordOf('barbers in old town')?.others, undefined);
});

test('what means the same is excluded by its own words', () => {
  const count = (names: Record<string, readonly string[]>, q: string, type?: string) =>
    catalogueOf(namedRows(names, { type })).search(asking({ q })).total;
  const caterers = {
    'Food Trucks & Catering': ['Ann Catering', 'Main Caterers', 'Lake Chef', 'Pine Banquets'],
  };
  // a beginning that a synonym adds is its own too, unless what is asked for has it
  const washes = { 'Auto Repair': ['Legacy Detail', 'Pine Detailing', 'Main Car Wash'] };
  const greens = { Restaurants: ['VeganShoku', 'I Love Vegan', 'Veggie House', 'Po Kong Vegetarian'] };
  for (const [names, q, total] of [
    [caterers, 'caterers', 4],
    [caterers, 'caterers -catering', 3],
    [caterers, '-catering', 0],
    [washes, 'car wash', 3],
    [washes, 'car wash -detailing', 1],
    [greens, 'vegetarian -vegan', 2],
  ] as const)
    assert.equal(count(names, q), total, q);
  // one type has both
  const inns = { 'Hotels & Lodging': [...numbered('Lake House', 20), 'Main Motel'] };
  assert.equal(count(inns, 'hotels -motels', 'hotels and motels'), 20);
  const drinks = catalogueOf(
    namedRows({ 'Liquor & Tobacco': ['Main Liquor', 'Ann Wine & Spirits', 'Pine Wines'] }),
  );
  const { search, words } = drinks.read(asking({ q: 'liquor stores but not wine shops' }));
  assert.equal(drinks.count(search), 1);
  assert.ok(!words.some(({ to }) => to === 'Liquor & Tobacco'));
});

test('a kind that is more than what is asked for is named, and that of a trade in few names beside many others', () => {
  const rows = namedRows({ Cleaning: ['Foot Hills', 'Main Window Washing', ...numbered('Shine', 19)] });
  const wordsOf = (some: typeof rows, q: string) => aTown(some).read(q).words;
  assert.deepEqual(wordsOf(rows, 'house cleaning'), [
    { text: 'house cleaning', fate: 'kind', to: 'Cleaning' },
  ]);
  // a type of the register tells it
  const typed = namedRows({ Cleaning: numbered('Lake', 21) }, { type: 'house cleaning' });
  assert.deepEqual(wordsOf([...rows, ...typed], 'maid'), [{ text: 'maid', fate: 'kind' }]);
  assert.equal(catalogueOf([...rows, ...typed]).search(asking({ q: 'maid' })).total, typed.length);
  assert.deepEqual(wordsOf(rows, 'cleaners'), [{ text: 'cleaners', fate: 'kind' }]);
  const asked = { text: 'window washing', fate: 'name', others: ['window'] };
  assert.deepEqual(wordsOf(rows, 'window washing'), [{ ...asked, mixed: 'Cleaning' }]);
  assert.deepEqual(wordsOf(rows.slice(0, -2), 'window washing'), [asked]);
});

test('a type with trades of two categories tells none of a listing without a category', () => {
  const town = catalogueOf([
    ...namedRows({ Uncategorized: numbered('Shots', 20) }, { type: 'photographers and portrait painters' }),
    ...namedRows({ 'Construction & Trades': ['Main Painting'] }),
  ]);
  assert.equal(town.search(asking({ q: 'painter' })).total, 1);
  assert.equal(town.search(asking({ q: '"portrait painters"' })).total, 20);
});

test('other words of a trade say it', () => {
  const town = catalogueOf(
    namedRows({
      'Beauty & Hair': ['Foot Hills Nails', 'Main Barber', 'Lake Tattoo'],
      Medical: ['Main Foot Massage'],
      'Arts & Entertainment': ['Pottery Studio', 'Ann Portraits'],
      'Food Trucks & Catering': ['High Street Kitchen', 'Taco Wheels', 'La Paleteria'],
      'Auto Repair': ['Main Bicycle Repair'],
      'Nonprofits & Community': ['Pine Baptist Church', 'Churchill Merchants'],
      Restaurants: ['Shawarma Corner', 'Vegan Bowls'],
      'Pets & Veterinary': ['Lake Pets', 'Main Aquatics'],
    }),
  );
  const count = (q: string) => town.search(asking({ q })).total;
  for (const q of [
    ...[
      'massage',
      'haircut',
      'tattoo',
      'photographer',
      'food truck',
      'paletas',
      'bike',
      'church',
      'aquarium',
    ],
  ])
    assert.equal(count(q), 1, q);
  for (const q of ['hair salon', 'piercing', 'synagogue', 'mosque', 'temple', 'halal'])
    assert.equal(count(q), 0, q);
  assert.equal(town.search(town.read(asking({ q: 'where can I eat vegan' })).search).total, 1);
});

test('another spelling has the other words of what it is corrected to, and a known phrase is likelier than two words', () => {
  const { read, q } = aTown(
    namedRows({
      Consulting: numbered('Nail Sales', 9),
      'Beauty & Hair': ['Ann Nail Salon'],
      'Cafes & Bakeries': ['Main Pastry'],
    }),
  );
  assert.deepEqual(read('bakry').words, [
    { text: 'bakry', fate: 'corrected', to: 'bakery', others: ['pastry'] },
  ]);
  assert.equal(q('nail salns'), 'nail salon');
});

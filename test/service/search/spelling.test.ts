/** Which words are near enough to one that was typed, on both sides of each threshold. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSpelling } from '../../../src/service/search/words/spelling.ts';
import { normalizeText } from '../../../src/shared/words.ts';
import { aRow, asking, catalogueOf, partsOf } from './made-up.ts';

/** As many rows of each word. */
function rowsOf(words: Record<string, number>) {
  const names = Object.entries(words).flatMap(([name, count]) => Array<string>(count).fill(name));
  return names.map((name, i) => aRow({ key: `K${i}`, name }));
}

const fold = (word: string): string => normalizeText(word).normalize('NFC');

/** The words that are suggested for one that is in `count` rows; Korean as it is written. */
function near(typed: string, words: Record<string, number>, count = 0): string[] {
  const found = openSpelling(partsOf(rowsOf(words)), [], () => 0).findNear(normalizeText(typed), count);
  return found.map((word) => word.normalize('NFC'));
}

test('a misspelled word is recognized in every script', () => {
  const MISSPELLED: [word: string, typed: string[]][] = [
    ['ресторан', ['рестран', 'ресторран', 'рсеторан', 'рестарон']],
    ['καφετέρια', ['καφτέρια', 'καφφετέρια', 'κφαετέρια', 'καφεταριε']],
    ['스타벅스', ['스타스', '스타타벅스', '타스벅스', '스타벅쓰', '스파벅스']],
    ['미용실', ['미용용실', '미실용', '미영실']],
    ['張記茶餐廳', ['張記茶廳', '張記茶茶餐廳', '記張茶餐廳']],
    ['𞤀𞤣𞤢𞤤', ['𞤀𞤣𞤣𞤢𞤤', '𞤣𞤀𞤢𞤤', '𞤀𞤣𞤢𞤢']],
  ];
  for (const [word, typed] of MISSPELLED)
    for (const one of typed) assert.deepEqual(near(one, { [word]: 1 }), [fold(word)], one);
});

test('a letter of another script that looks the same counts as one typo', () => {
  assert.deepEqual(near('c\u043effee', { coffee: 1 }), ['coffee']);
});

test('a suggestion in Korean is written in syllables, even for the name of a neighborhood', () => {
  const catalogue = catalogueOf([...rowsOf({ 스타벅스: 1 }), aRow({ key: 'N', neighborhood: '코리아타운' })]);
  const meant = (q: string) => {
    const { search, offer = { search } } = catalogue.read(asking({ q }));
    const { q: words, neighborhood } = offer.search;
    return [words, ...neighborhood].join('');
  };
  assert.equal(meant('스타벅쓰'), '스타벅스');
  assert.equal(meant('코리안타운'), '코리아타운');
  for (const q of ['고리아타운', '빵리아타운', '뷁리아타운', '쾅리아타운'])
    assert.equal(meant(q), '코리아타운');
});

test('words of at least four characters, or three in Korean, get suggestions', () => {
  assert.deepEqual(near('cofe', { cafe: 1 }), ['cafe']);
  assert.deepEqual(near('cof', { cofe: 1 }), []);
  assert.deepEqual(near('tcao', { taco: 1 }), ['taco']);
  assert.deepEqual(near('acfe', { cafe: 1 }), ['cafe'], 'a swapped first letter');
  for (const [typed, word] of [
    ['near', 'wear'],
    ['gone', 'one'],
    ['pine', 'wine'],
  ] as const)
    assert.deepEqual(near(typed, { [word]: 99 }), [], 'a short word keeps its first letter');
  assert.deepEqual(near('кафе', { кофе: 1 }), ['кофе']);
  assert.deepEqual(near('каф', { кафе: 1 }), []);
  assert.deepEqual(near('미영실', { 미용실: 1 }), ['미용실']);
  assert.deepEqual(near('카드', { 카페: 1 }), []);
});

test('a correction changes two letters only in a word of eight characters or more for which one change finds nothing', () => {
  assert.deepEqual(near('plambeng', { plumbing: 1 }), ['plumbing']);
  assert.deepEqual(near('plumbnq', { plumbing: 1 }), []);
  assert.deepEqual(near('кофейнаа', { кафейная: 1 }), [fold('кафейная')]);
  assert.deepEqual(near('кофейна', { кафейно: 1 }), []);
  assert.deepEqual(near('plumbinq', { plumbing: 1, plumbers: 9 }), ['plumbing']);
  assert.deepEqual(near('plumbing', { plumbers: 1 }), []);
  assert.deepEqual(near('landlords', { sandfords: 1 }), [], 'two edits keep the first letter');
});

test('a word is suggested if it is 20 times as frequent as the typed word', () => {
  assert.deepEqual(near('cofee', { coffee: 1, cofee: 1 }), ['coffee']);
  assert.deepEqual(near('cofee', { coffee: 20 }, 1), ['coffee']);
  assert.deepEqual(near('cofee', { coffee: 19 }, 1), []);
  assert.deepEqual(near('cofee', { coffee: 40 }, 2), ['coffee']);
  assert.deepEqual(near('cofee', { coffee: 39 }, 2), []);
});

test('a suggestion can be a shorter word, if it is frequent and has fewer different letters', () => {
  assert.deepEqual(near('embed', { emed: 19 }), []);
  assert.deepEqual(near('embed', { emed: 20 }), ['emed']);
  assert.deepEqual(near('embed', { embedd: 1 }), ['embedd']);
  assert.deepEqual(near('cofffee', { coffee: 1 }), ['coffee'], 'a letter too often');
});

test('the three most frequent words are suggested, with a bonus for the same first letter and the same letters', () => {
  assert.deepEqual(near('salon', { saloon: 1, salons: 2, salmon: 4, salton: 5 }), [
    'salons',
    'salton',
    'salmon',
  ]);
  assert.deepEqual(near('bakes', { cakes: 7, baker: 1 }), ['baker', 'cakes']);
  assert.deepEqual(near('bakes', { cakes: 9, baker: 1 }), ['cakes', 'baker']);
  assert.deepEqual(near('marts', { smarts: 5, martz: 2, mrats: 1 }), ['mrats', 'martz', 'smarts']);
  assert.deepEqual(near('marts', { martz: 4, mrats: 1 }), ['martz', 'mrats']);
});

test('each of several words is corrected', () => {
  const meant = (words: Record<string, number>, q: string) =>
    catalogueOf(rowsOf(words)).read(asking({ q })).search.q;
  const shops = { 'thrift shop': 40, 'sweet shoppe': 20 };
  for (const q of ['thrft shopp', 'thrift shopp', 'thrft shop']) assert.equal(meant(shops, q), 'thrift shop');
  assert.equal(meant({ 'granite quarry': 1 }, 'ganite quarry'), 'granite quarry');
  // a brand is right, and words of questions are misspelled too
  assert.equal(meant({ 'pets place': 40 }, 'peets place'), 'peets place');
  assert.equal(meant(shops, 'thrft shop opend'), 'thrift shop');
});

test('a trade, a kind or a brand is likelier than other words, the one that finds most first', () => {
  const places = { Legal: ['Jones', 'Smith'], 'Pets & Veterinary': ['Animal Clinic', 'Laser Pets'] };
  const known = Object.entries(places).flatMap(([category, names]) =>
    names.map((name) => aRow({ key: name, name, category })),
  );
  const others = { 'later cooler': 9, 'chick fil a': 7, 'petal chik': 1 };
  const catalogue = catalogueOf([...known, ...rowsOf(others)]);
  for (const [q, expected] of Object.entries({
    lawer: 'lawyer',
    vetinarian: 'veterinarian',
    'chik fil a': 'chick fil',
    'is there a chik fil a': 'chick fil',
    chik: 'chik',
    later: 'later',
  }))
    assert.equal(catalogue.read(asking({ q })).search.q, expected, q);
});

test('the first of the three nearest words that finds listings is suggested', () => {
  const words = { 'morton q': 6, 'norton z': 9, 'gorton q': 4 };
  const catalogue = catalogueOf(rowsOf(words));
  assert.equal(catalogue.read(asking({ q: 'borton q' })).search.q, 'morton q');
});

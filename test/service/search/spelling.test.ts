/** Which words are near enough to one that was typed, on both sides of each threshold. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSpelling } from '../../../src/service/search/words/spelling.ts';
import { normalizeText } from '../../../src/shared/words.ts';
import { aRow, asking, catalogueOf, namedRows, partsOf, repeatedRows } from './made-up.ts';

const fold = (word: string): string => normalizeText(word).normalize('NFC');

/** The words that are suggested for one that is in `count` rows; Korean as it is written. */
function near(typed: string, words: Record<string, number>, count = 0): string[] {
  const found = openSpelling(partsOf(repeatedRows(words)), [], () => 0).findNear(normalizeText(typed), count);
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

test('a suggestion in Korean is written in syllables, even for the name of a neighborhood', () => {
  const catalogue = catalogueOf([
    ...repeatedRows({ 스타벅스: 1 }),
    aRow({ key: 'N', neighborhood: '코리아타운' }),
  ]);
  for (const [typed, word] of Object.entries({
    스타벅쓰: '스타벅스',
    코리안타운: '코리아타운',
    고리아타운: '코리아타운',
    빵리아타운: '코리아타운',
    뷁리아타운: '코리아타운',
    쾅리아타운: '코리아타운',
  })) {
    const { search, offer = { search } } = catalogue.read(asking({ q: typed }));
    assert.equal([offer.search.q, ...offer.search.neighborhood].join(''), word, typed);
  }
});

/** What is suggested for a word, and what not: on both sides of each threshold. */
const NEAR: [typed: string, words: Record<string, number>, expected: string[], count?: number][] = [
  ['c\u043effee', { coffee: 1 }, ['coffee']], // a letter of another script that looks the same
  // of at least four characters, or three in Korean
  ['cofe', { cafe: 1 }, ['cafe']],
  ['cof', { cofe: 1 }, []],
  ['tcao', { taco: 1 }, ['taco']],
  ['acfe', { cafe: 1 }, ['cafe']], // a swapped first letter
  ['near', { wear: 99 }, []], // a short word keeps its first letter
  ['gone', { one: 99 }, []],
  ['pine', { wine: 99 }, []],
  ['кафе', { кофе: 1 }, ['кофе']],
  ['каф', { кафе: 1 }, []],
  ['미영실', { 미용실: 1 }, ['미용실']],
  ['카드', { 카페: 1 }, []],
  // two letters are changed only in a word of eight characters or more for which one change finds nothing
  ['plambeng', { plumbing: 1 }, ['plumbing']],
  ['plumbnq', { plumbing: 1 }, []],
  ['кофейнаа', { кафейная: 1 }, [fold('кафейная')]],
  ['кофейна', { кафейно: 1 }, []],
  ['plumbinq', { plumbing: 1, plumbers: 9 }, ['plumbing']],
  ['plumbing', { plumbers: 1 }, []],
  ['landlords', { sandfords: 1 }, []], // they keep the first letter
  // 20 times as frequent as the typed word
  ['cofee', { coffee: 1, cofee: 1 }, ['coffee']],
  ['cofee', { coffee: 20 }, ['coffee'], 1],
  ['cofee', { coffee: 19 }, [], 1],
  ['cofee', { coffee: 40 }, ['coffee'], 2],
  ['cofee', { coffee: 39 }, [], 2],
  // a shorter word, if it is frequent and has fewer different letters
  ['embed', { emed: 19 }, []],
  ['embed', { emed: 20 }, ['emed']],
  ['embed', { embedd: 1 }, ['embedd']],
  ['cofffee', { coffee: 1 }, ['coffee']], // a letter too often
  // the three most frequent, with a bonus for the same first letter and the same letters
  ['salon', { saloon: 1, salons: 2, salmon: 4, salton: 5 }, ['salons', 'salton', 'salmon']],
  ['bakes', { cakes: 7, baker: 1 }, ['baker', 'cakes']],
  ['bakes', { cakes: 9, baker: 1 }, ['cakes', 'baker']],
  ['marts', { smarts: 5, martz: 2, mrats: 1 }, ['mrats', 'martz', 'smarts']],
  ['marts', { martz: 4, mrats: 1 }, ['martz', 'mrats']],
];

test('the nearest words are suggested, on this side of each threshold and not beyond', () => {
  for (const [typed, words, expected, count] of NEAR)
    assert.deepEqual(near(typed, words, count), expected, `${typed} ${JSON.stringify(words)} ${count}`);
});

test('each of several words is corrected', () => {
  const meant = (words: Record<string, number>, q: string) =>
    catalogueOf(repeatedRows(words)).read(asking({ q })).search.q;
  const shops = { 'thrift shop': 40, 'sweet shoppe': 20 };
  for (const q of ['thrft shopp', 'thrift shopp', 'thrft shop']) assert.equal(meant(shops, q), 'thrift shop');
  assert.equal(meant({ 'granite quarry': 1 }, 'ganite quarry'), 'granite quarry');
  // a brand is right, and words of questions are misspelled too
  assert.equal(meant({ 'pets place': 40 }, 'peets place'), 'peets place');
  assert.equal(meant(shops, 'thrft shop opend'), 'thrift shop');
});

test('a trade, a kind or a brand is likelier than other words, the one that finds most first', () => {
  const places = { Legal: ['Jones', 'Smith'], 'Pets & Veterinary': ['Animal Clinic', 'Laser Pets'] };
  const others = { 'later cooler': 9, 'chick fil a': 7, 'petal chik': 1 };
  const catalogue = catalogueOf([...namedRows(places), ...repeatedRows(others)]);
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
  const catalogue = catalogueOf(repeatedRows(words));
  assert.equal(catalogue.read(asking({ q: 'borton q' })).search.q, 'morton q');
});

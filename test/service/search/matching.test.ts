/** What a query finds: whole words in all their forms, what people call a kind of business, and beginnings where nothing else is found. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSets, takeRows } from '../../../src/service/search/sets.ts';
import { listForms, toSingular } from '../../../src/shared/text/word-forms.ts';
import { asking, catalogueOf, namedRows, pageOf } from './made-up.ts';

/** The names that a query finds, of listings with these names by their kinds. */
function finderOf(names: Record<string, readonly string[]>): (q: string) => string[] {
  const catalogue = catalogueOf(namedRows(names));
  return (q) =>
    pageOf(catalogue, asking({ q }))
      .map(({ name }) => name)
      .sort();
}

test('a search finds longer words only if no listing has the word itself', () => {
  const find = finderOf({
    Uncategorized: ['Pho Saigon', 'Phone Fix', 'Photo Hut', 'Saigon Phở', 'Barnacle Boats'],
  });
  for (const [q, ...names] of [
    ['pho', 'Pho Saigon', 'Saigon Phở'],
    ['phon', 'Phone Fix'],
    ['ph', 'Pho Saigon', 'Phone Fix', 'Photo Hut', 'Saigon Phở'],
    ['pho*', 'Pho Saigon', 'Phone Fix', 'Photo Hut', 'Saigon Phở'],
    ['bar', 'Barnacle Boats'],
    ['pho saig', 'Pho Saigon', 'Saigon Phở'],
    ['ph saigon'], // only the last word
  ] as const)
    assert.deepEqual(find(q), names, q);
});

test('singular and plural count as the same word, and words with other endings count as different words', () => {
  const find = finderOf({
    Uncategorized: [
      ...['Corner Taco', 'Tacos Uno', 'Marin Supply', 'Marine Supply', 'Quarry Glass', 'The Quarries'],
    ],
  });
  for (const q of ['taco', 'tacos']) assert.deepEqual(find(q), ['Corner Taco', 'Tacos Uno'], q);
  assert.deepEqual(find('marin'), ['Marin Supply']);
  for (const q of ['quarry', 'quarries']) assert.deepEqual(find(q), ['Quarry Glass', 'The Quarries'], q);
  for (const [plural, singular] of [
    ['donuts', 'donut'],
    ['bakeries', 'bakery'],
    ['churches', 'church'],
    ['boxes', 'box'],
    ['shoes', 'sho'],
    ['tacos', 'taco'],
  ] as const)
    assert.equal(toSingular(plural), singular);
  assert.ok(listForms('shoes').includes('shoe'));
  for (const word of ['gas', 'news', 'glass', 'bus', 'tennis', 'alexs', 'texas', '99s'])
    assert.equal(toSingular(word), word);
});

test('numbers and their words, saint and st, and other spellings mean the same', () => {
  const find = finderOf({
    Uncategorized: ['7-Eleven', 'St. Mary Bakes', 'Four Winds', 'Second Street Theatre', 'Tyre Hall'],
  });
  for (const [name, ...asked] of [
    ['7-Eleven', 'seven eleven', '7 eleven', '7eleven', '7 11', 'Seven-11'],
    ['St. Mary Bakes', 'saint mary'],
    ['Four Winds', '4 winds'],
    ['Second Street Theatre', '2nd street theater'],
    ['Tyre Hall', 'tires'],
  ] as const)
    for (const q of asked) assert.deepEqual(find(q), [name], q);
});

test('joined and separate words mean the same', () => {
  const find = finderOf({
    Uncategorized: [
      ...['McDuffys', 'Mc Duffys North', 'Sunny Daycare', 'Moon Day Care', 'Care All Day', 'H-E-B'],
    ],
  });
  for (const q of ['mc duffys', 'mcduffys']) assert.deepEqual(find(q), ['Mc Duffys North', 'McDuffys'], q);
  assert.deepEqual(find('sunny day care'), ['Sunny Daycare']);
  assert.deepEqual(find('moon daycare'), ['Moon Day Care'], 'as another name writes it');
  assert.deepEqual(find('h e b'), ['H-E-B']);
});

test('everyday words for a kind of business find the listings of its category', () => {
  const find = finderOf({
    Dental: ['Amara Lin', 'Bright Smiles'],
    Wholesale: ['Dental Tools'],
    Legal: ['Amara Lin Law'],
  });
  for (const q of ['dentist', 'dentists', 'dental office', 'Dentistry'])
    assert.deepEqual(find(q), ['Amara Lin', 'Bright Smiles'], q);
  assert.deepEqual(find('dentist amara'), ['Amara Lin']);
  assert.deepEqual(find('dental'), ['Amara Lin', 'Bright Smiles', 'Dental Tools'], 'also in a name');
});

test('a narrower word finds names with any form of the word, and never the whole category', () => {
  const find = finderOf({
    'Beauty & Hair': ['Nails by the Bay', "Rico's Barbers"],
    Wholesale: ['Barber Tools'],
    'Construction & Trades': ['Rapid Plumbing', 'Joe the Plumber', 'Volt Electric'],
    'Laundry & Tailoring': ['Fast Sewing'],
    Restaurants: ['Corner Ramen', 'Sushi Sun'],
    'Food Trucks & Catering': ['Sol Tacos', 'Moonrise Catering'],
  });
  for (const [asked, ...names] of [
    ['barbershop, barber shops, barbering', "Rico's Barbers"],
    ['plumber, plumbers, plumbing', 'Joe the Plumber', 'Rapid Plumbing'],
    ['electricians, electrical, electric', 'Volt Electric'],
    ['tailors, tailoring, alterations', 'Fast Sewing'],
    ['ramen', 'Corner Ramen'],
    ['sushi', 'Sushi Sun'],
    ['caterers, catering', 'Moonrise Catering'],
    ['vape shop, pho, bakery'],
  ] as const)
    for (const q of asked.split(', ')) assert.deepEqual(find(q), names, q);
});

test('a trade finds the names of its activity whatever their kind, and an activity no surname', () => {
  const find = finderOf({
    Legal: ['Rosa Plumbing', 'Rosa Plumber', 'Plomberie Leroy'],
    Uncategorized: ['Happy Consulting', 'Blue Painting', 'Ann Plombier'],
    'Construction & Trades': ['Volt'],
    Consulting: ['Blue Sky'],
    'Bâtiment et travaux': ['Haut Toit'],
  });
  for (const [q, ...names] of [
    ['plumbers', 'Rosa Plumber', 'Rosa Plumbing'],
    ['plumbing', 'Rosa Plumbing'],
    ['consultant', 'Blue Sky', 'Happy Consulting'],
    ['painter', 'Blue Painting'],
    ['plombier', 'Ann Plombier', 'Haut Toit', 'Plomberie Leroy'],
    ['plomberie', 'Haut Toit', 'Plomberie Leroy'],
  ] as const)
    assert.deepEqual(find(q), names, q);
});

test('a search can combine any number of sets', () => {
  const bits = (...rows: number[]) => {
    const words = new Uint32Array(2);
    for (const row of rows) words[row >>> 5]! |= 1 << (row & 31);
    return { count: rows.length, bits: words };
  };
  const all = [[1, 2, 40, 41], [1, 2, 40, 41], [1, 40, 41], [1, 40, 41], [2, 40, 41], [40]];
  const none = new Uint32Array(0);
  const sets = openSets({ slots: none, starts: none, counts: none }, 64);
  for (let count = 1; count <= all.length; count++) {
    const some = all.slice(0, count);
    const rows = [1, 2, 40, 41].filter((row) => some.every((set) => set.includes(row)));
    const found = sets.intersection(some.map((set) => bits(...set)));
    assert.deepEqual([...takeRows(found, 0, 9)], rows, `${count} bitsets`);
    assert.equal(found.count, rows.length);
  }
});

/** What a query finds: whole words in all their forms, what people call a kind of business, and beginnings where nothing else is found. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSets, takeRows } from '../../../src/service/search/sets.ts';
import { listForms, toSingular } from '../../../src/shared/text/word-forms.ts';
import { aRow, asking, catalogueOf, pageOf } from './made-up.ts';

type Facts = readonly [name: string, category?: string, neighborhood?: string];

/** The names that a query finds, of listings with these names and, if it matters, categories and neighborhoods. */
function finderOf(facts: readonly Facts[]): (q: string) => string[] {
  const catalogue = catalogueOf(
    facts.map(([name, category = 'Uncategorized', neighborhood = 'Old Town'], i) =>
      aRow({ key: `K${i}`, name, category, neighborhood }),
    ),
  );
  return (q) =>
    pageOf(catalogue, asking({ q }))
      .map(({ name }) => name)
      .sort();
}

test('a search finds longer words only if no listing has the word itself', () => {
  const find = finderOf([['Pho Saigon'], ['Phone Fix'], ['Photo Hut'], ['Saigon Phở'], ['Barnacle Boats']]);
  assert.deepEqual(find('pho'), ['Pho Saigon', 'Saigon Phở']);
  assert.deepEqual(find('phon'), ['Phone Fix']);
  assert.deepEqual(find('ph'), ['Pho Saigon', 'Phone Fix', 'Photo Hut', 'Saigon Phở']);
  assert.deepEqual(find('pho*'), ['Pho Saigon', 'Phone Fix', 'Photo Hut', 'Saigon Phở']);
  assert.deepEqual(find('bar'), ['Barnacle Boats']);
  assert.deepEqual(find('pho saig'), ['Pho Saigon', 'Saigon Phở']);
  assert.deepEqual(find('ph saigon'), [], 'only the last word');
});

test('singular and plural count as the same word, and words with other endings count as different words', () => {
  const find = finderOf([
    ['Corner Taco'],
    ['Tacos Uno'],
    ['Marin Supply'],
    ['Marine Supply'],
    ['Quarry Glass'],
    ['The Quarries'],
  ]);
  assert.deepEqual(find('tacos'), find('taco'));
  assert.deepEqual(find('taco'), ['Corner Taco', 'Tacos Uno']);
  assert.deepEqual(find('marin'), ['Marin Supply']);
  assert.deepEqual(find('quarry'), ['Quarry Glass', 'The Quarries']);
  assert.deepEqual(find('quarries'), ['Quarry Glass', 'The Quarries']);
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
  const find = finderOf([
    ['7-Eleven'],
    ['St. Mary Bakes'],
    ['Four Winds'],
    ['Second Street Theatre'],
    ['Tyre Hall'],
  ]);
  for (const q of ['seven eleven', '7 eleven', '7eleven', '7 11', 'Seven-11'])
    assert.deepEqual(find(q), ['7-Eleven'], q);
  assert.deepEqual(find('saint mary'), ['St. Mary Bakes']);
  assert.deepEqual(find('4 winds'), ['Four Winds']);
  assert.deepEqual(find('2nd street theater'), ['Second Street Theatre']);
  assert.deepEqual(find('tires'), ['Tyre Hall']);
});

test('joined and separate words mean the same', () => {
  const find = finderOf([
    ['McDuffys'],
    ['Mc Duffys North'],
    ['Sunny Daycare'],
    ['Moon Day Care'],
    ['Care All Day'],
    ['H-E-B'],
  ]);
  assert.deepEqual(find('mc duffys'), ['Mc Duffys North', 'McDuffys']);
  assert.deepEqual(find('mcduffys'), ['Mc Duffys North', 'McDuffys']);
  assert.deepEqual(find('sunny day care'), ['Sunny Daycare']);
  assert.deepEqual(find('moon daycare'), ['Moon Day Care'], 'as another name writes it');
  assert.deepEqual(find('h e b'), ['H-E-B']);
});

test('everyday words for a kind of business find the listings of its category', () => {
  const find = finderOf([
    ['Amara Lin', 'Dental'],
    ['Bright Smiles', 'Dental'],
    ['Dental Tools', 'Wholesale'],
    ['Amara Lin Law', 'Legal'],
  ]);
  for (const q of ['dentist', 'dentists', 'dental office', 'Dentistry'])
    assert.deepEqual(find(q), ['Amara Lin', 'Bright Smiles'], q);
  assert.deepEqual(find('dentist amara'), ['Amara Lin']);
  assert.deepEqual(
    find('dental'),
    ['Amara Lin', 'Bright Smiles', 'Dental Tools'],
    'also as a word of a name',
  );
});

test('a narrower word finds names with any form of the word, and never the whole category', () => {
  const find = finderOf([
    ['Nails by the Bay', 'Beauty & Hair'],
    ["Rico's Barbers", 'Beauty & Hair'],
    ['Barber Tools', 'Wholesale'],
    ['Rapid Plumbing', 'Construction & Trades'],
    ['Joe the Plumber', 'Construction & Trades'],
    ['Volt Electric', 'Construction & Trades'],
    ['Fast Sewing', 'Laundry & Tailoring'],
    ['Corner Ramen', 'Restaurants'],
    ['Sushi Sun', 'Restaurants'],
    ['Sol Tacos', 'Food Trucks & Catering'],
    ['Moonrise Catering', 'Food Trucks & Catering'],
  ]);
  const table: [string[], string[]][] = [
    [['barbershop', 'barber shops', 'barbering'], ["Rico's Barbers"]],
    [
      ['plumber', 'plumbers', 'plumbing'],
      ['Joe the Plumber', 'Rapid Plumbing'],
    ],
    [['electricians', 'electrical', 'electric'], ['Volt Electric']],
    [['tailors', 'tailoring', 'alterations'], ['Fast Sewing']],
    [['ramen'], ['Corner Ramen']],
    [['sushi'], ['Sushi Sun']],
    [['caterers', 'catering'], ['Moonrise Catering']],
    [['vape shop', 'pho', 'bakery'], []],
  ];
  for (const [asked, names] of table) for (const q of asked) assert.deepEqual(find(q).toSorted(), names, q);
});

test('a trade finds the names of its activity whatever their kind, and an activity no surname', () => {
  const find = finderOf([
    ['Rosa Plumbing', 'Legal'],
    ['Rosa Plumber', 'Legal'],
    ['Happy Consulting', 'Uncategorized'],
    ['Blue Painting', 'Uncategorized'],
    ['Ann Plombier', 'Uncategorized'],
    ['Plomberie Leroy', 'Legal'],
    ['Volt', 'Construction & Trades'],
    ['Blue Sky', 'Consulting'],
    ['Haut Toit', 'Bâtiment et travaux'],
  ]);
  const table: Record<string, string[]> = {
    plumbers: ['Rosa Plumber', 'Rosa Plumbing'],
    plumbing: ['Rosa Plumbing'],
    consultant: ['Blue Sky', 'Happy Consulting'],
    painter: ['Blue Painting'],
    plombier: ['Ann Plombier', 'Haut Toit', 'Plomberie Leroy'],
    plomberie: ['Haut Toit', 'Plomberie Leroy'],
  };
  for (const [q, names] of Object.entries(table)) assert.deepEqual(find(q).toSorted(), names, q);
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

/** The category of a business: the order of precedence, and the words of its name and type. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { EXACT as CHICAGO } from '../../../cities/chicago/kinds.ts';
import { EXACT as LONG_BEACH } from '../../../cities/long-beach/kinds.ts';
import { CATEGORIES, kindOf, kindOfType, naicsCategory } from '../../../src/register/profile/city.ts';
import { ROMANCE, STRONG, splitNameWords, WEAK } from '../../../src/shared/city/categories.ts';
import { realData } from '../../real-data.ts';
import types from './types.json' with { type: 'json' };

test('the publisher’s code takes precedence over NAICS, NAICS over the name, the name over a broad code', () => {
  const clues = { code: 'Legal', naics: '722511', name: 'Heron Plumbing', broad: 'Wholesale' } as const;
  assert.equal(kindOf(clues), 'Legal');
  assert.equal(kindOf({ ...clues, code: undefined }), 'Restaurants');
  assert.equal(kindOf({ ...clues, code: undefined, naics: '4400-4599' }), 'Construction & Trades');
  assert.equal(kindOf({ name: 'Heron & Daughters', broad: 'Wholesale' }), 'Wholesale');
  assert.equal(kindOf({ name: 'Heron & Daughters' }), 'Uncategorized');
  assert.equal(kindOf({}), 'Uncategorized');
});

const NAMES: Record<string, string[]> = {
  'Beauty & Hair': [
    ...["Sam's Barber Shop", 'Peluquería y Estética Garza', 'Coiffeuse à domicile Héron'],
    'Salão de Beleza Garça',
  ],
  Uncategorized: [
    ...['Space Heron', 'Barnacle Heron', 'Heron Realty & Income Tax', 'Nail Salon/Day Spa'],
    ...['Cafetería y Ferretería Garza', 'Heron Garage Bands'],
  ],
  Cleaning: ['Grill Cleaning by Tern'],
  Restaurants: ['Pizza of Naples', 'House of Pizza', 'Gull’s Taquería', 'Tern Deli'],
  Dental: ['HERON DENTAL GROUP', 'Heron D.D.S.'],
  'Pets & Veterinary': ['Tern Animal Hospital'],
  'Real Estate': ['Gull Real Estate'],
  Legal: ['Law Offices of Kent & Tern'],
  Childcare: ['Heron Preschool'],
  'Transportation & Delivery': ['TERN TRUCKING LLC', 'GARZA TRANSPORTES Y FLETES LIMITADA'],
  'Auto Repair': ["JD's Auto Repair & Inspections", 'Heron Tires and Auto Repair', 'Garage du Héron'],
  'Home Services': ['Heron Pool & Spa'],
  'Nonprofits & Community': ['Heron Boys and Girls Club'],
  Wholesale: ['Comercializadora de Ropa Garza'],
  'Grocery & Convenience': ['L’Épicerie du Héron'],
  'Cafes & Bakeries': ['Salon de Thé du Héron', 'Padaria Garça'],
  'Hotels & Lodging': ["Chambres d'hôtes du Héron"],
  'Liquor & Tobacco': ['Distribuidora de Bebidas Garça'],
};

for (const [kind, names] of Object.entries(NAMES))
  for (const name of names) test(`"${name}" is ${kind}`, () => assert.equal(kindOf({ name }), kind));

test('every word of the lists has the spelling of a tidy name, and leads to one known category', () => {
  for (const table of [STRONG, WEAK, ROMANCE]) {
    for (const [phrase, category] of table) {
      assert.equal(splitNameWords(phrase).join(' '), phrase);
      assert.ok(CATEGORIES.includes(category), category);
    }
  }
  const others = [...WEAK.keys(), ...ROMANCE.keys()];
  const both = others.filter((phrase, i) => STRONG.has(phrase) || others.indexOf(phrase) < i);
  assert.deepEqual(both, []);
});

for (const [text, kind] of Object.values<(string | null)[][]>(types).flat())
  test(`the type "${text}" is ${kind ?? 'no kind'}`, () => assert.equal(kindOfType(text!) ?? null, kind));

test('the type counts after NAICS and before the name, and a sector with many trades counts after the name', () => {
  assert.equal(kindOf({ naics: '722511', type: 'Drinking Places' }), 'Restaurants');
  assert.equal(kindOf({ type: 'Drinking Places', name: 'Heron Plumbing' }), 'Bars & Nightlife');
  assert.equal(kindOf({ type: 'Retail', name: 'Heron Plumbing' }), 'Construction & Trades');
  assert.equal(kindOf({ type: 'Finance and Insurance', name: 'Heron Seguros' }), 'Insurance');
  assert.equal(kindOf({ type: 'Finance and Insurance', name: 'Heron' }), 'Banking & Finance');
  assert.equal(kindOf({ naics: '54', name: 'Law Offices of Kent & Tern' }), 'Legal');
  assert.equal(kindOf({ naics: '54', name: 'Kent & Tern' }), 'Business Services');
  assert.equal(kindOf({ naics: '23', name: 'Kent Furniture' }), 'Construction & Trades');
  assert.equal(kindOf({ type: 'Retail' }), 'Uncategorized');
});

const naics = realData('naics/naics_2022.csv');
test('every title of NAICS 2022 leads to the kind of its code', { skip: naics.skip }, () => {
  const rows: string[][] = parse(readFileSync(naics.path), { relax_column_count: true, from: 3 });
  const kinds = new Map<string, Set<string | undefined>>();
  for (const [code, text] of rows) {
    const title = text!.trim().replace(/(?<=[a-z)])T$/, '');
    if (/^\d{2,6}$/.test(code!)) kinds.set(title, (kinds.get(title) ?? new Set()).add(naicsCategory(code!)));
  }
  assert.ok(kinds.size > 1400);
  const wrong = [...kinds].filter(([title, allowed]) => !allowed.has(kindOfType(title)));
  assert.deepEqual(wrong, []);
});

/** Both profiles' tables were made by hand from what the cities' descriptions mean. */
for (const [city, table] of [
  ['Long Beach', LONG_BEACH],
  ['Chicago', CHICAGO],
] as const)
  test(`no description of ${city} is read as a kind that it does not mean`, () => {
    const read = [...table].map(([text, kind]) => ({ text, kind, said: kindOfType(text) }));
    const wrong = read.filter(({ kind, said }) => said !== undefined && said !== kind);
    assert.deepEqual(wrong, []);
    assert.ok(read.filter(({ said }) => said !== undefined).length >= table.size * 0.4);
  });

/** The category of a business: the order of precedence, and the words of its name. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CATEGORIES, kindOf, UNCATEGORIZED } from '../../../src/register/profile/city.ts';
import { ROMANCE, STRONG, splitNameWords, WEAK } from '../../../src/shared/city/categories.ts';

test('the publisher’s code takes precedence over NAICS, NAICS over the name, the name over a broad code', () => {
  const clues = { code: 'Legal', naics: '722511', name: 'Heron Plumbing', broad: 'Wholesale' } as const;
  assert.equal(kindOf(clues), 'Legal');
  assert.equal(kindOf({ ...clues, code: undefined }), 'Restaurants');
  assert.equal(kindOf({ ...clues, code: undefined, naics: '4400-4599' }), 'Construction & Trades');
  assert.equal(kindOf({ name: 'Heron & Daughters', broad: 'Wholesale' }), 'Wholesale');
  assert.equal(kindOf({ name: 'Heron & Daughters' }), UNCATEGORIZED);
  assert.equal(kindOf({}), UNCATEGORIZED);
});

const NAMES: [string, string][] = [
  ["Sam's Barber Shop", 'Beauty & Hair'],
  ['Space Heron', UNCATEGORIZED],
  ['Barnacle Heron', UNCATEGORIZED],
  ['Grill Cleaning by Tern', 'Cleaning'],
  ['Pizza of Naples', 'Restaurants'],
  ['House of Pizza', 'Restaurants'],
  ['HERON DENTAL GROUP', 'Dental'],
  ['Tern Animal Hospital', 'Pets & Veterinary'],
  ['Gull Real Estate', 'Real Estate'],
  ['Law Offices of Kent & Tern', 'Legal'],
  ['Heron Preschool', 'Childcare'],
  ['TERN TRUCKING LLC', 'Transportation & Delivery'],
  ['Gull’s Taquería', 'Restaurants'],
  ['Heron D.D.S.', 'Dental'],
  ["JD's Auto Repair & Inspections", 'Auto Repair'],
  ['Heron Pool & Spa', 'Home Services'],
  ['Heron Realty & Income Tax', UNCATEGORIZED],
  ['Nail Salon/Day Spa', UNCATEGORIZED],
  ['Heron Tires and Auto Repair', 'Auto Repair'],
  ['Tern Deli', 'Restaurants'],
  ['Heron Boys and Girls Club', 'Nonprofits & Community'],
  ['Peluquería y Estética Garza', 'Beauty & Hair'],
  ['GARZA TRANSPORTES Y FLETES LIMITADA', 'Transportation & Delivery'],
  ['Comercializadora de Ropa Garza', 'Wholesale'],
  ['Cafetería y Ferretería Garza', UNCATEGORIZED],
  ['L’Épicerie du Héron', 'Grocery & Convenience'],
  ['Salon de Thé du Héron', 'Cafes & Bakeries'],
  ['Coiffeuse à domicile Héron', 'Beauty & Hair'],
  ["Chambres d'hôtes du Héron", 'Hotels & Lodging'],
  ['Garage du Héron', 'Auto Repair'],
  ['Heron Garage Bands', UNCATEGORIZED],
  ['Padaria Garça', 'Cafes & Bakeries'],
  ['Salão de Beleza Garça', 'Beauty & Hair'],
  ['Distribuidora de Bebidas Garça', 'Liquor & Tobacco'],
];

for (const [name, kind] of NAMES) {
  test(`"${name}" is ${kind}`, () => assert.equal(kindOf({ name }), kind));
}

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

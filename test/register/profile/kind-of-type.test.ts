/** The kind that official texts mean: tables and codes first, then words, and no kind where a text could mean two. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { EXACT as CHICAGO } from '../../../cities/chicago/kinds.ts';
import { EXACT as LONG_BEACH } from '../../../cities/long-beach/kinds.ts';
import { kindOf, kindOfType, naicsCategory, UNCATEGORIZED } from '../../../src/register/profile/city.ts';
import { realData } from '../../real-data.ts';
import types from './types.json' with { type: 'json' };

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
  assert.equal(kindOf({ type: 'Retail' }), UNCATEGORIZED);
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

/** The tables made from works of others say of what they are made, and a test fails when that has changed. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kindOf, kindOfPhrase } from '../../src/register/profile/categories/kind.ts';
import { kindOfType } from '../../src/register/profile/categories/kind-of-type.ts';
import { CATEGORIES } from '../../src/shared/city/categories.ts';
import { readDataLines } from '../../src/shared/text/word-table.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const TABLES = {
  'preset-words.csv': '@openstreetmap/id-tagging-schema',
  'brand-words.csv': 'name-suggestion-index',
  'activity-words.csv': undefined,
};

test('the present script makes the word tables from the recorded versions, and NOTICE names them', () => {
  const { dependencies } = JSON.parse(read('tools/words/package.json'));
  const recipe = createHash('sha256');
  for (const path of ['tools/words/vocabulary.mjs', 'tools/words/kinds.csv', 'src/data/categories.json'])
    recipe.update(read(path));
  const made = `# Made by tools/words/vocabulary.mjs ${recipe.digest('hex').slice(0, 12)}.`;
  for (const [file, source] of Object.entries(TABLES)) {
    const [, about = '', by] = read(`src/data/${file}`).split('\n');
    assert.equal(by, made, `${file} is stale: npm ci and npm run make in tools/words`);
    if (source) assert.ok(about.includes(`${source} ${dependencies[source]} `), about);
    assert.ok(read('NOTICE').includes(file), file);
    for (const [category = '', words = ''] of readDataLines(file)) {
      assert.ok((CATEGORIES as string[]).includes(category), category);
      assert.deepEqual(words.split('|'), words.split('|').toSorted(), category);
    }
  }
});

test('a trade is found in other languages, a brand has a category, and an activity has the category of its code', () => {
  for (const [phrase, kind] of [
    ['tienda de ropa', 'Clothing & Jewelry'],
    ['tiem lam toc', 'Beauty & Hair'],
    ['미용실'.normalize('NFKD'), 'Beauty & Hair'],
    ['whataburger', 'Uncategorized'],
    ['dunkin donuts', 'Uncategorized'],
  ] as const)
    assert.equal(kindOfPhrase(phrase), kind, phrase);
  assert.equal(kindOf({ name: "Arby's #214 LLC" }), 'Restaurants');
  assert.equal(kindOf({ name: "Arby's Dental" }), 'Dental');
  assert.equal(kindOfType('Pedicurist services'), 'Beauty & Hair');
});

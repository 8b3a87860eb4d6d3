/** The list of categories, its table in the docs, and the NAICS codes that lead to it. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import DEFINITIONS from '../../../src/data/categories.json' with { type: 'json' };
import { CATEGORIES, naicsCategory, UNCATEGORIZED } from '../../../src/register/profile/city.ts';
import { realData } from '../../real-data.ts';

test('docs/city-yaml.md lists the categories of the code', () => {
  const text = readFileSync(new URL('../../../docs/city-yaml.md', import.meta.url), 'utf8');
  const section = text.split(/^## /m).find((one) => one.startsWith('Categories\n'))!;
  const listed = [...section.matchAll(/^- ([^:\n]+)/gm)].map(([, name]) => name);
  assert.deepEqual(listed, CATEGORIES);
});

test('there are about forty categories, and the last is Uncategorized', () => {
  assert.ok(CATEGORIES.length >= 40 && CATEGORIES.length <= 52, `${CATEGORIES.length}`);
  assert.equal(CATEGORIES.at(-1), UNCATEGORIZED);
});

test('no NAICS prefix leads to two categories', () => {
  const all = Object.values(DEFINITIONS).flatMap((naics) => naics.match(/\d+/g) ?? []);
  assert.deepEqual(
    all.filter((prefix, i) => all.indexOf(prefix) !== i),
    [],
  );
});

test('the longest NAICS prefix decides: food differs from lodging, and bars from restaurants', () => {
  assert.equal(naicsCategory('722511'), 'Restaurants');
  assert.equal(naicsCategory('7224'), 'Bars & Nightlife');
  assert.equal(naicsCategory('722515'), 'Cafes & Bakeries');
  assert.equal(naicsCategory('721110'), 'Hotels & Lodging');
  assert.equal(naicsCategory('621210'), 'Dental');
  assert.equal(naicsCategory('621111'), 'Medical');
  assert.equal(naicsCategory('238220.0'), 'Construction & Trades');
  assert.equal(naicsCategory('81'), undefined, 'a sector of unlike trades is not forced into one');
});

test('a range of NAICS codes and an invalid code have no category', () => {
  for (const junk of [
    ...['', '00', '20', '59', '4400-4599', '31-33', '7', '7225111', '72a', 'No Code', '72 25'],
  ]) {
    assert.equal(naicsCategory(junk), undefined, junk);
  }
});

const naics = realData('naics/naics_2022.csv');
test('at least 99 % of the six-digit codes of NAICS 2022 have a category', { skip: naics.skip }, () => {
  const codes = [...readFileSync(naics.path, 'utf8').matchAll(/^(\d{6}),/gm)].map((line) => line[1]!);
  const without = codes.filter((code) => naicsCategory(code) === undefined);
  assert.ok(codes.length > 1000);
  assert.ok(without.length <= codes.length / 100, without.join(', '));
});

/** The list of categories, its table in the docs, and the NAICS and NACE codes that lead to it. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import DEFINITIONS from '../../../src/data/categories.json' with { type: 'json' };
import { naicsCategory, UNCATEGORIZED } from '../../../src/register/profile/city.ts';
import { CATEGORIES, naceCategory } from '../../../src/shared/city/categories.ts';
import { readDataLines } from '../../../src/shared/text/word-table.ts';
import { realData } from '../../real-data.ts';
import { aMappedSource, judged, outcomeOf } from './a-mapping.ts';

test('docs/city-yaml.md lists the categories of the code', () => {
  const text = readFileSync(new URL('../../../docs/city-yaml.md', import.meta.url), 'utf8');
  const section = text.split(/^## /m).find((one) => one.startsWith('Categories\n'))!;
  const listed = [...section.matchAll(/^- ([^:\n]+)/gm)].map(([, name]) => name);
  assert.deepEqual(listed, CATEGORIES);
  assert.equal(listed.at(-1), UNCATEGORIZED);
});

test('no NAICS prefix leads to two categories', () => {
  const all = Object.values(DEFINITIONS).flatMap((naics) => naics.match(/\d+/g) ?? []);
  assert.equal(new Set(all).size, all.length);
});

test('the longest NAICS prefix decides: food differs from lodging, and bars from restaurants', () => {
  for (const [code, category] of Object.entries({
    ...{ 722511: 'Restaurants', 7224: 'Bars & Nightlife', 722515: 'Cafes & Bakeries', 621111: 'Medical' },
    ...{ 721110: 'Hotels & Lodging', 621210: 'Dental', '238220.0': 'Construction & Trades' },
  }))
    assert.equal(naicsCategory(code), category);
  assert.equal(naicsCategory('81'), undefined, 'a sector of unlike trades is not forced into one');
});

test('a range of NAICS codes and an invalid code have no category', () => {
  for (const junk of '|00|20|59|4400-4599|31-33|7|7225111|72a|No Code|72 25'.split('|'))
    assert.equal(naicsCategory(junk), undefined, junk);
});

const naics = realData('naics/naics_2022.csv');
test('at least 99 % of the six-digit codes of NAICS 2022 have a category', { skip: naics.skip }, () => {
  const codes = [...readFileSync(naics.path, 'utf8').matchAll(/^(\d{6}),/gm)].map((line) => line[1]!);
  const without = codes.filter((code) => naicsCategory(code) === undefined);
  assert.ok(codes.length > 1000);
  assert.ok(without.length <= codes.length / 100, without.join(', '));
});

test('every NACE code has at most one meaning, and the meaning is a category', () => {
  const lines = readDataLines('nace.csv');
  for (const [, category = ''] of lines)
    assert.ok(
      CATEGORIES.some((one) => one === category),
      category,
    );
  const codes = lines.flatMap(([, , codes]) => codes!.split('|'));
  assert.equal(new Set(codes).size, codes.length);
  for (const code of codes) assert.match(code, /^\d{2,4}$/);
});

test('a NACE class is read in the spelling of every country, without the digits that the country adds', () => {
  for (const code of ['47.11', '4711', '47.11B', '4711B', '47110', '47.11.0', '4711.0', ' 47111 '])
    assert.equal(naceCategory(code)?.category, 'Grocery & Convenience', code);
  assert.equal(naceCategory('111.0')?.category, 'Farms, Energy & Mining', 'a number has lost its zero');
  for (const junk of ['', '4', 'None Supplied', '99999', '722511', '4711-4719', 'toString'])
    assert.equal(naceCategory(junk), undefined, junk);
});

test('if several trades share a class, the name decides, and codes of another revision are ignored', () => {
  const source = aMappedSource({
    category: '{ nace: Code, naceWhere: { column: Revision, values: [NAFRev2] } }',
  });
  const categoryOf = (Trade: string, Code: string, Revision = 'NAFRev2') =>
    (outcomeOf(judged(source, { Trade, Code, Revision })) as { category: string }).category;
  assert.equal(categoryOf('Heron', '56.30Z'), 'Bars & Nightlife');
  assert.equal(categoryOf('Heron Cafe', '56.30Z'), 'Cafes & Bakeries');
  assert.equal(categoryOf('Heron Cafe', '96.02A'), 'Beauty & Hair');
  assert.equal(categoryOf('Heron', '47.82', 'NAF2025'), 'Uncategorized', 'parts of cars, and not clothes');
});

test('a NAICS code in brackets is read, and the title before it is ignored', () => {
  const source = aMappedSource({ category: '{ naics: Code }' });
  const categoryOf = (Code: string) => (outcomeOf(judged(source, { Code })) as { category: string }).category;
  assert.equal(categoryOf('Other Accounting Services (541219)'), 'Accounting & Tax');
  assert.equal(categoryOf('Restaurant consulting (541611)'), 'Consulting');
  assert.equal(categoryOf('Restaurants (except fast food)'), 'Uncategorized');
});

for (const [file, pattern] of [
  ['uk-sic-2007-companies-house.tsv', /^(\d{5})\t/gm],
  ['naf-rev2-fr.csv', /^(\d{4}[A-Z]);/gm],
] as const) {
  const { path, skip } = realData(`state-registers/codes/${file}`);
  test(`at least 98 % of the codes of ${file} have a category`, { skip }, () => {
    const codes = [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, code]) => code!);
    const without = codes.filter((code) => naceCategory(code) === undefined);
    assert.ok(codes.length > 700 && without.length < codes.length * 0.02, without.join());
  });
}

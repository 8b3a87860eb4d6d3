/** Industry codes of European registers: classes of NACE revision 2, however a country writes them. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CATEGORIES, naceCategory } from '../../../src/shared/city/categories.ts';
import { readDataLines } from '../../../src/shared/text/word-table.ts';
import { realData } from '../../real-data.ts';
import { aMappedSource, judged, outcomeOf } from './a-mapping.ts';

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

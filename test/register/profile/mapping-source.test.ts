/** What a mapped register is as a source: its types, its columns, its format. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aMappedSource, judged, outcomeOf } from './a-mapping.ts';

type Cells = Record<string, string>;
const OWNER = { name: 'Trade', owner: 'Owner' };
const PERSON = { person: '{ column: Form, values: [Individual] }' };

const TABLE =
  'type,rows,category,new_business\nTavern,3,Bars & Nightlife,\nRetail Sales,9,Specialty Retail,yes\nStall,1,,no\n';
const TYPES = { category: '{ column: [Sub, Type], table: categories.csv }' };
const typed = (cells: Cells) => outcomeOf(judged(aMappedSource(TYPES, TABLE), { Sub: '', ...cells }));
const categoryOf = (cells: Cells) => (typed(cells) as { category?: string }).category;

test('the table gives each type its category, and a general type counts only if the name says nothing', () => {
  assert.equal(categoryOf({ Type: 'TAVERN', Trade: 'Heron Bakery' }), 'Bars & Nightlife');
  assert.equal(categoryOf({ Type: 'Retail sales', Trade: 'Heron Bakery' }), 'Cafes & Bakeries');
  assert.equal(categoryOf({ Type: 'Retail Sales' }), 'Specialty Retail');
  assert.equal(categoryOf({ Type: 'Retail Sales', Sub: 'Tavern' }), 'Bars & Nightlife');
  assert.equal(typed({ Type: 'Stall' }), 'skip: no new business');
});

test('types that are not in the table are counted, and have no category', () => {
  const source = aMappedSource(TYPES, TABLE);
  for (const Type of ['Beauty salon', 'constructor', '__proto__', 'constructor', 'toString'])
    assert.partialDeepStrictEqual(outcomeOf(judged(source, { Type, Sub: '' })), {
      category: 'Uncategorized',
    });
  const counts = [...source.mapping!.unlisted].map(([type, count]) => `${type} ${count}`);
  assert.deepEqual(counts, ['Beauty salon 1', 'constructor 2', '__proto__ 1', 'toString 1']);
});

test('a mapping reads each column that it names exactly once', () => {
  const more = { point: '{ column: Where }', neighborhood: '{ postalCode: Zip }' };
  const source = aMappedSource({ ...TYPES, ...OWNER, ...PERSON, ...more });
  assert.deepEqual(source.columns.toSorted(), 'Day Form No Owner Sub Trade Type Where Zip'.split(' '));
});

const FORMATS: [from: string, wanted: object][] = [
  ['{ csv: "" }', { format: 'csv', place: undefined }],
  [
    '{ csv: a.txt, delimiter: ";", quote: "\'", encoding: windows-1252, header: [3, 4] }',
    {
      ...{ format: 'csv', delimiter: ';', place: { file: 'a.txt' } },
      ...{ quote: "'", encoding: 'windows-1252', header: [3, 4] },
    },
  ],
  ['{ excel: a, sheet: "2", header: 3 }', { format: 'excel', sheet: '2', header: 3, place: { file: 'a' } }],
  [
    '{ json: https://example.org/a, records: rows }',
    { format: 'json', records: 'rows', place: { url: 'https://example.org/a' } },
  ],
  ['{ geojson: a.geojson }', { format: 'geojson', place: { file: 'a.geojson' } }],
  [
    '{ socrata: { host: data.example.org, dataset: ab-12 } }',
    { format: 'socrata', where: undefined, place: { url: 'https://data.example.org/resource/ab-12.json' } },
  ],
  [
    '{ arcgis: https://example.org/0, where: A=1 }',
    { format: 'arcgis', where: 'A=1', place: { url: 'https://example.org/0' } },
  ],
];

for (const [from, wanted] of FORMATS)
  test(`from: ${from}`, () => assert.deepEqual(aMappedSource({ from }).from, wanted));

test('rows filed before the day in since are skipped', () => {
  const source = aMappedSource({ since: '2026-03-02' });
  assert.equal(outcomeOf(judged(source, { Day: '3/1/2026' })), 'skip: filed before 2026-03-02');
  assert.equal(judged(source).kind, 'opening');
});

test('with legalName, all columns of name are trade names', () => {
  const source = aMappedSource({
    ...{ name: '[Trade, Usual]', legalName: 'Legal', owner: '[Family, Given]' },
    ...{ person: '{ column: Form, values: ["1000"] }' },
  });
  const cells = { Trade: '', Usual: '', Legal: '', Family: 'FENWRIGHT', Given: 'ODILE', Form: '1000' };
  const verdict = (given: object) => outcomeOf(judged(source, { ...cells, ...given }));
  const nameOf = (given: object) => (verdict(given) as { name?: string }).name;
  for (const Legal of ['', 'HERON SAS'])
    assert.equal(nameOf({ Usual: 'AU PETIT MOULIN', Legal }), 'Au Petit Moulin');
  for (const Usual of ['ODILE FENWRIGHT', 'FENWRIGHT ODILE', 'Fenwright O.'])
    assert.equal(verdict({ Usual }), 'skip: personal name', Usual);
  assert.equal(verdict({}), 'skip: no name');
  assert.equal(nameOf({ Legal: 'HERON SAS', Form: '5710', Family: '', Given: '' }), 'Heron SAS');
});

test('the legal form of a company with one person does not hide a person’s name', () => {
  const source = aMappedSource({ name: 'Trade', person: '{ column: Form, values: [EIRL] }' });
  const verdict = (Trade: string, Form = 'EIRL') => outcomeOf(judged(source, { Trade, Form }));
  assert.equal(verdict('Odile Fenwright E.I.R.L.'), 'skip: personal name');
  assert.equal((verdict('Heron Bakery EIRL') as { name: string }).name, 'Heron Bakery EIRL');
  assert.equal((verdict('Odile Fenwright LLC') as { name: string }).name, 'Odile Fenwright LLC');
  for (const name of ['Odile Fenwright ME', 'Fenwright Family Trust', '01234567890'])
    assert.equal(verdict(name, ''), 'skip: personal name', name);
  for (const name of ['Heron Moveis Me', 'Odile Fenwright Ltda Me'])
    assert.equal((verdict(name, '') as { name: string }).name, name);
});

/** `categories.csv` comes back from spreadsheets in many forms; what cannot be meant is named with its line. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCategoryTable } from '../../../src/register/profile/mapping/category-table.ts';

const read = (text: string | Uint8Array) =>
  readCategoryTable(typeof text === 'string' ? Buffer.from(text) : text);
const BAR = { code: 'Bars & Nightlife', broad: undefined, isNewBusiness: true };
const NOTHING = { code: undefined, broad: undefined, isNewBusiness: true };

const FORMS: [what: string, text: string | Uint8Array][] = [
  ['as it was written', 'type,rows,category,new_business\nTavern,3,Bars & Nightlife,yes\n'],
  ['semicolons, CRLF and a BOM', '\uFEFFtype;rows;category;new_business\r\nTavern;3;Bars & Nightlife;Y\r\n'],
  ['tabs, without a last line end', 'type\trows\tcategory\tnew_business\nTavern\t3\tBars & Nightlife\t1'],
  ['quotes', '"type","rows","category","new_business"\n"Tavern","3","Bars & Nightlife","TRUE"\n'],
  ['another order and case, more columns', 'Note,New Business,Category,TYPE\nx,,bars & nightlife,tavern\n'],
  ['without the columns that may be missing', 'type,category\nTAVERN,Bars & Nightlife\n'],
  ['lines without anything', 'type,category\n\nTavern,Bars & Nightlife\n,,\n'],
];
for (const [what, text] of FORMS)
  test(`categories.csv is read: ${what}`, () => {
    const { table, problems } = read(text);
    assert.deepEqual(problems, []);
    assert.deepEqual([...table], [['tavern', BAR]]);
  });

test('a type can contain quotes, delimiters and line breaks', () => {
  const { table, problems } = read('type,category\n"Bar, ""wet""\nand loud",Bars & Nightlife\nB,Bars\n');
  assert.deepEqual([...table.keys()], ['bar, "wet" and loud']);
  const lines = problems.map(({ line }) => line);
  assert.deepEqual(lines, [4]);
});

test('a table that a spreadsheet saved as Windows-1252 is read in that encoding', () => {
  const { table } = read(Buffer.from('type,category\nCaf\xe9,Cafes & Bakeries\n', 'latin1'));
  assert.deepEqual([...table.keys()], ['café']);
});

test('a general type counts only if the name says nothing, and a type without a category never counts', () => {
  const { table } = read(
    'Type,CATEGORY,New Business\nRetail Sales,Specialty Retail,\nA1 Gadgetry,,\nB2 Gadgetry,Uncategorized,\nStall,,NO\n',
  );
  assert.deepEqual(table.get('retail sales'), { ...NOTHING, broad: 'Specialty Retail' });
  assert.deepEqual(table.get('a1 gadgetry'), NOTHING);
  assert.deepEqual(table.get('b2 gadgetry'), NOTHING);
  assert.deepEqual(table.get('stall'), { ...NOTHING, isNewBusiness: false });
});

test('all problems of categories.csv are reported, each with its line', () => {
  const text = [
    'type,rows,category,new_business',
    'Tavern,1,Resturants,yes',
    'Shop,1,Things of all kinds,yes',
    'Stall,1,,perhaps',
    ',1,Restaurants,yes',
    'Grill,1,Restaurants,yes',
    'GRILL,1,Restaurants,yes',
    'Grill,1,Restaurants,no',
  ].join('\n');
  assert.deepEqual(read(text).problems, [
    { line: 2, says: '"Resturants" is not a category. Did you mean "Restaurants"?' },
    { line: 3, says: '"Things of all kinds" is not a category. See docs/city-yaml.md for all of them' },
    { line: 4, says: 'new_business must be yes or no, not "perhaps"' },
    { line: 5, says: 'the type is empty. Remove the line' },
    { line: 8, says: 'the type "Grill" appears twice. Keep one line' },
  ]);
  assert.deepEqual(read('kind,category\n').problems, [
    { line: 1, says: 'the first line must name the columns type,rows,category,new_business' },
  ]);
});

test('a type can have the name of a JavaScript property', () => {
  const { table, problems } = read('type,category\n__proto__,Restaurants\nconstructor,constructor\n');
  assert.equal(table.get('__proto__')?.code, 'Restaurants');
  assert.equal(table.get('constructor'), undefined);
  assert.equal(problems.length, 1);
});

test('an open quote and a line with very many cells are read in one pass', () => {
  const { problems } = read(`type,category\n"${'a,'.repeat(200_000)}`);
  assert.ok(problems.length > 0);
});

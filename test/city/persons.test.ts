/** Which names are only a person's. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { isOwnersName, looksPersonal } from '../../src/city/city.ts';
import { realData } from '../real-data.ts';

for (const name of [
  'ODILE F FENWRIGHT',
  'Fenwright, Odile',
  'OSRIC & ODILE FENWRIGHT',
  'A J TERNWOOD MD',
  "Siobhan O'Tern",
  'JEAN-LUC DE LA TERNE',
  'ODILE T HOUSE JR',
]) {
  test(`"${name}" is only a person's name`, () => assert.equal(looksPersonal(name), true));
}

for (const name of [
  'FENWRIGHT PLUMBING',
  'ODILE FENWRIGHT LLC',
  "ODILE'S",
  'FENWRIGHT & ASSOCIATES',
  'LA PALOMA',
  'KFC',
  'A & S',
  'FENWRIGHT 24',
  'The Fenwright',
  'FENWRIGHT.COM',
  '',
]) {
  test(`"${name}" is not only a person's name`, () => assert.equal(looksPersonal(name), false));
}

test('a word of one city is a business word where its profile says so, and a surname elsewhere', () => {
  assert.equal(looksPersonal('BIXBY FENWRIGHT'), true);
  assert.equal(looksPersonal('BIXBY FENWRIGHT', { businessWords: ['bixby'] }), false);
  assert.equal(looksPersonal('ODILE HOUSE', { businessWords: ['house'] }), true, 'after a given name');
});

test('the strict question says yes only to a common given name or a person’s title', () => {
  for (const [name, is] of [
    ['HAZEL TERNWOOD', true],
    ['Dr. Fenwright Ternwood', true],
    ['TERNWOOD, HAZEL', true],
    ['ODILE FENWRIGHT', false],
    ['Tern Gordita', false],
    ['HAZEL TERNWOOD PLUMBING', false],
  ] as const)
    assert.equal(looksPersonal(name, { isStrict: true }), is, name);
});

for (const [name, owner, is] of [
  ['Odile F. Fenwright', 'Fenwright, Odile F', true],
  ['O Fenwright', 'Fenwright, Odile', true],
  ['Odile J Fenwright', 'Fenwright, Odile', true],
  ['ODILE FENWRIGHT', 'Fenwright, O', true],
  ['Odile Fern Fenwright', 'Fenwright, Odile F', true],
  ['Odile & Osric Fenwright', 'Fenwright, Osric & Odile', true],
  ['Odile Fenwright MD', 'Fenwright, Odile', true],
  ['Fenwright Plumbing', 'Fenwright, Odile', false],
  ['Odile Ternwood', 'Fenwright, Odile', false],
  ['O', 'Fenwright, Odile', false],
  ['', 'Fenwright, Odile', false],
  ['Odile Fenwright', '', false],
] as const)
  test(`"${name}" is ${is ? '' : 'not '}made of the names of "${owner}"`, () =>
    assert.equal(isOwnersName(name, owner), is));

const register = realData('long-beach/business_licenses.csv');
test('at least 90 % of sole owners without a trade name, at most 8 % of trade names', {
  skip: register.skip,
}, () => {
  const rows: string[][] = parse(readFileSync(register.path), { from: 2, bom: true });
  const share = (names: string[]) => names.filter((name) => looksPersonal(name)).length / names.length;
  const businesses = rows.filter((row) => !row[5]!.startsWith('Rental '));
  const alone = businesses.filter((row) => ['SOLE', 'PARTNER'].includes(row[6]!) && row[9] === '');
  const companies = businesses.filter((row) => ['CORP', 'LLC'].includes(row[6]!) && row[9] !== '');
  assert.ok(alone.length > 5000 && companies.length > 5000);
  assert.ok(share(alone.map((row) => row[12]!)) >= 0.9, 'sole owners');
  assert.ok(share(companies.map((row) => row[9]!)) <= 0.08, 'trade names');
});

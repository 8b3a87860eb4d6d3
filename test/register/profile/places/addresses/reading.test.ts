/** Addresses as registers write them: number, street, unit; and texts that name no house. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readAddress,
  type StreetAddress,
} from '../../../../../src/register/profile/places/addresses/read-address.ts';
import spellings from './spellings.json' with { type: 'json' };

/** `12A|N|MAIN|ST|`: number and detail, then the parts of the likeliest street. */
function shortOf(text: string): string {
  const read = readAddress(text);
  if (typeof read === 'string') return read;
  const { before, name, suffix, after } = read.streets[0]!;
  return [`${read.number}${read.detail}`, before, name, suffix, after].join('|');
}

for (const [read, texts] of Object.entries(spellings.same))
  for (const text of texts) test(`"${text}" is read as ${read}`, () => assert.equal(shortOf(text), read));

for (const [reason, texts] of Object.entries(spellings.none))
  for (const text of texts)
    test(`"${text}" names no house: ${reason}`, () => assert.equal(readAddress(text), reason));

test('a unit is cut from the street of an address, and ZIP and town are read after it', () => {
  for (const end of ['72205', '72205-1234', '72205 USA', '72205, US']) {
    const { street, zip, town } = readAddress(`12 Quay St Apt 4B, Little Rock, AR ${end}`) as StreetAddress;
    assert.deepEqual({ street, zip }, { street: 'QUAY ST', zip: '72205' }, end);
    assert.match(town, /^LITTLE ROCK/);
  }
  assert.equal((readAddress('12 Quay St P O Box 5') as StreetAddress).street, 'QUAY ST');
  assert.equal((readAddress('12 P O Street') as StreetAddress).street, 'P O STREET', 'a street');
});

test('in an address of up to 200 characters, two letters are a state, and a town has at least three', () => {
  const read = (text: string) => readAddress(text) as StreetAddress;
  assert.equal(read('12 Quay St, Ajo').town, 'AJO');
  assert.equal(read('12 Quay St, WA').town, '');
  assert.equal(read(`12 ${'A'.repeat(197)}`).street.length, 197);
  assert.equal(read(`12 ${'A'.repeat(198)}`).street.length, 197);
});

test('a numbered street has one name, whether its number has an ending or is a word', () => {
  const plurals = new Intl.PluralRules('en', { type: 'ordinal' });
  const endings: Record<string, string> = { one: 'ST', two: 'ND', few: 'RD', other: 'TH' };
  for (let n = 1; n < 130; n++)
    for (const end of ['', endings[plurals.select(n)]!])
      assert.equal(shortOf(`12 ${n}${end} St`), `12||${n}|ST|`);
  for (const [n, word] of ['First', 'Second', 'Third', 'Ninth', 'Tenth', 'Twelfth', 'Twentieth'].entries())
    assert.equal(shortOf(`12 ${word} St`), `12||${[1, 2, 3, 9, 10, 12, 20][n]}|ST|`);
});

test('words after a suffix can be part of the street or a town, and both are tried', () => {
  const { streets } = readAddress('12 MAIN ST LONG BEACH') as StreetAddress;
  assert.ok(streets.some(({ name, suffix }) => name === 'MAIN' && suffix === 'ST'));
  assert.ok(streets.length <= 3);
});

test('any cell can be read as an address in little time and memory', () => {
  for (const text of [
    ...['1 '.repeat(5_000), `1 ${'ST '.repeat(5_000)}`],
    ...[`1 ${'N '.repeat(9_000)}`, '\u0000'.repeat(300), '1 \u{1f600}'],
  ])
    assert.ok(JSON.stringify(readAddress(text)).length < 20_000, text.slice(0, 20));
});

/** Addresses as registers write them: number, street, unit; and texts that name no house. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAddress, type StreetAddress } from '../../../src/city/addresses/read-address.ts';

/** `12A|N|MAIN|ST|`: number and detail, then the parts of the likeliest street. */
function shortOf(text: string): string {
  const read = readAddress(text);
  if (typeof read === 'string') return read;
  const { before, name, suffix, after } = read.streets[0]!;
  return [`${read.number}${read.detail}`, before, name, suffix, after].join('|');
}

const SAME: Record<string, readonly string[]> = {
  '12|N|MAIN|ST|': [
    ...['12 N Main St', '12  NORTH MAIN STREET', '12 n. main st.', '12 N MAIN ST STE 200'],
    ...['12 N MAIN ST #4', '12 N Main St., Suite 5, Otterfall, WM 97201'],
    ...['Suite 5, 12 N Main St', '12-14 N MAIN ST', '12 - 14 N MAIN ST', '12 & 14 N MAIN ST'],
    ...['12 N MAIN ST 4', '12 N MAIN ST 2ND FLOOR', '12 N MAIN ST P.O. BOX 5'],
  ],
  '12||1|AVE|SW': ['12 1st Ave SW', '12 First Avenue Southwest', '12 FIRST AV SW UNIT B'],
  '12||21|ST|': ['12 21st St', '12 Twenty-First Street', '12 TWENTY FIRST ST'],
  '12A||QUAY|LN|': ['12A Quay Ln', '12-A QUAY LANE', '12a quay ln'],
  '121/2||QUAY|LN|': ['12 1/2 Quay Ln'],
  '5||HWY101|US|N': ['5 US Hwy 101 N', '5 US-101 N', '5 US HIGHWAY 101 NORTH', '5 U.S. Route 101 North'],
  '5||HWY9|STATE|': ['5 State Route 9', '5 SR 9', '5 ST HWY 9', '5 CA HWY 9'],
  '5||HWY12|COUNTY|': ['5 County Road 12', '5 CR 12', '5 Co Rd 12'],
  '7||AVED||': ['7 Avenue D', '7 AVE D'],
  '7|W|AVED||': ['7 W Avenue D'],
  '7|N|AVE52||': ['7 N Avenue 52', '7 N AVENUE 52 800'],
  '7||E|ST|': ['7 E Street', '7 E ST'],
  '7||NORTH|AVE|': ['7 North Ave', '7 NORTH AVENUE'],
  '7|W|NORTH|AVE|': ['7 W North Ave'],
  '7||STPAUL|ST|': ['7 Saint Paul St', '7 ST PAUL ST', '7 St. Paul Street'],
  '7||MLK|BLVD|': [
    '7 Martin Luther King Jr Blvd',
    '7 M L KING BLVD',
    '7 Dr. Martin Luther King Jr. Boulevard',
  ],
  '200||OCEANGATE||': [
    ...['200 Oceangate', '200  OCEANGATE  1100', '200 OCEANGATE B', '200 OCEANGATE 800 MITCHELL'],
  ],
  '1||WORLDTRADE|CTR|': ['1 World Trade Center 1440', 'ONE WORLD TRADE CENTER'],
  '8585W126N||WESTBROOK|XING|': ['W126 N8585 Westbrook Crossing'],
  '12||RUEDELAPAIX||': ['12 rue de la Paix', '12, rue de la Paix'],
  '1212||QUAY|ST|': ['12-12 QUAY ST'],
  '12||QUAY|ST|': ['12-13 QUAY ST'],
  '3712||QUAY|ST|': ['37-12 QUAY ST'],
  '1234567||QUAY|ST|': ['1234567 QUAY ST'],
  '7123W||NORTH|AVE|': ['123W007 NORTH AVE'],
  '7|NE|5|ST|': ['7 N E 5th St'],
  '7|N|E|ST|': ['7 N E St'],
  '3||ULM||': ['Ulm 3'],
  '12345||HAUPTSTRASSE||': ['Hauptstraße 12345'],
  '12A||HAUPTSTRASSE||': ['Hauptstraße 12a', 'HAUPTSTRASSE 12 A'],
  '3||VIAROMA||': ['Via Roma 3', '3 Via Roma'],
};

for (const [read, texts] of Object.entries(SAME))
  for (const text of texts) test(`"${text}" is read as ${read}`, () => assert.equal(shortOf(text), read));

const NONE: Record<string, readonly string[]> = {
  empty: ['', '  '],
  'post office box': ['PO BOX 12', 'P.O. Box 12', 'P O BOX A', 'POST OFFICE BOX 9', 'BOX 44'],
  'rural route': ['RR 2 BOX 15', 'HC 65 BOX 140', 'General Delivery'],
  intersection: ['5TH & MAIN', 'MAIN ST AND 5TH AVE', 'MAIN @ 5TH'],
  'no house number': [
    ...['various', '12345678 QUAY ST', 'Hauptstraße 123456', 'UL 3', 'N/A'],
    ...['MAIN ST', 'US HWY 62', '1ST AVE', '[REDACTED FOR PRIVACY]'],
  ],
  'no street': ['8432', '12-14'],
};

for (const [reason, texts] of Object.entries(NONE))
  for (const text of texts)
    test(`"${text}" names no house: ${reason}`, () => assert.equal(readAddress(text), reason));

test('unit, ZIP and town are read where they follow', () => {
  const { unit, zip, town } = readAddress('12 Quay St Apt 4B, Little Rock, AR 72205-1234') as StreetAddress;
  assert.deepEqual({ unit, zip, town }, { unit: 'APT 4B', zip: '72205', town: 'LITTLE ROCK' });
});

test('a town has three letters, two are a state, and an address is read up to 200 characters', () => {
  const read = (text: string) => readAddress(text) as StreetAddress;
  assert.equal(read('12 Quay St, Ajo').town, 'AJO');
  assert.equal(read('12 Quay St, WA').town, '');
  assert.equal(read(`12 ${'A'.repeat(197)}`).street.length, 197);
  assert.equal(read(`12 ${'A'.repeat(198)}`).street.length, 197);
});

test('words behind a suffix may be the name or a town: both readings are given', () => {
  const { streets } = readAddress('12 MAIN ST LONG BEACH') as StreetAddress;
  assert.ok(streets.some(({ name, suffix }) => name === 'MAIN' && suffix === 'ST'));
  assert.ok(streets.length <= 3);
});

test('whatever a cell holds, reading ends and its answer is small', () => {
  for (const text of [
    ...['1 '.repeat(5_000), `1 ${'ST '.repeat(5_000)}`],
    ...[`1 ${'N '.repeat(9_000)}`, '\u0000'.repeat(300), '1 \u{1f600}'],
  ])
    assert.ok(JSON.stringify(readAddress(text)).length < 20_000, text.slice(0, 20));
});

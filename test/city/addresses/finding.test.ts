/** Where an address is: at its own point, between its neighbors, on a range; and nowhere where that is not certain. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AddressHints, openAddressIndexBuilder } from '../../../src/city/addresses/address-index.ts';
import { readAddress, readStreet, type StreetAddress } from '../../../src/city/addresses/read-address.ts';

type Point = [text: string, longitude: number, latitude: number, zip?: string, town?: string];

function indexOf(...points: Point[]) {
  const builder = openAddressIndexBuilder();
  for (const [text, longitude, latitude, zip = '', town = ''] of points) {
    const { number, detail, streets } = readAddress(text) as StreetAddress;
    builder.addPoint({ number, detail, street: streets[0]!, longitude, latitude, zip, town });
  }
  return builder.build();
}

function find(index: ReturnType<typeof indexOf>, text: string, hints: Partial<AddressHints> = {}) {
  const found = index.find(readAddress(text) as StreetAddress, { zip: '', town: '', ...hints });
  if (typeof found === 'string') return found;
  const spots = found.spots.map((spot) => spot.map((degrees) => Number(degrees.toFixed(5))).join(' '));
  return `${found.how}: ${spots.join(', ')}`;
}

test('an address is at its own point, however number and street are written', () => {
  const index = indexOf(['12 N Main St', -118.1, 33.1], ['14 N Main St', -118.2, 33.2]);
  for (const text of ['12 North Main Street', '12 N MAIN ST #5', '12-14 N. Main', '12 MAIN ST'])
    assert.equal(find(index, text), 'exact: -118.1 33.1', text);
});

test('a letter tells houses of one number apart, and without it all of them are possible', () => {
  const index = indexOf(['12A Quay Ln', 1, 1], ['12B Quay Ln', 2, 2]);
  assert.equal(find(index, '12B Quay Ln'), 'exact: 2 2');
  assert.equal(find(index, '12 Quay Ln'), 'exact: 1 1, 2 2');
});

test('a street of another direction is not the same street; one without a direction may be either', () => {
  const index = indexOf(['12 N Main St', 1, 1], ['12 S Main St', 2, 2]);
  assert.equal(find(index, '12 S Main St'), 'exact: 2 2');
  assert.equal(find(index, '12 E Main St'), 'street not found');
  assert.equal(find(index, '12 Main St'), 'exact: 1 1, 2 2');
});

test('the street with all parts equal goes before one with another suffix', () => {
  const index = indexOf(['12 Oak Ave', 1, 1], ['10 Oak St', 2, 2], ['14 Oak St', 2.002, 2]);
  assert.equal(find(index, '12 Oak Ave'), 'exact: 1 1');
  assert.equal(find(index, '12 Oak St'), 'interpolated: 2.001 2');
});

test('ZIP and town tell streets of one name apart', () => {
  const index = indexOf(
    ['12 Oak St', 1, 1, '72201', 'little rock'],
    ['12 Oak St', 2, 2, '72114', 'north little rock'],
  );
  assert.equal(find(index, '12 Oak St', { zip: '72114' }), 'exact: 2 2');
  assert.equal(find(index, '12 Oak St', { town: 'little rock' }), 'exact: 1 1');
  assert.equal(find(index, '12 Oak St'), 'exact: 1 1, 2 2');
  assert.equal(
    find(index, '12 Oak St', { zip: '90210' }),
    'elsewhere',
    'the file names its ZIPs, and this is none',
  );
});

test('a number without a point is placed between its neighbors on the same side of the street', () => {
  const index = indexOf(
    ['100 Oak St', 0, 10],
    ['110 Oak St', 0.001, 10],
    ['103 Oak St', 0.0003, 10.001],
    ['107 Oak St', 0.0007, 10.001],
  );
  assert.equal(find(index, '105 Oak St'), 'interpolated: 0.0005 10.001');
  assert.equal(find(index, '104 Oak St'), 'interpolated: 0.0004 10');
});

test('beyond the last house the course of the street goes on, and its last house stays possible', () => {
  const index = indexOf(['100 Oak St', 0, 10], ['200 Oak St', 0.001, 10]);
  assert.equal(find(index, '210 Oak St'), 'interpolated: 0.001 10', 'next door');
  assert.equal(find(index, '300 Oak St'), 'interpolated: 0.002 10, 0.001 10');
  assert.equal(find(index, '1100 Oak St'), 'number not found', 'too far');
});

test('neighbors that are far apart on the ground are not of one street', () => {
  const index = indexOf(['100 Oak St', 0, 10], ['110 Oak St', 0.5, 10]);
  assert.equal(find(index, '106 Oak St'), 'interpolated: 0 10', 'next door to one of them');
  assert.equal(
    find(indexOf(['100 Oak St', 0, 10], ['160 Oak St', 0.5, 10]), '130 Oak St'),
    'number not found',
  );
});

test('a range places a number by its share of the line, on its own side', () => {
  const builder = openAddressIndexBuilder();
  builder.addRanges({
    street: readStreet('Oak St')!,
    line: [
      [0, 0],
      [0.01, 0],
    ],
    ranges: [
      { from: 100, to: 198, parity: 'even', side: 'left', zip: '' },
      { from: 199, to: 101, parity: 'odd', side: 'right', zip: '' },
    ],
  });
  const index = builder.build();
  const spotOf = (text: string) => {
    const found = index.find(readAddress(text) as StreetAddress, { zip: '', town: '' });
    assert.ok(typeof found === 'object' && found.how === 'range' && found.spots.length === 1, text);
    return found.spots[0]!;
  };
  const [x, y] = spotOf('149 Oak St');
  assert.ok(
    Math.abs(x - 0.0051) < 1e-4 && y < 0,
    'odd numbers run the other way, right of the line is south',
  );
  assert.ok(spotOf('150 Oak St')[1] > 0, 'even numbers are on the left, which is north');
  assert.equal(find(index, '200 Oak St'), 'number not found');
});

test('a point goes before a range', () => {
  const builder = openAddressIndexBuilder();
  const street = readStreet('Oak St')!;
  builder.addRanges({
    street,
    line: [
      [0, 0],
      [0.01, 0],
    ],
    ranges: [{ from: 100, to: 198, parity: 'both', side: 'left', zip: '' }],
  });
  builder.addPoint({ number: 150, detail: '', street, longitude: 5, latitude: 5, zip: '', town: '' });
  assert.equal(find(builder.build(), '150 Oak St'), 'exact: 5 5');
});

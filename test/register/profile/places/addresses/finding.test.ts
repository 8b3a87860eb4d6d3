/** Where an address is: at its own point, between its neighbors, on a range; and nowhere where that is not certain. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AddressHints,
  numberText,
  openAddressIndexBuilder,
} from '../../../../../src/register/profile/places/addresses/address-index.ts';
import {
  readAddress,
  readStreet,
  type StreetAddress,
} from '../../../../../src/register/profile/places/addresses/read-address.ts';
import type { Point } from '../../../../../src/register/profile/places/points.ts';

type Placed = [text: string, longitude: number, latitude: number, zip?: string, town?: string];
type Builder = ReturnType<typeof openAddressIndexBuilder>;
type Index = ReturnType<Builder['build']>;
type Range = Parameters<Builder['addRanges']>[0]['ranges'][number];

function addPoints(builder: Builder, ...points: Placed[]): Builder {
  for (const [text, longitude, latitude, zip = '', town = ''] of points) {
    const { number, detail, streets } = readAddress(text) as StreetAddress;
    builder.addPoint({ number, detail, street: streets[0]!, longitude, latitude, zip, town });
  }
  return builder;
}

const indexOf = (...points: Placed[]) => addPoints(openAddressIndexBuilder(), ...points).build();

function find(index: Index, text: string, hints: Partial<AddressHints> = {}): string {
  const found = index.find(readAddress(text) as StreetAddress, { zip: '', town: '', ...hints });
  if (typeof found === 'string') return found;
  const spots = found.spots.map((spot) => spot.map((degrees) => Number(degrees.toFixed(5))).join(' '));
  return `${found.how}: ${spots.join(', ')}`;
}

/** Where addresses are; a number alone is of Oak St. */
function assertFound(index: Index, wanted: Record<string, string>, hints?: Partial<AddressHints>): void {
  const found = Object.keys(wanted).map((text) => {
    return [text, find(index, /^\d+$/.test(text) ? `${text} Oak St` : text, hints)];
  });
  assert.deepEqual(Object.fromEntries(found), wanted);
}

/** Where an address between or behind these numbers of Oak St is, each at its longitude. */
const among = (number: number, points: Record<number, number>) =>
  find(
    indexOf(...Object.entries(points).map(([text, x]): Placed => [`${text} Oak St`, x, 0])),
    `${number} Oak St`,
  );

const EAST: readonly Point[] = [
  [0, 0],
  [0.01, 0],
];

/** Ranges of Oak St, each alone on a line; even numbers on the left unless the range says otherwise. */
function rangesOf(...ranges: (Partial<Range> & { line?: readonly Point[]; on?: string })[]): Builder {
  const builder = openAddressIndexBuilder();
  for (const { line = EAST, on = 'Oak St', ...range } of ranges) {
    const whole = { from: 100, to: 198, parity: 'even', side: 'left', zip: '', ...range } as const;
    builder.addRanges({ street: readStreet(on)!, line, ranges: [whole] });
  }
  return builder;
}

test('an address is found at its own point in every spelling of number and street', () => {
  const index = indexOf(['12 N Main St', -118.1, 33.1], ['14 N Main St', -118.2, 33.2]);
  for (const text of ['12 North Main Street', '12 N MAIN ST #5', '12-14 N. Main', '12 MAIN ST'])
    assert.equal(find(index, text), 'exact: -118.1 33.1', text);
});

test('a letter distinguishes houses with the same number, and an address without a letter can be any of them', () => {
  const index = indexOf(['12A Quay Ln', 1, 1], ['12B Quay Ln', 2, 2]);
  assertFound(index, { '12B Quay Ln': 'exact: 2 2', '12 Quay Ln': 'exact: 1 1, 2 2' });
});

test('streets of different directions are different, and a street without a direction can be either', () => {
  const index = indexOf(['12 N Main St', 1, 1], ['12 S Main St', 2, 2]);
  assertFound(index, {
    '12 S Main St': 'exact: 2 2',
    '12 E Main St': 'street not found',
    '12 Main St': 'exact: 1 1, 2 2',
  });
});

test('ZIP and town distinguish streets with the same name', () => {
  const south: Placed = ['12 Oak St', 1, 1, '72201', 'little rock'];
  const index = indexOf(south, ['12 Oak St', 2, 2, '72114', 'north little rock']);
  assertFound(index, { 12: 'exact: 2 2' }, { zip: '72114' });
  assertFound(index, { 12: 'exact: 1 1' }, { town: 'little rock' });
  assertFound(index, { 12: 'exact: 1 1, 2 2' });
  // the file names its ZIPs, and this is none
  assertFound(index, { 12: 'elsewhere' }, { zip: '90210' });
});

test('a range places a number by its share of the line, on its own side, and includes both of its ends', () => {
  const index = rangesOf(
    {},
    { from: 199, to: 101, parity: 'odd', side: 'right' },
    { from: 201, to: 299, parity: 'odd' },
    { from: 398, to: 300, parity: 'both' },
  ).build();
  assertFound(index, {
    // even numbers are on the left, which is north; odd ones run the other way, right of the line, which is south
    ...{ 100: 'range: 0 0.00011', 150: 'range: 0.0051 0.00011', 198: 'range: 0.01 0.00011' },
    ...{ 199: 'range: 0 -0.00011', 149: 'range: 0.0051 -0.00011', 101: 'range: 0.01 -0.00011' },
    ...{ 201: 'range: 0 0.00011', 299: 'range: 0.01 0.00011', 300: 'range: 0.01 0.00011' },
    ...{ 301: 'range: 0.0099 0.00011', 398: 'range: 0 0.00011' },
  });
  for (const number of [98, 99, 200, 202, 399])
    assert.equal(find(index, `${number} Oak St`), 'number not found');
});

test('if several ranges have the number, only the ranges with the ZIP of the address count, if there are any', () => {
  const far: Point[] = [
    [1, 0],
    [1.01, 0],
  ];
  const index = rangesOf({ zip: '72201' }, { zip: '72114', line: far }, { on: 'Elm', zip: '72300' }).build();
  const [west, east] = ['0 0.00011', '1 0.00011'];
  assertFound(index, { 100: `range: ${west}` }, { zip: '72201' });
  assertFound(index, { 100: `range: ${east}` }, { zip: '72114' });
  assertFound(index, { 100: `range: ${west}, ${east}` });
  assertFound(index, { 100: `range: ${west}, ${east}` }, { zip: '72300' });
  assertFound(index, { 100: 'elsewhere' }, { zip: '90210' });
  // without a ZIP none is nearer
  assertFound(rangesOf({ zip: '72201' }, { zip: '' }).build(), { 100: `range: ${west}, ${west}` });
});

test('a house lies 12 m beside its street, even if the street has corners', () => {
  const line: Point[] = [[0, 0], ...EAST, [0.01, 0.01]];
  const index = rangesOf({ from: 100, to: 200, parity: 'both', side: 'right', line }).build();
  assertFound(index, {
    ...{ 100: 'range: 0 0', 125: 'range: 0.005 -0.00011', 150: 'range: 0.01 -0.00011' },
    ...{ 175: 'range: 0.01011 0.005', 200: 'range: 0.01011 0.01' },
  });
  // a range of one number
  assertFound(rangesOf({ to: 100 }).build(), { 100: 'range: 0.005 0.00011' });
  assert.equal(rangesOf({ line: [[0, 0]] }).size.ranges, 0, 'one spot is no line');
});

test('a file names its ZIPs if fewer than a tenth of its points and ranges lack one', () => {
  for (const [count, expected] of [
    [9, /^range/],
    [10, /^elsewhere/],
  ] as const) {
    const named = Array.from({ length: count }, () => ({ zip: '72201' }));
    const elm = { on: 'Elm St', from: 1, to: 9, parity: 'odd' } as const;
    for (const builder of [rangesOf(...named, elm), addPoints(rangesOf(...named), ['1 Elm St', 5, 5])])
      assert.match(find(builder.build(), '100 Oak St', { zip: '90210' }), expected);
  }
});

test('if several points have one number, the ZIP decides first, then the town, then the letter', () => {
  const index = indexOf(
    ['12 Oak St', 1, 1, '72201', 'north'],
    ['12A Oak St', 2, 2, '72114', 'south'],
    ['12 Oak St', 3, 3, '72300', 'east'],
    ['12A Oak St', 4, 4, '72300', 'west'],
  );
  for (const [text, zip, town, wanted] of [
    ['12 Oak St', '72201', 'south', 'exact: 1 1'],
    ['12A Oak St', '72201', '', 'exact: 1 1'],
    ['12A Oak St', '72300', 'east', 'exact: 3 3'],
    ['12A Oak St', '72300', 'south', 'exact: 4 4'],
    ['12 Oak St', '72300', '', 'exact: 3 3'],
  ] as const)
    assert.equal(find(index, text, { zip, town }), wanted, `${text} ${zip} ${town}`);
});

/** An address, the streets that have its number, and which of them is meant. */
const STREETS: [text: string, streets: string[], meant: 0 | 1 | undefined][] = [
  ['12 Oak St', ['Oak Ave', 'Oak'], 1],
  ['12 Oak St', ['Oak Ave', 'N Oak St'], 1],
  ['12 N Oak St', ['Oak Ave', 'Oak St N'], 1],
  ['12 N Oak St', ['N Oak Ave', 'Oak St N'], 1],
  ['12 N Oak St', ['Oak St N', 'N Oak St'], 1],
  ['12 N Oak St', ['Oak Ave'], 0],
  ['12 N Oak St', ['Oak Ave N'], 0],
  ['12 N Oak St', ['Oak SW'], 0],
  ['12 N Oak St', ['Oak Ave SW'], undefined],
  ['12 N Oak', ['S Oak'], undefined],
];

test('a street name with a missing part matches better than one with another suffix, and one with four differences does not match', () => {
  for (const [text, streets, meant] of STREETS) {
    const index = indexOf(...streets.map((street, i): Placed => [`12 ${street}`, i, i]));
    assertFound(index, { [text]: meant === undefined ? 'street not found' : `exact: ${meant} ${meant}` });
  }
});

test('an address is placed between neighbors at most 2,000 numbers and 4 km apart', () => {
  assert.equal(among(3000, { 1000: 0, 5000: 0.01 }), 'interpolated: 0.005 0');
  assert.equal(among(3000, { 998: 0, 5000: 0.01 }), 'number not found');
  assert.equal(among(3000, { 1000: 0, 5002: 0.01 }), 'number not found');
  assert.equal(among(150, { 100: 0, 200: 0.0359 }), 'interpolated: 0.01795 0');
  assert.equal(among(150, { 100: 0, 200: 0.036 }), 'number not found');
});

test('neighbors on the same side of the street take precedence over nearer neighbors on the other side', () => {
  const across: Placed[] = [
    ['149 Oak St', 0, 1.01],
    ['151 Oak St', 0, 1.01],
  ];
  assertFound(indexOf(['100 Oak St', 0, 1], ...across, ['200 Oak St', 0.01, 1]), {
    ...{ 150: 'interpolated: 0.005 1', 202: 'interpolated: 0.01 1' },
    199: 'interpolated: 0.0098 1.0002', // opposite, where its own side has no end
  });
});

test('a street continues for 800 numbers after its last house, and houses within 20 numbers are next door', () => {
  const index = indexOf(['1000 Oak St', 0, 10], ['2000 Oak St', 0.01, 10]);
  assertFound(index, {
    ...{ 2020: 'interpolated: 0.01 10', 2022: 'interpolated: 0.01022 10, 0.01 10' },
    ...{ 2800: 'interpolated: 0.018 10, 0.01 10', 2801: 'number not found', 2802: 'number not found' },
    ...{ 2021: 'interpolated: 0.01021 10, 0.01 10', 980: 'interpolated: 0 10' },
    900: 'interpolated: -0.001 10, 0 10',
  });
});

test('an address after the last house continues the line of the houses before it, up to 4,000 numbers and 4 km', () => {
  for (const [number, before, wanted] of [
    [5060, { 4900: 0.5, 4980: -0.002 }, 'interpolated: 0.006 0, 0 0'],
    [5060, { 4900: -0.01, 4982: 0.5 }, 'interpolated: 0.006 0, 0 0'],
    [5060, { 4900: -0.01, 4979: -0.0105 }, 'interpolated: 0.006 0, 0 0'],
    [5060, { 1000: -0.4 }, 'interpolated: 0.006 0, 0 0'],
    [5060, { 998: -0.4 }, 'number not found'],
    [5200, { 4800: -0.0359 }, 'interpolated: 0.0359 0, 0 0'],
    [5200, { 4800: -0.036 }, 'number not found'],
  ] as const)
    assert.equal(among(number, { ...before, 5000: 0 }), wanted, JSON.stringify(before));
});

test('the index has room for the addresses and ranges of the largest county', () => {
  const builder = openAddressIndexBuilder();
  const [oak, elm] = [readStreet('Oak St')!, readStreet('Elm St')!];
  const count = 20_000;
  for (let number = count; number > 0; number--) {
    const x = number / 1e4;
    builder.addPoint({ number, detail: '', street: oak, longitude: x, latitude: 1, zip: '', town: '' });
    const range = { from: number, to: number, parity: 'both', side: 'left', zip: '' } as const;
    const line: Point[] = [
      [x, 2],
      [x, 2.001],
    ];
    builder.addRanges({ street: elm, line, ranges: [range] });
  }
  const index = builder.build();
  assert.deepEqual(index.size, { points: count, ranges: count });
  for (const number of [1, count - 16_384, count - 16_383, count]) {
    const x = Number((number / 1e4 - 0.00011).toFixed(5));
    assertFound(index, { [number]: `exact: ${number / 1e4} 1`, [`${number} Elm St`]: `range: ${x} 2.0005` });
  }
});

test('the index of addresses numbers 65,535 texts, and leaves out further texts', () => {
  const texts = new Map([['', 0]]);
  for (let i = 1; i <= 65_535; i++) assert.equal(numberText(texts, `t${i}`), i);
  assert.equal(numberText(texts, 'one more'), 0);
  assert.equal(numberText(texts, 't65535'), 65_535);
  assert.equal(texts.has('one more'), false);
});

test('a point takes precedence over a range, even if its street matches less well', () => {
  const index = addPoints(rangesOf({ parity: 'both' }), ['150 Oak Ave', 5, 5]).build();
  assertFound(index, { 150: 'exact: 5 5' });
});

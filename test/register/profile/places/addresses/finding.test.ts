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

function indexOf(...points: Placed[]) {
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

test('an address is found at its own point in every spelling of number and street', () => {
  const index = indexOf(['12 N Main St', -118.1, 33.1], ['14 N Main St', -118.2, 33.2]);
  for (const text of ['12 North Main Street', '12 N MAIN ST #5', '12-14 N. Main', '12 MAIN ST'])
    assert.equal(find(index, text), 'exact: -118.1 33.1', text);
});

test('a letter distinguishes houses with the same number, and an address without a letter can be any of them', () => {
  const index = indexOf(['12A Quay Ln', 1, 1], ['12B Quay Ln', 2, 2]);
  assert.equal(find(index, '12B Quay Ln'), 'exact: 2 2');
  assert.equal(find(index, '12 Quay Ln'), 'exact: 1 1, 2 2');
});

test('streets of different directions are different, and a street without a direction can be either', () => {
  const index = indexOf(['12 N Main St', 1, 1], ['12 S Main St', 2, 2]);
  assert.equal(find(index, '12 S Main St'), 'exact: 2 2');
  assert.equal(find(index, '12 E Main St'), 'street not found');
  assert.equal(find(index, '12 Main St'), 'exact: 1 1, 2 2');
});

test('ZIP and town distinguish streets with the same name', () => {
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

type Range = Parameters<ReturnType<typeof openAddressIndexBuilder>['addRanges']>[0]['ranges'][number];
const EAST: readonly Point[] = [
  [0, 0],
  [0.01, 0],
];

/** Ranges of Oak St, each alone on a line; even numbers on the left unless the range says otherwise. */
function rangesOf(...ranges: (Partial<Range> & { line?: readonly Point[]; on?: string })[]) {
  const builder = openAddressIndexBuilder();
  for (const { line = EAST, on = 'Oak St', ...range } of ranges) {
    const whole = { from: 100, to: 198, parity: 'even', side: 'left', zip: '', ...range } as const;
    builder.addRanges({ street: readStreet(on)!, line, ranges: [whole] });
  }
  return builder;
}

test('a range includes both of its ends, on its side of the street only', () => {
  const index = rangesOf(
    {},
    { from: 201, to: 299, parity: 'odd' },
    { from: 398, to: 300, parity: 'both' },
  ).build();
  for (const number of [100, 198, 201, 299, 300, 301, 398])
    assert.match(find(index, `${number} Oak St`), /^range/, String(number));
  for (const number of [98, 101, 199, 200, 202, 399])
    assert.equal(find(index, `${number} Oak St`), 'number not found');
});

test('if several ranges have the number, only the ranges with the ZIP of the address count, if there are any', () => {
  const index = rangesOf(
    { zip: '72201' },
    {
      zip: '72114',
      line: [
        [1, 0],
        [1.01, 0],
      ],
    },
    { on: 'Elm St', zip: '72300' },
  ).build();
  const [west, east] = ['0 0.00011', '1 0.00011'];
  assert.equal(find(index, '100 Oak St', { zip: '72201' }), `range: ${west}`);
  assert.equal(find(index, '100 Oak St', { zip: '72114' }), `range: ${east}`);
  assert.equal(find(index, '100 Oak St'), `range: ${west}, ${east}`);
  assert.equal(find(index, '100 Oak St', { zip: '72300' }), `range: ${west}, ${east}`);
  assert.equal(find(index, '100 Oak St', { zip: '90210' }), 'elsewhere');
  const some = rangesOf({ zip: '72201' }, { zip: '' }).build();
  assert.equal(find(some, '100 Oak St'), `range: ${west}, ${west}`, 'without a ZIP none is nearer');
});

test('a house lies 12 m beside its street, even if the street has corners', () => {
  const line: Point[] = [
    [0, 0],
    [0, 0],
    [0.01, 0],
    [0.01, 0.01],
  ];
  const index = rangesOf({ from: 100, to: 200, parity: 'both', side: 'right', line }).build();
  assert.equal(find(index, '100 Oak St'), 'range: 0 0');
  assert.equal(find(index, '125 Oak St'), 'range: 0.005 -0.00011');
  assert.equal(find(index, '150 Oak St'), 'range: 0.01 -0.00011');
  assert.equal(find(index, '175 Oak St'), 'range: 0.01011 0.005');
  assert.equal(find(index, '200 Oak St'), 'range: 0.01011 0.01');
  assert.equal(
    find(rangesOf({ to: 100 }).build(), '100 Oak St'),
    'range: 0.005 0.00011',
    'a range of one number',
  );
  assert.equal(rangesOf({ line: [[0, 0]] }).size.ranges, 0, 'one spot is no line');
});

test('a file names its ZIPs if fewer than a tenth of its points and ranges lack one', () => {
  const withZips = (count: number) => rangesOf(...Array.from({ length: count }, () => ({ zip: '72201' })));
  const asked = { zip: '90210' };
  for (const [count, expected] of [
    [9, /^range/],
    [10, /^elsewhere/],
  ] as const) {
    const builder = withZips(count);
    builder.addRanges({
      street: readStreet('Elm St')!,
      line: EAST,
      ranges: [{ from: 1, to: 9, parity: 'odd', side: 'left', zip: '' }],
    });
    assert.match(find(builder.build(), '100 Oak St', asked), expected);
    const another = withZips(count);
    another.addPoint({
      number: 1,
      detail: '',
      street: readStreet('Elm St')!,
      longitude: 5,
      latitude: 5,
      zip: '',
      town: '',
    });
    assert.match(find(another.build(), '100 Oak St', asked), expected);
  }
});

test('if several points have one number, the ZIP decides first, then the town, then the letter', () => {
  const index = indexOf(
    ['12 Oak St', 1, 1, '72201', 'north'],
    ['12A Oak St', 2, 2, '72114', 'south'],
    ['12 Oak St', 3, 3, '72300', 'east'],
    ['12A Oak St', 4, 4, '72300', 'west'],
  );
  assert.equal(find(index, '12 Oak St', { zip: '72201', town: 'south' }), 'exact: 1 1');
  assert.equal(find(index, '12A Oak St', { zip: '72201' }), 'exact: 1 1');
  assert.equal(find(index, '12A Oak St', { zip: '72300', town: 'east' }), 'exact: 3 3');
  assert.equal(find(index, '12A Oak St', { zip: '72300', town: 'south' }), 'exact: 4 4');
  assert.equal(find(index, '12 Oak St', { zip: '72300' }), 'exact: 3 3', 'the one without a letter');
});

test('a street name with a missing part matches better than one with another suffix, and one with four differences does not match', () => {
  const found = (text: string, ...streets: string[]) =>
    find(indexOf(...streets.map((street, i): Placed => [`12 ${street}`, i, i])), text);
  assert.equal(found('12 Oak St', 'Oak Ave', 'Oak'), 'exact: 1 1');
  assert.equal(found('12 Oak St', 'Oak Ave', 'N Oak St'), 'exact: 1 1');
  assert.equal(found('12 N Oak St', 'Oak Ave', 'Oak St N'), 'exact: 1 1', 'the direction behind');
  assert.equal(found('12 N Oak St', 'N Oak Ave', 'Oak St N'), 'exact: 1 1');
  assert.equal(found('12 N Oak St', 'Oak St N', 'N Oak St'), 'exact: 1 1');
  assert.equal(found('12 N Oak St', 'Oak Ave'), 'exact: 0 0');
  assert.equal(found('12 N Oak St', 'Oak Ave N'), 'exact: 0 0');
  assert.equal(found('12 N Oak St', 'Oak SW'), 'exact: 0 0');
  assert.equal(found('12 N Oak St', 'Oak Ave SW'), 'street not found');
  assert.equal(found('12 N Oak', 'S Oak'), 'street not found');
});

test('an address is placed between neighbors at most 2,000 numbers and 4 km apart', () => {
  const between = (text: string, lower: string, upper: string, longitude = 0.01) =>
    find(indexOf([lower, 0, 0], [upper, longitude, 0]), text);
  assert.equal(between('3000 Oak St', '1000 Oak St', '5000 Oak St'), 'interpolated: 0.005 0');
  assert.equal(between('3000 Oak St', '998 Oak St', '5000 Oak St'), 'number not found');
  assert.equal(between('3000 Oak St', '1000 Oak St', '5002 Oak St'), 'number not found');
  assert.equal(between('150 Oak St', '100 Oak St', '200 Oak St', 0.0359), 'interpolated: 0.01795 0');
  assert.equal(between('150 Oak St', '100 Oak St', '200 Oak St', 0.036), 'number not found');
});

test('neighbors on the same side of the street take precedence over nearer neighbors on the other side', () => {
  const index = indexOf(
    ['100 Oak St', 0, 1],
    ['149 Oak St', 0, 1.01],
    ['151 Oak St', 0, 1.01],
    ['200 Oak St', 0.01, 1],
  );
  assert.equal(find(index, '150 Oak St'), 'interpolated: 0.005 1');
  assert.equal(find(index, '202 Oak St'), 'interpolated: 0.01 1');
  assert.equal(
    find(index, '199 Oak St'),
    'interpolated: 0.0098 1.0002',
    'opposite, where its own side has no end',
  );
});

test('a street continues for 800 numbers after its last house, and houses within 20 numbers are next door', () => {
  const index = indexOf(['1000 Oak St', 0, 10], ['2000 Oak St', 0.01, 10]);
  assert.equal(find(index, '2020 Oak St'), 'interpolated: 0.01 10');
  assert.equal(find(index, '2022 Oak St'), 'interpolated: 0.01022 10, 0.01 10');
  assert.equal(find(index, '2800 Oak St'), 'interpolated: 0.018 10, 0.01 10');
  for (const number of [2801, 2802]) assert.equal(find(index, `${number} Oak St`), 'number not found');
  assert.equal(find(index, '2021 Oak St'), 'interpolated: 0.01021 10, 0.01 10');
  assert.equal(find(index, '980 Oak St'), 'interpolated: 0 10', 'before the first house, too');
  assert.equal(find(index, '900 Oak St'), 'interpolated: -0.001 10, 0 10');
});

test('an address after the last house continues the line of the houses before it, up to 4,000 numbers and 4 km', () => {
  const beyond = (text: string, ...before: [number: number, longitude: number][]) =>
    find(indexOf(...before.map(([number, x]): Placed => [`${number} Oak St`, x, 0])), text);
  assert.equal(beyond('5060 Oak St', [4900, 0.5], [4980, -0.002], [5000, 0]), 'interpolated: 0.006 0, 0 0');
  assert.equal(beyond('5060 Oak St', [4900, -0.01], [4982, 0.5], [5000, 0]), 'interpolated: 0.006 0, 0 0');
  assert.equal(
    beyond('5060 Oak St', [4900, -0.01], [4979, -0.0105], [5000, 0]),
    'interpolated: 0.006 0, 0 0',
  );
  assert.equal(beyond('5060 Oak St', [1000, -0.4], [5000, 0]), 'interpolated: 0.006 0, 0 0');
  assert.equal(beyond('5060 Oak St', [998, -0.4], [5000, 0]), 'number not found');
  assert.equal(beyond('5200 Oak St', [5000, 0], [4800, -0.0359]), 'interpolated: 0.0359 0, 0 0');
  assert.equal(beyond('5200 Oak St', [5000, 0], [4800, -0.036]), 'number not found');
});

test('the index has room for the addresses and ranges of the largest county', () => {
  const builder = openAddressIndexBuilder();
  const street = readStreet('Oak St')!;
  const count = 20_000;
  for (let number = count; number > 0; number--) {
    const at = { longitude: number / 1e4, latitude: 1 };
    builder.addPoint({ number, detail: '', street, ...at, zip: '', town: '' });
    const range = { from: number, to: number, parity: 'both', side: 'left', zip: '' } as const;
    const line: Point[] = [
      [at.longitude, 2],
      [at.longitude, 2.001],
    ];
    builder.addRanges({ street: readStreet('Elm St')!, line, ranges: [range] });
  }
  const index = builder.build();
  assert.deepEqual(index.size, { points: count, ranges: count });
  for (const number of [1, count - 16_384, count - 16_383, count]) {
    assert.equal(find(index, `${number} Oak St`), `exact: ${number / 1e4} 1`);
    assert.match(
      find(index, `${number} Elm St`),
      new RegExp(`^range: ${Number((number / 1e4 - 0.00011).toFixed(5))} 2.0005$`),
    );
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
  const builder = rangesOf({ parity: 'both' });
  builder.addPoint({
    number: 150,
    detail: '',
    street: readStreet('Oak Ave')!,
    longitude: 5,
    latitude: 5,
    zip: '',
    town: '',
  });
  const index = builder.build();
  assert.equal(find(index, '150 Oak St'), 'exact: 5 5');
});

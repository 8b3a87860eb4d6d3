/** The map's shapes: small, in place, and with borders that neighbors share. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readShapes } from '../../../src/register/profile/places/boundary-shapes.ts';
import { drawOutline } from '../../../src/register/profile/places/draw-outline.ts';
import { realData } from '../../real-data.ts';

type Ring = number[][];

function collection(areas: readonly { name: string; rings: Ring[] }[]): string {
  return JSON.stringify({
    type: 'FeatureCollection',
    features: areas.map(({ name, rings }) => ({
      type: 'Feature',
      properties: { name },
      geometry: { type: 'Polygon', coordinates: rings },
    })),
  });
}

/** The points of each ring of a path, back in absolute units. */
function ringsOf(path: string): [number, number][][] {
  return path
    .split('z')
    .slice(0, -1)
    .map((ring) => {
      const numbers = [...ring.matchAll(/-?\d+/g)].map(([n]) => Number(n));
      const points: [number, number][] = [];
      for (let i = 0; i < numbers.length; i += 2) {
        const [x, y] = points.at(-1) ?? [0, 0];
        points.push([x + numbers[i]!, y + numbers[i + 1]!]);
      }
      return points;
    });
}

const area = (ring: readonly (readonly [number, number])[]) =>
  Math.abs(
    ring.reduce(
      (sum, [x, y], i) => sum + x * ring[(i + 1) % ring.length]![1] - ring[(i + 1) % ring.length]![0] * y,
      0,
    ),
  ) / 2;

/** A coast of many points between x = 0 and 1, at about y. */
const coast = (y: number, points = 4000): Ring =>
  Array.from({ length: points + 1 }, (_, i) => [
    i / points,
    y + 0.03 * Math.sin(i) + 0.01 * Math.sin(i * 7.3),
  ]);

test('the map simplifies a border of thousands of points to the same few points for both neighbors', () => {
  const border = coast(0.5);
  const north = [[...border, [1, 1], [0, 1], border[0]!]];
  const south = [[...border.toReversed(), [0, 0], [1, 0], border.at(-1)!]];
  const outline = drawOutline(
    readShapes(
      collection([
        { name: 'North', rings: north },
        { name: 'South', rings: south },
      ]),
      'name',
    ),
  );
  const [a, b] = outline.areas.map(({ path }) => ringsOf(path)[0]!);
  assert.ok(a!.length + b!.length <= 3000 && a!.length > 100);
  const shared = (ring: [number, number][], other: [number, number][]) =>
    ring.filter((point) => other.some((one) => String(one) === String(point))).length;
  assert.equal(shared(a!, b!), a!.length - 2);
  assert.ok(Math.abs(area(a!) + area(b!) - outline.width * outline.height) < outline.width);
});

test('a profile corrects names that its boundaries spell wrong', () => {
  const text = collection([
    {
      name: 'Californial Heights',
      rings: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    },
  ]);
  const names = { 'Californial Heights': 'California Heights', Other: 'Another' };
  assert.deepEqual(
    readShapes(text, 'name', names).map(({ name }) => name),
    ['California Heights'],
  );
});

test('on the map, a neighborhood of several features is one shape, a hole stays a hole, and north is up', () => {
  const square = (x: number, y: number, side: number): Ring => [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
    [x, y],
  ];
  const outline = drawOutline(
    readShapes(
      collection([
        { name: 'Isles', rings: [square(0, 0, 1)] },
        { name: 'Town', rings: [square(2, 2, 4), square(3, 3, 1)] },
        { name: 'Isles', rings: [square(8, 8, 1)] },
      ]),
      'name',
    ),
  );
  assert.deepEqual(
    outline.areas.map(({ name, path }) => `${name} ${ringsOf(path).length}`),
    ['Isles 2', 'Town 2'],
  );
  const [first, second] = ringsOf(outline.areas[0]!.path);
  assert.ok(first![0]![1] > second![0]![1]);
  const [whole, hole] = ringsOf(outline.areas[1]!.path);
  assert.ok(Math.abs(area(whole!) / area(hole!) - 16) < 0.5);
});

test('an area too small for the map is not drawn', () => {
  const ring = (...points: Ring): Ring => [...points, points[0]!];
  const outline = drawOutline(
    readShapes(
      collection([
        { name: 'Town', rings: [ring([0, 0], [1, 0], [1, 1], [0, 1])] },
        { name: 'Wedge', rings: [ring([0, 0], [0.5, 0], [0, 0.5])] },
        { name: 'Line', rings: [ring([0.2, 0.2], [0.8, 0.2], [0.5, 0.2])] },
        { name: 'Dot', rings: [ring([0.3, 0.3], [0.3001, 0.3], [0.3, 0.3001])] },
      ]),
      'name',
    ),
  );
  assert.deepEqual(
    outline.areas.map(({ name }) => name),
    ['Town', 'Wedge'],
  );
});

test('the map of a city at 60 degrees north is as wide as the city is on the ground', () => {
  const { width, height } = drawOutline(
    readShapes(
      collection([
        {
          name: 'Square',
          rings: [
            [
              [10, 59.9],
              [10.4, 59.9],
              [10.4, 60.1],
              [10, 60.1],
              [10, 59.9],
            ],
          ],
        },
      ]),
      'name',
    ),
  );
  assert.ok(Math.abs(width / height - 1) < 0.01, `${width} x ${height}`);
});

const REAL = {
  'long-beach/neighborhoods.geojson': ['name', 24],
  'chicago/neighborhoods.geojson': ['name', 98],
  'san-francisco/neighborhoods.geojson': ['nhood', 41],
} as const;

for (const [file, [property, count]] of Object.entries(REAL)) {
  const { path: real, skip } = realData(file);
  test(`real boundaries become a map of a few kilobytes: ${file}`, { skip }, () => {
    const outline = drawOutline(readShapes(readFileSync(real, 'utf8'), property));
    assert.equal(outline.areas.length, count);
    const points = outline.areas
      .flatMap(({ path }) => ringsOf(path))
      .reduce((sum, ring) => sum + ring.length, 0);
    assert.ok(points <= 3000, `${points} points`);
    assert.ok(JSON.stringify(outline).length < 20_000);
  });
}

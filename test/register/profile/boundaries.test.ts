/** The neighborhood of a point: the same as with the textbook algorithm, but faster, and always the same on edges. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openBoundaries } from '../../../src/register/profile/places/boundaries.ts';
import { readShapes } from '../../../src/register/profile/places/boundary-shapes.ts';
import { geoJsonOf, type Ring, square } from '../../squares.ts';

const SEED = 20_261;

/** Where a point is in areas, each of one or more polygons with their holes. */
const placeIn = (...areas: [name: string, ...polygons: Ring[][]][]) =>
  openBoundaries(readShapes(geoJsonOf(areas.map(([name, ...polygons]) => ({ name, polygons }))), 'name'))
    .place;

/** The textbook: odd crossings of a ray, ring by ring. */
function evenOdd(rings: Ring[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [[xi, yi], [xj, yj]] = [ring[i]!, ring[j]!];
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
    }
  }
  return inside;
}

/** A ring around a middle: any radius at each angle, so that shapes are jagged but do not cross themselves. */
const star = (most: number) =>
  fc
    .tuple(
      fc.double({ min: 0.02, max: most, noNaN: true }),
      fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: 3, maxLength: 40 }),
    )
    .map(([size, radii]) => (x: number, y: number): Ring => {
      const points = radii.map((radius, i): [number, number] => {
        const angle = (2 * Math.PI * i) / radii.length;
        return [x + size * radius * Math.cos(angle), y + size * radius * Math.sin(angle)];
      });
      return [...points, points[0]!];
    });

const degree = fc.double({ min: -1, max: 1, noNaN: true });
const shape = fc
  .tuple(degree, degree, star(1), fc.array(star(0.15), { maxLength: 3 }), fc.boolean())
  .map(([x, y, outer, holes, twice]): Ring[][] => {
    const rings = [outer(x - 118, y + 33), ...holes.map((hole, i) => hole(x - 118 + i * 0.02, y + 33))];
    return twice ? [rings, [outer(x - 115, y + 33)]] : [rings];
  });

test('points are placed as the textbook algorithm places them, in shapes with holes and several parts', () => {
  console.log(`seed ${SEED}`);
  const near = fc.tuple(
    fc.double({ min: -120, max: -113, noNaN: true }),
    fc.double({ min: 31, max: 35, noNaN: true }),
  );
  fc.assert(
    fc.property(
      fc.array(shape, { minLength: 1, maxLength: 6 }),
      fc.array(near, { minLength: 50, maxLength: 50 }),
      (shapes, points) => {
        const place = placeIn(...shapes.map((polygons, i): [string, ...Ring[][]] => [`N${i}`, ...polygons]));
        const corners = shapes.flatMap((polygons) => polygons.flatMap((rings) => rings.flat()));
        const level = points.map(([x], i): [number, number] => [x, corners[i % corners.length]![1]]);
        for (const [x, y] of [...points, ...level]) {
          const first = shapes.findIndex((polygons) => polygons.some((rings) => evenOdd(rings, x, y)));
          assert.equal(place(x, y), first === -1 ? undefined : `N${first}`, `${x} ${y}`);
        }
      },
    ),
    { seed: SEED, numRuns: 150 },
  );
});

test('a point on an edge or corner belongs to the first polygon in the file that touches it', () => {
  const west: [string, Ring[]] = ['West', [square(-118, 33)]];
  const east: [string, Ring[]] = ['East', [square(-117, 33)]];
  for (const areas of [[west, east] as const, [east, west] as const]) {
    const place = placeIn(...areas);
    for (const y of [33, 33.25, 33.5, 34]) assert.equal(place(-117, y), areas[0][0]);
    for (const x of [-118, -117.5]) for (const y of [33, 34]) assert.equal(place(x, y), 'West');
    for (const y of [33, 33.3, 34]) assert.equal(place(-116, y), 'East');
  }
});

test('no point falls between two neighbors, even on a slanted edge', () => {
  const shared: Ring = [
    [-118, 33.1],
    [-117.6180339887, 33.4142135623],
    [-117.2718281828, 33.3141592653],
    [-117, 33.7],
  ];
  const place = placeIn(
    ['North', [[...shared, [-117, 34], [-118, 34]]]],
    ['South', [[...shared.toReversed(), [-118, 33], [-117, 33]]]],
  );
  for (let i = 1; i < shared.length; i++) {
    const [[x1, y1], [x2, y2]] = [shared[i - 1]!, shared[i]!];
    for (let t = 0; t <= 1; t += 0.0007) {
      const found = place(x1 + t * (x2 - x1), y1 + t * (y2 - y1));
      assert.ok(found === 'North' || found === 'South', `${i} ${t} ${found}`);
    }
  }
});

test('the edge of a hole belongs to its polygon, and the hole can belong to another polygon', () => {
  const place = placeIn(
    ['Ring', [square(-118, 33), square(-117.75, 33.25, 0.5)]],
    ['Core', [square(-117.625, 33.375, 0.25)]],
  );
  const found = [-117.9, -117.75, -117.7, -117.5].map((x) => place(x, 33.5));
  assert.deepEqual(found, ['Ring', 'Ring', undefined, 'Core']);
});

test('a neighborhood can have several features, and features without a name are ignored', () => {
  const named = (name: string, x: number): [string, Ring[]] => [name, [square(x, 33, 0.1)]];
  const place = placeIn(named('Port', -118), named('Hill', -117), named(' Port ', -116), named('', -115));
  const found = [-117.95, -116.95, -115.95, -114.95].map((x) => place(x, 33.05));
  assert.deepEqual(found, ['Port', 'Hill', 'Port', undefined]);
});

test('an invalid or unknown point (empty, text, 0/0, elsewhere) has no neighborhood', () => {
  const place = placeIn(['World', [square(-60, -60, 120)]]);
  assert.equal(place(' 12.5 ', '-3'), 'World');
  assert.equal(place(0, 5), 'World');
  for (const point of ['/', '0/0', '0.0/-0', '/5', '5/ ', 'x/5', 'NaN/5', 'Infinity/5', '61/5', '5/-61']) {
    const [x = '', y = ''] = point.split('/');
    assert.equal(place(x, y), undefined, point);
    if (x.trim() !== '' && y.trim() !== '') assert.equal(place(Number(x), Number(y)), undefined, point);
  }
});

test('the error about boundaries that cannot be used is one sentence', () => {
  const feature = (geometry: unknown, properties: unknown = { name: 'A' }) =>
    JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', properties, geometry }] });
  const polygon = (ring: unknown, properties?: unknown) =>
    feature({ type: 'Polygon', coordinates: [ring] }, properties);
  for (const [text, message] of [
    ['<html>Sorry', /the file is a web page/],
    ['name,wkt', /the file is not JSON/],
    ['[]', /not a GeoJSON FeatureCollection/],
    ['{"type":"FeatureCollection","features":[]}', /has no features/],
    [feature({ type: 'Point', coordinates: [1, 2] }), /feature 1 is a Point, not a Polygon/],
    [feature(null), /feature 1 is without a geometry/],
    [polygon(square(0, 0), { nhood: 'A', id: 1 }), /no property "name"\. Its properties are: nhood, id/],
    [polygon(square(0, 0), null), /Its properties are: none/],
    [polygon(square(0, 0), { name: null }), /no feature has a name in "name"/],
    [feature({ type: 'MultiPolygon', coordinates: [[]] }), /feature 1 has a polygon without rings/],
    [polygon(square(0, 0).slice(0, 2)), /ring of fewer than 3 points/],
    [polygon(square(0, 0).map(([x, y]) => [String(x), y])), /a point without numbers/],
    [polygon(square(6_502_221, 1_738_058, 500)), /seems to be projected; export it as WGS 84/],
    [polygon(square(33, -118, 0.5)), /latitude before longitude/],
    [polygon(square(41.8, -87.6, 0.1)), /latitude before longitude/],
  ] as const) {
    assert.throws(() => openBoundaries(readShapes(text, 'name')), { code: 'city', message });
  }
});

test('messages show names of properties in short and without escape sequences', () => {
  const properties = { [`\u001b[31m\u0000${'A'.repeat(1_000)}`]: 1 };
  const text = JSON.stringify({ type: 'FeatureCollection', features: [{ properties, geometry: null }] });
  assert.throws(() => openBoundaries(readShapes(text, 'name')), /are: \[31m A{55}$/);
});

/** The map's shapes: small, in place, and with borders that neighbors share. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readShapes } from '../../../src/register/profile/places/boundary-shapes.ts';
import { drawOutline } from '../../../src/register/profile/places/draw-outline.ts';
import { realData } from '../../real-data.ts';
import { geoJsonOf, type Ring, square } from '../../squares.ts';

/** The map of areas, each with one polygon. */
const draw = (...areas: [name: string, ...rings: Ring[]][]) =>
  drawOutline(readShapes(geoJsonOf(areas.map(([name, ...rings]) => ({ name, polygons: [rings] }))), 'name'));

/** The points of each ring of a path, back in absolute units. */
function ringsOf(path: string): Ring[] {
  return path
    .split('z')
    .slice(0, -1)
    .map((ring) => {
      const numbers = [...ring.matchAll(/-?\d+/g)].map(([n]) => Number(n));
      const points: Ring = [];
      for (let i = 0; i < numbers.length; i += 2) {
        const [x, y] = points.at(-1) ?? [0, 0];
        points.push([x + numbers[i]!, y + numbers[i + 1]!]);
      }
      return points;
    });
}

function area(ring: Ring): number {
  const next = (i: number) => ring[(i + 1) % ring.length]!;
  return Math.abs(ring.reduce((sum, [x, y], i) => sum + x * next(i)[1] - next(i)[0] * y, 0)) / 2;
}

/** A coast of many points between x = 0 and 1, at about y. */
const coast = (y: number, points = 4000): Ring =>
  Array.from({ length: points + 1 }, (_, i) => [
    i / points,
    y + 0.03 * Math.sin(i) + 0.01 * Math.sin(i * 7.3),
  ]);

test('the map simplifies a border of thousands of points to the same few points for both neighbors', () => {
  const border = coast(0.5);
  const outline = draw(
    ['North', [...border, [1, 1], [0, 1], border[0]!]],
    ['South', [...border.toReversed(), [0, 0], [1, 0], border.at(-1)!]],
  );
  const [a = [], b = []] = outline.areas.map(({ path }) => ringsOf(path)[0]!);
  assert.ok(a.length + b.length <= 3000 && a.length > 100);
  const shared = a.filter((point) => b.some((one) => String(one) === String(point))).length;
  assert.equal(shared, a.length - 2);
  assert.ok(Math.abs(area(a) + area(b) - outline.width * outline.height) < outline.width);
});

test('a profile corrects names that its boundaries spell wrong', () => {
  const text = geoJsonOf([{ name: 'Californial Heights', polygons: [[square(0, 0)]] }]);
  const [shape] = readShapes(text, 'name', { 'Californial Heights': 'California Heights', Other: 'Another' });
  assert.equal(shape!.name, 'California Heights');
});

test('on the map, a neighborhood of several features is one shape, a hole stays a hole, and north is up', () => {
  const { areas } = draw(
    ['Isles', square(0, 0)],
    ['Town', square(2, 2, 4), square(3, 3)],
    ['Isles', square(8, 8)],
  );
  const counts = areas.map(({ name, path }) => `${name} ${ringsOf(path).length}`);
  assert.deepEqual(counts, ['Isles 2', 'Town 2']);
  const [[first, second], [whole, hole]] = areas.map(({ path }) => ringsOf(path)) as [Ring[], Ring[]];
  assert.ok(first![0]![1] > second![0]![1]);
  assert.ok(Math.abs(area(whole!) / area(hole!) - 16) < 0.5);
});

test('an area too small for the map is not drawn', () => {
  const corner = square(0, 0);
  const { areas } = draw(
    ['Town', corner],
    ['Wedge', corner.map(([x, y]) => [x / 2, x === 1 && y === 1 ? 0 : y / 2])],
    ['Line', corner.map(([x]) => [0.2 + 0.6 * x, 0.2])],
    ['Dot', square(0.3, 0.3, 0.0001)],
  );
  const names = areas.map(({ name }) => name);
  assert.deepEqual(names, ['Town', 'Wedge']);
});

test('the map of a city at 60 degrees north is as wide as the city is on the ground', () => {
  const { width, height } = draw(['Square', square(10, 59.9, 0.2).map(([x, y]) => [10 + 2 * (x - 10), y])]);
  assert.ok(Math.abs(width / height - 1) < 0.01, `${width} x ${height}`);
});

for (const [file, property, count] of [
  ['long-beach/neighborhoods.geojson', 'name', 24],
  ['chicago/neighborhoods.geojson', 'name', 98],
  ['san-francisco/neighborhoods.geojson', 'nhood', 41],
] as const) {
  const { path: real, skip } = realData(file);
  test(`real boundaries become a map of a few kilobytes: ${file}`, { skip }, () => {
    const outline = drawOutline(readShapes(readFileSync(real, 'utf8'), property));
    assert.equal(outline.areas.length, count);
    const points = outline.areas.flatMap(({ path }) => ringsOf(path).flat()).length;
    assert.ok(points <= 3000, `${points} points`);
    assert.ok(JSON.stringify(outline).length < 20_000);
  });
}

/** The ground of the sample city, somewhere in the middle of an ocean: nine districts by the river, a square inside one, two islands. */

import { weighted } from './random.ts';

type Point = [longitude: number, latitude: number];

const WEST = -30.09;
const SOUTH = 45.01;
const STEP = { longitude: 0.02, latitude: 0.015 };

/** Corners of a 3 by 3 lattice, pushed off the straight so that no border is a parallel. */
const CORNERS: Point[][] = Array.from({ length: 4 }, (_, row) =>
  Array.from({ length: 4 }, (_, column): Point => {
    const push = Math.sin(row * 5.1 + column * 2.7) * 0.003;
    return at(WEST + column * STEP.longitude + push, SOUTH + row * STEP.latitude + push * 0.8);
  }),
);

const NAMES = [
  'Cooper Wharf',
  'Ropewalk',
  'Quarry Hill',
  'Millrace',
  'Old Town',
  'Lantern Hill',
  'Northbank',
  'Tannery Row',
  'Kestrel Heights',
];
/** How much of the town's business is in each, in the order of the features. */
const SHARES = [11, 7, 5, 13, 22, 12, 10, 9, 6, 4, 1];

const SQUARE: Point[] = box(-30.063, 45.03, 0.005);
const ISLANDS: Point[][] = [box(-30.02, 45.02, 0.006), box(-30.016, 45.034, 0.004)];

/** GeoJSON of the neighborhoods, property `name`. */
export function boundaries() {
  const districts = NAMES.map((name, i) => {
    const [row, column] = [Math.floor(i / 3), i % 3];
    const ring = [
      CORNERS[row]![column]!,
      CORNERS[row]![column + 1]!,
      CORNERS[row + 1]![column + 1]!,
      CORNERS[row + 1]![column]!,
    ];
    const holes = name === 'Old Town' ? [closed(SQUARE)] : [];
    return feature(name, { type: 'Polygon', coordinates: [closed(ring), ...holes] });
  });
  const square = feature('Market Square', { type: 'Polygon', coordinates: [closed(SQUARE)] });
  const islands = feature('Gull Islands', {
    type: 'MultiPolygon',
    coordinates: ISLANDS.map((ring) => [closed(shoreOf(ring))]),
  });
  return { type: 'FeatureCollection', features: [...districts, square, islands] };
}

export const OUT_OF_TOWN: [longitude: string, latitude: string] = ['-30.4', '45.3'];

/** Where a business is, as the county writes it: mostly in a district, now and then nowhere, at 0/0 or out of town. */
export function pointIn(next: () => number): [string, string] {
  const luck = next();
  if (luck < 0.02) return ['', ''];
  if (luck < 0.027) return ['0', '0'];
  if (luck < 0.037) return OUT_OF_TOWN;
  const district = weighted(next, SHARES);
  const [longitude, latitude] =
    district === 9
      ? inside(SQUARE, next)
      : district === 10
        ? inside(ISLANDS[next() < 0.7 ? 0 : 1]!, next)
        : inDistrict(district, next);
  return [longitude.toFixed(5), latitude.toFixed(5)];
}

function inDistrict(district: number, next: () => number): Point {
  const [row, column] = [Math.floor(district / 3), district % 3];
  const across = next() * 0.8 + 0.1;
  const up = next() * 0.8 + 0.1;
  return at(WEST + (column + across) * STEP.longitude, SOUTH + (row + up) * STEP.latitude);
}

function inside([southWest, , northEast]: Point[], next: () => number): Point {
  const mix = (a: number, b: number) => a + (b - a) * (0.1 + next() * 0.8);
  return at(mix(southWest![0], northEast![0]), mix(southWest![1], northEast![1]));
}

function box(longitude: number, latitude: number, size: number): Point[] {
  return [
    at(longitude, latitude),
    at(longitude + size, latitude),
    at(longitude + size, latitude + size),
    at(longitude, latitude + size),
  ];
}

/** An uneven shore around a box, which holds all of its points. */
function shoreOf([southWest, , northEast]: Point[]): Point[] {
  const [west, south] = southWest!;
  const [east, north] = northEast!;
  const reach = east - west;
  return Array.from({ length: 14 }, (_, i): Point => {
    const turn = (i / 14) * 2 * Math.PI;
    const far = reach * (0.95 + Math.sin(i * 2.3) * 0.1);
    return at((west + east) / 2 + Math.cos(turn) * far * 1.3, (south + north) / 2 + Math.sin(turn) * far);
  });
}

function at(longitude: number, latitude: number): Point {
  return [Number(longitude.toFixed(5)), Number(latitude.toFixed(5))];
}

function closed(ring: Point[]): Point[] {
  return [...ring, ring[0]!];
}

function feature(name: string, geometry: object) {
  return { type: 'Feature', properties: { name }, geometry };
}

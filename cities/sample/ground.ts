/**
 * The ground of the sample city, somewhere in the middle of an ocean: nine districts on both sides of a river, a square inside one, two islands.
 * All of it is drawn on a plan of three by three squares, which `bend` then turns and bends.
 */

import { weighted } from './random.ts';

type Point = [longitude: number, latitude: number];
/** A place on the plan: squares from the west, and from the south. */
type Spot = [across: number, up: number];

const WEST = -30.09;
const SOUTH = 45.01;
const SQUARE_SIZE = { longitude: 0.02, latitude: 0.015 };
const TURN = -0.08; // radians
const STEPS = 12; // of a border
const MARGIN = 0.1; // no business is nearer to a border of its district
const RIVER = 1; // the line of the plan along which it flows to the sea in the east

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

const SQUARE: Spot[] = box([1.35, 1.33], 0.25, 0.33);
const ISLANDS: Spot[][] = [box([3.5, 0.67], 0.3, 0.4), box([3.7, 1.6], 0.2, 0.27)];

/** The features of the neighborhoods in GeoJSON, property `name`. */
export function boundaries() {
  const districts = NAMES.map((name, i) => {
    const [row, column] = [Math.floor(i / 3), i % 3];
    const ring = [
      ...along((part) => [column + part, borderOver(row, column + part, 'north')]),
      ...along((part) => [borderBeside(column + 1, row + part), row + part]),
      ...along((part) => [column + 1 - part, borderOver(row + 1, column + 1 - part, 'south')]),
      ...along((part) => [borderBeside(column, row + 1 - part), row + 1 - part]),
    ];
    const holes = name === 'Old Town' ? [ringOf(SQUARE)] : [];
    return feature(name, { type: 'Polygon', coordinates: [ringOf(ring), ...holes] });
  });
  const square = feature('Market Square', { type: 'Polygon', coordinates: [ringOf(SQUARE)] });
  const islands = feature('Gull Islands', {
    type: 'MultiPolygon',
    coordinates: ISLANDS.map((island) => [ringOf(shoreOf(island))]),
  });
  return [...districts, square, islands];
}

function along(at: (part: number) => Spot): Spot[] {
  return Array.from({ length: STEPS }, (_, i) => at(i / STEPS));
}

/** The border along a line of the plan from west to east. The river has two banks. */
function borderOver(line: number, across: number, bank: 'north' | 'south'): number {
  const river = line === RIVER ? 0.02 + 0.012 * across : 0;
  return line + wave(across, line) + (bank === 'north' ? river : -river);
}

/** The border along a line of the plan from south to north. The last one is the coast. */
function borderBeside(line: number, up: number): number {
  const coast = line === 3 ? 0.06 + 0.06 * Math.sin(up * 7.1) : 0;
  return line + wave(up, line + 5) + coast;
}

/** How far a border is off its line. It is on the line where borders meet, which is at whole numbers. */
function wave(at: number, line: number): number {
  return (
    Math.sin(at * Math.PI) *
    (0.5 * Math.sin(at * 5 + line * 2.3) + 0.3 * Math.sin(at * 13 + line)) *
    MARGIN *
    0.6
  );
}

/** Where a spot of the plan is on the ground. */
function bend([across, up]: Spot): Point {
  const x = across - 1.5 + 0.22 * Math.sin(up * 1.4 + 0.4) + 0.1 * Math.sin(across * 1.9);
  const y = up - 1.5 + 0.24 * Math.sin(across * 1.2 + 1.1) + 0.1 * Math.sin(up * 2.1 + 2);
  const east = x * Math.cos(TURN) - y * Math.sin(TURN);
  const north = x * Math.sin(TURN) + y * Math.cos(TURN);
  return [
    Number((WEST + (east + 1.5) * SQUARE_SIZE.longitude).toFixed(5)),
    Number((SOUTH + (north + 1.5) * SQUARE_SIZE.latitude).toFixed(5)),
  ];
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
  const across = next() * (1 - 2 * MARGIN) + MARGIN;
  const up = next() * (1 - 2 * MARGIN) + MARGIN;
  return bend([column + across, row + up]);
}

function inside([southWest, , northEast]: Spot[], next: () => number): Point {
  const mix = (a: number, b: number) => a + (b - a) * (MARGIN + next() * (1 - 2 * MARGIN));
  return bend([mix(southWest![0], northEast![0]), mix(southWest![1], northEast![1])]);
}

function box([across, up]: Spot, width: number, height: number): Spot[] {
  return [
    [across, up],
    [across + width, up],
    [across + width, up + height],
    [across, up + height],
  ];
}

/** An uneven shore around a box, which holds all of its spots. */
function shoreOf([southWest, , northEast]: Spot[]): Spot[] {
  const [west, south] = southWest!;
  const [east, north] = northEast!;
  return Array.from({ length: 28 }, (_, i): Spot => {
    const turn = (i / 28) * 2 * Math.PI;
    const far = 0.85 + 0.1 * Math.sin(turn * 3 + 1) + 0.06 * Math.sin(turn * 7);
    return [
      (west + east) / 2 + Math.cos(turn) * far * (east - west),
      (south + north) / 2 + Math.sin(turn) * far * (north - south),
    ];
  });
}

/** A closed ring on the ground. */
function ringOf(spots: readonly Spot[]): Point[] {
  return [...spots, spots[0]!].map(bend);
}

function feature(name: string, geometry: object) {
  return { type: 'Feature', properties: { name }, geometry };
}

/**
 * Simplifies the neighborhoods for the map: a few kilobytes instead of a publisher's megabytes. Neighbors keep a common
 * border. Only for display: `boundaries.ts` finds the neighborhood of a point.
 */

import {
  type Box,
  boundingBox,
  type NeighborhoodShape,
  type Point,
  type Ring,
  readShapes,
} from './geojson.ts';

export type Outline = {
  /** Width of the drawing. Its y axis points down. */
  width: number;
  height: number;
  /** The area of the drawing, in degrees. Missing in outlines stored by older versions, until the next import. */
  box?: Box;
  /** A shape for each name, in file order: SVG path data in whole units. */
  areas: readonly { name: string; path: string }[];
};

const WIDTH = 1000;
const TALLEST = 1600;
const MOST_POINTS = 3000; // about 9 KB compressed

export function drawOutline(text: string, property: string): Outline {
  const shapes = namedShapes(text, property);
  const box = boundingBox(shapes);
  const { project, width, height } = projection(box);
  const drawn = shapes.map(({ name, rings }) => ({
    name,
    rings: rings.map((ring) => onGrid(ring, project)),
  }));
  const isCorner = cornersOf(drawn);
  let tolerance = 0.8;
  let thin = thinOutline(drawn, isCorner, tolerance);
  while (pointsOf(thin) > MOST_POINTS && tolerance < WIDTH) {
    tolerance *= 1.4;
    thin = thinOutline(drawn, isCorner, tolerance);
  }
  return {
    width,
    height,
    box,
    areas: thin.map(({ name, rings }) => ({ name, path: rings.map(formatSvgPath).join('') })),
  };
}

function namedShapes(text: string, property: string): NeighborhoodShape[] {
  const named = Map.groupBy(readShapes(text, property), ({ name }) => name);
  return [...named].map(([name, shapes]) => ({ name, rings: shapes.flatMap(({ rings }) => rings) }));
}

/** Returns a function that converts degrees to units. Within a city, degrees of longitude are equally long. */
function projection({ west, south, east, north }: Box): {
  project(point: Point): Point;
  width: number;
  height: number;
} {
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const [across, up] = [Math.max((east - west) * squeeze, 1e-9), Math.max(north - south, 1e-9)];
  const scale = Math.min(WIDTH / across, TALLEST / up);
  return {
    project: ([x, y]) => [Math.round((x - west) * squeeze * scale), Math.round((north - y) * scale)],
    width: Math.max(1, Math.round(across * scale)),
    height: Math.max(1, Math.round(up * scale)),
  };
}

function onGrid(ring: Ring, project: (point: Point) => Point): Ring {
  const snapped = ring.map(project).filter((point, i, all) => i === 0 || !isSame(point, all[i - 1]!));
  if (snapped.length > 1 && isSame(snapped[0]!, snapped.at(-1)!)) snapped.pop();
  return snapped;
}

/** Returns a test for points at which borders meet or part. Keeping them simplifies both sides of a border equally. */
function cornersOf(shapes: readonly NeighborhoodShape[]): (point: Point) => boolean {
  const neighbors = new Map<string, Set<string>>();
  for (const ring of shapes.flatMap(({ rings }) => rings)) {
    for (const [i, point] of ring.entries()) {
      const known = neighbors.getOrInsertComputed(String(point), () => new Set());
      known.add(String(ring.at(i - 1))).add(String(ring[(i + 1) % ring.length]));
    }
  }
  return (point) => (neighbors.get(String(point))?.size ?? 0) > 2;
}

function thinOutline(
  shapes: readonly NeighborhoodShape[],
  isCorner: (point: Point) => boolean,
  tolerance: number,
): NeighborhoodShape[] {
  return shapes
    .map(({ name, rings }) => ({
      name,
      rings: rings.map((ring) => thinnedRing(ring, isCorner, tolerance)).filter((ring) => ring.length > 2),
    }))
    .filter(({ rings }) => rings.length > 0);
}

/** Simplifies a ring between its corners or, without any, between the first point and the one farthest from it. */
function thinnedRing(ring: Ring, isCorner: (point: Point) => boolean, tolerance: number): Ring {
  if (ring.length < 3) return ring;
  const corners = ring.flatMap((point, i) => (isCorner(point) ? [i] : []));
  const first = corners[0] ?? ring.reduce((best, point, i) => (isBefore(point, ring[best]!) ? i : best), 0);
  const turned = [...ring.slice(first), ...ring.slice(0, first), ring[first]!];
  const cuts = corners.length > 1 ? corners.map((i) => i - first) : [0, farthestFrom(turned[0]!, turned)];
  cuts.push(turned.length - 1);
  return cuts.slice(1).flatMap((to, i) => thinnedArc(turned.slice(cuts[i]!, to + 1), tolerance).slice(0, -1));
}

/** Simplifies an arc to the same points in either direction of the ring. */
function thinnedArc(arc: Ring, tolerance: number): Ring {
  const [a, b] = [arc[0]!, arc.at(-1)!];
  if (isBefore(b, a)) return thinnedArc(arc.toReversed(), tolerance).toReversed();
  return [a, ...simplifyBetween(arc, tolerance), b];
}

/** Keeps points farther from the straight line than the tolerance (Ramer-Douglas-Peucker). */
function simplifyBetween(arc: Ring, tolerance: number): Ring {
  let farthest = 0;
  let distance = tolerance;
  for (let i = 1; i < arc.length - 1; i++) {
    const far = distanceTo(arc[i]!, arc[0]!, arc.at(-1)!);
    if (far > distance) [farthest, distance] = [i, far];
  }
  if (farthest === 0) return [];
  const [before, after] = [arc.slice(0, farthest + 1), arc.slice(farthest)];
  return [...simplifyBetween(before, tolerance), arc[farthest]!, ...simplifyBetween(after, tolerance)];
}

function distanceTo([x, y]: Point, [x1, y1]: Point, [x2, y2]: Point): number {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) return Math.hypot(x - x1, y - y1);
  return Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length;
}

function farthestFrom([x, y]: Point, ring: Ring): number {
  const away = ring.map((point) => Math.hypot(point[0] - x, point[1] - y));
  return away.indexOf(Math.max(...away));
}

function isSame(a: Point, b: Point): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

function isBefore(a: Point, b: Point): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}

function pointsOf(shapes: readonly NeighborhoodShape[]): number {
  return shapes.reduce((sum, { rings }) => sum + rings.reduce((points, ring) => points + ring.length, 0), 0);
}

function formatSvgPath(ring: Ring): string {
  const steps = ring.slice(1).map((point, i) => `${point[0] - ring[i]![0]} ${point[1] - ring[i]![1]}`);
  return `M${ring[0]![0]} ${ring[0]![1]}l${steps.join(' ')}z`.replaceAll(' -', '-');
}

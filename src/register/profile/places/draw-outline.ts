/**
 * Simplifies the neighborhoods to a map of a few kilobytes, in which neighbors keep a common border. The map is only
 * for display.
 */

import type { Box, Outline } from '../../../shared/city/outline.ts';
import { boundingBox, type NeighborhoodShape, type Ring } from './boundary-shapes.ts';
import { findMiddles } from './middle.ts';
import type { Point } from './points.ts';

const WIDTH = 1000;
const TALLEST = 1600;
const MOST_POINTS = 3000; // about 9 KB compressed
const SMALLEST_AREA = 4; // in square units; triangles below this are always removed

export function drawOutline(shapes: readonly NeighborhoodShape[]): Outline {
  const box = boundingBox(shapes);
  const { project, width, height } = projection(box);
  const drawn = shapes.map(({ name, rings }) => ({
    name,
    rings: rings.map((ring) => onGrid(ring, project)),
  }));
  const kept = choosePoints(drawn.flatMap(({ rings }) => rings));
  const thinOut = (ring: Ring) => ring.filter((point) => kept.has(String(point)));
  const areas = [...Map.groupBy(drawn, ({ name }) => name)]
    .map(([name, parts]) => ({ name, rings: parts.flatMap(({ rings }) => rings.map(thinOut)) }))
    .map(({ name, rings }) => ({ name, rings: rings.filter((ring) => ring.length > 2) }))
    .filter(({ rings }) => rings.length > 0);
  const middles = findMiddles(areas);
  const drawArea = ({ name, rings }: (typeof areas)[number]) => ({
    name,
    path: rings.map(formatSvgPath).join(''),
    ...middles.get(name)!,
  });
  return { width, height, box, areas: areas.map(drawArea) };
}

/** Returns a function that converts degrees to units. Treats all degrees of longitude as equally long. */
function projection({ west, south, east, north }: Box) {
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const [across, up] = [Math.max((east - west) * squeeze, 1e-9), Math.max(north - south, 1e-9)];
  const scale = Math.min(WIDTH / across, TALLEST / up);
  return {
    project: ([x, y]: Point): Point => [
      Math.round((x - west) * squeeze * scale),
      Math.round((north - y) * scale),
    ],
    width: Math.max(1, Math.round(across * scale)),
    height: Math.max(1, Math.round(up * scale)),
  };
}

function onGrid(ring: Ring, project: (point: Point) => Point): Ring {
  const snapped = ring.map(project).filter((point, i, all) => i === 0 || !isSame(point, all[i - 1]!));
  if (snapped.length > 1 && isSame(snapped[0]!, snapped.at(-1)!)) snapped.pop();
  return snapped;
}

/**
 * Chooses the points to keep: removes those that form the smallest triangles with their two neighbors (Visvalingam).
 * Keeps points at which borders meet, so that both sides of a border lose the same points.
 */
function choosePoints(rings: readonly Ring[]): Pick<Set<string>, 'has'> {
  const points = new Map<string, { point: Point; near: Set<string>; uses: number }>();
  for (const ring of rings)
    for (const [i, point] of ring.entries()) {
      const known = points.getOrInsertComputed(String(point), () => ({ point, near: new Set(), uses: 0 }));
      known.near.add(String(ring.at(i - 1))).add(String(ring[(i + 1) % ring.length]));
      known.uses++;
    }
  let left = rings.reduce((sum, ring) => sum + ring.length, 0);
  for (let least = SMALLEST_AREA; least < WIDTH * WIDTH; least *= 1.4) {
    for (const [key, { point, near, uses }] of points) {
      const [before, after] = [...near].map((one) => points.get(one)!);
      if (near.size !== 2 || areaBetween(before!.point, point, after!.point) > least) continue;
      points.delete(key);
      left -= uses;
      for (const one of [before!, after!]) {
        one.near.delete(key);
        one.near.add(String((one === before ? after! : before!).point));
      }
    }
    if (left <= MOST_POINTS) break;
  }
  return points;
}

function areaBetween([x1, y1]: Point, [x2, y2]: Point, [x3, y3]: Point): number {
  return Math.abs((x2 - x1) * (y3 - y1) - (x3 - x1) * (y2 - y1)) / 2;
}

function isSame(a: Point, b: Point): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

function formatSvgPath(ring: Ring): string {
  const steps = ring.slice(1).map((point, i) => `${point[0] - ring[i]![0]} ${point[1] - ring[i]![1]}`);
  return `M${ring[0]![0]} ${ring[0]![1]}l${steps.join(' ')}z`.replaceAll(' -', '-');
}

/** Finds a point inside a neighborhood, for its number on the map. */

import type { Ring } from './boundary-shapes.ts';

type Middle = { x: number; y: number };

/** At how many heights of a neighborhood to look for its middle. */
const HEIGHTS = 19;
/** Minimum distance of two numbers, in units of the drawing. */
const APART = 50;

/** Returns a point well inside each neighborhood, by its name. */
export function findMiddles(areas: readonly { name: string; rings: readonly Ring[] }[]): Map<string, Middle> {
  const found = new Map<string, Middle>();
  const countCorners = (rings: readonly Ring[]) => rings.reduce((sum, ring) => sum + ring.length, 0);
  // small neighborhoods first: a larger one around them has other places for its number
  for (const { name, rings } of areas.toSorted((a, b) => countCorners(a.rings) - countCorners(b.rings)))
    found.set(name, findMiddle(rings, [...found.values()]));
  return found;
}

/** Returns the middle of a part that is far from all borders, and far enough from the numbers of others. */
function findMiddle(rings: readonly Ring[], others: readonly Middle[]): Middle {
  const ys = rings.flat().map(([, y]) => y);
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const ranked = Array.from({ length: HEIGHTS }, (_, i) => top + ((bottom - top) * (i + 1)) / (HEIGHTS + 1))
    .flatMap((y) => cutAt(rings, y).map(([from, to]) => ({ x: (from + to) / 2, y })))
    .map((point) => ({ ...point, room: measureRoom(rings, point) }))
    .sort((a, b) => b.room - a.room);
  const isFree = ({ x, y }: Middle) => others.every((one) => Math.hypot(one.x - x, one.y - y) > APART);
  const best = ranked.find(isFree) ?? ranked[0];
  return { x: Math.round(best?.x ?? 0), y: Math.round(best?.y ?? 0) };
}

/** Returns the distance of a point from the nearest border. */
function measureRoom(rings: readonly Ring[], { x, y }: Middle): number {
  const distances = rings.flatMap((ring) =>
    ring.map(([x2, y2], i) => {
      const [x1, y1] = ring.at(i - 1)!;
      const [dx, dy] = [x2 - x1, y2 - y1];
      const along = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1);
      const at = Math.min(1, Math.max(0, along));
      return Math.hypot(x1 + at * dx - x, y1 + at * dy - y);
    }),
  );
  return Math.min(...distances);
}

/** Returns the intervals that are inside the rings at a height, by the even-odd rule. */
function cutAt(rings: readonly Ring[], y: number): (readonly [from: number, to: number])[] {
  const crossings: number[] = [];
  for (const ring of rings)
    for (const [i, [x2, y2]] of ring.entries()) {
      const [x1, y1] = ring.at(i - 1)!;
      if (y1 > y !== y2 > y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    }
  crossings.sort((a, b) => a - b);
  return Array.from({ length: crossings.length / 2 }, (_, i) => [crossings[2 * i]!, crossings[2 * i + 1]!]);
}

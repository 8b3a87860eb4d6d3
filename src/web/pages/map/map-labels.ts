/** The names on the map. Each is written in one to three lines inside its neighborhood, if it fits. */

import type { Outline } from '../../../city/places/outline.ts';
import { measureTextWidth } from '../chart/text-width.ts';

/** Lines of text around a point, in units of the drawing. */
export type MapLabel = { x: number; y: number; size: number; lines: readonly string[] };

type MapPoint = readonly [x: number, y: number];
type MapRing = readonly MapPoint[];
type Interval = readonly [from: number, to: number];

/** Font sizes. On a map that is 350 pixels wide, they are about 13, 11, 10 and 8 pixels. */
const SIZES = [38, 32, 28, 24];
/** Minimum sizes that can be read on the smallest phones, and on any phone. */
export const SMALL_LABEL = 30;
export const TINY_LABEL = 26;
const MOST_LINES = 3;
const LINE_HEIGHT = 1.1;
/** Number of positions tried from top to bottom of a neighborhood, and of heights checked for each. */
const TRIES = 24;
const HEIGHTS = 5;
/** Maximum space that improves a position, in widths of the label. */
const MOST_SPACE = 1.3;

const labelsByOutline = new WeakMap<Outline, ReadonlyMap<string, MapLabel>>();

/** Returns the labels by name, computed once for each outline. Omits names that do not fit anywhere. */
export function placeLabels(outline: Outline): ReadonlyMap<string, MapLabel> {
  const known = labelsByOutline.get(outline);
  if (known !== undefined) return known;
  const labels = new Map<string, MapLabel>();
  for (const { name, path } of outline.areas) {
    const label = placeLabel(name, parsePath(path));
    if (label !== undefined) labels.set(name, label);
  }
  labelsByOutline.set(outline, labels);
  return labels;
}

/** Returns the label with the largest size and the fewest lines that fit. */
function placeLabel(name: string, rings: readonly MapRing[]): MapLabel | undefined {
  for (const size of SIZES)
    for (let count = 1; count <= MOST_LINES; count++) {
      const lines = breakLines(name, count);
      if (lines.length < count) break;
      const width = Math.max(...lines.map(measureTextWidth)) * size;
      const place = findPlace(rings, width, count * size * LINE_HEIGHT);
      if (place !== undefined) return { ...place, size, lines };
    }
  return undefined;
}

/**
 * Breaks the words into `count` lines so that the longest is as short as possible. Returns fewer lines if there are
 * fewer words.
 */
function breakLines(name: string, count: number): string[] {
  const words = name.split(' ');
  if (count === 1 || words.length === 1) return [name];
  const ways = Array.from({ length: words.length - 1 }, (_, i) => [
    words.slice(0, i + 1).join(' '),
    ...breakLines(words.slice(i + 1).join(' '), count - 1),
  ]);
  const longest = (lines: readonly string[]) => Math.max(...lines.map(measureTextWidth));
  return ways.filter(({ length }) => length === count).toSorted((a, b) => longest(a) - longest(b))[0] ?? [];
}

/** Finds a place for a box of this size: near the middle of the neighborhood, and with space on both sides. */
function findPlace(
  rings: readonly MapRing[],
  width: number,
  height: number,
): { x: number; y: number } | undefined {
  const ys = rings.flat().map(([, y]) => y);
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const free = bottom - top - height;
  let best: { x: number; y: number } | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < TRIES && free >= 0; i++) {
    const y = top + height / 2 + (free * (i + 0.5)) / TRIES;
    for (const [from, to] of cutBand(rings, y, height)) {
      const score =
        Math.min((to - from) / width, MOST_SPACE) - Math.abs(y - (top + bottom) / 2) / (bottom - top);
      if (to - from < width || score <= most) continue;
      [best, most] = [{ x: Math.round((from + to) / 2), y: Math.round(y) }, score];
    }
  }
  return best;
}

/** Returns the intervals that are inside the rings over the whole height of a band. */
function cutBand(rings: readonly MapRing[], y: number, height: number): Interval[] {
  const rows = Array.from({ length: HEIGHTS }, (_, i) =>
    cutAt(rings, y + height * (i / (HEIGHTS - 1) - 0.5) * 0.98),
  );
  return rows.reduce(intersectIntervals);
}

/** Returns the intervals that are inside the rings at a height, by the even-odd rule. */
function cutAt(rings: readonly MapRing[], y: number): Interval[] {
  const crossings: number[] = [];
  for (const ring of rings)
    for (const [i, [x2, y2]] of ring.entries()) {
      const [x1, y1] = ring.at(i - 1)!;
      if (y1 > y !== y2 > y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    }
  crossings.sort((a, b) => a - b);
  const intervals: Interval[] = [];
  for (let i = 0; i + 1 < crossings.length; i += 2) intervals.push([crossings[i]!, crossings[i + 1]!]);
  return intervals;
}

function intersectIntervals(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  return some.flatMap(([a, b]) =>
    others.flatMap(([c, d]) =>
      Math.max(a, c) < Math.min(b, d) ? [[Math.max(a, c), Math.min(b, d)] as const] : [],
    ),
  );
}

/** Parses the rings of a path that `drawOutline` wrote: a point, then steps. */
function parsePath(path: string): MapRing[] {
  return path
    .split('z')
    .slice(0, -1)
    .map((ring) => {
      const numbers = [...ring.matchAll(/-?\d+/g)].map(([number]) => Number(number));
      const points: MapPoint[] = [];
      for (let i = 0; i + 1 < numbers.length; i += 2) {
        const [x, y] = points.at(-1) ?? [0, 0];
        points.push([x + numbers[i]!, y + numbers[i + 1]!]);
      }
      return points;
    });
}

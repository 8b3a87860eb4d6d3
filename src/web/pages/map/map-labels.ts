/** Places the names on the map. A name is inside its neighborhood, on one line or several short ones, or omitted. */

import type { Outline } from '../../../city/places/outline.ts';
import { measureTextWidth, wrapWords } from '../chart/text-width.ts';

/** Lines of text around a point, in units of the drawing. */
export type MapLabel = { x: number; y: number; size: number; lines: readonly string[] };

type MapRing = readonly (readonly [x: number, y: number])[];
type Interval = readonly [from: number, to: number];

/** Font sizes. On a map that is 350 pixels wide, they are about 13, 11 and 8 pixels. */
const SIZES = [38, 30, 24];
/** The smallest size that can be read on a phone. */
export const READABLE_ON_PHONE = 30;
const MOST_LINES = 3;
export const LINE_HEIGHT = 1.1;
/** How many positions to try from top to bottom of a neighborhood, and how many heights to check for each. */
const TRIES = 24;
const HEIGHTS = 5;
/** Space on both sides beyond this many widths of the label makes a position no better. */
const MOST_SPACE = 1.3;

const labelsByOutline = new WeakMap<Outline, readonly MapLabel[]>();

/** Returns the labels, computed once for each outline. Omits names that do not fit anywhere. */
export function placeLabels(outline: Outline): readonly MapLabel[] {
  const known = labelsByOutline.get(outline);
  if (known !== undefined) return known;
  const labels = outline.areas.flatMap(({ name, path }) => placeLabel(name, parsePath(path)) ?? []);
  labelsByOutline.set(outline, labels);
  return labels;
}

/** Returns the label with the largest size that fits. Prefers one line. */
function placeLabel(name: string, rings: readonly MapRing[]): MapLabel | undefined {
  const longest = Math.max(...name.split(' ').map(measureTextWidth));
  const ways = [[name], wrapWords(name, longest)].filter(({ length }) => length <= MOST_LINES);
  for (const size of SIZES)
    for (const lines of ways) {
      const width = Math.max(...lines.map(measureTextWidth)) * size;
      const place = findPlace(rings, width, lines.length * size * LINE_HEIGHT);
      if (place !== undefined) return { ...place, size, lines };
    }
  return undefined;
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
      const space = Math.min((to - from) / width, MOST_SPACE);
      const score = space - Math.abs(y - (top + bottom) / 2) / (bottom - top);
      if (space < 1 || score <= most) continue;
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
  return rows.reduce((some, others) =>
    some
      .flatMap(([a, b]) => others.map(([c, d]): Interval => [Math.max(a, c), Math.min(b, d)]))
      .filter(([from, to]) => from < to),
  );
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
  return Array.from({ length: crossings.length / 2 }, (_, i) => [crossings[2 * i]!, crossings[2 * i + 1]!]);
}

/** Parses the rings of a path that `drawOutline` wrote: a point, then steps. */
function parsePath(path: string): MapRing[] {
  const rings = path.split('z').slice(0, -1);
  return rings.map((ring) => {
    let [x, y] = [0, 0];
    return Array.from(ring.matchAll(/(-?\d+)[ ,]?(-?\d+)/g), ([, dx, dy]) => {
      [x, y] = [x + Number(dx), y + Number(dy)];
      return [x, y] as const;
    });
  });
}

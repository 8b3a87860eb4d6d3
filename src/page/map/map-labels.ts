/** Places the names on the map: inside their neighborhoods, or as numbers that a list below explains. */

import type { Outline } from '../../shared/outline.ts';
import { measureTextWidth, wrapWords } from '../text-width.ts';

/** Lines of text around a point, in units of the drawing. */
export type MapLabel = { x: number; y: number; size: number; lines: readonly string[] };

type MapRing = readonly (readonly [x: number, y: number])[];
type Interval = readonly [from: number, to: number];

/** Font sizes. On a map that is 350 pixels wide, they are about 13 and 11 pixels. */
const SIZES = [38, 30];
/** How much wider than measured a name may be on devices with other fonts. */
const WIDEST_FONT = 1.12;
const MOST_LINES = 3;
export const LINE_HEIGHT = 1.1;
/** Numbers whose heights differ less are read from left to right, as a line of text is. */
const ROW_HEIGHT = 90;
/** How many positions to try from top to bottom of a neighborhood, and how many heights to check for each. */
const TRIES = 24;
const HEIGHTS = 5;
/** Horizontal space beyond this many widths of the label does not improve a position. */
const MOST_SPACE = 1.3;

/** The labels of a map, and the names that its numbers replace, starting with number 1, from north to south. */
export type MapLabels = { labels: readonly MapLabel[]; numbered: readonly string[] };

const labelsByOutline = new WeakMap<Outline, MapLabels>();

/** Returns the labels, computed once for each outline. A name that does not fit anywhere becomes a number. */
export function placeLabels(outline: Outline): MapLabels {
  const known = labelsByOutline.get(outline);
  if (known !== undefined) return known;
  const placed = outline.areas.map(({ name, path }) => {
    const rings = parsePath(path);
    const label = placeLabel(name, rings);
    return { name, isNumber: label === undefined, label: label ?? placeNumber(rings) };
  });
  const rowOf = ({ label: { y } }: (typeof placed)[number]) => Math.floor(y / ROW_HEIGHT);
  const numbered = placed
    .filter(({ isNumber }) => isNumber)
    .sort((a, b) => rowOf(a) - rowOf(b) || a.label.x - b.label.x)
    .map(({ name }) => name);
  const labels = placed.map(({ name, isNumber, label }) =>
    isNumber ? { ...label, lines: [String(numbered.indexOf(name) + 1)] } : label,
  );
  labelsByOutline.set(outline, { labels, numbered });
  return { labels, numbered };
}

/** Returns a number in the middle of the neighborhood, or of its largest part. */
function placeNumber(rings: readonly MapRing[]): MapLabel {
  const lines = ['10'];
  const size = SIZES.at(-1)!;
  const place = findPlace(rings, measureTextWidth(lines[0]!) * size, size * LINE_HEIGHT);
  return { ...(place ?? findMiddle(rings)), size, lines };
}

/** Returns the middle of the box around the longest ring. */
function findMiddle(rings: readonly MapRing[]): { x: number; y: number } {
  const longest = rings.reduce((most, ring) => (ring.length > most.length ? ring : most), []);
  const middle = (all: readonly number[]) => Math.round((Math.min(...all) + Math.max(...all)) / 2);
  return { x: middle(longest.map(([x]) => x)), y: middle(longest.map(([, y]) => y)) };
}

/** Returns the label with the largest size that fits. Prefers one line. */
function placeLabel(name: string, rings: readonly MapRing[]): MapLabel | undefined {
  const longest = Math.max(...name.split(' ').map(measureTextWidth));
  const ways = [[name], wrapWords(name, longest)].filter(({ length }) => length <= MOST_LINES);
  for (const size of SIZES)
    for (const lines of ways) {
      const width = Math.max(...lines.map(measureTextWidth)) * size * WIDEST_FONT;
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

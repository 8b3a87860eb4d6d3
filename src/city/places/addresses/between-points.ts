/**
 * Places a house number without its own point by its neighbors on the street: between two neighbors, on the same side
 * if possible, or beyond the last two. Measured on Long Beach and Chicago (docs/decisions/0024-addresses.md).
 */

import { findFirstAtLeast } from '../../../listings/sorted.ts';
import { DEGREE, measureMeters, type PointTable, type Spot } from './address-points.ts';

/** Maximum difference between the numbers of two neighbors. Large, because streets rarely bend between neighbors. */
const WIDEST_GAP = 2_000;
const FARTHEST_METERS = 4_000;
/** Maximum difference between a number and the last neighbor of its street. */
const WIDEST_END = 800;
/** A house number is placed at a neighbor whose number differs by at most this. */
const NEXT_DOOR = 20;

export function findBetweenNeighbors(
  table: PointTable,
  street: number,
  number: number,
): readonly Spot[] | undefined {
  const sides = [true, false].map((isSameSide) => {
    const asked = { street, number, isSameSide };
    return { asked, ...findNeighbors(table, asked) };
  });
  for (const { lower, upper } of sides) {
    if (lower === undefined || upper === undefined) continue;
    if (measureMeters(spotAt(table, lower), spotAt(table, upper)) <= FARTHEST_METERS)
      return [placeOnLine(table, [lower, upper], number)];
  }
  for (const { asked, ...side } of sides) {
    const beyond = placeBeyond(table, side, asked);
    if (beyond !== undefined) return beyond;
  }
  return undefined;
}

type Asked = { street: number; number: number; isSameSide: boolean };
type Neighbors = { lower: number | undefined; upper: number | undefined };

function findNeighbors(table: PointTable, asked: Asked): Neighbors {
  const [from, to] = table.findStreet(asked.street);
  const first = findFirstAtLeast(table.number, asked.number, from, to);
  const near = { least: 0, most: WIDEST_GAP };
  return {
    lower: findNext(table, asked, { start: first - 1, step: -1, ...near }),
    upper: findNext(table, asked, { start: first, step: 1, ...near }),
  };
}

/** Finds the first point from `start` that is on the wanted side and differs by `least` to `most` house numbers. */
function findNext(
  table: PointTable,
  { street, number, isSameSide }: Asked,
  { start, step, least, most }: { start: number; step: 1 | -1; least: number; most: number },
): number | undefined {
  const [from, to] = table.findStreet(street);
  for (let i = start; i >= from && i < to; i += step) {
    const gap = Math.abs(table.number[i]! - number);
    if (gap > most) return undefined;
    if (gap >= least && (!isSameSide || gap % 2 === 0)) return i;
  }
  return undefined;
}

/**
 * Places a number beyond the last two neighbors. Also returns the last neighbor, because both positions are possible.
 */
function placeBeyond(
  table: PointTable,
  { lower, upper }: Neighbors,
  asked: Asked,
): readonly Spot[] | undefined {
  const last = lower ?? upper;
  if (last === undefined) return undefined;
  const gap = Math.abs(table.number[last]! - asked.number);
  if (gap > WIDEST_END) return undefined;
  const nearest = spotAt(table, last);
  if (gap <= NEXT_DOOR) return [nearest];
  const step = lower === undefined ? 1 : -1;
  // far enough to show the direction of the street
  const away = { start: last + step, step, least: gap / 3, most: 2 * WIDEST_GAP } as const;
  const before = findNext(table, { ...asked, number: table.number[last]! }, away);
  if (before === undefined) return undefined;
  const beyond = placeOnLine(table, [last, before], asked.number);
  return measureMeters(nearest, beyond) > FARTHEST_METERS ? undefined : [beyond, nearest];
}

function placeOnLine(table: PointTable, [one, other]: readonly [number, number], number: number): Spot {
  const [a, b] = [spotAt(table, one), spotAt(table, other)];
  const share = (number - table.number[one]!) / (table.number[other]! - table.number[one]!);
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
}

export function spotAt(table: PointTable, i: number): Spot {
  return [table.longitude[i]! / DEGREE, table.latitude[i]! / DEGREE];
}

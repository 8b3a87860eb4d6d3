/**
 * Finds house numbers among points. A number without its own point is placed by its neighbors on the street: between
 * two neighbors, on the same side if possible, or beyond the last two. Measured on Long Beach and Chicago
 * (docs/decisions/0024-addresses.md).
 */

import { findFirstAtLeast } from '../../../../shared/sorted.ts';
import { measureMeters, moveTowards, type Point } from '../points.ts';
import { openStreetRows } from './street-rows.ts';

/** Units per degree of stored coordinates. A unit is about a centimeter. */
export const DEGREE = 1e7;
/**
 * Maximum difference between the numbers of two neighbors. It is large, because streets rarely bend between neighbors.
 */
const WIDEST_GAP = 2_000;
const FARTHEST_METERS = 4_000;
/** Maximum difference between a number and the last neighbor of its street. */
const WIDEST_END = 800;
/** A house number is placed at a neighbor whose number differs by at most this. */
const NEXT_DOOR = 20;

export function openPointRows() {
  return openStreetRows('number', (count) => ({
    street: new Uint32Array(count),
    number: new Uint32Array(count),
    longitude: new Int32Array(count),
    latitude: new Int32Array(count),
    // numbers of texts (see `numberText`), 0 for an empty text
    zip: new Uint16Array(count),
    town: new Uint16Array(count),
    detail: new Uint16Array(count),
  }));
}

export type PointTable = ReturnType<ReturnType<typeof openPointRows>['build']>;

export function pointAt({ longitude, latitude }: PointTable, i: number): Point {
  return [longitude[i]! / DEGREE, latitude[i]! / DEGREE];
}

export function listPointsAt(table: PointTable, street: number, number: number): number[] {
  const [from, to] = table.findStreet(street);
  const found: number[] = [];
  for (let i = findFirstAtLeast(table.number, number, from, to); i < to && table.number[i] === number; i++)
    found.push(i);
  return found;
}

export function findBetweenNeighbors(table: PointTable, street: number, number: number) {
  const [from, to] = table.findStreet(street);
  const first = findFirstAtLeast(table.number, number, from, to);
  const sides = [true, false].map((isSameSide) => {
    const asked = { street, number, isSameSide };
    const near = { least: 0, most: WIDEST_GAP };
    const lower = findNext(table, asked, { start: first - 1, step: -1, ...near });
    return { asked, lower, upper: findNext(table, asked, { start: first, step: 1, ...near }) };
  });
  for (const { lower, upper } of sides) {
    if (lower === undefined || upper === undefined) continue;
    if (measureMeters(pointAt(table, lower), pointAt(table, upper)) <= FARTHEST_METERS)
      return [placeOnLine(table, [lower, upper], number)];
  }
  for (const { asked, lower, upper } of sides) {
    const beyond = placeBeyond(table, asked, { last: lower ?? upper, step: lower === undefined ? 1 : -1 });
    if (beyond !== undefined) return beyond;
  }
  return undefined;
}

type AskedNumber = { street: number; number: number; isSameSide: boolean };

/** Finds the first point from `start` that is on the wanted side and differs by `least` to `most` house numbers. */
function findNext(
  table: PointTable,
  { street, number, isSameSide }: AskedNumber,
  { start, step, least, most }: { start: number; step: number; least: number; most: number },
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
  asked: AskedNumber,
  { last, step }: { last: number | undefined; step: number },
): Point[] | undefined {
  if (last === undefined) return undefined;
  const number = table.number[last]!;
  const gap = Math.abs(number - asked.number);
  if (gap > WIDEST_END) return undefined;
  const nearest = pointAt(table, last);
  if (gap <= NEXT_DOOR) return [nearest];
  // far enough to show the direction of the street
  const away = { start: last + step, step, least: gap / 3, most: 2 * WIDEST_GAP };
  const before = findNext(table, { ...asked, number }, away);
  if (before === undefined) return undefined;
  const beyond = placeOnLine(table, [last, before], asked.number);
  return measureMeters(nearest, beyond) > FARTHEST_METERS ? undefined : [beyond, nearest];
}

function placeOnLine(table: PointTable, [one, other]: readonly [number, number], number: number): Point {
  const share = (number - table.number[one]!) / (table.number[other]! - table.number[one]!);
  return moveTowards(pointAt(table, one), pointAt(table, other), share);
}

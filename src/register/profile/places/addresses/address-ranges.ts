/** Finds house numbers in the US Census's ranges. A range is for one side of a street segment. */

import { measureMeters, moveAside, moveTowards, type Point } from '../points.ts';
import { openStreetRows } from './street-rows.ts';

/** The typical distance of a house from the middle of its street. */
const BESIDE_METERS = 12;

export const PARITIES = ['even', 'odd', 'both'] as const;
const BOTH = PARITIES.indexOf('both');

export type AddressRange = {
  /** The house numbers at the start and the end of the line. `from` may be larger than `to`. */
  from: number;
  to: number;
  parity: (typeof PARITIES)[number];
  side: 'left' | 'right';
};

export function openRangeRows() {
  return openStreetRows('from', (count) => ({
    street: new Uint32Array(count),
    from: new Uint32Array(count), // the house number at the start of the line, as in `AddressRange`
    to: new Uint32Array(count),
    line: new Uint32Array(count),
    zip: new Uint16Array(count),
    parity: new Uint8Array(count),
    isRight: new Uint8Array(count),
  }));
}

/** The ranges, and the lines that both sides of a street share. */
export type RangeTable = ReturnType<ReturnType<typeof openRangeRows>['build']> & {
  lines: readonly (readonly Point[])[];
};

/** Returns a position for each range that contains the number. Prefers ranges with the same ZIP code. */
export function findInRanges(
  { findStreet, from, to, line, zip, parity, isRight, lines }: RangeTable,
  street: number,
  { number, zip: askedZip }: { number: number; zip: number },
): readonly Point[] {
  const found: number[] = [];
  const [first, end] = findStreet(street);
  for (let i = first; i < end; i++) {
    const isSide = parity[i] === BOTH || parity[i] === number % 2;
    const [least, most] = [Math.min(from[i]!, to[i]!), Math.max(from[i]!, to[i]!)];
    if (isSide && number >= least && number <= most) found.push(i);
  }
  const near = askedZip === 0 ? [] : found.filter((i) => zip[i] === askedZip);
  return (near.length > 0 ? near : found).map((i) => {
    const share = to[i] === from[i] ? 0.5 : (number - from[i]!) / (to[i]! - from[i]!);
    return placeAlong(lines[line[i]!]!, share, isRight[i] === 1 ? BESIDE_METERS : -BESIDE_METERS);
  });
}

function placeAlong(line: readonly Point[], share: number, asideMeters: number): Point {
  const pieces = line
    .slice(1)
    .map((end, i) => ({ start: line[i]!, end, meters: measureMeters(line[i]!, end) }));
  let left = pieces.reduce((sum, { meters }) => sum + meters, 0) * share;
  for (const { start, end, meters } of pieces) {
    if (left > meters && end !== line.at(-1)) {
      left -= meters;
      continue;
    }
    const point = moveTowards(start, end, meters === 0 ? 0 : Math.min(1, left / meters));
    return moveAside(point, [end[0] - start[0], end[1] - start[1]], asideMeters);
  }
  return line[0]!;
}

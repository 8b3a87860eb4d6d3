/** Finds house numbers in the US Census's ranges. A range is for one side of a street segment. */

import { measureMeters, moveAside, moveTowards, type Spot } from './spots.ts';
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
  return openStreetRows((count) => ({
    street: new Uint32Array(count),
    number: new Uint32Array(count), // the house number at the start of the line
    to: new Uint32Array(count),
    line: new Uint32Array(count),
    zip: new Uint16Array(count),
    parity: new Uint8Array(count),
    isRight: new Uint8Array(count),
  }));
}

/** The ranges, and the lines that both sides of a street share. */
export type RangeTable = ReturnType<ReturnType<typeof openRangeRows>['build']> & {
  lines: readonly (readonly Spot[])[];
};

/** Returns a position for each range that contains the number. Prefers ranges with the same ZIP code. */
export function findInRanges(
  { findStreet, number: from, to, line, zip, parity, isRight, lines }: RangeTable,
  street: number,
  asked: { number: number; zip: number },
): readonly Spot[] {
  const { number } = asked;
  const found: number[] = [];
  const [first, end] = findStreet(street);
  for (let i = first; i < end; i++) {
    const isSide = parity[i] === BOTH || parity[i] === number % 2;
    const [least, most] = [Math.min(from[i]!, to[i]!), Math.max(from[i]!, to[i]!)];
    if (isSide && number >= least && number <= most) found.push(i);
  }
  const near = asked.zip === 0 ? [] : found.filter((i) => zip[i] === asked.zip);
  return (near.length > 0 ? near : found).map((i) => {
    const share = to[i] === from[i] ? 0.5 : (number - from[i]!) / (to[i]! - from[i]!);
    return placeAlong(lines[line[i]!]!, share, isRight[i] === 1 ? BESIDE_METERS : -BESIDE_METERS);
  });
}

function placeAlong(line: readonly Spot[], share: number, asideMeters: number): Spot {
  const pieces = line
    .slice(1)
    .map((end, i) => ({ start: line[i]!, end, meters: measureMeters(line[i]!, end) }));
  let left = pieces.reduce((sum, { meters }) => sum + meters, 0) * share;
  for (const { start, end, meters } of pieces) {
    if (left > meters && end !== line.at(-1)) {
      left -= meters;
      continue;
    }
    const spot = moveTowards(start, end, meters === 0 ? 0 : Math.min(1, left / meters));
    return moveAside(spot, [end[0] - start[0], end[1] - start[1]], asideMeters);
  }
  return line[0]!;
}

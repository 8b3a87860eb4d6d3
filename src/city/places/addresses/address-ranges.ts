/** Finds house numbers in the US Census's ranges. A range is for one side of a street segment. */

import { measureMeters, moveAside, moveTowards, type Spot } from './spots.ts';
import { openStreetRows } from './street-rows.ts';

/** The typical distance of a house from the middle of its street. */
const BESIDE_METERS = 12;

const PARITIES = ['even', 'odd', 'both'] as const;

export type AddressRange = {
  /** The house numbers at the start and the end of the line. `from` may be larger than `to`. */
  from: number;
  to: number;
  parity: (typeof PARITIES)[number];
  side: 'left' | 'right';
};

export type RangeTable = ReturnType<ReturnType<typeof openRangeBuilder>['build']>;

export function openRangeBuilder() {
  const lines: (readonly Spot[])[] = [];
  const rows = openStreetRows((count) => ({
    street: new Uint32Array(count),
    number: new Uint32Array(count),
    to: new Uint32Array(count),
    line: new Uint32Array(count),
    zip: new Uint16Array(count),
    parity: new Uint8Array(count),
    isRight: new Uint8Array(count),
  }));
  return {
    get count() {
      return rows.count;
    },
    /** Adds a line, which both sides of a street share. Returns its number. */
    addLine: (line: readonly Spot[]) => lines.push(line) - 1,
    add({ from, parity, side, ...range }: AddressRange & { street: number; line: number; zip: number }) {
      const isRight = Number(side === 'right');
      rows.add({ ...range, number: from, parity: PARITIES.indexOf(parity), isRight });
    },
    build(streets: number) {
      const { findStreet, number: from, to, line, zip, parity, isRight, count } = rows.build(streets);
      const holds = (i: number, number: number) =>
        (parity[i] === PARITIES.indexOf('both') || number % 2 === parity[i]) &&
        number >= Math.min(from[i]!, to[i]!) &&
        number <= Math.max(from[i]!, to[i]!);
      return {
        count,
        /** Returns a position for each range that contains the number. Prefers ranges with the same ZIP code. */
        find(street: number, number: number, askedZip: number): readonly Spot[] {
          const [first, end] = findStreet(street);
          const found: number[] = [];
          for (let i = first; i < end; i++) if (holds(i, number)) found.push(i);
          const near = askedZip === 0 ? [] : found.filter((i) => zip[i] === askedZip);
          return (near.length > 0 ? near : found).map((i) => {
            const share = to[i] === from[i] ? 0.5 : (number - from[i]!) / (to[i]! - from[i]!);
            return placeAlong(lines[line[i]!]!, share, isRight[i] === 1 ? BESIDE_METERS : -BESIDE_METERS);
          });
        },
      };
    },
  };
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

/** Stores the US Census's ranges of house numbers. A range is for one side of a street segment. */

import { findStarts, measureMeters, moveAside, openGrowingColumns, type Spot } from './address-points.ts';

/** The typical distance of a house from the middle of its street. */
const BESIDE_METERS = 12;

export type Parity = 'even' | 'odd' | 'both';

export type AddressRange = {
  street: number;
  /** The house numbers at the start and the end of the line. `from` may be larger than `to`. */
  from: number;
  to: number;
  parity: Parity;
  side: 'left' | 'right';
  zip: number;
  /** The number that `addLine` returned. Both sides of a street have the same line. */
  line: number;
};

const PARITIES: readonly Parity[] = ['even', 'odd', 'both'];

export type RangeTable = ReturnType<ReturnType<typeof openRangeBuilder>['build']>;

export function openRangeBuilder() {
  const lines: (readonly Spot[])[] = [];
  const columns = openGrowingColumns((rows) => ({
    street: new Uint32Array(rows),
    number: new Uint32Array(rows),
    to: new Uint32Array(rows),
    line: new Uint32Array(rows),
    zip: new Uint16Array(rows),
    /** Twice the parity, plus 1 for the right side. */
    kind: new Uint16Array(rows),
  }));
  return {
    get count() {
      return columns.count;
    },
    addLine: (line: readonly Spot[]) => lines.push(line) - 1,
    add({ from, parity, side, ...range }: AddressRange): void {
      columns.add({
        ...range,
        number: from,
        kind: PARITIES.indexOf(parity) * 2 + (side === 'right' ? 1 : 0),
      });
    },
    build(streets: number) {
      const { street, number, to, line, zip, kind, count } = columns.sort();
      const starts = findStarts(street, streets);
      const holds = (i: number, asked: number) => {
        const parity = kind[i]! >> 1;
        if (parity !== 2 && asked % 2 !== parity) return false;
        return asked >= Math.min(number[i]!, to[i]!) && asked <= Math.max(number[i]!, to[i]!);
      };
      return {
        count,
        /**
         * Returns a possible position for each range that contains the number. Prefers ranges with the same ZIP code.
         */
        find(id: number, asked: number, askedZip: number): readonly Spot[] {
          const found: number[] = [];
          for (let i = starts[id] ?? 0; i < (starts[id + 1] ?? 0); i++) if (holds(i, asked)) found.push(i);
          const near = askedZip === 0 ? [] : found.filter((i) => zip[i] === askedZip);
          return (near.length > 0 ? near : found).map((i) => {
            const share = to[i] === number[i] ? 0.5 : (asked - number[i]!) / (to[i]! - number[i]!);
            const aside = kind[i]! % 2 === 1 ? BESIDE_METERS : -BESIDE_METERS;
            return placeAlong(lines[line[i]!]!, share, aside);
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
    const part = meters === 0 ? 0 : Math.min(1, left / meters);
    const direction: Spot = [end[0] - start[0], end[1] - start[1]];
    const spot: Spot = [start[0] + direction[0] * part, start[1] + direction[1] * part];
    return moveAside(spot, direction, asideMeters);
  }
  return line[0]!;
}

/** Address points in memory, by street and house number: some 20 bytes each. */

import { findStarts, openGrowingColumns } from './growing-columns.ts';

/** Degrees are kept as whole numbers of this size: a centimetre. */
export const DEGREE = 1e7;

export type PointRow = {
  street: number;
  number: number;
  longitude: number;
  latitude: number;
  /** Numbers of texts, 0 for none. */
  zip: number;
  town: number;
  detail: number;
};

export type PointTable = {
  longitude: Int32Array;
  latitude: Int32Array;
  number: Uint32Array;
  zip: Uint16Array;
  town: Uint16Array;
  detail: Uint16Array;
  count: number;
  /** The points of a street with this number: from, and up to but not including. */
  findNumber(street: number, number: number): readonly [from: number, to: number];
  /** All points of a street. */
  findStreet(street: number): readonly [from: number, to: number];
};

export type PointBuilder = {
  readonly count: number;
  add(row: PointRow): void;
  build(streets: number): PointTable;
};

export function openPointBuilder(): PointBuilder {
  const columns = openGrowingColumns((rows) => ({
    street: new Uint32Array(rows),
    number: new Uint32Array(rows),
    longitude: new Int32Array(rows),
    latitude: new Int32Array(rows),
    zip: new Uint16Array(rows),
    town: new Uint16Array(rows),
    detail: new Uint16Array(rows),
  }));
  return {
    get count() {
      return columns.count;
    },
    add: columns.add,
    build(streets) {
      const { street, ...table } = columns.sort();
      const starts = findStarts(street, streets);
      const findStreet = (id: number) => [starts[id] ?? 0, starts[id + 1] ?? 0] as const;
      return {
        ...table,
        findStreet,
        findNumber(id, number) {
          const [from, to] = findStreet(id);
          const first = findFirstNumber(table.number, { from, to, number });
          let end = first;
          while (end < to && table.number[end] === number) end++;
          return [first, end];
        },
      };
    },
  };
}

/** The first position in order whose number is not below this one. */
export function findFirstNumber(
  numbers: Uint32Array,
  { from, to, number }: { from: number; to: number; number: number },
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

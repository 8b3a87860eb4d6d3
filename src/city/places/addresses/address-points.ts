/** Stores address points in memory by street and house number, in about 20 bytes each. Measures distances in meters. */

import { findFirstAtLeast } from '../../../listings/sorted.ts';

/** A position in degrees, WGS 84. */
export type Spot = readonly [longitude: number, latitude: number];

const METERS_PER_DEGREE = 111_320; // meters in a degree of latitude

export function metersPerLongitude(latitude: number): number {
  return METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
}

/** Measures the distance between two spots. Within a town, it is accurate to one percent. */
export function measureMeters([x1, y1]: Spot, [x2, y2]: Spot): number {
  return Math.hypot((y1 - y2) * METERS_PER_DEGREE, (x1 - x2) * metersPerLongitude(y1));
}

/** Moves a spot to the right of the direction of travel, or to the left if `meters` is negative. */
export function moveAside([x, y]: Spot, direction: Spot, meters: number): Spot {
  const scale = metersPerLongitude(y);
  const [east, north] = [direction[0] * scale, direction[1] * METERS_PER_DEGREE];
  const length = Math.hypot(east, north);
  if (length === 0) return [x, y];
  return [x + ((north / length) * meters) / scale, y - ((east / length) * meters) / METERS_PER_DEGREE];
}

/** Units per degree of stored coordinates. A unit is about a centimeter. */
export const DEGREE = 1e7;

export type PointTable = ReturnType<ReturnType<typeof openPointBuilder>['build']>;

export function openPointBuilder() {
  const columns = openGrowingColumns((rows) => ({
    street: new Uint32Array(rows),
    number: new Uint32Array(rows),
    longitude: new Int32Array(rows),
    latitude: new Int32Array(rows),
    // numbers that stand for texts, 0 if empty
    zip: new Uint16Array(rows),
    town: new Uint16Array(rows),
    detail: new Uint16Array(rows),
  }));
  return {
    get count() {
      return columns.count;
    },
    add: columns.add,
    build(streets: number) {
      const { street, ...table } = columns.sort();
      const starts = findStarts(street, streets);
      /** Returns the positions of a street's points: start, and end (exclusive). */
      const findStreet = (id: number) => [starts[id] ?? 0, starts[id + 1] ?? 0] as const;
      return {
        ...table,
        findStreet,
        findNumber(id: number, number: number): readonly [from: number, to: number] {
          const [from, to] = findStreet(id);
          const first = findFirstAtLeast(table.number, number, from, to);
          return [first, findFirstAtLeast(table.number, number + 1, first, to)];
        },
      };
    },
  };
}

type Column = Int32Array | Uint32Array | Uint16Array;
type Columns = Record<string, Column>;

const FIRST_ROOM = 16_384;

/** Opens columns that grow with their rows. `make` allocates columns. Rows are sorted by `street` and `number`. */
export function openGrowingColumns<T extends Columns & { street: Uint32Array; number: Uint32Array }>(
  make: (rows: number) => T,
) {
  let columns = make(FIRST_ROOM);
  let count = 0;
  const names = Object.keys(columns) as (keyof T & string)[];
  function grow(): void {
    const larger = make(columns.street.length * 2);
    for (const name of names) larger[name]!.set(columns[name]!);
    columns = larger;
  }
  return {
    get count() {
      return count;
    },
    /** Adds a row. Truncates numbers that its column cannot hold, as typed arrays do. */
    add(row: { [K in keyof T]: number }): void {
      if (count === columns.street.length) grow();
      for (const name of names) columns[name]![count] = row[name];
      count++;
    },
    sort(): T & { count: number } {
      const { street, number } = columns;
      const order = Uint32Array.from({ length: count }, (_, i) => i);
      order.sort((a, b) => street[a]! - street[b]! || number[a]! - number[b]! || a - b);
      const sorted = make(count);
      for (const name of names) for (let i = 0; i < count; i++) sorted[name]![i] = columns[name]![order[i]!]!;
      columns = make(0);
      return { ...sorted, count };
    },
  };
}

/** Returns the position of each street's first row. The last number is the end of all rows. */
export function findStarts(street: Uint32Array, streets: number): Uint32Array {
  const starts = new Uint32Array(streets + 1);
  for (const id of street) starts[id + 1]!++;
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
  return starts;
}

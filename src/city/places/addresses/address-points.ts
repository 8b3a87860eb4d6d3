/** Address points in memory, by street and house number: some 20 bytes each. */

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

type Column = Int32Array | Uint32Array | Uint16Array;
type Columns = Record<string, Column>;

export type GrowingColumns<T extends Columns> = {
  readonly count: number;
  /** Adds a row. A number that its column cannot hold is cut as typed arrays do. */
  add(row: { [K in keyof T]: number }): void;
  /** The rows by street and number; the columns that grew are free afterwards. */
  sort(): T & { count: number };
};

const FIRST_ROOM = 16_384;

/** `make` makes the columns for a number of rows; `street` and `number` are the order. */
export function openGrowingColumns<T extends Columns & { street: Uint32Array; number: Uint32Array }>(
  make: (rows: number) => T,
): GrowingColumns<T> {
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
    add(row) {
      if (count === columns.street.length) grow();
      for (const name of names) columns[name]![count] = row[name];
      count++;
    },
    sort() {
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

/** Answers where the rows of each street begin, and last where they all end. */
export function findStarts(street: Uint32Array, streets: number): Uint32Array {
  const starts = new Uint32Array(streets + 1);
  for (const id of street) starts[id + 1]!++;
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
  return starts;
}

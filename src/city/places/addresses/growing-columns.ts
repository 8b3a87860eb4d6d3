/** Columns of numbers that grow row by row while a table is built, and are then put in order. */

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

/** Where the rows of each street begin, and one more for the end. */
export function findStarts(street: Uint32Array, streets: number): Uint32Array {
  const starts = new Uint32Array(streets + 1);
  for (const id of street) starts[id + 1]!++;
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
  return starts;
}

/** Stores the addresses of streets in columns of numbers, sorted by street and house number. */

import { findFirstAtLeast } from '../../../../shared/sorted.ts';

type Column = Int32Array | Uint32Array | Uint16Array | Uint8Array;
type Columns = Record<string, Column> & { street: Uint32Array };

const FIRST_ROOM = 16_384;

/** Opens columns that grow with their rows. `make` allocates them. `by` is the column of house numbers. */
export function openStreetRows<T extends Columns>(by: keyof T, make: (rows: number) => T) {
  let columns = make(FIRST_ROOM);
  let count = 0;
  const names = Object.keys(columns) as (keyof T & string)[];
  return {
    get count() {
      return count;
    },
    /** Adds a row. Truncates numbers that its column cannot hold, as typed arrays do. */
    add(row: { [K in keyof T]: number }): void {
      const full = columns;
      if (count === full.street.length) {
        columns = make(count * 2);
        for (const name of names) columns[name]!.set(full[name]!);
      }
      for (const name of names) columns[name]![count] = row[name];
      count++;
    },
    /** Sorts the rows. `streets` is the number of streets. */
    build(streets: number) {
      const { street } = columns;
      const number: Column = columns[by]!;
      const order = Uint32Array.from({ length: count }, (_, i) => i);
      order.sort((a, b) => street[a]! - street[b]! || number[a]! - number[b]! || a - b);
      const sorted = make(count);
      for (const name of names) for (let i = 0; i < count; i++) sorted[name]![i] = columns[name]![order[i]!]!;
      columns = make(0);
      const starts = Uint32Array.from({ length: streets + 1 }, (_, id) =>
        findFirstAtLeast(sorted.street, id),
      );
      return {
        ...sorted,
        count,
        /** Returns the positions of a street's rows: start, and end (exclusive). */
        findStreet: (id: number) => [starts[id] ?? 0, starts[id + 1] ?? 0] as const,
      };
    },
  };
}

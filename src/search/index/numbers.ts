/** Columns of numbers and codes that grow while an index is built. */

export type NumberColumn = ReturnType<typeof openNumberColumn>;

export function openNumberColumn() {
  let numbers = new Uint32Array(1 << 10);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(n: number): void {
      if (length === numbers.length) numbers = new Uint32Array(numbers.buffer.transfer(length * 8));
      numbers[length++] = n;
    },
    at: (i: number): number => numbers[i]!,
    /** Returns whether `n` is at a position from `from` to `to` (exclusive). */
    includes(n: number, from: number, to = length): boolean {
      for (let i = from; i < to; i++) if (numbers[i] === n) return true;
      return false;
    },
  };
}

/**
 * Numbers values from 0: first the `known` ones, then the others in order of first occurrence. Values with the same key
 * have the same number.
 */
export function openCoder<T>(known: readonly T[] = [], keyOf: (thing: T) => unknown = (thing) => thing) {
  const things = [...known];
  const codes = new Map(things.map((thing, code) => [keyOf(thing), code]));
  return {
    codeOf(thing: T): number {
      const key = keyOf(thing);
      const code = codes.get(key);
      if (code !== undefined) return code;
      codes.set(key, things.length);
      return things.push(thing) - 1;
    },
    things: (): T[] => things,
  };
}

/** Sorts values. Returns them with `ranks`: `ranks[code]` is the position of a value. */
export function rankValues<T>(
  things: readonly T[],
  compare?: (a: T, b: T) => number,
): { sorted: T[]; ranks: Uint32Array } {
  const sorted = things.toSorted(compare);
  const places = new Map(sorted.map((thing, place) => [thing, place]));
  return { sorted, ranks: Uint32Array.from(things, (thing) => places.get(thing)!) };
}

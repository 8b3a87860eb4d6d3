/** Returns the first of `count` positions at which `at` is not negative, or `count`. `at` must never decrease. */
export function findFirst(count: number, at: (i: number) => number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(middle) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the first position from `from` to `to` (exclusive) with a number of at least `least`, or `to`. */
export function findFirstAtLeast(list: Uint32Array, least: number, from = 0, to = list.length): number {
  return from + findFirst(to - from, (i) => list[from + i]! - least);
}

/** Returns the middle of the numbers, or the upper one of two middles. */
export function findMedian(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

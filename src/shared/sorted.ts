/** Returns the first position from `from` to `to` (exclusive) with a number of at least `least`, or `to`. */
export function findFirstAtLeast(list: Uint32Array, least: number, from = 0, to = list.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How far two words are apart: for telling what was probably meant. */

/** Letters to insert, drop or replace to make one of the other; `bound` when there are at least so many. */
export function edits(a: string, b: string, bound = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      now.push(Math.min(replaced, before[j]! + 1, now[j - 1]! + 1));
    }
    if (Math.min(...now) >= bound) return bound;
    before = now;
  }
  return Math.min(before[b.length]!, bound);
}

/** Measures how many edits apart words are, to make suggestions. */

/** The letters of a text that are compared. */
const LONGEST = 60;

/** Counts insertions, deletions, replacements and swaps of neighbors, up to `bound` (optimal string alignment). */
export function countEdits(a: ArrayLike<string>, b: ArrayLike<string>, bound = Number.POSITIVE_INFINITY) {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, beforeLast[j - 2]! + 1);
      row.push(edits);
    }
    if (Math.min(...row) >= bound) return bound;
    [beforeLast, last] = [last, row];
  }
  return Math.min(last[b.length]!, bound);
}

/**
 * Returns the known text with the fewest edits, the first of equally near ones, or `undefined` if all are more than `most` edits away: by
 * default, a third of their letters. Ignores case.
 */
export function findNearest<Text extends string>(
  given: string,
  known: Iterable<Text>,
  most?: number,
): Text | undefined {
  const text = given.slice(0, LONGEST).toLowerCase();
  let best: Text | undefined;
  let bound = Number.POSITIVE_INFINITY;
  for (const one of known) {
    const limit = Math.min(bound, Math.floor(most ?? Math.ceil(one.length / 3)) + 1);
    const edits = countEdits(text, one.toLowerCase(), limit);
    if (edits < limit) [best, bound] = [one, edits];
  }
  return best;
}

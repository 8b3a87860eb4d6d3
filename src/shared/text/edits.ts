/** Measures how many edits apart words are, to make suggestions. */

/** The letters of a text that are compared. */
const LONGEST = 60;

/** Counts insertions, deletions, replacements and swaps of neighbors, up to `bound` (optimal string alignment). */
export function countEdits(a: ArrayLike<string>, b: ArrayLike<string>, bound = Number.POSITIVE_INFINITY) {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  // the same beginning and the same end need no edit
  let [start, rows, columns] = [0, a.length, b.length];
  while (start < rows && start < columns && a[start] === b[start]) start++;
  for (; rows > start && columns > start && a[rows - 1] === b[columns - 1]; rows--) columns--;
  let beforeLast: number[] = [];
  let last = Array.from({ length: columns - start + 1 }, (_, j) => j);
  for (let i = 1; i <= rows - start; i++) {
    const [x, before] = [a[start + i - 1], a[start + i - 2]];
    const row = [i];
    for (let j = 1; j <= columns - start; j++) {
      const y = b[start + j - 1];
      let edits = Math.min(last[j - 1]! + (x === y ? 0 : 1), last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && x === b[start + j - 2] && before === y)
        edits = Math.min(edits, beforeLast[j - 2]! + 1);
      row.push(edits);
    }
    if (Math.min(...row) >= bound) return bound;
    [beforeLast, last] = [last, row];
  }
  return Math.min(last.at(-1)!, bound);
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

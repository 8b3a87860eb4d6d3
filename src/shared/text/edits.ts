/** Measures how many edits apart words are, to make suggestions. */

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

/** Returns the known word with the fewest edits, or `undefined` if more than a third of its letters differ. */
export function findNearestWord<Word extends string>(given: string, known: readonly Word[]) {
  const text = given.slice(0, 40).toLowerCase();
  const [best] = known
    .map((word) => ({ word, distance: countEdits(text, word) }))
    .filter(({ word, distance }) => distance <= Math.ceil(word.length / 3))
    .sort((a, b) => a.distance - b.distance);
  return best?.word;
}

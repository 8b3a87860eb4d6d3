/** Measures the edit distance of words, for suggestions. */

/** Counts the letters to insert, delete or replace to turn one word into the other, up to `bound`. */
export function countEdits(a: string, b: string, bound = Number.POSITIVE_INFINITY): number {
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

/** Finds the known word that was probably meant: the nearest, if at most a third of its letters differ. */
export function findNearestWord<Word extends string>(
  given: string,
  known: readonly Word[],
): Word | undefined {
  const text = given.slice(0, 40).toLowerCase();
  const [best] = known
    .map((word) => ({ word, distance: countEdits(text, word) }))
    .filter(({ word, distance }) => distance <= Math.ceil(word.length / 3))
    .sort((a, b) => a.distance - b.distance);
  return best?.word;
}

/** The known value that an unknown one was probably meant to be. */

import { sameText } from '../listings/words.ts';

/** The nearest by edits (a third of its letters, three at most) or by beginning; `undefined` when none is near. */
export function nearest(asked: string, known: readonly string[]): string | undefined {
  const text = sameText(asked);
  let best: string | undefined;
  let bound = Math.min(3, Math.ceil(text.length / 3)) + 1;
  for (const value of known) {
    const distance = edits(text, sameText(value), bound);
    if (distance < bound) [best, bound] = [value, distance];
  }
  return best ?? (text.length < 3 ? undefined : known.find((value) => sameText(value).startsWith(text)));
}

/** Letters to insert, drop or replace to make one from the other; `bound` when there are at least so many. */
function edits(a: string, b: string, bound: number): number {
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

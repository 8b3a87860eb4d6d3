/** The known value that an unknown one was probably meant to be. */

import { edits } from '../listings/edits.ts';
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

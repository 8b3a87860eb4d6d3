/**
 * Finds the category of a filing from the best information it has: the publisher's own code, its NAICS code, the whole words of its
 * name, a broad code, or `Uncategorized`. Never matches part of a word: "Bar" is not in "Barber", nor "Spa" in "Space".
 */

import { UNCATEGORIZED } from '../listings/listing.ts';
import { type Category, naicsCategory } from './categories.ts';
import { STRONG, splitWords, WEAK } from './kind-words.ts';

/** The information that a filing has about its category; each field may be missing. */
export type KindClues = {
  /** The meaning of the publisher's code, if it stands for exactly one category. */
  code?: Category | undefined;
  naics?: string | undefined;
  name?: string | undefined;
  /** The meaning of a broad code (`Retail Sales`), used if the name says nothing more specific. */
  broad?: Category | undefined;
};

/** The category from the first information that gives one; `Uncategorized` if none does. */
export function kindOf(clues: KindClues): Category {
  return (
    clues.code ??
    naicsCategory(clues.naics ?? '') ??
    kindOfName(clues.name ?? '') ??
    clues.broad ??
    UNCATEGORIZED
  );
}

/**
 * The category of a name by its words, or `undefined`. In English the last word names the thing (`Grill Cleaning`,
 * `Nail Salon Supply`) unless `of`, `by`, `at`, `for`, `in` or `with` comes between (`Pizza of Naples`, `House of Pizza`). A
 * word of only one trade takes precedence over a word of several. Measured on real names whose licence states their category, on
 * the half that the lists were not made from (`npm run bench -- kinds`): 59 % get a category, and 90 % of these are correct. Each
 * category that was found and licensed at least 30 times is correct at least 70 % of the time. The other half decided the lists.
 */
function kindOfName(name: string): Category | undefined {
  const words = splitWords(name);
  const turn = words.findIndex((word, i) => i > 0 && TURNS.has(word));
  const parts = turn === -1 ? [words] : [words.slice(0, turn), words.slice(turn + 1)];
  return first([STRONG, WEAK], (table) => first(parts, (part) => lastIn(table, part)));
}

const TURNS = new Set(['of', 'by', 'at', 'for', 'in', 'with']);
const LONGEST_PHRASE = 4;
/** Few words end a phrase, so for most words no phrase has to be put together. */
const ENDS = new Set([...STRONG.keys(), ...WEAK.keys()].map((phrase) => phrase.split(' ').at(-1)!));

/** The category of the phrase that ends last; if several do, of the longest. */
function lastIn(table: ReadonlyMap<string, Category>, words: readonly string[]): Category | undefined {
  for (let end = words.length; end > 0; end--) {
    if (!ENDS.has(words[end - 1]!)) continue;
    for (let start = Math.max(0, end - LONGEST_PHRASE); start < end; start++) {
      const found = table.get(words.slice(start, end).join(' '));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function first<In, Out>(items: readonly In[], ask: (item: In) => Out | undefined): Out | undefined {
  for (const item of items) {
    const answer = ask(item);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

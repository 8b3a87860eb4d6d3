/**
 * The kind of a business, from the best that a filing says about it: the publisher's own code, its NAICS code, the whole
 * words of its name, a broad code, `Uncategorized`. Never part of a word: "Bar" is not in "Barber", nor "Spa" in "Space".
 */

import { UNCATEGORIZED } from '../listings/listing.ts';
import { type Category, naicsCategory } from './categories.ts';
import { STRONG, splitWords, WEAK } from './kind-words.ts';

/** What a filing says about the kind of a business; each rung may be missing. */
export type KindClues = {
  /** What the publisher's code means, where it means one category and no other. */
  code?: Category | undefined;
  naics?: string | undefined;
  name?: string | undefined;
  /** What a broad code (`Retail Sales`) means where the name says nothing closer. */
  broad?: Category | undefined;
};

/** The category by the first rung that knows it; `Uncategorized` where none does. */
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
 * The category that a name's words mean, or `undefined`. In English the last word names the thing (`Grill Cleaning`,
 * `Nail Salon Supply`) unless `of`, `by`, `at`, `for`, `in` or `with` comes between (`Pizza of Naples`, `House of Pizza`); a
 * word that means one trade goes before one that many trades use. Measured on real names whose licence tells their kind, the
 * half that the lists were not made on (`npm run bench -- kinds`): a kind for 59 % of them, 90 % of those right; no kind that
 * was read, and licensed, 30 times or more is right less than 70 % of the time. The other half decided which words went.
 */
function kindOfName(name: string): Category | undefined {
  const words = splitWords(name);
  const turn = words.findIndex((word, i) => i > 0 && TURNS.has(word));
  const parts = turn === -1 ? [words] : [words.slice(0, turn), words.slice(turn + 1)];
  return first([STRONG, WEAK], (table) => first(parts, (part) => lastIn(table, part)));
}

const TURNS = new Set(['of', 'by', 'at', 'for', 'in', 'with']);
const LONGEST_PHRASE = 4;

/** The category of the phrase that ends last, the longest of those. */
function lastIn(table: ReadonlyMap<string, Category>, words: readonly string[]): Category | undefined {
  for (let end = words.length; end > 0; end--) {
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

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
 * The category that a name's words mean, or `undefined`. In English the last word names the thing (`Grill Cleaning`,
 * `Nail Salon Supply`) unless `of`, `by`, `at`, `for`, `in` or `with` comes between (`Pizza of Naples`, `House of Pizza`). A
 * word that means one trade goes before one that many trades use (`Auto Repair & Inspections`). A name that joins two trades
 * by `and`, `&` or `/` tells neither (`Realty & Income Tax`). Measured on real names whose licence tells their kind, the half
 * that the lists were not made on: see `npm run bench -- kinds`. The other half decided which words went.
 */
function kindOfName(name: string): Category | undefined {
  const words = splitWords(name.replace(/[&+/|]/g, ' and '));
  const turn = words.findIndex((word, i) => i > 0 && TURNS.has(word));
  const parts = turn === -1 ? [words] : [words.slice(0, turn), words.slice(turn + 1)];
  for (const table of [STRONG, WEAK]) {
    for (const part of parts) {
      const found = findPhrases(table, part);
      if (found.length > 0) return joinsTwo(found, part) ? undefined : found[0]?.category;
    }
  }
  return undefined;
}

const TURNS = new Set(['of', 'by', 'at', 'for', 'in', 'with']);
const LONGEST_PHRASE = 4;

type Phrase = { category: Category; start: number; end: number };

/** The phrases of the table, the one that ends last first, each the longest that ends there. */
function findPhrases(table: ReadonlyMap<string, Category>, words: readonly string[]): Phrase[] {
  const found: Phrase[] = [];
  for (let end = words.length; end > 0; end--) {
    for (let start = Math.max(0, end - LONGEST_PHRASE); start < end; start++) {
      const category = table.get(words.slice(start, end).join(' '));
      if (category === undefined) continue;
      found.push({ category, start, end });
      end = start + 1; // the loop goes on before it
      break;
    }
  }
  return found;
}

/** Whether the last two trades are unlike, and joined rather than one said of the other. */
function joinsTwo([last, before]: readonly Phrase[], words: readonly string[]): boolean {
  if (last === undefined || before === undefined || last.category === before.category) return false;
  return words.slice(before.end, last.start).includes('and');
}

/**
 * The kind of a business, from the best that a filing says about it: the publisher's own code, its NAICS code, its official
 * type in words, the whole words of its name, a broad code, `Uncategorized`. Never part of a word: "Bar" is not in "Barber".
 */

import { UNCATEGORIZED } from '../listings/listing.ts';
import { type Category, isBroadCode, naicsCategory } from './categories.ts';
import { isBroadType, kindOfType } from './kind-of-type.ts';
import { STRONG, splitWords, WEAK } from './kind-words.ts';

/** The information that a filing has about its category; each field may be missing. */
export type KindClues = {
  /** The meaning of the publisher's code, if it stands for exactly one category. */
  code?: Category | undefined;
  naics?: string | undefined;
  /** The official text of a type, class or licence, as the publisher words it. */
  type?: string | undefined;
  name?: string | undefined;
  /** The meaning of a broad code (`Retail Sales`), used if the name says nothing more specific. */
  broad?: Category | undefined;
};

/**
 * The category by the first rung that knows it; `Uncategorized` where none does. A sector of many trades (NAICS `54`,
 * `Finance and Insurance`) is asked after the name.
 */
export function kindOf({ code, naics = '', type = '', name = '', broad }: KindClues): Category {
  const byCode = naicsCategory(naics);
  const byType = kindOfType(type);
  return (
    code ??
    (isBroadCode(naics) ? undefined : byCode) ??
    (isBroadType(type) ? undefined : byType) ??
    kindOfName(name) ??
    byCode ??
    byType ??
    broad ??
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

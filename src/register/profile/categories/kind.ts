/** Finds the category of a business from the most reliable information in a filing. */

import {
  type Category,
  type FoundPhrase,
  isBroadCode,
  naicsCategory,
  openPhraseFinder,
  ROMANCE,
  readPhrases,
  STRONG,
  splitNameWords,
  WEAK,
} from '../../../shared/city/categories.ts';
import { UNCATEGORIZED } from '../../../shared/listing.ts';
import { splitWords } from '../../../shared/words.ts';
import { isBroadType, kindOfType } from './kind-of-type.ts';

export type KindClues = {
  /** The category of the publisher's code, if the code has exactly one. */
  code?: Category | undefined;
  naics?: string | undefined;
  type?: string | undefined;
  name?: string | undefined;
  /** The category of a broad code (`Retail Sales`). The name takes precedence if it is more specific. */
  broad?: Category | undefined;
};

/** Finds the category. The name takes precedence over a sector with several categories (NAICS `54`). */
export function kindOf({ code, naics = '', type = '', name = '', broad }: KindClues): Category {
  if (code !== undefined) return code;
  const byCode = naics === '' ? undefined : naicsCategory(naics);
  const byType = type === '' ? undefined : kindOfType(type);
  return (
    (byCode === undefined || isBroadCode(naics) ? undefined : byCode) ??
    (byType === undefined || isBroadType(type) ? undefined : byType) ??
    kindOfName(name) ??
    BRANDS.get(bareName(name)) ??
    byCode ??
    byType ??
    broad ??
    UNCATEGORIZED
  );
}

/**
 * Returns the category of a word that people search for, or of the whole name of a trade in any language: `tienda de ropa`. A brand has
 * none, because a brand that is not in the city must not list its competitors.
 */
export function kindOfPhrase(text: string): Category {
  const trade = TRADES.get(text);
  if (trade !== undefined) return trade;
  return (text.includes(' ') ? undefined : kindOfName(text)) ?? UNCATEGORIZED;
}

const BRANDS = readPhrases('brand-words.csv');
const TRADES = readPhrases('preset-words.csv');

/** Returns the words of a name without the number of a branch and the legal form at its end. */
function bareName(name: string): string {
  const words = splitWords(name);
  while (words.length > 1 && /^(?:\d+|inc|llc|l|c|co|corp|ltd|lp|store)$/.test(words.at(-1)!)) words.pop();
  return words.join(' ');
}

/**
 * Finds the category of a name by its words. In English, the last word names the product or service (`Grill Cleaning`,
 * `Nail Salon Supply`) unless `of`, `by`, `at`, `for`, `in` or `with` comes between (`Pizza of Naples`, `House of
 * Pizza`). A word of only one trade takes precedence over a word of several (`Auto Repair & Inspections`). A name that
 * joins two trades with `and`, `&` or `/` gives no category (`Realty & Income Tax`). Measured on real names whose
 * license states the category, and which were not used to make the lists (`npm run bench -- kinds`): 57% get a
 * category, and 93% of these are correct.
 */
function kindOfName(name: string): Category | undefined {
  const words = splitNameWords(name.replace(/[&+/|]/g, ' and ').replace(/\bl['’]/gi, ''));
  const foreign = readRomance(words);
  if (foreign.isPhrase) return foreign.category;
  const turn = words.findIndex((word, i) => i > 0 && TURNS.has(word));
  const parts = turn === -1 ? [words] : [words.slice(0, turn), words.slice(turn + 1)];
  for (const table of [STRONG, WEAK]) {
    for (const part of parts) {
      const found = findPhrases(table, part);
      if (found.length > 0) return joinsTwo(found, part) ? undefined : found[0]?.category;
    }
    if (foreign.category !== undefined) return foreign.category;
  }
  return undefined;
}

/**
 * Finds the category of a Spanish, French or Portuguese name, whose first word names the product or service (`Taller de
 * Muebles`), and in which `y`, `et` or `e` joins two trades. If several words form a phrase (`isPhrase`), none of them
 * is read as English.
 */
function readRomance(words: readonly string[]): { category: Category | undefined; isPhrase: boolean } {
  const [first, next] = findPhrases(ROMANCE, words).toReversed();
  if (first === undefined) return { category: undefined, isPhrase: false };
  const between = next === undefined ? [] : words.slice(first.end, next.start);
  const isJoined = between.length === 1 && ROMANCE_AND.has(between[0]!) && next?.category !== first.category;
  return { category: isJoined ? undefined : first.category, isPhrase: first.end - first.start > 1 };
}

const ROMANCE_AND = new Set(['y', 'e', 'et', 'and']);

const TURNS = new Set(['of', 'by', 'at', 'for', 'in', 'with']);
const findPhrases = openPhraseFinder([STRONG, WEAK, ROMANCE], 'last');

function joinsTwo([last, before]: readonly FoundPhrase[], words: readonly string[]): boolean {
  if (last === undefined || before === undefined || last.category === before.category) return false;
  return words.slice(before.end, last.start).includes('and');
}

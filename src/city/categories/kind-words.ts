/**
 * Words and phrases of names that indicate a category: `src/data/kind-words.csv`. They were collected by hand for precision: a word that
 * several trades use is in `WEAK` or not listed.
 */

import { openWordLists } from '../../data/word-table.ts';
import { removeAccents } from '../../listings/words.ts';
import type { Category } from './categories.ts';

type Phrases = ReadonlyMap<string, Category>;

const listOf = openWordLists('kind-words.csv');
/** Only one trade uses them. */
export const STRONG = listOf('strong') as Phrases;
/** Several trades use them. They count only if there is no strong word. */
export const WEAK = listOf('weak') as Phrases;

/**
 * The words of a name as these lists write them (search has its own rule): lower case, without accents and apostrophes, initials
 * of an abbreviation joined (`A/C` -> `ac`), split at everything else.
 */
export function splitWords(name: string): string[] {
  return removeAccents(name)
    .replace(/['’`]/g, '')
    .toLowerCase()
    .replace(/\b(\p{L})[./](?=\p{L}\b)/gu, '$1')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Reads the words and phrases of names that indicate a category. Ambiguous words are weak, to favor precision. */

import { openWordLists, readDataLines } from '../../data/word-table.ts';
import { removeAccents } from '../../listings/words.ts';
import type { Category } from './categories.ts';

type Phrases = ReadonlyMap<string, Category>;

const listOf = openWordLists('kind-words.csv');
export const STRONG = listOf('strong') as Phrases;
/** Phrases of several trades. They count only if the name has no strong phrase. */
export const WEAK = listOf('weak') as Phrases;
export const ROMANCE = new Map(
  readDataLines('kind-words-romance.csv').flatMap(([, category = '', words = '']) =>
    words.split('|').map((phrase) => [phrase, category] as const),
  ),
) as Phrases;

/**
 * Splits a name into words as spelled in these lists (search has its own rule): lower case, without accents and
 * apostrophes, initials joined (`A/C` -> `ac`), split at everything else.
 */
export function splitWords(name: string): string[] {
  return removeAccents(name)
    .replace(/['’`]/g, '')
    .toLowerCase()
    .replace(/\b(\p{L})[./](?=\p{L}\b)/gu, '$1')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

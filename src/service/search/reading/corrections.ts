/** Lists other spellings of a word that few or no listings have. */

import { readPhrases } from '../../../shared/city/categories.ts';
import { EVERYTHING } from '../../../shared/question.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';
import { openWordLists } from '../../../shared/text/word-table.ts';
import type { ReadingSources } from './sources.ts';

/** A word with fewer listings than this may be a mistake. */
export const FEW = 5;
const LIKELY_TIMES = 20;
/** Words of brands, which are right also in a city that has none of the brand: `costco`. */
const BRAND_WORDS = new Set([...readPhrases('brand-words.csv').keys()].flatMap((name) => name.split(' ')));
const GIVEN_NAMES = openWordLists('person-words.csv')('given');

/** Lists corrections of a word. Ordinary words, numbers, trades and words of several listings have none. */
export function findCorrections(
  { countWord, countMatches, findNear, isOrdinary }: ReadingSources,
  word: string,
): readonly string[] {
  if (/\p{N}/u.test(word) || isOrdinary(word) || BRAND_WORDS.has(word)) return [];
  const count = countWord(word);
  if (count >= FEW) return [];
  const parts = count === 0 ? splitInTwo(word, { countWord, countMatches }) : undefined;
  if (parts !== undefined) return [parts];
  return findNear(word, count).filter((near) => count === 0 || countWord(near) >= LIKELY_TIMES * count);
}

/** Splits a word where most names have both parts side by side: `icecream`. */
function splitInTwo(
  word: string,
  { countWord, countMatches }: Pick<ReadingSources, 'countWord' | 'countMatches'>,
): string | undefined {
  if (!/^\p{L}{5,}$/u.test(word)) return undefined;
  const found = Array.from({ length: word.length - 3 }, (_, i) => {
    const text = `${word.slice(0, i + 2)} ${word.slice(i + 2)}`;
    const isFound = text.split(' ').every((part) => countWord(part) > 0);
    return { text, count: isFound ? countMatches({ ...EVERYTHING, q: `"${text}"` }) : 0 };
  });
  const best = found.reduce((most, one) => (one.count > most.count ? one : most));
  return best.count > 0 ? best.text : undefined;
}

/** Drops trades from the corrections of a possessive name: `Carl's` is not `cars`. */
export function keepNames(
  { isOrdinary }: ReadingSources,
  typed: string,
  near: readonly string[],
): readonly string[] {
  const [, owner] = /^(.+?)['’]?s$/i.exec(typed) ?? [];
  const isPossessive = owner !== undefined && (/['’]s$/i.test(typed) || GIVEN_NAMES.has(owner.toLowerCase()));
  return isPossessive ? near.filter((other) => !isOrdinary(toSingular(other))) : near;
}

/**
 * Numbers the types of a register's rows. Only a text that many listings share becomes a term, which searches find: a text of few
 * listings, or one about people or their homes, could tell more about a business than its category.
 */

import { LEAST_SHARED } from '../../shared/listing.ts';
import { rememberTexts } from '../../shared/remember.ts';
import { openWordLists } from '../../shared/text/word-table.ts';
import { foldWords } from '../../shared/words.ts';
import { cutExceptions, isGeneralType } from '../profile/categories/kind-of-type.ts';

const LONGEST = 80;
const PRIVATE = new Set(openWordLists('type-words.csv')('private').keys());

export type TermCounter = ReturnType<typeof openTermCounter>;

/** `keys` has at most the keys of as many listings as make a type a term. */
type Counted = { typeId: number; words: string; keys: Set<string> };

export function openTermCounter() {
  const counted = new Map<string, Counted>();
  const wordsOf = rememberTexts(toTerm);
  return {
    /** Returns the number of a row's type, or `undefined` if it has none that may be searched. */
    numberOf({ type = '', key }: { type?: string | undefined; key: string }): number | undefined {
      const words = wordsOf(type ?? '');
      if (words === undefined) return undefined;
      const one = counted.getOrInsertComputed(words, () => ({
        typeId: counted.size + 1,
        words,
        keys: new Set(),
      }));
      if (one.keys.size < LEAST_SHARED) one.keys.add(key);
      return one.typeId;
    },
    /** Lists the types that enough listings share. */
    list: () =>
      Array.from(counted.values())
        .filter(({ keys }) => keys.size >= LEAST_SHARED)
        .map(({ typeId, words }) => ({ typeId, words })),
  };
}

/**
 * Returns a type as its words, without what it excludes (`no liquor`), or `undefined` if it says nothing (`Retail Sales`), is about
 * owners, homes or residents, or is a legal form.
 */
function toTerm(type: string): string | undefined {
  const words = foldWords(cutExceptions(type));
  const isPrivate = words.split(' ').some((word) => PRIVATE.has(word));
  const isTerm = /\p{L}{3}/u.test(words) && words.length <= LONGEST && !isGeneralType(words) && !isPrivate;
  return isTerm ? words : undefined;
}

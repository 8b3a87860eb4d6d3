/**
 * Hashes the types of a register's rows. Only a text that many listings share becomes a term, which searches find: a text of few
 * listings, or one about people or their homes, could tell more about a business than its category.
 */

import type { Opening } from '../../shared/filing.ts';
import { LEAST_SHARED } from '../../shared/listing.ts';
import { rememberTexts } from '../../shared/remember.ts';
import type { RunType } from '../../shared/report.ts';
import { openWordLists } from '../../shared/text/word-table.ts';
import { foldWords } from '../../shared/words.ts';
import { cutExceptions, isGeneralType } from '../profile/categories/kind-of-type.ts';
import { hashText } from './row-hash.ts';

const LONGEST = 80;
const PRIVATE = new Set(openWordLists('type-words.csv')('private').keys());

export type TermCounter = ReturnType<typeof openTermCounter>;

/** `known` has the terms of remembered rows. */
export function openTermCounter(rowKey: string, known: readonly RunType[] = []) {
  const words = new Map(known.map((one) => [one.typeHash, one.words]));
  /** At most the keys of as many listings as make a type a term. */
  const keys = new Map<string, Set<string>>();
  const hashOnce = rememberTexts((text): string | undefined => {
    const term = toTerm(text);
    if (term === undefined) return undefined;
    const type = hashText(rowKey, term);
    words.set(type, term);
    return type;
  });
  /** Counts a filing. */
  const see = ({ typeHash, key }: Pick<Opening, 'typeHash' | 'key'>): void => {
    if (typeHash == null) return;
    const some = keys.getOrInsertComputed(typeHash, () => new Set());
    if (some.size < LEAST_SHARED) some.add(key);
  };
  return {
    see,
    /** Returns the hash of a row's type, or `undefined` if it has none that may be searched. */
    hashType({ type = '', key }: { type?: string | undefined; key: string }): string | undefined {
      const hashed = hashOnce(type ?? '');
      see({ typeHash: hashed, key });
      return hashed;
    },
    /** Lists the types that enough listings share. */
    list: (): RunType[] =>
      [...keys].flatMap(([typeHash, { size }]) =>
        size >= LEAST_SHARED ? { typeHash, words: words.get(typeHash)! } : [],
      ),
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

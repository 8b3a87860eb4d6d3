/** All texts that a profile's `words` can replace, and which of them a language needs. */

import { PAGE_WORDS } from './page-words.ts';
import { SUBSCRIPTION_WORDS } from './subscription-words.ts';

export const WORDS = { ...PAGE_WORDS, ...SUBSCRIPTION_WORDS };

export type PageWord = keyof typeof WORDS;

/** A text that counts something, without its plural form. */
export type CountedWord = PageWord extends infer Word
  ? Word extends `${infer Base}.other`
    ? Base
    : never
  : never;

/** Plural forms that English does not have. */
type OtherForm = `${CountedWord}.${'zero' | 'two' | 'few' | 'many'}`;

export type PageWords = Record<PageWord | OtherForm, string>;

const OTHER = '.other';
const counted = Object.keys(WORDS)
  .filter((word) => word.endsWith(OTHER))
  .map((word) => word.slice(0, -OTHER.length));
const uncounted = Object.keys(WORDS).filter(
  (word) => !counted.some((base) => word === `${base}.one` || word === `${base}${OTHER}`),
);

/** Every text of a language: those that count something in each of its plural forms. */
export function listWordsOf(language: string): string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return [...uncounted, ...counted.flatMap((base) => pluralCategories.map((form) => `${base}.${form}`))];
}

/** Whether a profile may give this text. */
export function isKnownWord(word: string): boolean {
  return (
    Object.hasOwn(WORDS, word) ||
    counted.some((base) => ['zero', 'two', 'few', 'many'].some((form) => word === `${base}.${form}`))
  );
}

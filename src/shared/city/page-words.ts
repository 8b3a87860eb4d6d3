/**
 * Reads all texts that a profile's `words` can replace, in each language that Shingle speaks. `page-words.json` has the texts of the
 * public page. `subscription-words.json` has those of signup, of the pages to confirm, manage and unsubscribe, of past
 * editions and of all emails. A profile in another `language` must replace all of them. `{city}`, `{n}` and so on are
 * placeholders. The texts contain no HTML. The names of texts that count something end in `.one` or `.other`. Other
 * languages add `.zero`, `.two`, `.few` or `.many` (the categories of `Intl.PluralRules`).
 */

import PAGE_WORDS from '../../data/page-words.json' with { type: 'json' };
import SUBSCRIPTION_WORDS from '../../data/subscription-words.json' with { type: 'json' };
import { languageOf, readTexts } from './languages.ts';

export const WORDS = { ...PAGE_WORDS, ...SUBSCRIPTION_WORDS };

const [PAGES, SUBSCRIPTIONS] = [readTexts('page-words'), readTexts('subscription-words')];

/** Returns the texts of a language, or `undefined` if Shingle has none. */
export function shippedWordsOf(tag: string | undefined): Readonly<Record<string, string>> | undefined {
  const language = languageOf(tag);
  if (language === undefined) return undefined;
  return language === 'en' ? WORDS : { ...PAGES[language], ...SUBSCRIPTIONS[language] };
}

export type PageWord = keyof typeof WORDS;

export type CountedWord = PageWord extends infer Word
  ? Word extends `${infer Base}.other`
    ? Base
    : never
  : never;

type OtherForm = `${CountedWord}.${'zero' | 'two' | 'few' | 'many'}`;

export type PageWords = Record<PageWord | OtherForm, string>;

/** Lists all texts of a language, with all plural forms of those that count something. */
export function listWordsOf(language: string): string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return Object.keys(WORDS).flatMap((word) => {
    const base = /^(.+)\.(?:one|other)$/.exec(word)?.[1];
    if (base === undefined || !isKnownWord(`${base}.other`)) return [word];
    return word.endsWith('.one') ? [] : pluralCategories.map((form) => `${base}.${form}`);
  });
}

export function isKnownWord(word: string): word is PageWord {
  return (
    Object.hasOwn(WORDS, word) || Object.hasOwn(WORDS, word.replace(/\.(?:zero|two|few|many)$/, '.other'))
  );
}

/** The languages that Shingle speaks. A language is its words: each has files of its own in `src/data`, with its name in theirs. */

import { rememberTexts } from '../remember.ts';

export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns the language of a tag without its script and region: `fr` of `fr-CA`. */
export function baseLanguageOf(tag = 'en'): string {
  return parseTag(tag);
}

const parseTag = rememberTexts((tag) => new Intl.Locale(tag).language);

/** Returns the shipped language of a tag, or `undefined` if Shingle does not speak it. */
export function languageOf(tag?: string): Language | undefined {
  const base = baseLanguageOf(tag);
  return LANGUAGES.find((language) => language === base);
}

/** The languages in which questions are read: those that Shingle speaks, and Spanish. */
export const ASKED_LANGUAGES = [...LANGUAGES, 'es'] as const;
export type AskedLanguage = (typeof ASKED_LANGUAGES)[number];

/** Names a table of words that people search for: `synonyms.csv`, `synonyms.fr.csv`. */
export function nameTable(table: string, language: AskedLanguage): string {
  return language === 'en' ? `${table}.csv` : `${table}.${language}.csv`;
}

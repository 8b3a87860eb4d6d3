/** The languages that Shingle speaks. A language is its words: each has files of its own in `src/data`, with its name in theirs. */

import { readdirSync, readFileSync } from 'node:fs';
import { rememberTexts } from '../remember.ts';

const DATA = new URL('../../data/', import.meta.url);
/** The names of all files of words, such as `page-words.fr.json`. */
const WORD_FILES: readonly string[] = readdirSync(DATA).toSorted();

/** The files of ordinary words of each language. */
export const COMMON_WORDS = WORD_FILES.filter((name) => name.startsWith('common-words.'));

/** Lists the languages that have a table of words, besides English: `fr` of `page-words.fr.json`. */
function listLanguagesOf(table: string): string[] {
  return WORD_FILES.flatMap((name) => {
    const [of, language, end] = name.split('.');
    return of === table && end !== undefined ? language! : [];
  });
}

export const LANGUAGES: readonly string[] = ['en', ...listLanguagesOf('page-words')];

/** The languages in which questions are read: those that Shingle speaks, and others. */
export const ASKED_LANGUAGES = [...new Set([...LANGUAGES, ...listLanguagesOf('question-words')])];

/** Returns the language of a tag without its script and region: `fr` of `fr-CA`. */
export function baseLanguageOf(tag = 'en'): string {
  return parseTag(tag);
}

const parseTag = rememberTexts((tag) => new Intl.Locale(tag).language);

/** Returns the shipped language of a tag, or `undefined` if Shingle does not speak it. */
export function languageOf(tag?: string): string | undefined {
  const base = baseLanguageOf(tag);
  return LANGUAGES.find((language) => language === base);
}

/** Names the English table of words that people search for, and those of some languages that have one: `needs.csv`, `needs.fr.csv`. */
export function nameTables(table: string, languages: readonly string[]): string[] {
  const names = [`${table}.csv`, ...languages.map((language) => `${table}.${language}.csv`)];
  return names.filter((name) => WORD_FILES.includes(name));
}

/** Reads the texts of each language, by language, from files such as `problem-pages.fr.json`. English has its own, if any. */
export function readTexts<Texts = Record<string, string>>(table: string): Record<string, Texts> {
  const texts = LANGUAGES.flatMap((language) => {
    const name = `${table}.${language}.json`;
    return WORD_FILES.includes(name)
      ? [[language, JSON.parse(readFileSync(new URL(name, DATA), 'utf8'))]]
      : [];
  });
  return { en: {}, ...Object.fromEntries(texts) };
}

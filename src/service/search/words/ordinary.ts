/** Tells ordinary words of a language, which are never corrected: the most common ones of `src/data/common-words.*.txt`. */

import { existsSync, readFileSync } from 'node:fs';
import { baseLanguageOf } from '../../../shared/city/languages.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';

/** Returns a function that tells whether a folded word is common in English or in the language of the city. */
export function openOrdinaryWords(language: string): (word: string) => boolean {
  const words = wordsOf(baseLanguageOf(language));
  return (word) => words.has(word) || words.has(toSingular(word));
}

/** Reads the lists once, because every new index needs them. */
const wordsOf = rememberTexts((language) => new Set(['en', language].flatMap(readWords)));

function readWords(language: string): string[] {
  const file = new URL(`../../../data/common-words.${language}.txt`, import.meta.url);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'));
}

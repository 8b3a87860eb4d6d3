/** Tells ordinary words of a language, which are never corrected: the most common ones of `src/data/common-words.*.txt`. */

import { ASKED_LANGUAGES, baseLanguageOf } from '../../../shared/city/languages.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';
import { readWordList } from '../../../shared/text/word-table.ts';

/** Returns a function that tells whether a folded word is common in English or in the language of the city. */
export function openOrdinaryWords(language: string): (word: string) => boolean {
  const words = wordsOf(baseLanguageOf(language));
  return (word) => words.has(word) || words.has(toSingular(word));
}

/** Reads the lists once, because every new index needs them. */
const wordsOf = rememberTexts((language) => {
  const listed = ['en', language].filter((one) => ASKED_LANGUAGES.includes(one));
  return new Set(listed.flatMap((one) => readWordList(`common-words.${one}.txt`)));
});

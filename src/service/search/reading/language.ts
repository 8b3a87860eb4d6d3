/** Finds the language of a question. People ask in French or Spanish in English cities, and in English everywhere. */

import { ASKED_LANGUAGES, baseLanguageOf, nameTable } from '../../../shared/city/languages.ts';
import { lazy, rememberTexts } from '../../../shared/remember.ts';
import { readDataLines } from '../../../shared/text/word-table.ts';
import { splitWords } from '../../../shared/words.ts';

/** Lists the lines of `question-words.csv` and of a language's own table. */
export function readQuestionWords(language: string): string[][] {
  return listTables(language).flatMap(readDataLines);
}

/** Returns a function that finds the language, other than the city's, that has more words of a text than the city's own has. */
export function openLanguages(city: string, isOrdinary: (word: string) => boolean) {
  const own = listTables(city);
  const others = ASKED_LANGUAGES.filter((one) => !own.includes(nameTable('question-words', one)));
  const known = listWords(city);
  const ofCity = known.difference(listWords('en'));
  const tables = others.map((language) => ({ language, words: listWords(language).difference(known) }));
  return (text: string): string | undefined => {
    const words = splitWords(text);
    const count = (table: ReadonlySet<string>) =>
      words.filter((word) => table.has(word) && !isOrdinary(word)).length;
    const counted = tables.map(({ language, words: table }) => ({ language, n: count(table) }));
    const [best] = counted.filter(({ n }) => n > count(ofCity)).toSorted((a, b) => b.n - a.n);
    return best?.language;
  };
}

function listTables(language: string): string[] {
  const base = baseLanguageOf(language);
  return ASKED_LANGUAGES.filter((one) => one === 'en' || one === base).map((one) =>
    nameTable('question-words', one),
  );
}

/** Lists the articles and other words that say nothing, in any language that questions are read in. */
export const listFillers = lazy(
  () =>
    new Set(
      ASKED_LANGUAGES.flatMap(readQuestionWords).flatMap(([kind = '', phrases = '']) =>
        kind === 'filler' ? phrases.split('|') : [],
      ),
    ),
);

const listWords = rememberTexts(
  (language) => new Set(readQuestionWords(language).flatMap(([, phrases = '']) => splitWords(phrases))),
);

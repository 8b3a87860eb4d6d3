/** Finds the language of a question. People ask in French or Spanish in English cities, and in English everywhere. */

import { ASKED_LANGUAGES, baseLanguageOf, nameTable } from '../../../shared/city/languages.ts';
import { lazy, rememberTexts } from '../../../shared/remember.ts';
import { readDataLines } from '../../../shared/text/word-table.ts';
import { splitWords } from '../../../shared/words.ts';
import { toPhraseKey } from '../words/synonyms.ts';

/** A phrase of a question: what it means, as `days` and `7`, its folded words, and these in the singular. */
type QuestionPhrase = { kind: string; argument: string; typed: string; key: string; singular: string };

/** Reads the phrases of `question-words.csv` and of a language's own table, once for all indexes. */
export const readQuestionPhrases = rememberTexts((language): readonly QuestionPhrase[] =>
  listTables(language)
    .flatMap(readDataLines)
    .flatMap(([text = '', phrases = '']) => {
      const [kind = '', argument = ''] = text.split(':');
      return phrases.split('|').map((typed) => {
        const words = splitWords(typed);
        return { kind, argument, typed, key: words.join(' '), singular: toPhraseKey(words) };
      });
    }),
);

/** Opens the languages other than the city's: `find` returns the one that has more words of a text than the city's own has. */
export function openLanguages(city: string, isOrdinary: (word: string) => boolean) {
  const own = listTables(city);
  const others = ASKED_LANGUAGES.filter((one) => !own.includes(nameTable('question-words', one)));
  const known = listWords(city);
  const ofCity = known.difference(listWords('en'));
  const tables = others.map((language) => ({ language, words: listWords(language).difference(known) }));
  function find(text: string): string | undefined {
    const words = splitWords(text);
    const count = (table: ReadonlySet<string>) =>
      words.filter((word) => table.has(word) && !isOrdinary(word)).length;
    const counted = tables.map(({ language, words: table }) => ({ language, n: count(table) }));
    const [best] = counted.filter(({ n }) => n > count(ofCity)).toSorted((a, b) => b.n - a.n);
    return best?.language;
  }
  return { others, find };
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
      ASKED_LANGUAGES.flatMap(readQuestionPhrases).flatMap(({ kind, argument, typed }) =>
        kind === 'filler' && argument === '' ? typed : [],
      ),
    ),
);

const listWords = rememberTexts(
  (language) => new Set(readQuestionPhrases(language).flatMap(({ key }) => key.split(' '))),
);

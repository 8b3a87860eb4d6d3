/** Finds the language of a question. People ask in French or Spanish in English cities, and in English everywhere. */

import { ASKED_LANGUAGES, baseLanguageOf, nameTables } from '../../../shared/city/languages.ts';
import { lazy, rememberTexts } from '../../../shared/remember.ts';
import { readDataLines } from '../../../shared/text/word-table.ts';
import { listSplits, splitWords } from '../../../shared/words.ts';
import { toPhraseKey } from '../words/synonyms.ts';
import { indexNames } from './days/calendar.ts';

/** A phrase of a question: what it means, as `days` and `7`, its folded words, and these in the singular. */
type QuestionPhrase = { kind: string; argument: string; typed: string; key: string; singular: string };

/** Reads the phrases of `question-words.csv` and of a language's own table, once for all indexes. */
export const readQuestionPhrases = rememberTexts((language): readonly QuestionPhrase[] =>
  nameTables('question-words', [baseLanguageOf(language)])
    .flatMap(readDataLines)
    .flatMap(([text = '', phrases = '']) => {
      const [kind = '', argument = ''] = text.split(':');
      return phrases.split('|').flatMap((typed) =>
        listSplits(typed).map((words) => ({
          ...{ kind, argument, typed },
          ...{ key: words.join(' '), singular: toPhraseKey(words) },
        })),
      );
    }),
);

/** Minimum ordinary words that tell a language. */
const FEWEST_ORDINARY = 3;

/** Opens the languages other than the city's: `find` returns the one that has more words of a text than the city's own has. */
export function openLanguages(city: string, isOrdinary: (word: string) => boolean) {
  const others = ASKED_LANGUAGES.filter((one) => one !== 'en' && one !== baseLanguageOf(city));
  const known = listWords(city);
  const ofCity = known.difference(listWords('en'));
  const tables = others.map((language) => ({ language, words: listWords(language).difference(known) }));
  function find(text: string): string | undefined {
    const words = splitWords(text);
    const phrases = [2, 3].flatMap((length) =>
      words.slice(length - 1).map((_, i) => words.slice(i, i + length).join(' ')),
    );
    // `coffee sin starbucks`, and not `original sin`
    const isNot = (word: string) => listNots().has(word) && words.slice(0, -1).includes(word);
    const count = (table: ReadonlySet<string>) => {
      const found = [...words, ...phrases].filter((word) => table.has(word));
      // `hay mas bares que cafes`, of which each may be an ordinary word
      const isSeveral = found.length >= FEWEST_ORDINARY;
      return isSeveral ? found.length : found.filter((word) => !isOrdinary(word) || isNot(word)).length;
    };
    const counted = tables.map(({ language, words: table }) => ({ language, n: count(table) }));
    const [best] = counted.filter(({ n }) => n > count(ofCity)).toSorted((a, b) => b.n - a.n);
    return best?.language;
  }
  return { others, find };
}

/** Collects texts of the phrases of questions, in any language that these are read in. */
function collect(textsOf: (phrase: QuestionPhrase) => string | readonly string[]) {
  return lazy(() => new Set(ASKED_LANGUAGES.flatMap(readQuestionPhrases).flatMap(textsOf)));
}

/** Lists the articles and other words that say nothing. */
export const listFillers = collect(({ kind, argument, typed }) =>
  kind === 'filler' && /^(?:|self|request)$/.test(argument) ? typed : [],
);

const listNots = collect(({ kind, key }) => (kind === 'not' ? key : []));

const FUNCTION =
  /^(?:filler|particle|in|at|close|from|after|to|before|between|during|not|and|or|than|compare)$/;
/** Lists the words that are no content of any question: articles, prepositions, edges of days and particles. */
const listFunctionWords = collect(({ kind, argument, key }) =>
  FUNCTION.test(kind) && /^(?:only|place)?$/.test(argument) ? key : [],
);

/** Lists the words of questions as they are written. */
const listTyped = collect(({ typed }) => typed.split(/[ ']/));

/** Returns whether a word has an accent that no word of questions has, and names do not tell: `thé`, which is not `the`. */
export function isAccented(text: string): boolean {
  const typed = text.normalize('NFC').toLowerCase();
  return /[\u00c0-\u024f]/.test(typed) && !listTyped().has(typed);
}

/** Returns whether a text says something: not only `from out`. */
export function hasContent(text: string): boolean {
  return splitWords(text).some((word) => !listFunctionWords().has(word)) || isAccented(text);
}

/** Minimum letters of a word of questions that others are corrected to. */
const SHORTEST_ASKED = 5;
const ASKED =
  /^(?:newest|oldest|from|after|to|before|between|during|which|each|noun|by|count|compare|most|fewest|grew|fell|trend)$/;

/** Lists the words of questions that a misspelled word may mean. */
export const listAsked = rememberTexts((language): readonly string[] => {
  const { month, weekday } = indexNames(language);
  const isAsked = ({ kind, key }: QuestionPhrase) =>
    ASKED.test(kind) || (/^(?:filler|status)$/.test(kind) && !key.includes(' '));
  const phrases = readQuestionPhrases(language).filter(isAsked);
  const words = new Set([
    ...phrases.flatMap(({ key }) => key.split(' ')),
    ...month.keys(),
    ...weekday.keys(),
  ]);
  return [...words].filter((word) => word.length >= SHORTEST_ASKED);
});

/** Lists the words and phrases of questions in English and in a language. */
export const listQuestionWords = rememberTexts(
  (language) => new Set(readQuestionPhrases(language).map(({ key }) => key)),
);

/** Lists the words of questions, but numbers, and their phrases, because words may be those of several languages: `no hay`. */
const listWords = rememberTexts((language) => {
  const keys = readQuestionPhrases(language).flatMap(({ key }) => [key, ...key.split(' ')]);
  return new Set(keys.filter((key) => !/^\d+$/.test(key)));
});

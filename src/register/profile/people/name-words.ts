/** What words of names are: given names, surnames, titles, words of trades and of business names, in the Latin script. */

import { ROMANCE, STRONG, splitNameWords as splitWords, WEAK } from '../../../shared/city/categories.ts';
import { COMMON_WORDS } from '../../../shared/city/languages.ts';
import { lazy, rememberLast } from '../../../shared/remember.ts';
import { openWordLists, readWordList } from '../../../shared/text/word-table.ts';

const listOf = openWordLists('person-words.csv');

/** Splits a name, which several questions in a row ask about. */
export const splitNameWords: (name: string) => readonly string[] = rememberLast(splitWords);

export const GIVEN_NAMES = listOf('given');

/** Degrees and generational suffixes after a personal name. */
export const PERSON_TITLES = listOf('title');

/** Words of business names that indicate no category. Words that indicate one are in `kind-words.csv`. */
const BUSINESS_NAME_WORDS = listOf('business');

/** Business words that are also common family names. After a given name, they do not indicate a business. */
export const SURNAME_BUSINESS_WORDS = listOf('surname');

/** Words of `SURNAME_BUSINESS_WORDS` that are also given names. As the first word, they do not indicate a business. */
export const GIVEN_BUSINESS_WORDS = listOf('given-business');

export const ARTICLES = listOf('article');

/** Titles before a name, which nicknames of shops have, too: `Mr. Softy`. */
export const HONORIFICS = listOf('honorific');

/** Words between the names of a couple or before unnamed others: `Maria y Jose Lopez`, `Lopez, Maria et al`. */
export const JOINERS = listOf('joiner');

/** Before a given name, these words make it the name of a place or a church: `Santa Maria`. */
export const SAINTS = listOf('saint');

/** Parts of surnames: `de la Cruz`, `van den Berg`. */
export const PARTICLES = listOf('particle');

/** Words of trades. In Spanish, French and Portuguese names, the first word of a phrase names the trade. */
const BUSINESS_WORDS = new Set([
  ...[...STRONG.keys(), ...WEAK.keys()].flatMap((phrase) => phrase.split(' ')),
  ...[...ROMANCE.keys()].map((phrase) => phrase.split(' ')[0]!),
]);

/** The large lists, which are read when the first name is judged. */
const readLists = lazy(() => {
  const lists = [GIVEN_NAMES, listOf('name'), PARTICLES].flatMap((list) => [...list.keys()]);
  const names: ReadonlySet<string> = new Set([...readWordList('people-names.txt'), ...lists]);
  const common = COMMON_WORDS.flatMap(readWordList);
  const ordinary: ReadonlySet<string> = new Set(common);
  const ofNobody = common.filter((word) => word.length > 2 && !names.has(word));
  const business: ReadonlySet<string> = new Set([
    ...ofNobody,
    ...BUSINESS_NAME_WORDS.keys(),
    ...BUSINESS_WORDS,
  ]);
  return { names, ordinary, business };
});

/** Returns whether people have this name, as a given name or a surname. */
export const isPeoplesName = (word: string): boolean => readLists().names.has(word);

export const isOrdinaryWord = (word: string): boolean => readLists().ordinary.has(word);

/** Returns whether a word is one of business names, or an ordinary word that is not a person's name. */
export const isBusinessWord = (word: string): boolean => readLists().business.has(word);

/** Returns whether a word is one of business names or of trades, and not a family's. */
export function isListedWord(word: string): boolean {
  if (word.length < 2 || SURNAME_BUSINESS_WORDS.has(word)) return false;
  return BUSINESS_NAME_WORDS.has(word) || BUSINESS_WORDS.has(word);
}

/** Returns whether a word names a trade and no family. A word of a longer phrase may: `Hull` of `hull cleaning`. */
export function isTradeWord(word: string): boolean {
  return word === 'the' || (BUSINESS_WORDS.has(word) && isListedWord(word) && !mayBeSurname(word));
}

export function mayBeSurname(word: string): boolean {
  return !BUSINESS_NAME_WORDS.has(word) && !STRONG.has(word) && !WEAK.has(word) && isPeoplesName(word);
}

const OTHER_SCRIPTS = /[^\P{L}\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** Returns whether a name is in the Latin script, the only script with word lists. */
export function hasKnownScript(name: string): boolean {
  return !OTHER_SCRIPTS.test(name);
}

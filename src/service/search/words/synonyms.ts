/** Reads synonyms (`src/data/synonyms*.csv`): phrases that mean a category, or other words in names. */

import { LANGUAGES, nameTables } from '../../../shared/city/languages.ts';
import { lazy } from '../../../shared/remember.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';
import { readDataLines } from '../../../shared/text/word-table.ts';
import { listSplits } from '../../../shared/words.ts';
import { listTrades } from './trade-forms.ts';

export type Synonym = {
  categories: readonly string[];
  /** The keys of its phrases. The register's types that have one are meant too. */
  phrases: readonly string[];
  /** Alternative lists of words that a name must contain. Empty if all listings of the categories match. */
  names: readonly (readonly NameWord[])[];
  /** Whether all of the categories are more than what is asked for, and stand for it only if no type of the register says it: `maid`. */
  isWider: boolean;
};
export type NameWord = { word: string; isBeginning: boolean };

/** Synonyms by phrase: words in the singular, separated by spaces. */
export type Synonyms = {
  readonly byPhrase: ReadonlyMap<string, readonly Synonym[]>;
  readonly mostWords: number;
};

/** All are always read. A line applies only if listings have its category, which is French in French cities. */
const FILES = nameTables('synonyms', LANGUAGES);

/** What people say for food, by the place or by how it is sold. */
const MANNERS =
  'food|restaurant|takeout|take out|takeaway|take away|carryout|carry out|to go|delivery|place|joint|spot|kitchen'.split(
    '|',
  );

/** Returns the lookup key of a phrase. */
export function toPhraseKey(words: readonly string[]): string {
  return words.map(toSingular).join(' ');
}

export const readSynonyms = lazy((): Synonyms => {
  const byPhrase = new Map<string, Synonym[]>();
  for (const [categories = '', asked = '', list = ''] of FILES.flatMap(readDataLines)) {
    const phrases = [...new Set(asked.split('|').flatMap(listManners).flatMap(listSplits).map(toPhraseKey))];
    const isWider = list === '~';
    const names = isWider || list === '*' ? [] : list.split('|').map(readNameWords);
    const synonym = { categories: categories.split('|'), phrases, names, isWider };
    for (const phrase of phrases) byPhrase.getOrInsertComputed(phrase, () => []).push(synonym);
  }
  for (const [phrase, meant] of [...byPhrase])
    if (!phrase.includes(' '))
      for (const other of listTrades(phrase)) byPhrase.getOrInsert(toSingular(other), meant);
  // the plural of `boulangerie` looks like that of `bakery`
  for (const [phrase, meant] of [...byPhrase])
    if (phrase.endsWith('rie')) byPhrase.getOrInsert(phrase.replace(/ie$/, 'y'), meant);
  return { byPhrase, mostWords: Math.max(...byPhrase.keys().map((key) => key.split(' ').length)) };
});

/** Lists the ways to say the food of a cuisine: `chinese takeout` for `chinese food`. */
function listManners(phrase: string): string[] {
  const manners = phrase.endsWith(' food') ? MANNERS : ['food'];
  return manners.map((manner) => phrase.replace(/food$/, manner));
}

function readNameWords(phrase: string): NameWord[] {
  return phrase.split(' ').map((word) => ({ word: word.replace('*', ''), isBeginning: word.endsWith('*') }));
}

/** Reads synonyms (`src/data/synonyms*.csv`): phrases that mean a category, or other words in names. */

import { LANGUAGES, nameTable } from '../../../shared/city/languages.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';
import { readDataLines } from '../../../shared/text/word-table.ts';
import { splitWords } from '../../../shared/words.ts';

export type Synonym = {
  /** The categories. If no listing has a matching name, the synonym means the first one. */
  categories: readonly string[];
  /** Alternative lists of words that a name must contain. Empty if all listings of the categories match. */
  names: readonly (readonly NameWord[])[];
};
export type NameWord = { word: string; isBeginning: boolean };

/** Synonyms by phrase: words in the singular, separated by spaces. */
export type Synonyms = {
  readonly byPhrase: ReadonlyMap<string, readonly Synonym[]>;
  readonly mostWords: number;
};

/** All are always read. A line applies only if listings have its category, which is French in French cities. */
const FILES = LANGUAGES.map((language) => nameTable('synonyms', language));

let synonyms: Synonyms | undefined;

export function readSynonyms(): Synonyms {
  synonyms ??= indexPhrases();
  return synonyms;
}

/** Returns the lookup key of a phrase. */
export function toPhraseKey(words: readonly string[]): string {
  return words.map(toSingular).join(' ');
}

function indexPhrases(): Synonyms {
  const byPhrase = new Map<string, Synonym[]>();
  let mostWords = 1;
  for (const [categories = '', asked = '', list = ''] of FILES.flatMap(readDataLines)) {
    const synonym = {
      categories: categories.split('|'),
      names: list === '*' ? [] : list.split('|').map(readNameWords),
    };
    for (const phrase of asked.split('|')) {
      const words = splitWords(phrase);
      mostWords = Math.max(mostWords, words.length);
      const others = byPhrase.get(toPhraseKey(words)) ?? [];
      if (!others.includes(synonym)) byPhrase.set(toPhraseKey(words), [...others, synonym]);
    }
  }
  return { byPhrase, mostWords };
}

function readNameWords(phrase: string): NameWord[] {
  return phrase.split(' ').map((word) => ({ word: word.replace('*', ''), isBeginning: word.endsWith('*') }));
}

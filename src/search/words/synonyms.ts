/** What people ask for (`src/data/synonyms.csv`): words and phrases that mean a category, or listings with
 * certain words in their names. */

import { readDataLines } from '../../data/word-table.ts';
import { splitWords } from '../../listings/words.ts';
import { toSingular } from './word-forms.ts';

export type Synonym = {
  /** The first stands for the word where no listing has such a name. */
  categories: readonly string[];
  /** Words that a name must have all of, in alternatives; none where any listing of the category is meant. */
  names: readonly (readonly NameWord[])[];
};
export type NameWord = { word: string; isBeginning: boolean };

/** The synonyms by their phrases: words in the singular with a space between. */
export type Synonyms = {
  readonly byPhrase: ReadonlyMap<string, readonly Synonym[]>;
  readonly mostWords: number;
};

let synonyms: Synonyms | undefined;

export function readSynonyms(): Synonyms {
  synonyms ??= indexPhrases();
  return synonyms;
}

/** The key under which a phrase is found. */
export function toPhraseKey(words: readonly string[]): string {
  return words.map(toSingular).join(' ');
}

function indexPhrases(): Synonyms {
  const byPhrase = new Map<string, Synonym[]>();
  let mostWords = 1;
  for (const [categories = '', asked = '', list = ''] of readDataLines('synonyms.csv')) {
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

/** What the index tells the reader of questions. */

import type { Day } from '../../../shared/day.ts';
import type { Question } from '../../../shared/question.ts';
import type { Meanings } from './meanings.ts';
import type { Need } from './needs.ts';

export type ReadingSources = {
  meanings: Meanings;
  countMatches(question: Question): number;
  /** Counts the listings with any form of a word, without its synonyms. */
  countWord(word: string): number;
  /** Lists the other words of names by which a phrase finds listings of a search. */
  listOthers(phrase: string, search: Question): readonly string[];
  /** Finds a type that has a phrase together with other trades, so that its listings are not found by it. */
  findMixed(phrase: string): string | undefined;
  /** Finds the category that stands for a phrase, although it is more. */
  findWider(phrase: string): string | undefined;
  /** Returns how names have these adjacent words. */
  findName(words: readonly string[]): 'whole' | 'beginning' | 'part' | undefined;
  /** Lists similar words of listings, the most likely first. */
  findNear(word: string, count: number): readonly string[];
  /** Returns the category that a word means although nothing has the word, from the last resort of vocabularies. */
  findKind(word: string): string | undefined;
  /** Finds the trade that does what these words need. */
  findNeed(words: readonly string[]): Need | undefined;
  isOrdinary(word: string): boolean;
  /** Returns the year of the n-th earliest filing that matches. */
  findYear(question: Question, n: number): string | undefined;
  /** The last day of the data. */
  dataEnd: Day;
  /** The end of the data, if days are counted back from it because it is late. */
  countedFrom: Day | undefined;
};

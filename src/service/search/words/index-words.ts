/** The words of an index: of names, which are sorted in it, and of values and types, which are few. */

import { SEARCHED_FILTERS } from '../../../shared/question.ts';
import { findFirst } from '../../../shared/sorted.ts';
import { splitWords } from '../../../shared/words.ts';
import { compareText, firstSetOf, firstTypeSetOf, type IndexBuffers, readText } from '../index-buffers.ts';
import type { Range } from '../sets.ts';
import { splitIndexWords } from './query-terms.ts';

export type WordRanges = { find(word: string): Range[]; findBeginnings(word: string): Range[] };

export function openNameWords({ words }: Pick<IndexBuffers, 'words'>): WordRanges {
  const count = words.ends.length - 1;
  const findFrom = (word: Uint8Array) => findFirst(count, (i) => compareText(words, i, word));
  return {
    find(word) {
      const bytes = Buffer.from(word);
      const from = findFrom(bytes);
      return from < count && compareText(words, from, bytes) === 0 ? [{ from, to: from + 1 }] : [];
    },
    findBeginnings(word) {
      const from = findFrom(Buffer.from(word));
      const to = from + findFirst(count - from, (i) => (readText(words, from + i).startsWith(word) ? -1 : 0));
      return to > from ? [{ from, to }] : [];
    },
  };
}

export function toRanges(found: Iterable<number>): Range[] {
  return Array.from(found, (from) => ({ from, to: from + 1 }));
}

type SearchedText = { text: string; set: number };

export function listValues(parts: Pick<IndexBuffers, 'words' | 'values'>): SearchedText[] {
  return SEARCHED_FILTERS.flatMap((filter) =>
    parts.values[filter].map((text, i) => ({ text, set: firstSetOf(parts, filter) + i })),
  );
}

export function listTypes(parts: Pick<IndexBuffers, 'words' | 'values' | 'types'>): SearchedText[] {
  const first = firstTypeSetOf(parts);
  return parts.types.map((text, i) => ({ text, set: first + i }));
}

export function openTextWords(texts: readonly SearchedText[]) {
  const having = new Map<string, SearchedText[]>();
  for (const text of texts)
    for (const word of splitIndexWords(text.text)) having.getOrInsertComputed(word, () => []).push(text);
  const words = [...having.keys()].sort();
  const list = (word: string) => having.get(word) ?? [];
  return {
    words,
    find: (word: string) => toRanges(list(word).map(({ set }) => set)),
    findPhrase: (phrase: readonly string[]) =>
      toRanges(
        list(phrase[0]!).flatMap(({ text, set }) => (findAdjacent(splitWords(text), phrase) < 0 ? [] : set)),
      ),
    findBeginnings(word: string) {
      const found = new Set<number>();
      let i = findFirst(words.length, (i) => (words[i]! < word ? -1 : 0));
      for (; i < words.length && words[i]!.startsWith(word); i++)
        for (const { set } of list(words[i]!)) found.add(set);
      return toRanges(found);
    },
  };
}

export function findAdjacent(words: readonly string[], phrase: readonly string[]): number {
  return words.findIndex((_, at) => phrase.every((word, i) => words[at + i] === word));
}

/** The words of all names, collected while an index is built. The names themselves are not kept. */

import { splitIndexWords } from '../../listings/words.ts';
import type { Texts } from './index-buffers.ts';
import { type NumberColumn, openCoder, openNumberColumn, rankValues } from './numbers.ts';
import { packTexts } from './texts.ts';

/** Caches the words of pieces, so that a frequent piece is split only once; limits the memory of a build. */
const REMEMBERED = 50_000;

export type Dictionary = {
  /** Adds the words of the next row's name. */
  add(name: string): void;
  /** All words by code unit, and how many rows have each. */
  finish(): { words: Texts; counts: Uint32Array; eachWord(row: number, use: (word: number) => void): void };
};

export function openDictionary(): Dictionary {
  const ids = openCoder<string>();
  const tokens = openNumberColumn();
  const ends = openNumberColumn();
  const remembered = new Map<string, number[]>();

  function wordsOf(piece: string): number[] {
    let known = remembered.get(piece);
    if (known === undefined) {
      if (remembered.size >= REMEMBERED) remembered.clear();
      known = splitIndexWords(piece).map(ids.codeOf);
      remembered.set(piece, known);
    }
    return known;
  }

  return {
    add(name) {
      const start = tokens.length;
      ends.add(start);
      for (const piece of name.split(' ')) {
        for (const id of wordsOf(piece)) if (!tokens.includes(id, start)) tokens.add(id);
      }
    },
    finish() {
      ends.add(tokens.length);
      remembered.clear();
      return inOrder(ids.things(), tokens, ends);
    },
  };
}

function inOrder(
  words: string[],
  tokens: NumberColumn,
  ends: NumberColumn,
): ReturnType<Dictionary['finish']> {
  const { sorted, ranks } = rankValues(words);
  const counts = new Uint32Array(sorted.length);
  for (let i = 0; i < tokens.length; i++) counts[ranks[tokens.at(i)]!]!++;
  return {
    words: packTexts(sorted),
    counts,
    eachWord(row, use) {
      for (let i = ends.at(row), end = ends.at(row + 1); i < end; i++) use(ranks[tokens.at(i)]!);
    },
  };
}

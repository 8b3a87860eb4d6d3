/** Collects the words of all names while an index is built. The names are not kept. */

import { rememberTexts } from '../../listings/remember.ts';
import { splitIndexWords } from '../../listings/words.ts';
import type { Texts } from './index-buffers.ts';
import { type NumberColumn, openCoder, openNumberColumn, rankValues } from './numbers.ts';
import { packTexts } from './texts.ts';

/** Maximum cached pieces of names. Frequent pieces are split only once; the limit bounds the memory of a build. */
const MOST_PIECES = 50_000;

/** All words by code unit, the number of rows with each, and the words of a row. */
type SortedWords = {
  words: Texts;
  counts: Uint32Array<ArrayBuffer>;
  eachWord(row: number, use: (word: number) => void): void;
};

export function openDictionary() {
  const ids = openCoder<string>();
  const tokens = openNumberColumn();
  const ends = openNumberColumn();
  const wordsOf = rememberTexts((piece) => splitIndexWords(piece).map(ids.codeOf), MOST_PIECES);

  return {
    add(name: string): void {
      const start = tokens.length;
      ends.add(start);
      for (const piece of name.split(' ')) {
        for (const id of wordsOf(piece)) if (!tokens.includes(id, start)) tokens.add(id);
      }
    },
    finish(): SortedWords {
      ends.add(tokens.length);
      const words = ids.things();
      return inOrder(words, tokens, { ends, joined: findJoinedWords(words, tokens, ends) });
    },
  };
}

function inOrder(
  words: string[],
  tokens: NumberColumn,
  { ends, joined }: { ends: NumberColumn; joined: ReadonlyMap<number, readonly number[]> },
): SortedWords {
  const { sorted, ranks } = rankValues(words);
  const counts = new Uint32Array(sorted.length);
  for (let i = 0; i < tokens.length; i++) counts[ranks[tokens.at(i)]!]!++;
  for (const more of joined.values()) for (const id of more) counts[ranks[id]!]!++;
  return {
    words: packTexts(sorted),
    counts,
    eachWord(row, use) {
      for (let i = ends.at(row), end = ends.at(row + 1); i < end; i++) use(ranks[tokens.at(i)]!);
      for (const id of joined.get(row) ?? NONE) use(ranks[id]!);
    },
  };
}

const NONE: readonly number[] = [];

/** Minimum length of a joined word's parts. Single letters would give too many words. */
const SHORTEST_PART = 2;
const SHORTEST_JOINED = 5;

/** Finds joined words in rows that have their two parts side by side, such as `day care` for `daycare`. */
function findJoinedWords(
  words: readonly string[],
  tokens: NumberColumn,
  ends: NumberColumn,
): ReadonlyMap<number, readonly number[]> {
  const isPart = words.map(({ length }) => length >= SHORTEST_PART);
  const idOf = new Map(
    [...words.entries()].flatMap(([id, word]) =>
      word.length < SHORTEST_JOINED ? [] : [[word, id] as const],
    ),
  );
  const joined = new Map<number, number[]>();
  for (let row = 0; row + 1 < ends.length; row++)
    for (let i = ends.at(row) + 1, end = ends.at(row + 1); i < end; i++) {
      const [first, second] = [tokens.at(i - 1), tokens.at(i)];
      if (!isPart[first] || !isPart[second]) continue;
      const id = idOf.get(words[first]! + words[second]!);
      if (id === undefined || tokens.includes(id, ends.at(row), end)) continue;
      const more = joined.getOrInsertComputed(row, () => []);
      if (!more.includes(id)) more.push(id);
    }
  return joined;
}

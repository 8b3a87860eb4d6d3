/**
 * Finds the word of the index that was probably meant. A word is compared with those that have nearly the same letters: two words that are
 * one edit apart differ in at most two letters, and a bit for each letter shows that without looking at the words.
 */

import type { IndexBuffers, Texts } from './index-buffers.ts';
import { countBits } from './sets.ts';

/** A word of the index, and how many rows have it. */
export type Candidate = { word: string; count: number };

/** Words that are shorter have too many neighbors. */
const SHORTEST = 4;
/** From this length on, two edits are tried if one finds nothing. */
const LONG = 8;
/** A word is only suggested if it is this many times as frequent as the word that was typed. */
const TIMES = 20;
const MOST_CANDIDATES = 3;
/** People rarely miss the first letter, and often swap, double or drop one that is there already. */
const SAME_FIRST = 8;
const SAME_LETTERS = 3;

/** A bit for each letter of a text, one for digits and one for everything else. */
export function makeLetterMasks({ bytes, ends }: Texts): Uint32Array<ArrayBuffer> {
  const masks = new Uint32Array(ends.length - 1);
  for (let i = 0; i < masks.length; i++) masks[i] = maskLetters(bytes.subarray(ends[i]!, ends[i + 1]!));
  return masks;
}

/** Whether two words may be so many edits apart, by their letters alone. */
export function mayBeWithin(edits: number, letters: number, others: number): boolean {
  return countBits(letters ^ others) <= 2 * edits;
}

export function maskLetters(bytes: Uint8Array): number {
  let mask = 0;
  for (const byte of bytes) mask |= 1 << (byte >= 97 && byte <= 122 ? byte - 97 : byte < 97 ? 26 : 27);
  return mask >>> 0;
}

export type Spelling = {
  /** The words that were probably meant by one that `count` rows have; the nearest first, then the most likely. */
  findNear(word: string, count: number): readonly Candidate[];
};

export function openSpelling({
  words,
  letters,
  sets,
}: Pick<IndexBuffers, 'words' | 'letters' | 'sets'>): Spelling {
  const all = Uint32Array.from(letters.keys());
  /** Rare words are typed often, and only these few are suggested for them. */
  const frequent = all.filter((i) => sets.counts[i]! >= TIMES);

  /** Those within `most` edits, of words that are frequent enough. */
  function findWithin(typed: string, most: number, leastCount: number): Candidate[] {
    const bytes = Buffer.from(typed);
    const mask = maskLetters(bytes);
    const found: (Candidate & { edits: number; weight: number })[] = [];
    for (const i of leastCount >= TIMES ? frequent : all) {
      if (sets.counts[i]! < leastCount || !mayBeWithin(most, letters[i]!, mask)) continue;
      const length = words.ends[i + 1]! - words.ends[i]!;
      if (Math.abs(length - bytes.length) > 3 * most) continue; // a character has up to three bytes more
      const word = decode(words, i);
      const edits = countTypos(typed, word, most);
      if (edits > most || edits === 0) continue;
      const count = sets.counts[i]!;
      const likely = (word[0] === typed[0] ? SAME_FIRST : 1) * (letters[i] === mask ? SAME_LETTERS : 1);
      found.push({ word, count, edits, weight: count * likely });
    }
    found.sort((a, b) => a.edits - b.edits || b.weight - a.weight);
    return found.slice(0, MOST_CANDIDATES);
  }

  return {
    findNear(word, count) {
      if (word.length < SHORTEST) return [];
      const least = Math.max(1, count * TIMES);
      const near = findWithin(word, 1, least);
      return near.length > 0 || word.length < LONG ? near : findWithin(word, 2, least);
    },
  };
}

function decode({ bytes, ends }: Texts, i: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + ends[i]!, ends[i + 1]! - ends[i]!).toString();
}

/**
 * Letters to insert, delete, replace or swap with their neighbor to turn one word into the other (Damerau-Levenshtein, optimal string
 * alignment); `most + 1` if it is more than `most`.
 */
export function countTypos(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, beforeLast[j - 2]! + 1);
      row.push(edits);
    }
    if (Math.min(...row) > most) return most + 1;
    [beforeLast, last] = [last, row];
  }
  return Math.min(last[b.length]!, most + 1);
}

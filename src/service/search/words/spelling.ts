/**
 * Finds the word of the index that was probably meant. Words one edit apart differ in at most two letters. Bit masks of
 * letters show this without reading the words, so few words need a comparison.
 */

import { countEdits } from '../../../shared/text/edits.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';
import { type IndexBuffers, packTexts, readText, type Texts } from '../index-buffers.ts';

/** Minimum characters of a word to correct. Shorter words resemble too many others. */
const SHORTEST = 4;
const SHORTEST_KOREAN = 3;
/** Minimum characters of a word to try two edits if one edit finds nothing. */
const LONG = 8;
/** A suggestion must be this many times as frequent as the typed word. */
const TIMES = 20;
const MOST_CANDIDATES = 3;
/**
 * Weights for the order of candidates. People rarely mistype the first letter, and often swap, double or drop others.
 */
const SAME_FIRST = 8;
const SAME_LETTERS = 3;

const ASCII = /^[\x00-\x7f]*$/;
const HANGUL = /\p{sc=Hang}/u;
/** Maximum letters of a Korean syllable. A syllable is typed as one character, but the index stores its letters. */
const LETTERS_OF_SYLLABLE = 3;
/** The bit for words with a character that is neither a Latin letter nor a digit. */
const OTHER = 1 << 27;

/** Returns whether two words may be within this many edits, judged only by their letter masks. */
function mayBeWithin(edits: number, letters: number, others: number): boolean {
  let different = (letters ^ others) & ~OTHER;
  for (let i = 0; i < 2 * edits; i++) different &= different - 1; // one letter less
  return different === 0;
}

function maskLetters(bytes: Uint8Array): number {
  let mask = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte < 128) mask |= 1 << (byte < 97 ? 26 : byte - 97);
    else if (isWithin(bytes[i + 1])) mask |= OTHER;
    else mask |= OTHER | (1 << (byte % 26)); // the last byte of a character differs most
  }
  return mask;
}

/** Returns whether a byte is a continuation byte of UTF-8. */
function isWithin(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Returns whether a word is long enough to be corrected to the other one. A short word keeps its first letter. */
function mayMean(typed: ArrayLike<string>, known: ArrayLike<string>): boolean {
  if (typed.length > SHORTEST || HANGUL.test(typed[0] ?? '')) return true;
  const isSwapped = typed[0] === known[1] && typed[1] === known[0];
  return typed.length === SHORTEST && (typed[0] === known[0] || isSwapped);
}

/** Splits a folded word into characters as people count them. */
function splitCharacters(word: string): ArrayLike<string> {
  return ASCII.test(word) ? word : [...word.normalize('NFC')];
}

/** A word within some edits of another one: its place among the known words, its characters and its letter mask. */
type Near = { i: number; word: string; characters: ArrayLike<string>; mask: number };

/**
 * Returns a function that lists the words that are one or two edits from another one. One edit leaves the first or the last letter as
 * it is, and two must leave the first, so that few words have a group of these letters and of a length that must be looked at.
 */
export function openNearWords(words: Texts) {
  const masks = new Uint32Array(words.ends.length - 1);
  const groups = new Map<number, number[]>();
  for (let i = 0; i < masks.length; i++) {
    const bytes = words.bytes.subarray(words.ends[i]!, words.ends[i + 1]!);
    masks[i] = maskLetters(bytes);
    for (const key of listKeys(bytes, countLetters(bytes))) groups.getOrInsertComputed(key, () => []).push(i);
  }
  const packed = new Map(groups.entries().map(([key, group]) => [key, Uint32Array.from(group)]));
  return (typed: string, edits: 1 | 2, isKnown: (i: number) => boolean = () => true): Near[] => {
    const bytes = Buffer.from(typed);
    const [mask, length, letters] = [maskLetters(bytes), countLetters(bytes), splitCharacters(typed)];
    const most = edits * (HANGUL.test(typed) ? LETTERS_OF_SYLLABLE : 1);
    const near = new Set<number>();
    for (let other = length - most; other <= length + most; other++)
      for (const key of listKeys(bytes, other).slice(0, edits === 1 ? 2 : 1))
        for (const i of packed.get(key) ?? [])
          if (mayBeWithin(most, masks[i]!, mask) && isKnown(i)) near.add(i);
    return [...near]
      .sort((a, b) => a - b)
      .map((i) => {
        const word = readText(words, i);
        return { i, word, characters: splitCharacters(word), mask: masks[i]! };
      })
      .filter(({ characters }) => {
        const found = countEdits(letters, characters, edits + 1);
        return found > 0 && found <= edits && (found === 1 || characters[0] === letters[0]);
      });
  };
}

/** Returns the keys of the groups of words with the first letter of a word and with its last one, and with this many letters. */
function listKeys(bytes: Uint8Array, letters: number): [number, number] {
  return [letters * 512 + bytes[0]!, letters * 512 + 256 + bytes.at(-1)!];
}

/** `valueWords`: the words of values and synonyms, which are also what somebody may have meant. */
export function openSpelling(
  { words, sets }: Pick<IndexBuffers, 'words' | 'sets'>,
  valueWords: readonly string[],
  countMeant: (word: string) => number,
) {
  const listNames = openNearWords(words);
  const listValues = openNearWords(packTexts(valueWords));

  function findWithin(typed: string, edits: 1 | 2, leastCount: number): string[] {
    const [mask, letters] = [maskLetters(Buffer.from(typed)), splitCharacters(typed)];
    const weigh = ({ i, characters, mask: other }: Near): number => {
      const [count, isSame] = [sets.counts[i]!, other === mask];
      // prevents the correction of `embed` to a rare `emed`
      const isRare = characters.length < letters.length && !isSame && count < TIMES;
      if (isRare || !mayMean(letters, characters)) return 0;
      return count * (characters[0] === letters[0] ? SAME_FIRST : 1) * (isSame ? SAME_LETTERS : 1);
    };
    return listNames(typed, edits, (i) => sets.counts[i]! >= leastCount)
      .map((near) => ({ word: near.word, weight: weigh(near) }))
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MOST_CANDIDATES)
      .map(({ word }) => word);
  }

  function findInNames(word: string, count: number): readonly string[] {
    const { length } = splitCharacters(word);
    if (length < (HANGUL.test(word) ? SHORTEST_KOREAN : SHORTEST)) return [];
    const leastCount = Math.max(1, count * TIMES);
    const near = findWithin(word, 1, leastCount);
    return near.length > 0 || length < LONG ? near : findWithin(word, 2, leastCount);
  }

  return {
    /** Finds words that were probably meant instead of `word`, which has `count` rows. The most likely is first. */
    findNear(word: string, count: number): readonly string[] {
      const found = new Set(findInNames(word, count));
      const addValues = (edits: 1 | 2) => {
        for (const form of new Set([word, toSingular(word)]))
          for (const { word: value, characters } of listValues(form, edits))
            if (mayMean(splitCharacters(form), characters) && countMeant(value) > count) found.add(value);
      };
      addValues(1);
      if (found.size === 0 && splitCharacters(word).length >= LONG) addValues(2);
      return [...found];
    },
  };
}

function countLetters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (!isWithin(byte)) count++;
  return count;
}

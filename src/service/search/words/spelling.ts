/**
 * Finds the word of the index that was probably meant. Words one edit apart differ in at most two letters. Bit masks of
 * letters show this without reading the words, so few words need a comparison.
 */

import { countEdits } from '../../../shared/text/edits.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';
import { type IndexBuffers, readText, type Texts } from '../index-buffers.ts';

type Candidate = { word: string; count: number };

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

/** Returns a mask for each word: a bit for each Latin letter and one for digits. Other scripts share these bits. */
function makeLetterMasks({ bytes, ends }: Texts): Uint32Array<ArrayBuffer> {
  const masks = new Uint32Array(ends.length - 1);
  for (let i = 0; i < masks.length; i++) masks[i] = maskLetters(bytes.subarray(ends[i]!, ends[i + 1]!));
  return masks;
}

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

/** `valueWords`: the words of values and synonyms, which are also what somebody may have meant. */
export function openSpelling(
  { words, sets }: Pick<IndexBuffers, 'words' | 'sets'>,
  valueWords: readonly string[],
  countMeant: (word: string) => number,
) {
  const letters = makeLetterMasks(words);
  const known = valueWords.map((value) => ({
    value,
    letters: splitCharacters(value),
    mask: maskLetters(Buffer.from(value)),
  }));
  const lengths = letters.map((mask, i) => {
    const [start, end] = [words.ends[i]!, words.ends[i + 1]!];
    // a Latin letter is one byte
    return (mask & OTHER) === 0 ? end - start : countLetters(words.bytes.subarray(start, end));
  });
  const all = groupByLength(letters.keys().filter((i) => sets.counts[i]! > 0));
  /** Words with enough listings to be suggested instead of a word that has listings. */
  const frequent = groupByLength(letters.keys().filter((i) => sets.counts[i]! >= TIMES));

  /** Groups words by their length, so that those of another length are not looked at. */
  function groupByLength(some: Iterable<number>): Uint32Array[] {
    const groups: number[][] = [];
    for (const i of some) {
      const length = lengths[i]!;
      groups[length] ??= [];
      groups[length].push(i);
    }
    return Array.from(groups, (group) => Uint32Array.from(group ?? []));
  }

  function findWithin(typed: string, most: number, leastCount: number): Candidate[] {
    const bytes = Buffer.from(typed);
    const [mask, length, characters] = [maskLetters(bytes), countLetters(bytes), splitCharacters(typed)];
    const mostLetters = most * (HANGUL.test(typed) ? LETTERS_OF_SYLLABLE : 1);
    const found: (Candidate & { weight: number; i: number })[] = [];
    const filterByLetters = (group: Uint32Array): number[] => {
      const near: number[] = [];
      for (let at = 0; at < group.length; at++)
        if (mayBeWithin(mostLetters, letters[group[at]!]!, mask)) near.push(group[at]!);
      return near;
    };
    const groups = leastCount >= TIMES ? frequent : all;
    const from = Math.max(0, length - mostLetters);
    for (const i of groups.slice(from, length + mostLetters + 1).flatMap((group) => filterByLetters(group))) {
      if (sets.counts[i]! < leastCount) continue;
      const word = readText(words, i);
      const known = splitCharacters(word);
      const edits = countEdits(characters, known, most + 1);
      if (edits > most || edits === 0 || (edits > 1 && known[0] !== characters[0])) continue;
      if (!mayMean(characters, known)) continue;
      const count = sets.counts[i]!;
      const isShorter = known.length < characters.length && letters[i] !== mask;
      if (isShorter && count < TIMES) continue; // prevents the correction of `embed` to a rare `emed`
      const likely = (known[0] === characters[0] ? SAME_FIRST : 1) * (letters[i] === mask ? SAME_LETTERS : 1);
      found.push({ word, count, weight: count * likely, i });
    }
    found.sort((a, b) => b.weight - a.weight || a.i - b.i);
    return found.slice(0, MOST_CANDIDATES);
  }

  function findInNames(word: string, count: number): readonly Candidate[] {
    const { length } = splitCharacters(word);
    if (length < (HANGUL.test(word) ? SHORTEST_KOREAN : SHORTEST)) return [];
    const near = findWithin(word, 1, count * TIMES);
    return near.length > 0 || length < LONG ? near : findWithin(word, 2, count * TIMES);
  }

  return {
    /** Finds words that were probably meant instead of `word`, which has `count` rows. The most likely is first. */
    findNear(word: string, count: number): readonly string[] {
      const forms = [...new Set([word, toSingular(word)])].map((form) => ({
        letters: splitCharacters(form),
        mask: maskLetters(Buffer.from(form)),
      }));
      const found = new Set(findInNames(word, count).map((one) => one.word));
      for (const form of forms)
        for (const { value, letters, mask } of known)
          if (
            mayBeWithin(1, form.mask, mask) &&
            Math.abs(form.letters.length - letters.length) <= 1 &&
            mayMean(form.letters, letters) &&
            countEdits(form.letters, letters, 2) === 1 &&
            countMeant(value) > count
          )
            found.add(value);
      return [...found];
    },
  };
}

function countLetters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (!isWithin(byte)) count++;
  return count;
}

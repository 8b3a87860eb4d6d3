/**
 * Defines the categories, and the codes, words and phrases that indicate a category. All cities have the same
 * categories. Profiles cannot add any.
 */

import CATEGORIES_FILE from '../../data/categories.json' with { type: 'json' };
import { openWordLists, readDataLines } from '../text/word-table.ts';
import { PLAIN, removeAccents, splitWords } from '../words.ts';

/**
 * This is a copy, so that the types of the package do not refer to JSON, which the compiler of a profile may not read.
 */
const DEFINITIONS = { ...CATEGORIES_FILE };

export type Category = keyof typeof DEFINITIONS;

export const CATEGORIES = Object.keys(DEFINITIONS) as Category[];

/** The category of each prefix of NAICS codes. */
const PREFIXES = new Map<string, Category>(
  CATEGORIES.flatMap((category) =>
    (DEFINITIONS[category].match(/\d+/g) ?? []).map((prefix): [string, Category] => [prefix, category]),
  ),
);

/**
 * Returns the category of a NAICS code of two to six digits, which may be a number written as text (`722511.0`).
 * Returns `undefined` for ranges (`4400-4599`), unknown sectors (`00`, `59`) and text that is not a code.
 */
export function naicsCategory(code: string): Category | undefined {
  return findByPrefix(PREFIXES, /^\s*(\d{2,6})(?:\.0+)?\s*$/.exec(code)?.[1] ?? '');
}

function findByPrefix<Meaning>(meanings: ReadonlyMap<string, Meaning>, digits: string): Meaning | undefined {
  for (let length = digits.length; length >= 2; length--) {
    const meaning = meanings.get(digits.slice(0, length));
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

/** Returns the NAICS code before or after a title (`722511 Restaurants`, `Restaurants (722511)`), or `''`. */
export function findNaicsCode(text: string): string {
  return /^\s*(\d{2,6})(?!\d)(?!-\d)/.exec(text)?.[1] ?? /\((\d{2,6})\)\s*$/.exec(text)?.[1] ?? '';
}

/** Returns whether a code is a two-digit sector with several categories (`54`: lawyers, designers, engineers). */
export function isBroadCode(code: string): boolean {
  const digits = /^\s*(\d\d)(?:\.0+)?\s*$/.exec(code)?.[1];
  if (digits === undefined) return false;
  const category = PREFIXES.get(digits);
  return [...PREFIXES].some(([prefix, other]) => prefix.startsWith(digits) && other !== category);
}

type NaceMeaning = { category: Category; isBroad: boolean };

const MEANINGS = new Map(
  readDataLines('nace.csv').flatMap(([list, category, codes = '']) =>
    codes
      .split('|')
      .map((code): [string, NaceMeaning] => [
        code,
        { category: category as Category, isBroad: list === 'broad' },
      ]),
  ),
);

/**
 * Returns the meaning of a code by its longest prefix of two to four digits, in any notation: `47.11B`, `4711B`,
 * `47110`, `4711.0`. Three digits alone are a class without its leading zero (`111.0` is 01.11). Returns `undefined`
 * for other texts.
 */
export function naceCategory(code: string): NaceMeaning | undefined {
  const plain = code
    .trim()
    .replace(/\.0+$/, '')
    .replace(/^\d{3}$/, '0$&');
  const [, division = '', rest = ''] = /^(\d\d)\.?(\d{0,3})(?:[A-Z]|\.\d+)?$/i.exec(plain) ?? [];
  return findByPrefix(MEANINGS, (division + rest).slice(0, 4));
}

/** The category of each phrase. A phrase consists of words separated by single spaces. */
export type Phrases = ReadonlyMap<string, Category>;

/** Reads a table whose lines are a category and its phrases. */
export function readPhrases(file: string): Phrases {
  const lines = readDataLines(file);
  return new Map(
    lines.flatMap(([category, words = '']) =>
      words.split('|').map((phrase) => [splitWords(phrase).join(' '), category as Category] as const),
    ),
  );
}

const listOf = openWordLists('kind-words.csv');
/** Phrases in names that indicate one category. */
export const STRONG = listOf('strong') as Phrases;
/** Phrases that several trades use. They count only if the name has no strong phrase. */
export const WEAK = listOf('weak') as Phrases;
export const ROMANCE = new Map(
  readDataLines('kind-words-romance.csv').flatMap(([, category = '', words = '']) =>
    words.split('|').map((phrase) => [phrase, category] as const),
  ),
) as Phrases;

/**
 * Splits a name into words as these lists spell them: in lower case, without accents and apostrophes, and with initials
 * joined (`A/C` -> `ac`). All other characters separate words. A search splits words differently.
 */
export function splitNameWords(name: string): readonly string[] {
  const letters = removeAccents(name).replace(/['’`]/g, '').toLowerCase();
  const joined = /[./]/.test(letters) ? letters.replace(/\b(\p{L})[./](?=\p{L}\b)/gu, '$1') : letters;
  return joined.match(PLAIN.test(joined) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

export type FoundPhrase = { category: Category; start: number; end: number };

/**
 * Returns a function that finds the phrases of one of `lists` in words. They do not overlap. `from` is the word to
 * start with. Of several phrases that begin there, or that end there, the longest counts.
 */
export function openPhraseFinder(lists: readonly Phrases[], from: 'first' | 'last') {
  /** For each list, the words that can begin or end a phrase, and the longest phrase with each. Other words need no lookup. */
  const edgesOf = new Map(lists.map((list) => [list, findEdges(list, from)]));
  return (list: Phrases, words: readonly string[]): FoundPhrase[] => {
    const found: FoundPhrase[] = [];
    const edges = edgesOf.get(list)!;
    for (let i = 0; i < words.length; i++) {
      const at = from === 'first' ? i : words.length - 1 - i;
      const longest = edges.get(words[at]!) ?? 0;
      for (let length = Math.min(longest, words.length - i); length > 0; length--) {
        const start = from === 'first' ? at : at - length + 1;
        const category = list.get(words.slice(start, start + length).join(' '));
        if (category === undefined) continue;
        found.push({ category, start, end: start + length });
        i += length - 1;
        break;
      }
    }
    return found;
  };
}

function findEdges(list: Phrases, from: 'first' | 'last'): ReadonlyMap<string, number> {
  const edges = new Map<string, number>();
  for (const phrase of list.keys()) {
    const words = phrase.split(' ');
    const edge = words.at(from === 'first' ? 0 : -1)!;
    edges.set(edge, Math.max(edges.get(edge) ?? 0, words.length));
  }
  return edges;
}

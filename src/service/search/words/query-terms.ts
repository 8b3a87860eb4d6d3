/** Splits the words of names and of queries (`q` in docs/api.md) into what a search compares. */

import { joinSpelled, PLAIN, splitPieces } from '../../../shared/words.ts';

/** A word, words joined by punctuation (`7-Eleven`), which match separately or as one word (`7eleven`), or a phrase. */
export type QueryTerm = {
  words: readonly string[];
  joined: string | undefined;
  /** Whether the last word and the joined form match as prefixes: before `*`, or if no whole word matches. */
  begins: 'always' | 'otherwise' | 'never';
  /** Whether the words are in quotation marks: they match side by side, as they are spelled. */
  isPhrase: boolean;
};

/** A condition of a query: a listing must match one of its terms or, if it is excluded, none. */
export type QueryClause = { any: readonly QueryTerm[]; isExcluded: boolean };

const INITIALS = /\b([a-z]) ?& ?([a-z])\b/gi;

/** Splits a text into its words. Adds the joined form of words with punctuation: `A/C` becomes a, c, ac, and `H & R` also hr. */
export function splitIndexWords(text: string): string[] {
  const found = new Set<string>();
  for (const [, first = '', second = ''] of text.matchAll(INITIALS))
    found.add((first + second).toLowerCase());
  for (const words of splitPieces(text)) {
    for (const word of words) for (const part of [word, ...splitPairs(word)]) found.add(part);
    if (words.length > 1) found.add(words.join(''));
  }
  return [...found];
}

/** Maximum pairs of a word of a query. Each needs a lookup in the index. */
const MOST_PAIRS = 12;
const SPACELESS = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー]{3,}$/u;

/** Splits a word of a script without spaces into pairs of characters, which find it inside longer words. Returns `[]` for others. */
export function splitPairs(word: string): string[] {
  if (PLAIN.test(word) || !SPACELESS.test(word)) return [];
  const characters = [...word];
  return characters.slice(1).map((second, i) => characters[i]! + second);
}

/** A piece of a query as typed: a phrase in quotation marks, or a text without spaces. Both may follow a minus sign. */
const TYPED = /(?<=^|\s)(-?)"([^"]*)"(?=\s|$)|(?<=^|\s)(-?)(\S+)/gu;

/**
 * Parses a query into distinct clauses, all of which must hold: terms, terms joined by `OR`, and terms after a minus sign, which are
 * excluded. Returns `[]` for a query of only punctuation.
 */
export function parseQuery(q: string): QueryClause[] {
  const typed = Array.from(
    joinSpelled(q).matchAll(TYPED),
    ([, before, phrase, minus = before, text = phrase!]) => ({
      text,
      split: splitPieces(text),
      isPhrase: phrase !== undefined,
      isExcluded: minus === '-' && !/^-*$/.test(text),
    }),
  ).filter(({ split }) => split.length > 0);
  const begins = q.trimEnd().endsWith('*') ? 'always' : 'otherwise';
  const clauses: { any: QueryTerm[]; isExcluded: boolean }[] = [];
  const known = new Set<string>();
  let isAlternative = false;
  for (const [i, { text, split, isPhrase, isExcluded }] of typed.entries()) {
    const [before, after] = [typed[i - 1], typed[i + 1]];
    if (text === 'OR' && !isAlternative && before?.isExcluded === false && after?.isExcluded === false) {
      isAlternative = true;
      continue;
    }
    const isLast = after === undefined && (!isExcluded || begins === 'always');
    const terms = isPhrase
      ? [{ words: split.flat(), joined: undefined, begins: 'never' as const, isPhrase }]
      : split.map((words, at) => makeTerm(words, isLast && at === split.length - 1 ? begins : 'never'));
    for (const term of terms) {
      const key = `${isExcluded} ${isPhrase} ${term.words.join(' ')}`;
      if (isAlternative) clauses.at(-1)!.any.push(term);
      else if (!known.has(key) || term.begins === 'always') clauses.push({ any: [term], isExcluded });
      if (!isAlternative) known.add(key);
    }
    isAlternative = false;
  }
  return clauses;
}

function makeTerm(given: readonly string[], begins: QueryTerm['begins']): QueryTerm {
  const words = given.flatMap((word) => {
    if (PLAIN.test(word)) return word;
    const start = [...word.slice(0, 4 * MOST_PAIRS)].slice(0, MOST_PAIRS + 1).join('');
    const pairs = splitPairs(start);
    return pairs.length === 0 ? word : pairs;
  });
  const distinct = begins === 'never' ? [...new Set(words)] : [...new Set(words.slice(0, -1)), words.at(-1)!];
  return { words: distinct, joined: words.length > 1 ? given.join('') : undefined, begins, isPhrase: false };
}

/** Splits a question into its words as typed and folded, with what stands between them. */

import { isElidedWord, joinSpelled, splitWords } from '../../../shared/words.ts';

export type Token = {
  /** The folded word. */
  word: string;
  typed: string;
  /** The punctuation and spaces before the word. */
  gap: string;
  /** The other words of a phrase in quotation marks or before `*`, which are never anything but words. */
  isLiteral: boolean;
  /** Whether a minus sign excludes it: `coffee -starbucks`, and not `drive-in`. */
  isExcluded: boolean;
};

export type Tokens = readonly Token[];

const APOSTROPHE = "'’‘ʼ`´′＇";
/** A phrase in quotation marks, a word, `&`, or what stands between them. */
const PIECE = new RegExp(
  `(?<=^|[\\s-])"[^"]*"(?=\\s|$)|[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}${APOSTROPHE}]*\\*?|&|[^\\p{L}\\p{N}&"]+|"`,
  'gu',
);
/** `isElided`: whether the language joins articles to words. */
export function splitTokens(text: string, isElided: boolean): Token[] {
  const tokens: Token[] = [];
  let gap = '';
  const add = (word: string, typed: string, isLiteral: boolean) => {
    const isExcluded = (tokens.length === 0 ? /(?:^|\s)-$/ : /\s-$/).test(gap);
    tokens.push({ word, typed, gap, isLiteral, isExcluded });
    gap = '';
  };
  for (const [piece] of joinSpelled(text).matchAll(PIECE)) {
    if (piece.length > 1 && piece.startsWith('"')) {
      const words = splitWords(piece);
      if (words.length > 0) add(words.join(' '), piece, true);
      continue;
    }
    const [, head = '', rest = ''] = (isElided && /^(\p{L}{1,4})['’](\p{L}.*)$/u.exec(piece)) || [];
    const parts = isElidedWord(head) ? [head, rest] : [piece];
    for (const part of parts) {
      if (part !== parts[0]) gap = "'"; // so that it is read alike once more
      const words = splitWords(part);
      if (words.length === 0) gap += part;
      for (const word of words) {
        const isLiteral = part.endsWith('*');
        add(word, words.length === 1 ? part.replace(/['’]$/, '') : word, isLiteral);
      }
    }
  }
  return tokens;
}

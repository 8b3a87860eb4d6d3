/** Recognizes texts that registers write into empty cells (`src/data/missing-words.csv`). */

import { openWordLists } from '../data/word-table.ts';

const WORDS = openWordLists('missing-words.csv')('missing');
const LONGEST = 18;
/** The first characters of texts that mean "empty". Most cells begin with others and need no lookup. */
const FIRST = new Set([...'nNuUdD#(<?-–—*._ \t'].map((one) => one.charCodeAt(0)));
const MARKS = /^[-–—*._\s]+$/;

/** Returns whether a text means "empty": `N/A`, `None`, `-`, `***`, or one of `extra` (in lower case). */
export function isMissing(text: string, extra?: ReadonlySet<string>): boolean {
  if (text === '') return true;
  if (extra !== undefined && extra.size > 0 && extra.has(text.toLowerCase())) return true;
  if (text.length > LONGEST || !FIRST.has(text.charCodeAt(0))) return false;
  return WORDS.has(text.toLowerCase()) || MARKS.test(text);
}

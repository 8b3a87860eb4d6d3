/**
 * The rule by which texts are split into words and words find texts (`q` in docs/api.md): no accents, lower case, `&` is `and`,
 * apostrophes are removed, other punctuation splits. Pure text: it knows no index and no language.
 */

const APOSTROPHES = /['’‘ʼ`´′＇]/g;
const MARKS = /\p{M}/gu;
const WORD = /[\p{L}\p{N}]+/gu;
const PLAIN = /^[\x00-\x7f]*$/;

/** Whether a parameter name may be repeated in an error, which must not contain arbitrary text. */
export function isPlainWord(name: string): boolean {
  return /^[\w.-]{1,40}$/.test(name);
}

/** A word, or a piece with punctuation, which matches by all of its words or by its joined form (`7-Eleven`, `7eleven`). */
export type QueryTerm = {
  words: readonly string[];
  joined: string | undefined;
  /** The last term: its last word and its joined form also match as prefixes. */
  begins: boolean;
};

/** The distinct words of a text, and the joined form of each piece with punctuation: `A/C` -> a, c, ac. */
export function splitIndexWords(text: string): string[] {
  const found = new Set<string>();
  for (const words of pieces(text)) {
    for (const word of words) found.add(word);
    if (words.length > 1) found.add(words.join(''));
  }
  return [...found];
}

/** What a question asks for: every term must match, so each is there once. Empty when there is nothing but punctuation. */
export function parseQueryTerms(q: string): QueryTerm[] {
  const split = pieces(q);
  const last = split.pop();
  const terms = new Map(split.map((words) => [words.join(' '), makeTerm(words, false)]));
  return last === undefined ? [] : [...terms.values(), makeTerm(last, true)];
}

function makeTerm(words: readonly string[], begins: boolean): QueryTerm {
  const distinct = begins ? [...new Set(words.slice(0, -1)), words.at(-1)!] : [...new Set(words)];
  return { words: distinct, joined: words.length > 1 ? words.join('') : undefined, begins };
}

/** How many different words a text has, or how many different punctuated pieces if those are more. */
export function countDistinctWords(text: string): number {
  const split = pieces(text);
  return Math.max(new Set(split.flat()).size, new Set(split.map((words) => words.join(' '))).size);
}

/** `Café` is `Cafe`. The only place that takes marks from letters. */
export function removeAccents(text: string): string {
  return PLAIN.test(text) ? text : text.normalize('NFKD').replace(MARKS, '');
}

/** How texts of registers are compared: lower case, without accents, only letters and digits with one space between. */
export function foldWords(text: string): string {
  const lower = removeAccents(text).toLowerCase();
  const words = PLAIN.test(lower)
    ? lower.replace(/[^a-z0-9]+/g, ' ')
    : lower.replaceAll('ß', 'ss').replace(/[^\p{L}\p{N}]+/gu, ' ');
  return words.trim();
}

/** Two values are the same filter if this is equal: it ignores case, accents and surrounding spaces. */
export function normalizeText(value: string): string {
  return removeAccents(value).toLowerCase().trim();
}

/** Checks whether a listing is suppressed: its key is one of the values, or its name has the same words as one. */
export function makeSuppressionTest(
  values: readonly string[],
): (listing: { key: string; name: string }) => boolean {
  if (values.length === 0) return () => false;
  const keys = new Set(values);
  const names = new Set(values.map(normalizeName));
  return ({ key, name }) => keys.has(key) || names.has(normalizeName(name));
}

/** A name without any word is compared as a whole. */
export function normalizeName(name: string): string {
  return pieces(name).flat().join(' ') || name.trim();
}

/** Sorting that does not depend on the locale. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The words of each piece between spaces; pieces without any are left out. */
function pieces(text: string): string[][] {
  return foldText(text)
    .split(/\s+/)
    .map((piece) => piece.replaceAll('&', ' and ').match(WORD) ?? [])
    .filter((words) => words.length > 0);
}

/** Apostrophes are removed first: NFKD turns some of them into a space with a mark. */
function foldText(text: string): string {
  const bare = text.replace(APOSTROPHES, '');
  return removeAccents(bare).replace(APOSTROPHES, '').toLowerCase();
}

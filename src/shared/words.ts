/** Splits texts into words for searches (`q` in docs/api.md), by the same rule in all languages. */

const APOSTROPHES = /['’‘ʼ`´′＇]/g;
const MARKS = /\p{M}/gu;
const WORD = /[\p{L}\p{N}]+/gu;
const SIMPLE = /^[a-z0-9]+$/; // a word as it is stored, as most of those in queries
const PLAIN = /^[\x00-\x7f]*$/;

/** Returns whether a parameter name is safe to quote in an error. Errors must not contain arbitrary text. */
export function isPlainWord(name: string): boolean {
  return /^[\w.-]{1,40}$/.test(name);
}

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

/** Splits a text into its words. Adds the joined form of words with punctuation: `A/C` becomes a, c, ac. */
export function splitIndexWords(text: string): string[] {
  const found = new Set<string>();
  for (const words of pieces(text)) {
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
  const typed = Array.from(q.matchAll(TYPED), ([, before, phrase, minus = before, text = phrase!]) => ({
    text,
    split: pieces(text),
    isPhrase: phrase !== undefined,
    isExcluded: minus === '-' && !/^-*$/.test(text),
  })).filter(({ split }) => split.length > 0);
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
  if (words.length === 1) return { words, joined: undefined, begins, isPhrase: false };
  const distinct = begins === 'never' ? [...new Set(words)] : [...new Set(words.slice(0, -1)), words.at(-1)!];
  return { words: distinct, joined: words.length > 1 ? given.join('') : undefined, begins, isPhrase: false };
}

export function splitWords(text: string): string[] {
  return pieces(text).flat();
}

/** Counts the distinct words or the distinct terms of a text, whichever are more. */
export function countDistinctWords(text: string): number {
  const split = pieces(text);
  return Math.max(new Set(split.flat()).size, new Set(split.map((words) => words.join(' '))).size);
}

/** Letters without a mark to remove, as people without them on their keyboards type them. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i' },
  ...{ ẞ: 'SS', Æ: 'AE', Œ: 'OE', Ø: 'O', Ł: 'L', Đ: 'D', Ð: 'D', Þ: 'TH', Ħ: 'H' },
};
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Removes accents. All code that compares texts without accents uses this function. */
export function removeAccents(text: string): string {
  if (PLAIN.test(text)) return text;
  const bare = text.normalize('NFKD').replace(MARKS, '');
  return bare.replace(OTHER_LETTERS, (letter) => LETTERS[letter]!);
}

/** Folds a text of a register for comparison: lower case, no accents, only letters and digits with single spaces. */
export function foldWords(text: string): string {
  const lower = removeAccents(text).toLowerCase();
  const words = PLAIN.test(lower)
    ? lower.replace(/[^a-z0-9]+/g, ' ')
    : lower.replace(/[^\p{L}\p{N}]+/gu, ' ');
  return words.trim();
}

export function normalizeText(value: string): string {
  return removeAccents(value).toLowerCase().trim();
}

/** Returns a function that tests whether a listing is suppressed: by its key, or by a name with the same words. */
export function makeSuppressionTest(
  values: readonly string[],
): (listing: { key: string; name: string }) => boolean {
  if (values.length === 0) return () => false;
  const keys = new Set(values);
  const names = new Set(values.map(normalizeName));
  return ({ key, name }) => keys.has(key) || names.has(normalizeName(name));
}

/** Normalizes a name to its words, or returns it trimmed if it has none. */
export function normalizeName(name: string): string {
  return pieces(name).flat().join(' ') || name.trim();
}

export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function pieces(text: string): string[][] {
  if (SIMPLE.test(text)) return [[text]];
  return foldText(text)
    .split(/\s+/)
    .map((piece) => piece.replaceAll('&', ' and ').match(WORD) ?? [])
    .filter((words) => words.length > 0);
}

/** Folds case and accents. Removes apostrophes first, because NFKD turns some into a space with a mark. */
function foldText(text: string): string {
  const bare = text.replace(APOSTROPHES, '');
  return removeAccents(bare).replace(APOSTROPHES, '').toLowerCase();
}

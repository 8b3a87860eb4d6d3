/** Folds texts and splits them into words, by the same rule in all languages: for searches, and to compare names. */

const APOSTROPHES = /['’‘ʼ`´′＇]/g;
const MARKS = /\p{M}/gu;
const WORD = /[\p{L}\p{N}]+/gu;
const SIMPLE = /^[a-z0-9]+$/; // a word as it is stored, as most of those in queries
export const PLAIN = /^[\x00-\x7f]*$/;

export function splitWords(text: string): string[] {
  return splitPieces(text).flat();
}

/** Articles and prepositions that French and Italian join to the next word: `l'atelier`. Not the O of O'Reilly. */
const ELIDED = 'l|d|qu|j|n|s|c|m|t|dell|all|nell';
const ELIDED_WORD = new RegExp(`^(?:${ELIDED})$`, 'i');
const BEFORE_WORD = new RegExp(`(?<![\\p{L}\\p{N}])(${ELIDED})['’](?=\\p{L})`, 'giu');

export function isElidedWord(word: string): boolean {
  return ELIDED_WORD.test(word);
}

/** Lists the words of a phrase of a table, as names have them and as questions do: `garde denfants` and `garde d enfants`. */
export function listSplits(phrase: string): string[][] {
  const apart = phrase.replace(BEFORE_WORD, '$1 ');
  return apart === phrase ? [splitWords(phrase)] : [splitWords(phrase), splitWords(apart)];
}

/** Counts the distinct words or the distinct terms of a text, whichever are more. */
export function countDistinctWords(text: string): number {
  const split = splitPieces(text);
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

/** Returns a function that tests whether a listing is suppressed: by its key, or by a name with the same words, also one that was corrected. */
export function makeSuppressionTest(
  values: readonly string[],
): (listing: { key: string; name: string; filed?: { name: string } }) => boolean {
  if (values.length === 0) return () => false;
  const keys = new Set(values);
  const names = new Set(values.map(normalizeName));
  return ({ key, name, filed }) =>
    keys.has(key) ||
    names.has(normalizeName(name)) ||
    (filed !== undefined && names.has(normalizeName(filed.name)));
}

/** Normalizes a name to its words, or returns it trimmed if it has none. */
export function normalizeName(name: string): string {
  return foldWords(foldText(name).replaceAll('&', ' and ')) || name.trim();
}

export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Splits a text at spaces, and each piece into its words. */
export function splitPieces(text: string): string[][] {
  if (SIMPLE.test(text)) return [[text]];
  return foldText(text)
    .split(/\s+/)
    .map((piece) => piece.replaceAll('&', ' and ').match(WORD) ?? [])
    .filter((words) => words.length > 0);
}

/** A word spelled in letters whose first part is another word: `Bar-B-Q` is no bar. */
const SPELLED = /\bbar[\s.–-]{0,3}b[\s.–-]{0,3}(?:q|que|cue)(s?)\b/gi;

/** `H & R Block`, whose letters are one piece, as in `H&R Block`. */
const INITIALS = /\b([a-z]) & (?=[a-z]\b)/gi;

/** Writes words that are spelled in letters as one, which a text must be before it is split at spaces. */
export function joinSpelled(text: string): string {
  return text.replace(SPELLED, 'bbq$1').replace(INITIALS, '$1&');
}

/** Folds case and accents. Removes apostrophes first, because NFKD turns some into a space with a mark. */
function foldText(text: string): string {
  const bare = joinSpelled(text).replace(APOSTROPHES, '');
  return removeAccents(bare).replace(APOSTROPHES, '').toLowerCase();
}

/**
 * Lists words with the same meaning in a search: singular and plural, and pairs such as `7` and `seven`. Plurals follow
 * Harman's S-stemmer ("How effective is suffixing?", 1991). Stronger stemmers such as Snowball's would treat `marin`
 * and `marine` as the same word.
 */

import { lazy } from '../remember.ts';
import { readDataLines } from './word-table.ts';

/** Minimum letters of a plural. Shorter words such as `gas` and `bus` are not plurals. */
const SHORTEST_PLURAL = 4;
const NO_PLURALS = new Set(['news', 'series', 'species', 'always', 'canvas', 'texas', 'dallas', 'kansas']);
const LATIN = /^[a-z]+$/;
/** Matches endings that take `es` instead of `s`. */
const HISSES = /(?:s|x|z|ch|sh|o)$/;

/** Lists the forms of a word, the word itself first. Some forms are not real words. */
export function listForms(word: string): string[] {
  const forms = new Set([word]);
  const singulars = listSingulars(word);
  for (const one of [word, ...singulars]) {
    addNumbers(forms, one);
    for (const same of readSameWords().get(one) ?? []) addNumbers(forms, same);
  }
  return [...forms];
}

/** Lists the forms of a word of a trade: without possessives of names, as `churchs` is one of `church`. */
export function listPlurals(word: string): string[] {
  const forms = listForms(word);
  const isPossessive = (form: string) => forms.includes(form.replace(/s$/, '')) && toSingular(form) === form;
  return forms.filter((form) => !form.endsWith('s') || !isPossessive(form));
}

/** Returns the singular, which is the same for all forms of a word. */
export function toSingular(word: string): string {
  return listSingulars(word)[0] ?? word;
}

function addNumbers(forms: Set<string>, singular: string): void {
  forms.add(singular);
  if (!LATIN.test(singular) || singular.length < SHORTEST_PLURAL - 1) return;
  if (/[^aeiou]y$/.test(singular)) forms.add(`${singular.slice(0, -1)}ies`);
  if (HISSES.test(singular)) forms.add(`${singular}es`);
  forms.add(`${singular}s`);
}

/** Lists possible singulars of a plural, the most likely first. */
function listSingulars(word: string): string[] {
  if (word.length < SHORTEST_PLURAL || !LATIN.test(word) || NO_PLURALS.has(word)) return [];
  if (word.endsWith('ies') && word.length > SHORTEST_PLURAL)
    return [`${word.slice(0, -3)}y`, word.slice(0, -1)];
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith('s')) return [];
  const stem = word.slice(0, -2);
  if (word.endsWith('es') && HISSES.test(stem)) return [stem, word.slice(0, -1)];
  return /(?:x|z|ch|sh)s$/.test(word) ? [] : [word.slice(0, -1)]; // `alexs` (`Alex's`) is not a plural
}

const readSameWords = lazy((): Map<string, string[]> => {
  const groups = readDataLines('same-words.csv').map(([words = '']) => words.split('|'));
  return new Map(groups.flatMap((group) => group.map((word) => [word, group])));
});

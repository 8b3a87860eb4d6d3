/**
 * Maps NACE revision 2 to categories (`src/data/nace.csv`). UK SIC 2007, the French NAF, EMTAK 2008, TOL 2008 and other
 * national codes begin with its class of four digits.
 */

import { readDataLines } from '../../data/word-table.ts';
import type { Category } from './categories.ts';

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
  const digits = (division + rest).slice(0, 4);
  for (let length = digits.length; length >= 2; length--) {
    const meaning = MEANINGS.get(digits.slice(0, length));
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

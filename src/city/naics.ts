/** From a NAICS code to a category, by the longest prefix that has one. Junk is never forced into a kind. */

import { CATEGORIES, type Category, definitionOf } from './categories.ts';

const PREFIXES = new Map<string, Category>(
  CATEGORIES.flatMap((category) =>
    definitionOf(category).naics.map((prefix): [string, Category] => [prefix, category]),
  ),
);

/**
 * The category of a NAICS code of two to six digits; `undefined` for ranges (`4400-4599`), unknown sectors (`00`, `59`)
 * and anything else that is no code. The publisher's code may be a number written as text (`722511.0`).
 */
export function naicsCategory(code: string): Category | undefined {
  const digits = /^\s*(\d{2,6})(?:\.0+)?\s*$/.exec(code)?.[1] ?? '';
  for (let length = digits.length; length >= 2; length--) {
    const category = PREFIXES.get(digits.slice(0, length));
    if (category !== undefined) return category;
  }
  return undefined;
}

/**
 * The categories, the same for every city, with a description and the NAICS 2017/2022 prefixes of each.
 * The list is closed: a profile maps to it and never adds to it. It is in `src/data/categories.json`.
 */

import CATEGORIES_FILE from '../../data/categories.json' with { type: 'json' };

/** A copy, so that the types of the package name the categories themselves: a profile's compiler need not read JSON. */
const DEFINITIONS = { ...CATEGORIES_FILE };

/** The kind of a business. */
export type Category = keyof typeof DEFINITIONS;

/** Every category, `Uncategorized` last. */
export const CATEGORIES = Object.keys(DEFINITIONS) as Category[];

/** What belongs to a category, and the NAICS prefixes that lead to it. */
export function definitionOf(category: Category): { means: string; naics: string[] } {
  const { means, naics } = DEFINITIONS[category];
  return { means, naics: naics.split(' ').filter((prefix) => prefix !== '') };
}

const PREFIXES = new Map<string, Category>(
  CATEGORIES.flatMap((category) =>
    definitionOf(category).naics.map((prefix): [string, Category] => [prefix, category]),
  ),
);

/**
 * The category of a NAICS code of two to six digits; `undefined` for ranges (`4400-4599`), unknown sectors (`00`, `59`)
 * and anything else that is not a code. The publisher's code may be a number written as text (`722511.0`).
 */
export function naicsCategory(code: string): Category | undefined {
  const digits = /^\s*(\d{2,6})(?:\.0+)?\s*$/.exec(code)?.[1] ?? '';
  for (let length = digits.length; length >= 2; length--) {
    const category = PREFIXES.get(digits.slice(0, length));
    if (category !== undefined) return category;
  }
  return undefined;
}

/** Whether a code is a two-digit sector with several categories (`54`: lawyers, designers, engineers). */
export function isBroadCode(code: string): boolean {
  const digits = /^\s*(\d\d)(?:\.0+)?\s*$/.exec(code)?.[1];
  if (digits === undefined) return false;
  const category = PREFIXES.get(digits);
  return [...PREFIXES].some(([prefix, other]) => prefix.startsWith(digits) && other !== category);
}

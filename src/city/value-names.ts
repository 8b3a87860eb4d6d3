/**
 * The names of categories and of an unknown neighborhood in a city's listings, in its language. Profiles use the
 * English names in every language.
 */

import FRENCH from '../data/value-names.fr.json' with { type: 'json' };
import { UNKNOWN_NEIGHBORHOOD } from '../listings/listing.ts';
import { CATEGORIES } from './categories/categories.ts';
import type { City } from './define.ts';
import { baseLanguageOf } from './words.ts';

const NAMES: Readonly<Record<string, ReadonlyMap<string, string>>> = { fr: new Map(Object.entries(FRENCH)) };

type Named = { category: string | null; neighborhood: string | null };

export function openValueNames({ language }: Pick<City, 'language'>) {
  const names = NAMES[baseLanguageOf(language)];
  const nameCategory = (category: string): string => names?.get(category) ?? category;
  const unknown = names?.get(UNKNOWN_NEIGHBORHOOD) ?? UNKNOWN_NEIGHBORHOOD;
  return {
    /** All categories, the unknown one last. */
    categories: CATEGORIES.map(nameCategory),
    unknownNeighborhood: unknown,
    nameCategory,
    /** Names the values of a filing. Neighborhoods keep their own names. */
    nameValues<Values extends Named>(values: Values): Values {
      if (names === undefined) return values;
      const { category, neighborhood } = values;
      return {
        ...values,
        category: category === null ? null : nameCategory(category),
        neighborhood: neighborhood === UNKNOWN_NEIGHBORHOOD ? unknown : neighborhood,
      };
    },
  };
}

/** Translates categories and unknown neighborhoods to a city's language. Profiles use the English names. */

import FRENCH from '../../data/value-names.fr.json' with { type: 'json' };
import { UNKNOWN_NEIGHBORHOOD } from '../listing.ts';
import { CATEGORIES } from './categories.ts';
import type { CityFacts } from './city-facts.ts';
import { baseLanguageOf } from './page-words.ts';

const NAMES: Readonly<Record<string, ReadonlyMap<string, string>>> = { fr: new Map(Object.entries(FRENCH)) };

type Named = { category: string | null; neighborhood: string | null };

export function openValueNames({ language }: Pick<CityFacts, 'language'>) {
  const names = NAMES[baseLanguageOf(language)];
  const nameValue = (value: string): string => names?.get(value) ?? value;
  return {
    categories: CATEGORIES.map(nameValue),
    nameValue,
    nameValues<Values extends Named>(values: Values): Values {
      if (names === undefined) return values;
      const { category, neighborhood } = values;
      return {
        ...values,
        category: category && nameValue(category),
        neighborhood: neighborhood === UNKNOWN_NEIGHBORHOOD ? nameValue(neighborhood) : neighborhood,
      };
    },
  };
}

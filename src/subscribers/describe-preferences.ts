/** Preferences in words, in the language of the city: for the confirmation, the emails and the pages. */

import type { City } from '../city/define.ts';
import { type Localization, localizationFor } from '../city/localization.ts';
import { UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../listings/listing.ts';
import { parsePreferences } from './preferences.ts';

/** `Restaurants in Downtown`, to be used inside a sentence. */
export function describePreferences(preferences: string | null, city: City): string {
  const localization = localizationFor(city);
  const { categories, neighborhoods } = parsePreferences(preferences);
  const kinds = localization.list(categories.map((kind) => nameKind(localization, kind)));
  const places = localization.list(neighborhoods.map((place) => namePlace(localization, place)));
  if (kinds === '' && places === '') return localization.say('preferences.all');
  if (places === '') return localization.say('preferences.kinds', { kinds });
  return localization.say(kinds === '' ? 'preferences.places' : 'preferences.both', { kinds, places });
}

export function namePlace({ say }: Localization, neighborhood: string): string {
  return neighborhood === UNKNOWN_NEIGHBORHOOD ? say('unknown.place') : neighborhood;
}

export function nameKind({ say }: Localization, category: string): string {
  return category === UNCATEGORIZED ? say('unknown.kinds') : category;
}

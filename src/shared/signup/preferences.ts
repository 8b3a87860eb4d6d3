/** Formats and applies preferences for the weekly email: categories and neighborhoods. */

import type { CityFacts } from '../city/city-facts.ts';
import { type Localization, localizationFor } from '../city/localization.ts';
import { isUnknown, openValueNames, type Spoken } from '../city/value-names.ts';
import { compareCodeUnits, normalizeText } from '../words.ts';

/** Exact filter values. An empty list means all of them. */
export type Preferences = { categories: readonly string[]; neighborhoods: readonly string[] };

export const NO_PREFERENCES: Preferences = { categories: [], neighborhoods: [] };

export const MOST_PREFERRED = 20;

/**
 * Returns the canonical text of preferences, with ids, or `null` for everything. People with equal texts get the same
 * email.
 */
export function formatPreferences({ categories, neighborhoods }: Preferences, city: Spoken): string | null {
  if (asksForAll({ categories, neighborhoods })) return null;
  const { idOf } = openValueNames(city);
  return JSON.stringify([
    listDistinct(categories).map((name) => idOf('category', name)),
    listDistinct(neighborhoods).map((name) => idOf('neighborhood', name)),
  ]);
}

export function parsePreferences(text: string | null, city: Spoken): Preferences {
  if (text === null) return NO_PREFERENCES;
  const [categories, neighborhoods] = JSON.parse(text) as [Ids, Ids];
  const { nameOf } = openValueNames(city);
  return {
    categories: categories.map((id) => nameOf('category', id)),
    neighborhoods: neighborhoods.map((id) => nameOf('neighborhood', id)),
  };
}

type Ids = readonly (string | null)[];

export function asksForAll({ categories, neighborhoods }: Preferences): boolean {
  return categories.length + neighborhoods.length === 0;
}

/** Returns a function that tests whether a listing matches. Ignores case and accents, as filters do. */
export function makePreferenceTest({ categories, neighborhoods }: Preferences) {
  const [kinds, places] = [categories, neighborhoods].map((wanted) => new Set(wanted.map(normalizeText)));
  const isIn = (wanted: Set<string>, value: string) => wanted.size === 0 || wanted.has(normalizeText(value));
  return ({ category, neighborhood }: { category: string; neighborhood: string }) =>
    isIn(kinds!, category) && isIn(places!, neighborhood);
}

/** Describes preferences in the city's language for use inside a sentence, such as `Restaurants in Downtown`. */
export function describePreferences({ categories, neighborhoods }: Preferences, city: CityFacts): string {
  const localization = localizationFor(city);
  const kinds = localization.list(categories.map((kind) => nameKind(localization, kind)));
  const places = localization.list(neighborhoods.map((place) => namePlace(localization, place)));
  if (kinds === '' && places === '') return localization.say('preferences.all');
  if (places === '') return localization.say('preferences.kinds', { kinds });
  return localization.say(kinds === '' ? 'preferences.places' : 'preferences.both', { kinds, places });
}

export function namePlace({ say }: Localization, neighborhood: string): string {
  return isUnknown(neighborhood) ? say('unknown.place') : neighborhood;
}

export function nameKind({ say }: Localization, category: string): string {
  return isUnknown(category) ? say('unknown.kinds') : category;
}

/** Sorts values, and keeps one spelling of each. */
function listDistinct(values: readonly string[]): string[] {
  const bySpelling = new Map(values.map((value) => [normalizeText(value), value]));
  return [...bySpelling.values()].sort(compareCodeUnits);
}

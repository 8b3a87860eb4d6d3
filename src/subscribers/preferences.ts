/** Which part of the weekly email a subscriber wants: kinds of business and neighborhoods. Pure values. */

import { compareCodeUnits, normalizeText } from '../listings/words.ts';

/** Exact values; an empty list means all of them. */
export type Preferences = { categories: readonly string[]; neighborhoods: readonly string[] };

export const NO_PREFERENCES: Preferences = { categories: [], neighborhoods: [] };

/** Values in each list. */
export const MOST_PREFERRED = 20;

/** The canonical text of preferences, `null` for everything: two people with the same text get the same email. */
export function formatPreferences({ categories, neighborhoods }: Preferences): string | null {
  if (categories.length + neighborhoods.length === 0) return null;
  return JSON.stringify([listDistinct(categories), listDistinct(neighborhoods)]);
}

/** Reads what `formatPreferences` wrote. */
export function parsePreferences(text: string | null): Preferences {
  if (text === null) return NO_PREFERENCES;
  const [categories, neighborhoods] = JSON.parse(text) as [string[], string[]];
  return { categories, neighborhoods };
}

/** Whether a listing is wanted. Ignores case and accents, as filters do. */
export function makePreferenceTest({
  categories,
  neighborhoods,
}: Preferences): (listing: { category: string; neighborhood: string }) => boolean {
  const kinds = new Set(categories.map(normalizeText));
  const places = new Set(neighborhoods.map(normalizeText));
  const isIn = (wanted: Set<string>, value: string) => wanted.size === 0 || wanted.has(normalizeText(value));
  return ({ category, neighborhood }) => isIn(kinds, category) && isIn(places, neighborhood);
}

/** In a fixed order, each once however it is spelled. */
function listDistinct(values: readonly string[]): string[] {
  const bySpelling = new Map(values.map((value) => [normalizeText(value), value]));
  return [...bySpelling.values()].sort(compareCodeUnits);
}

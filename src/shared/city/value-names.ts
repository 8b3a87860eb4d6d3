/**
 * Names categories and unknown values in a city's language, when they are shown. Rows have ids: the English name of a
 * category, the name of a neighborhood, and `null` for an unknown one. So another word for a category changes no row.
 */

import { type NamedFilter, UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../listing.ts';
import { rememberTexts } from '../remember.ts';
import { languageOf, readTexts } from './languages.ts';

const NAMES = readTexts('value-names');
const UNKNOWN: Readonly<Record<NamedFilter, string>> = {
  category: UNCATEGORIZED,
  neighborhood: UNKNOWN_NEIGHBORHOOD,
};
const UNKNOWN_NAMES = new Set(
  Object.values(UNKNOWN).flatMap((name) => [
    name,
    ...Object.values(NAMES).map((names) => names[name] ?? name),
  ]),
);

export function isUnknown(name: string): boolean {
  return UNKNOWN_NAMES.has(name);
}

/** Moves what has an unknown value to the end, and keeps the order of the others. */
export function putUnknownLast<Valued extends { value: string }>(all: readonly Valued[]): Valued[] {
  return all.toSorted((a, b) => Number(isUnknown(a.value)) - Number(isUnknown(b.value)));
}

/** What has a language: a city. */
export type Spoken = { language?: string | undefined };

export type ValueNames = ReturnType<typeof openValueNames>;

export function openValueNames({ language }: Spoken = {}) {
  return namesIn(languageOf(language) ?? 'en');
}

const namesIn = rememberTexts((language) => {
  const names = new Map(Object.entries(NAMES[language] ?? {}));
  const ids = new Map(Array.from(names, ([id, name]) => [name, id]));
  return {
    nameOf(by: NamedFilter, id: string | null): string {
      const known = id ?? UNKNOWN[by];
      return by === 'category' || id === null ? (names.get(known) ?? known) : known;
    },
    /** Returns the id of a name. A category may also have its English name. */
    idOf(by: NamedFilter, name: string): string | null {
      if (isUnknown(name)) return null;
      return by === 'category' ? (ids.get(name) ?? name) : name;
    },
  };
});

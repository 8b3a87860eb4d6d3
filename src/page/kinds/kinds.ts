/** The six groups of categories, each with a mark. A group is a chip that stands for its categories, and no field of a listing. */

import KIND_GROUPS from '../../data/kind-groups.json' with { type: 'json' };
import NOUNS from '../../data/kind-nouns.json' with { type: 'json' };
import { CATEGORIES } from '../../shared/city/categories.ts';
import { baseLanguageOf, LANGUAGES } from '../../shared/city/languages.ts';
import type { Localization } from '../../shared/city/localization.ts';
import { openValueNames, type Spoken } from '../../shared/city/value-names.ts';
import type { Counts } from '../../shared/listing.ts';
import { sumCounts } from '../../shared/periods.ts';
import { rememberTexts } from '../../shared/remember.ts';

export type Group = keyof typeof KIND_GROUPS;
export const GROUPS = Object.keys(KIND_GROUPS) as Group[];

/** The colors of the marks on light and dark paper, each with a contrast of at least 4.5 on the page and on its own tint. */
export const MARK_COLORS: Readonly<Record<Group, { light: string; dark: string }>> = KIND_GROUPS;

const GROUP_OF: ReadonlyMap<string, Group> = new Map(
  GROUPS.flatMap((group) => KIND_GROUPS[group].categories.map((id) => [id, group] as const)),
);

/** Returns the group of a category with the name that pages show, in any language. */
export function groupOf(category: string): Group | 'unknown' {
  return NAMED.get(category) ?? 'unknown';
}

const NAMED: ReadonlyMap<string, Group | 'unknown'> = new Map(
  LANGUAGES.flatMap((language) => {
    const { nameOf } = openValueNames({ language });
    return CATEGORIES.map((id) => [nameOf('category', id), GROUP_OF.get(id) ?? 'unknown'] as const);
  }),
);

/** Lists the categories of a group, as a city names them. */
export function listGroup(city: Spoken, group: Group): string[] {
  const { nameOf } = openValueNames(city);
  return CATEGORIES.filter((id) => GROUP_OF.get(id) === group).map((id) => nameOf('category', id));
}

/** Returns the group whose categories these are, if they are all of one. */
export function findGroup(city: Spoken, categories: readonly string[]): Group | undefined {
  const group = groupOf(categories[0] ?? '');
  if (categories.length < 2 || group === 'unknown') return undefined;
  const all = listGroup(city, group);
  return all.length === categories.length && categories.every((one) => all.includes(one)) ? group : undefined;
}

/**
 * Returns what businesses of a category, or of all categories of a group, are called in a sentence: `restaurants`.
 * Returns `undefined` for other categories, and in a language without such words.
 */
export function nounFor(city: Spoken, categories: readonly string[], n: number): string | undefined {
  const language = baseLanguageOf(city.language);
  const words = NOUNS_IN.get(language);
  const [category, ...others] = categories;
  if (words === undefined || category === undefined) return undefined;
  const id =
    others.length === 0 ? openValueNames(city).idOf('category', category) : findGroup(city, categories);
  const [one, other] = words[id ?? '']?.split('|') ?? [];
  return pluralsIn(language).select(n) === 'one' ? one : other;
}

const NOUNS_IN: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(Object.entries(NOUNS));
const pluralsIn = rememberTexts((language) => new Intl.PluralRules(language));

/** Counts listings by group, from their counts by category. */
export function countGroups(byCategory: Counts): Map<Group, number> {
  const counts = new Map<Group, number>(GROUPS.map((group) => [group, 0]));
  for (const { value, count } of byCategory) {
    const group = groupOf(value);
    if (group !== 'unknown') counts.set(group, counts.get(group)! + count);
  }
  return counts;
}

/** Says how many listings are of no known kind, which no group counts, or `undefined` if there are none. */
export function describeKindless({ count }: Localization, byCategory: Counts): string | undefined {
  const n = sumCounts(byCategory.filter(({ value }) => groupOf(value) === 'unknown'));
  return n === 0 ? undefined : count('facet.unknown.category', n);
}

/** Returns the colors of the marks in dark mode, for the styles of an email. */
export function listDarkMarks(): string {
  return Object.entries(MARK_COLORS)
    .map(([group, { dark }]) => `.${group}{background:${dark}!important}`)
    .join('\n');
}

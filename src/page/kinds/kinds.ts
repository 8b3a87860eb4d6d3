/** The six groups of categories, each with a mark. A group is a chip that stands for its categories, and no field of a listing. */

import NOUNS from '../../data/kind-nouns.json' with { type: 'json' };
import { CATEGORIES, type Category } from '../../shared/city/categories.ts';
import { baseLanguageOf } from '../../shared/city/languages.ts';
import type { Localization } from '../../shared/city/localization.ts';
import { openValueNames, type Spoken } from '../../shared/city/value-names.ts';
import { rememberTexts } from '../../shared/remember.ts';

export const GROUPS = ['food', 'shops', 'health', 'home', 'offices', 'community'] as const;
export type Group = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<Category, Group | 'unknown'>> = {
  Restaurants: 'food',
  'Bars & Nightlife': 'food',
  'Cafes & Bakeries': 'food',
  'Food Trucks & Catering': 'food',
  'Grocery & Convenience': 'food',
  'Liquor & Tobacco': 'food',
  'Clothing & Jewelry': 'shops',
  'Home & Garden Stores': 'shops',
  'Health & Beauty Stores': 'shops',
  'Specialty Retail': 'shops',
  'Online & Direct Sales': 'shops',
  'Auto Repair': 'home',
  'Auto Sales & Parts': 'home',
  'Gas Stations': 'home',
  'Transportation & Delivery': 'home',
  'Beauty & Hair': 'health',
  'Spas & Massage': 'health',
  'Fitness & Recreation': 'health',
  Medical: 'health',
  Dental: 'health',
  'Mental Health': 'health',
  'Senior & Social Care': 'health',
  Childcare: 'community',
  'Education & Training': 'community',
  'Pets & Veterinary': 'community',
  'Personal Services': 'community',
  'Laundry & Tailoring': 'home',
  Legal: 'offices',
  'Accounting & Tax': 'offices',
  'Real Estate': 'offices',
  Insurance: 'offices',
  'Banking & Finance': 'offices',
  Consulting: 'offices',
  'Business Services': 'offices',
  'Marketing & Design': 'offices',
  'Architecture & Engineering': 'offices',
  Technology: 'offices',
  'Construction & Trades': 'home',
  'Home Services': 'home',
  Cleaning: 'home',
  Landscaping: 'home',
  'Hotels & Lodging': 'community',
  'Arts & Entertainment': 'community',
  'Travel & Events': 'community',
  Manufacturing: 'community',
  Wholesale: 'community',
  'Nonprofits & Community': 'community',
  'Farms, Energy & Mining': 'community',
  Uncategorized: 'unknown',
};

/** The colors of the marks on light and dark paper, each with a contrast of at least 4.5 on the page and on its own tint. */
export const MARK_COLORS: Readonly<Record<Group, { light: string; dark: string }>> = {
  food: { light: '#a1460c', dark: '#f2a36e' },
  shops: { light: '#274b9a', dark: '#93b4f6' },
  health: { light: '#9b2258', dark: '#f59cbf' },
  home: { light: '#0f6148', dark: '#66cba6' },
  offices: { light: '#4a3d97', dark: '#b9aef5' },
  community: { light: '#65540b', dark: '#d9c46b' },
};

/** Returns the group of a category with the name that pages show, in any language. */
export function groupOf(category: string): Group | 'unknown' {
  return NAMED.get(category) ?? 'unknown';
}

const NAMED: ReadonlyMap<string, Group | 'unknown'> = new Map(
  ['en', 'fr'].flatMap((language) => {
    const { nameOf } = openValueNames({ language });
    return CATEGORIES.map((id) => [nameOf('category', id), GROUP_OF[id]] as const);
  }),
);

/** Lists the categories of a group, as a city names them. */
export function listGroup(city: Spoken, group: Group): string[] {
  const { nameOf } = openValueNames(city);
  return CATEGORIES.filter((id) => GROUP_OF[id] === group).map((id) => nameOf('category', id));
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
export function countGroups(byCategory: readonly { value: string; count: number }[]): Map<Group, number> {
  const counts = new Map<Group, number>(GROUPS.map((group) => [group, 0]));
  for (const { value, count } of byCategory) {
    const group = groupOf(value);
    if (group !== 'unknown') counts.set(group, counts.get(group)! + count);
  }
  return counts;
}

/** Says how many listings are of no known kind, which no group counts, or `undefined` if there are none. */
export function describeKindless(
  { count }: Localization,
  byCategory: readonly { value: string; count: number }[],
): string | undefined {
  const n = byCategory
    .filter(({ value }) => groupOf(value) === 'unknown')
    .reduce((sum, one) => sum + one.count, 0);
  return n === 0 ? undefined : count('facet.unknown.category', n);
}

/** Returns the colors of the marks in dark mode, for the styles of an email. */
export function listDarkMarks(): string {
  return Object.entries(MARK_COLORS)
    .map(([group, { dark }]) => `.${group}{background:${dark}!important}`)
    .join('\n');
}

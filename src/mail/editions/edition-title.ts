/** The subject of a weekly email and the line below it: what is inside, by name and number. */

import type { City } from '../../city/define.ts';
import type { Localization } from '../../city/localization.ts';
import { nameKind, namePlace } from '../../subscribers/describe-preferences.ts';
import { parsePreferences } from '../../subscribers/preferences.ts';
import type { Count, EditionContent } from './edition.ts';

const GLANCED = 5;
const NAMED = 3; // in a subject; where there are more, one less and their number

type Titled = { city: City; content: EditionContent; preferences?: string | null };

/** `12 new businesses in Bixby Knolls and Downtown`; the kinds and neighborhoods are named where they were chosen. */
export function formatTitle(
  localization: Localization,
  { city, content, preferences = null }: Titled,
): string {
  const { categories, neighborhoods } = parsePreferences(preferences);
  const named = (counts: readonly Count[], nameValue: typeof nameKind) =>
    counts.map(({ value }) => nameValue(localization, value));
  const places =
    neighborhoods.length === 0
      ? city.name
      : listSome(localization, 'neighborhoods', named(content.byNeighborhood, namePlace));
  const title = localization.count('edition.title', content.total, { places });
  if (categories.length === 0) return title;
  const kinds = listSome(localization, 'kinds', named(content.byCategory, nameKind));
  return localization.say('edition.title.kinds', { title, kinds });
}

/** The most frequent neighborhoods, or the kinds where there is one neighborhood. */
export function formatGlance(localization: Localization, content: EditionContent): string {
  const { byNeighborhood, byCategory } = content;
  if (byNeighborhood.length > 1) return listPlaces(localization, byNeighborhood);
  const kinds = byCategory.map(({ value, count: n }) =>
    localization.say('edition.count', { value: nameKind(localization, value), n }),
  );
  return listSome(localization, 'kinds', kinds, GLANCED);
}

/** The first few neighborhoods with their counts, and the number of the others. */
export function listPlaces(localization: Localization, counts: readonly Count[]): string {
  const places = counts.map(({ value, count: n }) =>
    localization.say('edition.count', { value: namePlace(localization, value), n }),
  );
  return listSome(localization, 'neighborhoods', places, GLANCED);
}

function listSome(
  { list, count }: Localization,
  what: 'neighborhoods' | 'kinds',
  names: readonly string[],
  most = NAMED,
): string {
  if (names.length <= most) return list(names);
  const first = names.slice(0, most - 1);
  return list([...first, count(`list.more.${what}`, names.length - first.length)]);
}

/** Formats the texts and links of a weekly email in the city's language: subject and sentences. */

import type { City } from '../../city/define.ts';
import type { Localization } from '../../city/localization.ts';
import { isException, isUnknown, type Listing } from '../../listings/listing.ts';
import { EVERYTHING, fitToQ, formatQuestion } from '../../search/parameters.ts';
import { nameKind, namePlace, parsePreferences } from '../../subscribers/preferences.ts';
import type { Count, EditionContent } from './edition.ts';
import type { Highlight } from './highlight.ts';

const GLANCED = 5;
const NAMED = 3; // in a subject; a longer list names two and counts the others
const LONGEST_QUERY = 1_900; // a path with its query has at most 2,048 bytes

type Titled = { city: City; content: EditionContent; preferences?: string | null };

/**
 * Formats the subject with the person's categories and neighborhoods: `12 new businesses in Bixby Knolls and Downtown`.
 */
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

/** Formats the first sentence: the highlight or, without one, the number of listings and the most frequent category. */
export function formatLead(
  localization: Localization,
  content: EditionContent,
  highlight: Highlight | undefined,
): string {
  const { say, count, month } = localization;
  if (highlight !== undefined) {
    const { kind, since, weeks } = highlight;
    const what = count('edition.registered', highlight.count);
    const about = kind === undefined ? 'edition.lead' : 'edition.lead.kind';
    const named = { what, kind: kind ?? '' };
    return since === undefined
      ? say(`${about}.last`, { ...named, weeks: weeks + 1 })
      : say(`${about}.since`, { ...named, month: month(since, 'long') });
  }
  const [only, ...others] = content.listings;
  if (only !== undefined && others.length === 0) return say('edition.lead.one', { name: only.name });
  return formatPlainLead(localization, content);
}

/** Names the most frequent category. If a few categories are equally frequent, names all of them. */
function formatPlainLead({ say, list }: Localization, { total, byCategory }: EditionContent): string {
  const named = byCategory.filter(({ value }) => !isUnknown(value));
  const most = named[0]?.count ?? 0;
  const first = named.filter((one) => one.count === most).map(({ value }) => value);
  if (most < 2 || first.length > NAMED) return say('edition.lead.plain');
  const kinds = { count: most, kind: list(first) };
  if (most === total) return say('edition.lead.each', kinds);
  return say(first.length === 1 ? 'edition.lead.most' : 'edition.lead.tied', kinds);
}

/** Lists the first values with their counts, then how many other values there are. */
export function listCounts(
  localization: Localization,
  what: 'neighborhoods' | 'kinds',
  counts: readonly Count[],
): string {
  const { say } = localization;
  const unknown = say(what === 'kinds' ? 'unknown.kind' : 'unknown.neighborhood');
  const items = counts.map(({ value, count: n }) =>
    say('edition.count', { value: isUnknown(value) ? unknown : value, n }),
  );
  return listSome(localization, what, items, GLANCED);
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

/** Formats when the listings were first seen, and how many the previous edition had. */
export function formatSpan(
  { say, count, day, period }: Localization,
  { from, to, before }: EditionContent,
): string {
  const seen = say('edition.seen', { days: period(from, to) });
  return before === null
    ? seen
    : `${seen} ${count('edition.before', before.total, { day: day(before.edition) })}`;
}

export function formatDetail(
  { say, day }: Localization,
  { category, filing_date, status }: EditionContent['listings'][number],
): string {
  const kind = isUnknown(category) ? say('unknown.kind') : category;
  const values = { kind, day: day(filing_date) };
  return isException(status)
    ? say('edition.filed.status', { ...values, status: say(`status.${status}`) })
    : say('edition.filed', values);
}

/** Returns the URL of the edition's page, with the preferences as filters unless the URL would be too long. */
export function linkArchive(home: string, edition: string, preferences: string | null): string {
  const { categories, neighborhoods } = parsePreferences(preferences);
  const query = formatQuestion({ ...EVERYTHING, category: categories, neighborhood: neighborhoods });
  const page = `${home}weekly/${edition}`;
  return query === '' || query.length > LONGEST_QUERY ? page : `${page}?${query}`;
}

export function linkListing(home: string, { name, neighborhood }: Listing): string {
  const places = isUnknown(neighborhood) ? [] : [neighborhood];
  return `${home}?${formatQuestion({ ...EVERYTHING, q: fitToQ(name), neighborhood: places })}`;
}

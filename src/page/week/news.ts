/** Says what is new in an edition, in the words of its email, its page and its picture. */

import type { EditionCount } from '../../shared/answers.ts';
import type { CityFacts } from '../../shared/city/city-facts.ts';
import type { Localization } from '../../shared/city/localization.ts';
import { isUnknown } from '../../shared/city/value-names.ts';
import type { Count, EditionContent } from '../../shared/edition/edition.ts';
import { findHighlight, type Highlight, type Week } from '../../shared/edition/highlight.ts';
import { compareWeek } from '../../shared/edition/week.ts';
import type { Listing } from '../../shared/listing.ts';
import { spanDaysTo, yearOf } from '../../shared/periods.ts';
import { nameKind, namePlace, type Preferences } from '../../shared/signup/preferences.ts';

const NAMED = 3; // maximum values named in a subject; from a longer list, it names two and counts the rest
const DAYS_OF_WEEK = 7;

type NewsFacts = {
  localization: Localization;
  city: CityFacts;
  wanted: Preferences;
  content: Parameters<typeof findHighlight>[0] & LeadFacts;
};

/**
 * Writes the heading and the first sentences of an edition, for its email, its page and its picture, from it and from those before
 * it, newest first: `earlier` by category, `totals` of what is wanted.
 */
export function describeNews(
  facts: NewsFacts,
  { earlier, totals }: { earlier: readonly Week[]; totals: readonly EditionCount[] },
) {
  const { localization, content, wanted } = facts;
  const highlight = findHighlight(content, earlier, wanted);
  const week = compareWeek({ edition: content.edition, total: content.total }, totals);
  return {
    highlight,
    headline: formatHeadline(localization, formatTitle(facts), highlight),
    first: formatLead(localization, { ...content, hasKinds: wanted.categories.length > 0 }, highlight),
    /** What a usual week has, if there are enough earlier ones. */
    usual: week.usual === undefined ? [] : [localization.count('home.usual', week.usual)],
    week,
  };
}

/** Formats the subject with categories and neighborhoods, such as `12 new businesses in Bixby Knolls and Downtown`. */
function formatTitle({ localization, city, content, wanted }: NewsFacts): string {
  const named = (counts: readonly Count[], nameValue: typeof nameKind) =>
    counts.map(({ value }) => nameValue(localization, value));
  const places =
    wanted.neighborhoods.length === 0
      ? city.name
      : listSome(localization, 'neighborhoods', named(content.byNeighborhood, namePlace));
  const title = localization.count('edition.title', content.total, { places });
  if (wanted.categories.length === 0) return title;
  const kinds = listSome(localization, 'kinds', named(content.byCategory, nameKind));
  return localization.say('edition.title.kinds', { title, kinds });
}

/** `hasKinds`: kinds were chosen, so the sentence does not say that all are of one. `plain`: what to say if there is nothing to name. */
type LeadFacts = Pick<EditionContent, 'total' | 'byCategory' | 'byNeighborhood'> & {
  listings: readonly Pick<Listing, 'name'>[];
  hasKinds?: boolean;
  plain?: string;
};

/** Adds to a title that the week is a record of all listings. */
export function formatHeadline({ say, month }: Localization, title: string, highlight?: Highlight): string {
  if (highlight === undefined || highlight.kind !== undefined) return title;
  return highlight.since === undefined
    ? say('edition.headline.last', { title, weeks: highlight.weeks + 1 })
    : say('edition.headline.since', { title, month: month(highlight.since, 'long') });
}

/** Formats the highlight of a category or, without one, the neighborhood and the category with the most listings. */
export function formatLead(localization: Localization, content: LeadFacts, highlight?: Highlight): string {
  const { say, count, month } = localization;
  if (highlight?.kind !== undefined) {
    const { kind, since, weeks } = highlight;
    const named = { what: count('edition.registered', highlight.count), kind };
    return since === undefined
      ? say('edition.lead.kind.last', { ...named, weeks: weeks + 1 })
      : say('edition.lead.kind.since', { ...named, month: month(since, 'long') });
  }
  const [only, ...others] = content.listings;
  if (only !== undefined && others.length === 0) return say('edition.lead.one', { name: only.name });
  return formatPlainLead(localization, content);
}

/** Names the most frequent category, or a few equally frequent ones, and the neighborhood with the most listings. */
function formatPlainLead(
  { say, list }: Localization,
  { total, byCategory, byNeighborhood, hasKinds = false, plain = say('edition.lead.plain') }: LeadFacts,
): string {
  const [kinds, places] = [findMost(byCategory), findMost(byNeighborhood)];
  const [place = '', tied] = places.values;
  const facts = { kind: list(kinds.values), count: kinds.count, place, n: places.count };
  const hasPlace = place !== '' && tied === undefined && places.count < total;
  const placed = hasPlace ? [say('edition.lead.place', facts)] : [];
  if (kinds.values.length === 0 || (hasKinds && kinds.count === total)) return placed[0] ?? plain;
  if (kinds.count === total) return [say('edition.lead.each', facts), ...placed].join(' ');
  if (kinds.values.length > 1) return [say('edition.lead.tied', facts), ...placed].join(' ');
  return say(hasPlace ? 'edition.lead.both' : 'edition.lead.most', facts);
}

/** Finds the most frequent known values. Returns none if they are single, or more than can be named. */
function findMost(counts: readonly Count[]): { values: string[]; count: number } {
  const known = counts.filter(({ value }) => !isUnknown(value));
  const count = known[0]?.count ?? 0;
  const values = known.filter((one) => one.count === count).map(({ value }) => value);
  return { values: count < 2 || values.length > NAMED ? [] : values, count };
}

type FiledFacts = Pick<EditionContent, 'edition'> & {
  /** The filings, newest first. */
  listings: readonly Pick<Listing, 'filing_date'>[];
};

/** Formats how many registered in the week to the newest filing, and how many before it, whose filings came late. */
export function formatFiled({ say, count, monthDay }: Localization, facts: FiledFacts): string {
  const { edition, listings } = facts;
  const [newest, ...others] = listings;
  if (newest === undefined || others.length === 0) return '';
  const { filed_from } = spanDaysTo(newest.filing_date, DAYS_OF_WEEK);
  const late = listings.filter(({ filing_date }) => filing_date < filed_from).length;
  const day = monthDay(newest.filing_date, 'long', yearOf(edition));
  const values = { total: listings.length, week: listings.length - late, day };
  return late === 0 ? say('edition.filed', values) : count('edition.late', late, values);
}

/** Lists names, the last of a long list as a number. */
export function listSome(
  { list, count }: Localization,
  what: 'neighborhoods' | 'kinds',
  names: readonly string[],
  most = NAMED,
): string {
  if (names.length <= most) return list(names);
  const first = names.slice(0, most - 1);
  return list([...first, count(`list.more.${what}`, names.length - first.length)]);
}

/** What a weekly email says, as sentences and links in the language of the city: the same for its HTML and its text. */

import type { City } from '../../city/define.ts';
import { type Localization, localizationFor } from '../../city/localization.ts';
import { isException, UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../../listings/listing.ts';
import { describePreferences } from '../../subscribers/describe-preferences.ts';
import { formatSender } from '../confirmation-email.ts';
import { type Count, type EditionContent, MOST_LISTINGS_SHOWN } from './edition.ts';
import { linkArchive, linkListing } from './edition-links.ts';
import { formatGlance, formatTitle, listPlaces } from './edition-title.ts';

const COUNTED = 10; // lines in a table of counts; all others are summed up in one line

export type EditionFacts = {
  city: City;
  /** The part of the edition that these preferences select. */
  content: EditionContent;
  /** See `formatPreferences`. */
  preferences?: string | null;
  links: { unsubscribe: string; manage: string; home: string };
  postalAddress: string | undefined;
  /** Shown at the top of a preview without news. */
  isExample?: boolean;
};

type Link = { label: string; href: string };

export type EditionView = {
  title: string;
  /** The most frequent values, in one line. */
  glance: string;
  /** When the listings were first seen, and how many the edition before had. */
  span: string;
  browser: Link;
  groups: readonly { title: string; listings: readonly { name: string; detail: string; href: string }[] }[];
  /** What the groups leave out, in a sentence. */
  rest: readonly string[];
  more: readonly Link[];
  /** The heads of the columns of numbers. */
  columns: readonly string[];
  tables: readonly { title: string; rows: readonly Count[] }[];
  why: string;
  sources: readonly string[];
  sender: string;
};

export function makeEditionView(facts: EditionFacts): EditionView {
  const { city, content, postalAddress, preferences = null } = facts;
  const localization = localizationFor(city);
  const { say } = localization;
  return {
    title: formatTitle(localization, facts),
    glance: formatGlance(localization, content),
    span: formatSpan(localization, content),
    browser: { label: say('edition.browser'), href: linkArchive(facts) },
    groups: makeGroups(localization, facts),
    rest: formatRest(localization, content),
    more: makeMore(localization, facts),
    columns: makeColumns(localization, content),
    tables: makeTables(localization, content),
    why:
      preferences === null
        ? say('edition.why')
        : say('edition.why.part', { what: describePreferences(preferences, city) }),
    sources: city.sources.map(
      ({ publisher, licence, notice }) =>
        `${say('email.source', { publisher, licence })}${notice === undefined ? '' : ` ${notice}`}`,
    ),
    sender: formatSender(city, postalAddress),
  };
}

function formatSpan({ say, count, day }: Localization, { from, to, before }: EditionContent): string {
  const seen =
    from === to
      ? say('edition.seen.day', { day: day(to) })
      : say('edition.seen.days', { from: day(from), to: day(to) });
  return before === null
    ? seen
    : `${seen} ${count('edition.before', before.total, { day: day(before.edition) })}`;
}

type EditionListing = EditionContent['listings'][number];
type Group = { place: string; listings: readonly EditionListing[]; n: number };

/** Whole neighborhoods, largest first, as long as they fit. Where none does, the newest listings of the largest. */
function chooseGroups({ listings, byNeighborhood }: EditionContent): Group[] {
  const byPlace = Map.groupBy(listings, ({ neighborhood }) => neighborhood);
  const groups = byNeighborhood.map(({ value, count }) => ({
    ...{ place: value, n: count },
    listings: byPlace.get(value) ?? [],
  }));
  let room = MOST_LISTINGS_SHOWN;
  const whole = groups.filter(({ listings: { length }, n }) => {
    const fits = length === n && length <= room;
    if (fits) room -= length;
    return fits;
  });
  const [largest] = groups.filter((group) => group.listings.length > 0);
  if (whole.length > 0 || largest === undefined) return whole;
  return [{ ...largest, listings: largest.listings.slice(0, MOST_LISTINGS_SHOWN) }];
}

/** How many listings the email shows of an edition. */
export const countShown = (content: EditionContent): number =>
  chooseGroups(content).reduce((sum, { listings }) => sum + listings.length, 0);

/** One group for each neighborhood, in order of the number of new listings. */
function makeGroups(localization: Localization, { content, links }: EditionFacts): EditionView['groups'] {
  return chooseGroups(content).map((group) => ({
    title: formatGroupTitle(localization, group),
    listings: group.listings.map((listing) => ({
      name: listing.name,
      detail: formatDetail(localization, listing),
      href: linkListing(links.home, listing),
    })),
  }));
}

function formatGroupTitle({ say }: Localization, { place, listings, n }: Group): string {
  const shown = listings.length;
  const values = { place: place === UNKNOWN_NEIGHBORHOOD ? say('unknown.neighborhood') : place, shown, n };
  return say(n > shown ? 'edition.group.newest' : 'edition.group', values);
}

/** How many listings the groups leave out, and in which neighborhoods; none if they have all. */
function formatRest(localization: Localization, content: EditionContent): string[] {
  const shown = new Map(chooseGroups(content).map(({ place, listings }) => [place, listings.length]));
  const rest = content.byNeighborhood
    .map((one) => ({ ...one, count: one.count - (shown.get(one.value) ?? 0) }))
    .filter(({ count }) => count > 0);
  const n = rest.reduce((sum, { count }) => sum + count, 0);
  return n === 0 ? [] : [localization.count('edition.rest', n, { places: listPlaces(localization, rest) })];
}

function formatDetail({ say, day }: Localization, { category, filing_date, status }: EditionListing): string {
  const kind = category === UNCATEGORIZED ? say('unknown.kind') : category;
  const values = { kind, day: day(filing_date) };
  return isException(status)
    ? say('edition.filed.status', { ...values, status: say(`status.${status}`) })
    : say('edition.filed', values);
}

function makeMore({ say, count }: Localization, facts: EditionFacts): Link[] {
  const { content, links } = facts;
  const earlier = { label: say('edition.earlier'), href: links.home };
  if (content.total <= MOST_LISTINGS_SHOWN || facts.isExample) return [earlier];
  return [{ label: count('edition.all', content.total), href: linkArchive(facts) }, earlier];
}

function makeColumns({ say, day }: Localization, { edition, before }: EditionContent): string[] {
  if (before === null) return [say('edition.week.this')];
  const isLastWeek = Date.parse(edition) - Date.parse(before.edition) === 7 * 86_400_000;
  return [say('edition.week.this'), isLastWeek ? say('edition.week.last') : day(before.edition)];
}

function makeTables({ say }: Localization, content: EditionContent): EditionView['tables'] {
  const { byNeighborhood, byCategory } = content;
  const places = byNeighborhood.map((one) => ({
    ...one,
    value: one.value === UNKNOWN_NEIGHBORHOOD ? say('unknown.neighborhood') : one.value,
  }));
  const others = say('edition.others');
  return [
    { title: say('edition.by.neighborhood'), rows: sumUpRows(places, content, others) },
    { title: say('edition.by.kind'), rows: sumUpRows(byCategory, content, others) },
  ].filter(({ rows }) => rows.length > 1 || content.before !== null);
}

/** The first rows, and one for all others. The sum is the total. */
function sumUpRows(counts: readonly Count[], { total, before }: EditionContent, others: string): Count[] {
  if (counts.length <= COUNTED + 1) return [...counts];
  const first = counts.slice(0, COUNTED);
  const sum = (of: 'count' | 'before') => first.reduce((all, one) => all + one[of], 0);
  const rest = { count: total - sum('count'), before: Math.max(0, (before?.total ?? 0) - sum('before')) };
  return [...first, { value: others, ...rest }];
}

/** What a weekly email says, as sentences and links in the language of the city: the same for its HTML and its text. */

import type { City } from '../city/define.ts';
import { type Localization, localizationFor } from '../city/localization.ts';
import { UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../listings/listing.ts';
import { describePreferences } from '../subscriptions/describe-preferences.ts';
import { formatSender } from './confirmation-email.ts';
import { type Count, type EditionContent, MOST_LISTINGS_SHOWN } from './edition.ts';
import { linkArchive, linkListing } from './edition-links.ts';
import { formatGlance, formatTitle } from './edition-title.ts';

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

/** One group for each neighborhood, in order of the number of new listings. */
function makeGroups(localization: Localization, facts: EditionFacts): EditionView['groups'] {
  const { content, links } = facts;
  const shown = content.listings.slice(0, MOST_LISTINGS_SHOWN);
  return content.byNeighborhood.flatMap(({ value, count }) => {
    const listings = shown.filter(({ neighborhood }) => neighborhood === value);
    if (listings.length === 0) return [];
    const title = formatGroupTitle(localization, { place: value, shown: listings.length, n: count });
    const entries = listings.map((listing) => ({
      name: listing.name,
      detail: formatDetail(localization, listing),
      href: linkListing(links.home, listing),
    }));
    return [{ title, listings: entries }];
  });
}

function formatGroupTitle(
  { say }: Localization,
  { place, shown, n }: { place: string; shown: number; n: number },
): string {
  const values = { place: place === UNKNOWN_NEIGHBORHOOD ? say('unknown.neighborhood') : place, shown, n };
  return say(n > shown ? 'edition.group.some' : 'edition.group', values);
}

function formatDetail(
  { say, day }: Localization,
  { category, filing_date, status }: EditionContent['listings'][number],
): string {
  const kind = category === UNCATEGORIZED ? say('unknown.kind') : category;
  const values = { kind, day: day(filing_date) };
  return status === 'open'
    ? say('edition.filed', values)
    : say('edition.filed.status', { ...values, status: say(`status.${status}`) });
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

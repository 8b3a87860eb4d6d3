/** Renders a part of an edition as the weekly email, in the city's language, in HTML and plain text. */

import type { EditionCount } from '../../shared/answers.ts';
import type { CityFacts } from '../../shared/city/city-facts.ts';
import { type Localization, pageLocalizationFor } from '../../shared/city/localization.ts';
import { isUnknown, putUnknownLast } from '../../shared/city/value-names.ts';
import {
  type Count,
  countPart,
  type EditionContent,
  findJoined,
  MOST_LISTINGS_SHOWN,
} from '../../shared/edition/edition.ts';
import { findHighlight, type Highlight, type Week } from '../../shared/edition/highlight.ts';
import { compareWeek } from '../../shared/edition/week.ts';
import { isException, type Listing } from '../../shared/listing.ts';
import { spanDaysTo, yearOf } from '../../shared/periods.ts';
import { EVERYTHING, findListing, formatQuestion } from '../../shared/question.ts';
import {
  asksForAll,
  describePreferences,
  NO_PREFERENCES,
  nameKind,
  namePlace,
  type Preferences,
} from '../../shared/signup/preferences.ts';
import { DEFAULT_ACCENT } from '../color.ts';
import { groupOf, MARK_COLORS } from '../kinds/kinds.ts';
import {
  composeEmail,
  type EmailBody,
  type EmailPart,
  makeButton,
  makeHeading,
  makeIntroduction,
  makeParagraph,
  makeRows,
  makeSender,
  makeSmallLinks,
  makeSmallPrint,
  makeSummaries,
  wrapText,
} from './email-layout.ts';
import { makeMasthead, makeTiles, makeWeeks } from './newspaper.ts';

const MOST_LINKED = 8; // neighborhoods that are links instead of listings
const NAMED = 3; // maximum values named in a subject; from a longer list, it names two and counts the rest
const SAMPLED = 4; // the same for the newest listings of a neighborhood that is a link
const FEWEST_EACH = 3; // listings of each neighborhood
const DAYS_OF_WEEK = 7;
const LONGEST_QUERY = 1_900; // leaves room for the path, which has at most 2,048 bytes with its query

type EditionFacts = {
  city: CityFacts;
  content: EditionContent;
  /** The categories and neighborhoods of the preferences. Default: all. */
  wanted?: Preferences;
  links: { unsubscribe: string; manage: string; home: string };
  postalAddress: string | undefined;
  /** What the operator says at the top. */
  introduction?: string | null;
  /** Earlier editions to compare with, newest first. */
  earlier?: readonly EditionContent[];
  /** Whether this preview shows the latest listings because there is no news. A note at the top says so. */
  isExample?: boolean;
};

type Rendering = Required<Omit<EditionFacts, 'introduction'>> & { localization: Localization };

export function renderEditionEmail(facts: EditionFacts): EmailBody {
  const { city, content, links, introduction } = facts;
  const localization = pageLocalizationFor(city);
  const defaults = { wanted: NO_PREFERENCES, earlier: [], isExample: false };
  const rendering: Rendering = { ...defaults, ...facts, localization };
  const { wanted, earlier, isExample } = rendering;
  const { say, language } = localization;
  const totals = earlier.map((one) => ({ edition: one.edition, total: countPart(one, wanted) }));
  const { headline, first, highlight, week } = describeNews(rendering, { earlier, totals });
  // one sentence, so that a phone shows the first names
  const lead = (highlight?.kind === undefined && formatFiled(localization, content)) || first;
  const what = describePreferences(wanted, city);
  const sources = city.sources.map(({ publisher, license, notice }) =>
    [say('email.source', { publisher, license }), notice ?? ''].join(' ').trimEnd(),
  );
  const { groups, rest } = choosePlaces(content);
  const whole = linkArchive(links.home, content, wanted);
  return composeEmail({
    city,
    subject: headline.replaceAll('\u00a0', ' '), // a header in plain letters, if the language has these
    preheader: lead,
    body: [
      makeMasthead(localization, content.edition),
      makeHeading(headline, wrapText(headline.toLocaleUpperCase(language))),
      ...(introduction ? makeIntroduction(introduction) : []),
      makeParagraph(lead),
      ...makeWeeks(localization, week, city.accent ?? DEFAULT_ACCENT),
      ...makeTiles(localization, content.byCategory),
      ...(isExample ? [makeSmallPrint(say('edition.example'))] : []),
      ...joinSingles(rendering, groups).map((group) => makeGroup(rendering, group)),
      ...makeRest(rendering, rest),
      ...makeMore(rendering),
    ],
    footer: [
      makeSmallPrint(formatSeen(localization, content)),
      makeSmallPrint(asksForAll(wanted) ? say('edition.why') : say('edition.why.part', { what })),
      makeSmallLinks(
        ...(isExample ? [] : [{ label: say('edition.browser'), href: whole }]),
        { label: say('email.unsubscribe'), href: links.unsubscribe },
        { label: say('email.change'), href: links.manage },
      ),
      makeSmallPrint(say('note.registered')),
      ...sources.map(makeSmallPrint),
      makeSender(city, facts.postalAddress),
    ],
  });
}

type NewsFacts = Pick<Rendering, 'localization' | 'city' | 'wanted'> & {
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

/** `hasKinds`: kinds were chosen, so the sentence does not say that all are of one. */
type LeadFacts = Pick<EditionContent, 'total' | 'byCategory' | 'byNeighborhood'> & {
  listings: readonly Pick<Listing, 'name'>[];
  hasKinds?: boolean;
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
  { total, byCategory, byNeighborhood, hasKinds = false }: LeadFacts,
): string {
  const [kinds, places] = [findMost(byCategory), findMost(byNeighborhood)];
  const [place = '', tied] = places.values;
  const facts = { kind: list(kinds.values), count: kinds.count, place, n: places.count };
  const hasPlace = place !== '' && tied === undefined && places.count < total;
  const placed = hasPlace ? [say('edition.lead.place', facts)] : [];
  if (kinds.values.length === 0 || (hasKinds && kinds.count === total))
    return placed[0] ?? say('edition.lead.plain');
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

/** Formats when the listings were first seen. */
function formatSeen({ say, day, period }: Localization, { from, to }: EditionContent): string {
  return say('edition.seen', { days: from === to ? day(to) : period(from, to) });
}

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

/** `isJoined`: has the single listings of several neighborhoods. */
type Group = { place: string; listings: EditionContent['listings']; n: number; isJoined?: boolean };

/**
 * Shows the newest listings of each neighborhood, largest first: as many of each as there is room for, at least three.
 * `rest`: the neighborhoods for which no room is left.
 */
function choosePlaces({ listings, byNeighborhood }: EditionContent): { groups: Group[]; rest: Count[] } {
  const byPlace = Map.groupBy(listings, ({ neighborhood }) => neighborhood);
  const places = putUnknownLast(byNeighborhood);
  const needed = (each: number) => places.reduce((sum, { count }) => sum + Math.min(count, each), 0);
  let each = FEWEST_EACH;
  while (each < MOST_LISTINGS_SHOWN && needed(each + 1) <= MOST_LISTINGS_SHOWN) each++;
  let room = MOST_LISTINGS_SHOWN;
  const groups: Group[] = [];
  const rest: Count[] = [];
  for (const one of places) {
    const { value: place, count: n } = one;
    const wanted = each === FEWEST_EACH && n === each + 1 ? n : Math.min(n, each); // no link to one more
    if (wanted > room) rest.push(one);
    else {
      groups.push({ place, n, listings: byPlace.get(place)!.slice(0, wanted) });
      room -= wanted;
    }
  }
  return { groups, rest };
}

export const countShown = (content: EditionContent): number =>
  choosePlaces(content).groups.reduce((sum, { listings }) => sum + listings.length, 0);

/** Puts the listings of neighborhoods that share a heading below it. */
function joinSingles({ localization }: Rendering, groups: readonly Group[]): readonly Group[] {
  const joined = findJoined(groups.map(({ place: value, n: count }) => ({ value, count })));
  const isSingle = ({ place }: Group) => joined.has(place);
  const singles = groups.filter(isSingle);
  if (singles.length === 0) return groups;
  const place = localization.say('edition.singles');
  const listings = singles
    .flatMap((group) => group.listings)
    .sort((one, other) => other.filing_date.localeCompare(one.filing_date));
  return groups
    .filter((group) => !isSingle(group))
    .toSpliced(groups.findIndex(isSingle), 0, { place, listings, n: singles.length, isJoined: true });
}

/** Renders the listings of a neighborhood, and a link to all of them if some are omitted. */
function makeGroup(
  { city, localization, content, links: { home }, wanted }: Rendering,
  { place, listings, n, isJoined = false }: Group,
): EmailPart {
  const { say, nameValue, monthDay, number } = localization;
  const isAnywhere = isUnknown(place) && n === content.total && wanted.neighborhoods.length === 0;
  const title = isAnywhere ? city.name : nameValue('neighborhood', place);
  const rows = listings.map((one) => {
    const { category, neighborhood, filing_date, status } = one;
    const facts = [
      nameValue('category', category),
      ...(isJoined ? [neighborhood] : []),
      ...(isException(status) ? [say(`status.${status}`)] : []),
    ];
    const group = groupOf(category);
    return {
      ...{ label: one.name, href: `${home}?${formatQuestion(findListing(one))}`, detail: facts.join(', ') },
      day: monthDay(filing_date, 'short', yearOf(content.to)),
      mark: [group, group === 'unknown' ? '#59636e' : MARK_COLORS[group].light] as const,
    };
  });
  const here = linkArchive(home, content, { ...wanted, neighborhoods: [place] });
  const isOmitted = n > listings.length && n < content.total; // the email itself links to all of its listings
  const more = isOmitted ? { label: say('edition.all.place', { n, place: title }), href: here } : undefined;
  return makeRows(localization, { title, n: number(n) }, rows, more);
}

/** Links to neighborhoods that the email has no room for, with the newest names. Returns `[]` if there is none. */
function makeRest(rendering: Rendering, rest: readonly Count[]): EmailPart[] {
  const { localization, content, links, wanted } = rendering;
  if (rest.length === 0) return [];
  const { home } = links;
  const { say, nameValue } = localization;
  const namesIn = (place: string) =>
    content.listings.filter(({ neighborhood }) => neighborhood === place).map(({ name }) => name);
  const most = rest.length > MOST_LINKED ? MOST_LINKED - 1 : MOST_LINKED;
  const named = rest.slice(0, most).map(({ value, count: n }) => ({
    label: say('edition.group', { place: nameValue('neighborhood', value), n }),
    detail: listSome(localization, 'businesses', namesIn(value), SAMPLED),
    href: linkArchive(home, content, { ...wanted, neighborhoods: [value] }),
  }));
  const n = rest.slice(most).reduce((sum, one) => sum + one.count, 0);
  const others = { label: say('edition.rest.further', { n }), href: linkArchive(home, content, wanted) };
  const rows = n === 0 ? named : [...named, others];
  return [makeSummaries(localization, say('edition.rest'), rows)];
}

function listSome(
  { list, count }: Localization,
  what: 'neighborhoods' | 'kinds' | 'businesses',
  names: readonly string[],
  most = NAMED,
): string {
  if (names.length <= most) return list(names);
  const first = names.slice(0, most - 1);
  return list([...first, count(`list.more.${what}`, names.length - first.length)]);
}

/** Links to all listings of the edition if the email omits some. An example has no page, so it links to the search. */
function makeMore({ localization, content, links, wanted, isExample }: Rendering): EmailPart[] {
  const { say, count } = localization;
  if (!isExample && content.total <= MOST_LISTINGS_SHOWN) return [];
  const link = isExample
    ? { label: say('edition.earlier'), href: links.home }
    : { label: count('edition.all', content.total), href: linkArchive(links.home, content, wanted) };
  return [makeButton(link.href, link.label)];
}

/** Returns the URL of the edition's page, with the preferences as filters unless the URL would be too long. */
function linkArchive(home: string, { edition }: EditionContent, wanted: Preferences): string {
  const { categories, neighborhoods } = wanted;
  const query = formatQuestion({ ...EVERYTHING, category: categories, neighborhood: neighborhoods });
  const page = `${home}weekly/${edition}`;
  return query === '' || query.length > LONGEST_QUERY ? page : `${page}?${query}`;
}

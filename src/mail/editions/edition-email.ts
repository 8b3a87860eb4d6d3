/** Renders a part of an edition as the weekly email, in the city's language, in HTML and plain text. */

import type { City } from '../../city/define.ts';
import { type Localization, localizationFor } from '../../city/localization.ts';
import { toDayNumber } from '../../listings/day.ts';
import { escapeMarkup } from '../../listings/escape.ts';
import { isException, isUnknown, type Listing } from '../../listings/listing.ts';
import { EVERYTHING, fitToQ, formatQuestion } from '../../search/parameters.ts';
import { orderPlaces } from '../../search/place-order.ts';
import {
  describePreferences,
  nameKind,
  namePlace,
  type Preferences,
  parsePreferences,
} from '../../subscribers/preferences.ts';
import {
  composeEmail,
  EMAIL_LOOK,
  type EmailBody,
  type EmailPart,
  makeHeading,
  makeParagraph,
  makeRows,
  makeSender,
  makeSmallLinks,
  makeSmallPrint,
  wrapText,
  writeLink,
} from '../email-layout.ts';
import { type Count, countPart, type EditionContent, MOST_LISTINGS_SHOWN } from './edition.ts';
import { findHighlight, type Highlight } from './highlight.ts';

const OFFERED = 3; // neighborhoods that the email offers as a filter
const GLANCED = 5;
const NAMED = 3; // maximum values named in a subject; from a longer list, it names two and counts the rest
/** Filings this many days older than their edition need an explanation. */
const LATE_DAYS = 7;
const LONGEST_QUERY = 1_900; // leaves room for the path, which has at most 2,048 bytes with its query

type EditionFacts = {
  city: City;
  content: EditionContent;
  preferences?: string | null;
  links: { unsubscribe: string; manage: string; home: string };
  postalAddress: string | undefined;
  /** Earlier editions to compare with, newest first. */
  earlier?: readonly EditionContent[];
  /** Whether this preview shows the latest listings because there is no news. A note at the top says so. */
  isExample?: boolean;
};

/** `wanted`: the categories and neighborhoods of the preferences. */
type Rendering = Required<EditionFacts> & { wanted: Preferences; localization: Localization };

export function renderEditionEmail(facts: EditionFacts): EmailBody {
  const { city, content, links, postalAddress, preferences = null, earlier = [], isExample = false } = facts;
  const localization = localizationFor(city);
  const wanted = parsePreferences(preferences);
  const rendering: Rendering = { ...facts, preferences, earlier, isExample, wanted, localization };
  const { say, language } = localization;
  const title = formatTitle(rendering);
  const highlight = findHighlight(content, earlier, preferences);
  const hasKinds = wanted.categories.length > 0;
  const first = formatLead(localization, { ...content, hasKinds }, highlight);
  const lead = [first, ...formatBefore(rendering)].join(' ');
  const what = describePreferences(preferences, city);
  const sources = city.sources.map(({ publisher, licence, notice }) =>
    [say('email.source', { publisher, licence }), notice ?? ''].join(' ').trimEnd(),
  );
  const groups = chooseGroups(content);
  return composeEmail({
    city,
    subject: title,
    preheader: lead,
    body: [
      makeHeading(title, wrapText(title.toLocaleUpperCase(language))),
      makeParagraph(lead),
      makeOpening(rendering),
      ...groups.map((group) => makeGroup(rendering, group)),
      ...makeRest(rendering, groups),
      ...makeMore(rendering),
      ...formatKinds(rendering).map(makeSmallPrint),
      ...makeNarrowing(rendering),
    ],
    footer: [
      makeSmallPrint(preferences === null ? say('edition.why') : say('edition.why.part', { what })),
      makeSmallLinks(
        { label: say('email.unsubscribe'), href: links.unsubscribe },
        { label: say('email.change'), href: links.manage },
      ),
      makeSmallPrint(say('note.registered')),
      ...sources.map(makeSmallPrint),
      makeSender(city, postalAddress),
    ],
  });
}

type TitleFacts = Pick<Rendering, 'localization' | 'city' | 'wanted'> & {
  content: Pick<EditionContent, 'total' | 'byCategory' | 'byNeighborhood'>;
};

/** Formats the subject with categories and neighborhoods, such as `12 new businesses in Bixby Knolls and Downtown`. */
export function formatTitle({ localization, city, content, wanted }: TitleFacts): string {
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
type LeadFacts = Pick<EditionContent, 'total' | 'byCategory'> & {
  listings: readonly Pick<Listing, 'name'>[];
  hasKinds?: boolean;
};

/** Formats the first sentence: the highlight or, without one, the number of listings and the most frequent category. */
export function formatLead(
  localization: Localization,
  content: LeadFacts,
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
function formatPlainLead(
  { say, list }: Localization,
  { total, byCategory, hasKinds = false }: LeadFacts,
): string {
  const named = byCategory.filter(({ value }) => !isUnknown(value));
  const most = named[0]?.count ?? 0;
  const first = named.filter((one) => one.count === most).map(({ value }) => value);
  if (most < 2 || first.length > NAMED || (hasKinds && most === total)) return say('edition.lead.plain');
  const kinds = { count: most, kind: list(first) };
  if (most === total) return say('edition.lead.each', kinds);
  return say(first.length === 1 ? 'edition.lead.most' : 'edition.lead.tied', kinds);
}

type SeenFacts = Pick<EditionContent, 'from' | 'to'> & {
  /** The filings, newest first. */
  listings: readonly Pick<Listing, 'filing_date'>[];
};

/** Formats when the listings were first seen and, if some were filed long before, why. */
export function formatSeen({ say, day, period }: Localization, { from, to, listings }: SeenFacts): string {
  const seen = say('edition.seen', { days: from === to ? day(to) : period(from, to) });
  const oldest = listings.at(-1)?.filing_date ?? from;
  return toDayNumber(from) - toDayNumber(oldest) > LATE_DAYS ? `${seen} ${say('edition.late')}` : seen;
}

function makeOpening({ localization, links, content, wanted, isExample }: Rendering): EmailPart {
  const { say } = localization;
  const span = formatSeen(localization, content);
  if (isExample) {
    const note = say('edition.example');
    const html = `${EMAIL_LOOK.small(escapeMarkup(span))}\n${EMAIL_LOOK.small(`<strong>${escapeMarkup(note)}</strong>`)}`;
    return { html, text: `${wrapText(span)}\n\n${wrapText(note)}` };
  }
  const archive = { label: say('edition.browser'), href: linkArchive(links.home, content, wanted) };
  const html = EMAIL_LOOK.small(`${escapeMarkup(span)} ${EMAIL_LOOK.link(archive.href, archive.label)}`);
  return { html, text: `${wrapText(span)}\n\n${writeLink(archive)}` };
}

/** Formats how many of this kind the previous edition had. Returns `[]` if there was none. */
function formatBefore({ localization, earlier: [before], preferences }: Rendering): string[] {
  const n = before === undefined ? 0 : countPart(before, preferences);
  if (before === undefined || (n === 0 && preferences !== null)) return [];
  return [localization.count('edition.before', n, { day: localization.day(before.edition) })];
}

type Group = { place: string; listings: EditionContent['listings']; n: number };

/** Chooses the first neighborhoods to show completely. If not even one fits, shows its newest listings. */
function chooseGroups({ listings, byNeighborhood }: EditionContent): Group[] {
  const byPlace = Map.groupBy(listings, ({ neighborhood }) => neighborhood);
  const groups = orderPlaces(byNeighborhood, MOST_LISTINGS_SHOWN).map(({ value, count }) => ({
    ...{ place: value, n: count },
    listings: byPlace.get(value)!.slice(0, MOST_LISTINGS_SHOWN),
  }));
  let room = MOST_LISTINGS_SHOWN;
  const further = groups.findIndex(({ n }) => {
    room -= n;
    return room < 0;
  });
  return groups.slice(0, further === -1 ? groups.length : Math.max(1, further));
}

export const countShown = (content: EditionContent): number =>
  chooseGroups(content).reduce((sum, { listings }) => sum + listings.length, 0);

/** Renders the listings of a neighborhood, and a link to all of them if some are omitted. */
function makeGroup(
  { localization, content, links: { home }, wanted }: Rendering,
  { place, listings, n }: Group,
): EmailPart {
  const { say, count } = localization;
  const shown = listings.length;
  const name = isUnknown(place) ? say('unknown.neighborhood') : place;
  const title = say(n > shown ? 'edition.group.newest' : 'edition.group', { place: name, shown, n });
  const rows = listings.map((one) => {
    return { label: one.name, href: linkListing(home, one), detail: formatDetail(localization, one) };
  });
  const here = linkArchive(home, content, { ...wanted, neighborhoods: [place] });
  return makeRows(
    localization,
    title,
    rows,
    n > shown ? { label: count('edition.all', n), href: here } : undefined,
  );
}

function formatDetail(
  { say, day }: Localization,
  { category, filing_date, status }: EditionContent['listings'][number],
): string {
  const kind = isUnknown(category) ? say('unknown.category') : category;
  const values = { kind, day: day(filing_date) };
  return isException(status)
    ? say('edition.filed.status', { ...values, status: say(`status.${status}`) })
    : say('edition.filed', values);
}

/** Links to neighborhoods with omitted listings, and counts the others. Returns `[]` if none is omitted. */
function makeRest(rendering: Rendering, groups: readonly Group[]): EmailPart[] {
  const { localization, content, links, wanted, isExample } = rendering;
  const shown = new Map(groups.map(({ place, listings }) => [place, listings.length]));
  const rest = orderPlaces(content.byNeighborhood, MOST_LISTINGS_SHOWN)
    .map((one) => ({ ...one, count: one.count - (shown.get(one.value) ?? 0) }))
    .filter(({ count }) => count > 0);
  if (rest.length === 0 || isExample) return [];
  const { say, list } = localization;
  const countAll = (some: readonly Count[]) => some.reduce((sum, { count }) => sum + count, 0);
  const sentence = localization.count('edition.rest', countAll(rest));
  const most = rest.length > GLANCED ? GLANCED - 1 : GLANCED;
  const named = rest.slice(0, most).map((one) => ({
    label: formatCount(localization, 'neighborhoods', one),
    href: linkArchive(links.home, content, { ...wanted, neighborhoods: [one.value] }),
  }));
  const further = countAll(rest.slice(most));
  const others = further === 0 ? [] : [say('edition.rest.further', { n: further })];
  const html = list([
    ...named.map(({ href, label }) => EMAIL_LOOK.link(href, label)),
    ...others.map(escapeMarkup),
  ]);
  return [
    {
      html: EMAIL_LOOK.paragraph(`${escapeMarkup(sentence)} ${html}`),
      text: [wrapText(sentence), ...named.map(writeLink), ...others].join('\n\n'),
    },
  ];
}

/** Formats the number of listings by category. Returns `[]` if there is only one category. */
function formatKinds({ localization, content: { byCategory } }: Rendering): string[] {
  if (byCategory.length < 2) return [];
  const items = byCategory.map((one) => formatCount(localization, 'kinds', one));
  return [localization.say('edition.by.kind', { kinds: listSome(localization, 'kinds', items, GLANCED) })];
}

function formatCount(
  { say }: Localization,
  what: 'neighborhoods' | 'kinds',
  { value, count: n }: Count,
): string {
  const unknown = say(what === 'kinds' ? 'unknown.category' : 'unknown.neighborhood');
  return say('edition.count', { value: isUnknown(value) ? unknown : value, n });
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

/** Links to all listings of the edition if the email omits some. An example has no page, so it links to the search. */
function makeMore({ localization, content, links, wanted, isExample }: Rendering): EmailPart[] {
  const { say, count } = localization;
  if (!isExample && content.total <= MOST_LISTINGS_SHOWN) return [];
  const link = isExample
    ? { label: say('edition.earlier'), href: links.home }
    : { label: count('edition.all', content.total), href: linkArchive(links.home, content, wanted) };
  return [{ html: EMAIL_LOOK.paragraph(EMAIL_LOOK.link(link.href, link.label)), text: writeLink(link) }];
}

/** Offers single neighborhoods to people who get all of them. The links open the preferences and change nothing. */
function makeNarrowing({ localization: { say }, content, links, preferences }: Rendering): EmailPart[] {
  const places = content.byNeighborhood.filter(({ value }) => !isUnknown(value));
  if (preferences !== null || places.length < 2) return [];
  const only = places.slice(0, OFFERED).map(({ value: place }) => ({
    label: say('edition.only', { place }),
    href: `${links.manage}&neighborhoods=${encodeURIComponent(place)}`,
  }));
  return [makeSmallLinks(...only, { label: say('edition.choose'), href: links.manage })];
}

/** Returns the URL of the edition's page, with the preferences as filters unless the URL would be too long. */
function linkArchive(home: string, { edition }: EditionContent, wanted: Preferences): string {
  const { categories, neighborhoods } = wanted;
  const query = formatQuestion({ ...EVERYTHING, category: categories, neighborhood: neighborhoods });
  const page = `${home}weekly/${edition}`;
  return query === '' || query.length > LONGEST_QUERY ? page : `${page}?${query}`;
}

function linkListing(home: string, { name, neighborhood }: Listing): string {
  const places = isUnknown(neighborhood) ? [] : [neighborhood];
  return `${home}?${formatQuestion({ ...EVERYTHING, q: fitToQ(name), neighborhood: places })}`;
}

/** Renders a part of an edition as the weekly email, in the city's language, in HTML and plain text. */

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
import { isException } from '../../shared/listing.ts';
import { yearOf } from '../../shared/periods.ts';
import { EVERYTHING, findListing, formatQuestion } from '../../shared/question.ts';
import {
  asksForAll,
  describePreferences,
  NO_PREFERENCES,
  type Preferences,
} from '../../shared/signup/preferences.ts';
import { DEFAULT_ACCENT } from '../color.ts';
import { groupOf, MARK_COLORS } from '../kinds/kinds.ts';
import { describeNews, formatFiled } from '../week/news.ts';
import {
  composeEmail,
  type EmailBody,
  type EmailPart,
  MUTED,
  makeButton,
  makeHeading,
  makeIntroduction,
  makeLinks,
  makeParagraph,
  makeRows,
  makeSender,
  makeSmallLinks,
  makeSmallPrint,
  wrapText,
} from './email-layout.ts';
import { makeMasthead, makeTiles, makeWeeks } from './newspaper.ts';

const MOST_LINKED = 8; // neighborhoods that are links instead of listings
const FEWEST_EACH = 3; // listings of each neighborhood
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

export function renderWeeklyEmail(facts: EditionFacts): EmailBody {
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

/** Formats when the listings were first seen. */
function formatSeen({ say, day, period }: Localization, { from, to }: EditionContent): string {
  return say('edition.seen', { days: from === to ? day(to) : period(from, to) });
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
      mark: [group, group === 'unknown' ? MUTED : MARK_COLORS[group].light] as const,
    };
  });
  const here = linkArchive(home, content, { ...wanted, neighborhoods: [place] });
  const isOmitted = n > listings.length && n < content.total; // the email itself links to all of its listings
  const more = isOmitted ? { label: say('edition.all.place', { n, place: title }), href: here } : undefined;
  return makeRows(localization, { title, n: number(n) }, rows, more);
}

/** Links to the largest neighborhoods that the email has no room for. */
function makeRest({ localization, content, links, wanted }: Rendering, rest: readonly Count[]): EmailPart[] {
  if (rest.length === 0) return [];
  const { say, nameValue } = localization;
  const named = rest.slice(0, MOST_LINKED).map(({ value, count: n }) => ({
    label: say('edition.group', { place: nameValue('neighborhood', value), n }),
    href: linkArchive(links.home, content, { ...wanted, neighborhoods: [value] }),
  }));
  return [makeLinks(localization, say('edition.rest'), named)];
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

/** Renders a part of an edition as the weekly email, in HTML and plain text. */

import type { City } from '../../city/define.ts';
import { type Localization, localizationFor } from '../../city/localization.ts';
import { escapeMarkup } from '../../listings/escape.ts';
import { isUnknown } from '../../listings/listing.ts';
import { describePreferences, formatPreferences, parsePreferences } from '../../subscribers/preferences.ts';
import {
  composeEmail,
  type EmailBody,
  type EmailPart,
  makeHeading,
  makeParagraph,
  makeSender,
  makeSmallLinks,
  makeSmallPrint,
  renderHeading2,
  renderLink,
  renderParagraph,
  renderSmallPrint,
  rowStyle,
  STYLE,
  wrapText,
  writeLink,
} from '../email-layout.ts';
import { type EditionContent, MOST_LISTINGS_SHOWN } from './edition.ts';
import {
  formatDetail,
  formatLead,
  formatSpan,
  formatTitle,
  linkArchive,
  linkListing,
  listCounts,
} from './edition-words.ts';
import { findHighlight, type Week } from './highlight.ts';

/** Number of neighborhoods that the email offers as a filter. */
const OFFERED = 3;

export type EditionFacts = {
  city: City;
  content: EditionContent;
  preferences?: string | null;
  links: { unsubscribe: string; manage: string; home: string };
  postalAddress: string | undefined;
  /** Earlier editions, newest first. The edition is compared with them. */
  earlier?: readonly Week[];
  /** Whether there is no news and this preview shows the latest listings. A note at the top says so. */
  isExample?: boolean;
};

export function renderEditionEmail(facts: EditionFacts): EmailBody {
  const { city, content, links, postalAddress, preferences = null, earlier = [] } = facts;
  const localization = localizationFor(city);
  const { say, language } = localization;
  const title = formatTitle(localization, facts);
  const lead = formatLead(localization, content, findHighlight(content, earlier, preferences));
  const why =
    preferences === null
      ? say('edition.why')
      : say('edition.why.part', { what: describePreferences(preferences, city) });
  const sources = city.sources.map(({ publisher, licence, notice }) =>
    [say('email.source', { publisher, licence }), notice ?? ''].join(' ').trimEnd(),
  );
  return composeEmail({
    city,
    subject: title,
    preheader: lead,
    body: [
      makeHeading(title, wrapText(title.toLocaleUpperCase(language))),
      makeParagraph(lead),
      ...makeOpening(localization, facts),
      ...chooseGroups(content).map((group) => makeGroup(localization, group, facts)),
      ...formatRest(localization, content).map(makeParagraph),
      ...makeMore(localization, facts),
      ...formatKinds(localization, content).map(makeSmallPrint),
      ...makeNarrowing(localization, facts),
    ],
    footer: [
      makeSmallPrint(why),
      makeSmallLinks(
        { label: say('email.unsubscribe'), href: links.unsubscribe },
        { label: say('email.change'), href: links.manage },
      ),
      ...sources.map(makeSmallPrint),
      makeSender(city, postalAddress),
    ],
  });
}

function makeOpening(localization: Localization, facts: EditionFacts): EmailPart[] {
  const { say } = localization;
  const span = formatSpan(localization, facts.content);
  if (facts.isExample) {
    const note = say('edition.example');
    const html = renderSmallPrint(`<strong>${escapeMarkup(note)}</strong>`);
    return [makeSmallPrint(span), { html, text: wrapText(note) }];
  }
  const archive = { label: say('edition.browser'), href: findArchive(facts) };
  const html = renderSmallPrint(`${escapeMarkup(span)} ${renderLink(archive.href, archive.label)}`);
  return [{ html, text: `${wrapText(span)}\n\n${writeLink(archive)}` }];
}

function findArchive({ links, content, preferences = null }: EditionFacts): string {
  return linkArchive(links.home, content.edition, preferences);
}

/** Offers single neighborhoods to people who get all of them. The links open the preferences and change nothing. */
function makeNarrowing(
  { say }: Localization,
  { content, links, preferences = null }: EditionFacts,
): EmailPart[] {
  const places = content.byNeighborhood.filter(({ value }) => !isUnknown(value));
  if (preferences !== null || places.length < 2) return [];
  const only = places.slice(0, OFFERED).map(({ value: place }) => ({
    label: say('edition.only', { place }),
    href: `${links.manage}&neighborhoods=${encodeURIComponent(place)}`,
  }));
  return [makeSmallLinks(...only, { label: say('edition.choose'), href: links.manage })];
}

type Group = { place: string; listings: EditionContent['listings']; n: number };

/**
 * Chooses the neighborhoods to show completely, largest first. If none fits, chooses the newest listings of the
 * largest.
 */
function chooseGroups({ listings, byNeighborhood }: EditionContent): Group[] {
  const byPlace = Map.groupBy(listings, ({ neighborhood }) => neighborhood);
  const groups = byNeighborhood.map(({ value, count }) => ({
    ...{ place: value, n: count },
    listings: byPlace.get(value) ?? [],
  }));
  let room = MOST_LISTINGS_SHOWN;
  const whole = groups.filter(({ n, listings }) => {
    if (n > room || listings.length < n) return false;
    room -= n;
    return true;
  });
  if (whole.length > 0) return whole;
  return groups
    .slice(0, 1)
    .map((group) => ({ ...group, listings: group.listings.slice(0, MOST_LISTINGS_SHOWN) }));
}

export const countShown = (content: EditionContent): number =>
  chooseGroups(content).reduce((sum, { listings }) => sum + listings.length, 0);

/** Renders the listings of a neighborhood, and a link to all of them if some are omitted. */
function makeGroup(
  localization: Localization,
  { place, listings, n }: Group,
  facts: EditionFacts,
): EmailPart {
  const { say, count, language } = localization;
  const { home } = facts.links;
  const shown = listings.length;
  const name = isUnknown(place) ? say('unknown.neighborhood') : place;
  const title = say(n > shown ? 'edition.group.newest' : 'edition.group', { place: name, shown, n });
  const rows = listings.map((one) => ({ one, detail: formatDetail(localization, one) }));
  const all = n > shown && { label: count('edition.all', n), href: linkPlace(facts, place) };
  const row = rowStyle(localization);
  const html = rows.map(
    ({ one, detail }) =>
      `<tr><td class="ink line" style="${row}"><strong>${renderLink(linkListing(home, one), one.name)}</strong><br><span class="muted" style="${STYLE.muted}">${escapeMarkup(detail)}</span></td></tr>`,
  );
  return {
    html: `${renderHeading2(escapeMarkup(title))}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
${html.join('\n')}
</table>${all ? `\n${renderSmallPrint(renderLink(all.href, all.label))}` : ''}`,
    text: [
      title.toLocaleUpperCase(language),
      ...rows.map(({ one, detail }) => `* ${one.name}\n  ${detail}\n  ${linkListing(home, one)}`),
      ...(all ? [writeLink(all)] : []),
    ].join('\n'),
  };
}

function linkPlace({ links, content, preferences = null }: EditionFacts, place: string): string {
  const { categories } = parsePreferences(preferences);
  return linkArchive(links.home, content.edition, formatPreferences({ categories, neighborhoods: [place] }));
}

/** Formats the number of omitted listings by neighborhood. Returns `[]` if none is omitted. */
function formatRest(localization: Localization, content: EditionContent): string[] {
  const shown = new Map(chooseGroups(content).map(({ place, listings }) => [place, listings.length]));
  const rest = content.byNeighborhood
    .map((one) => ({ ...one, count: one.count - (shown.get(one.value) ?? 0) }))
    .filter(({ count }) => count > 0);
  const n = rest.reduce((sum, { count }) => sum + count, 0);
  return n === 0
    ? []
    : [localization.count('edition.rest', n, { places: listCounts(localization, 'neighborhoods', rest) })];
}

/** Formats the number of listings by category. Returns `[]` if there is only one category. */
function formatKinds(localization: Localization, { byCategory }: EditionContent): string[] {
  if (byCategory.length < 2) return [];
  return [localization.say('edition.by.kind', { kinds: listCounts(localization, 'kinds', byCategory) })];
}

/** Links to all listings of the edition if the email omits some, and to the search for an example without a page. */
function makeMore({ say, count }: Localization, facts: EditionFacts): EmailPart[] {
  const { content, links, isExample } = facts;
  if (!isExample && content.total <= MOST_LISTINGS_SHOWN) return [];
  const link = isExample
    ? { label: say('edition.earlier'), href: links.home }
    : { label: count('edition.all', content.total), href: findArchive(facts) };
  return [{ html: renderParagraph(renderLink(link.href, link.label)), text: writeLink(link) }];
}

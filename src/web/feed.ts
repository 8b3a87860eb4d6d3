/** Makes a feed of a page of a search, as JSON Feed or Atom. */

import { createHash } from 'node:crypto';
import type { Day, Instant } from '../listings/day.ts';
import type { Listing } from '../listings/listing.ts';
import { fitToQ, formatQuestion, PAGE_LIMIT, type Question } from '../search/parameters.ts';
import type { ServerContext } from './context.ts';
import { markup } from './pages/markup.ts';

type Publisher = Pick<ServerContext, 'city' | 'layout' | 'publicUrl' | 'version'>;

export type FeedPage = {
  question: Question;
  title: string;
  listings: readonly Listing[];
  /** Time of the last update: an instant, or the day if the instant is unknown. */
  updated: Instant | Day;
  next: Question | null;
  /** Sentences that explain why the page is empty. */
  emptiness: string | undefined;
};

/** Makes a feed as JSON (jsonfeed.org, version 1.1), a value of FeedSchema. Listings that are the same item appear once. */
export function makeJsonFeed(publisher: Publisher, page: FeedPage, path = '/feed.json') {
  const { city, layout, publicUrl } = publisher;
  const { say, language } = layout.localization;
  const query = formatQuery(page.question);
  const items = page.listings.map((listing) => makeItem(publisher, listing));
  if (page.emptiness !== undefined)
    items.push({
      id: makeId('nothing', city.name, query.slice(1)),
      url: `${publicUrl}/${query}`,
      title: say('feed.none.title'),
      content_text: page.emptiness,
      date_published: formatUpdated(page, publisher),
      tags: [],
    });
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: page.title,
    home_page_url: `${publicUrl}/${query}`,
    feed_url: `${publicUrl}${path}${query}`,
    ...(page.next !== null && { next_url: `${publicUrl}${path}?${formatQuestion(page.next)}` }),
    description: say('feed.description', { region: city.region }),
    language,
    items: [...new Map(items.map((item) => [item.id, item])).values()],
  };
}

/** Formats the query of the first page of a search, with its `?`. */
function formatQuery(question: Question): string {
  const filters = formatQuestion({ ...question, limit: PAGE_LIMIT, offset: 0 });
  return filters === '' ? '' : `?${filters}`;
}

function makeItem({ city, layout, publicUrl }: Publisher, listing: Listing) {
  const { say, day } = layout.localization;
  const { name, category, neighborhood, status, filing_date } = listing;
  return {
    id: makeId(name, neighborhood, filing_date), // a new status or category does not make a new item
    url: `${publicUrl}/?q=${encodeURIComponent(fitToQ(name))}`,
    title: name,
    content_text: say('feed.item', {
      ...{ kind: category, place: neighborhood },
      ...{ day: day(filing_date), status: say(`status.${status}`) },
    }),
    date_published: formatStartOfDay(filing_date, city.timeZone),
    tags: [category, neighborhood, status],
  };
}

/** Makes an id that is the same for the same texts in every format, and reveals nothing else about the source. */
function makeId(...texts: readonly string[]): string {
  return `urn:shingle:${createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22)}`;
}

function formatUpdated({ updated }: FeedPage, { city }: Publisher): Instant {
  return updated.includes('T') ? updated : formatStartOfDay(updated, city.timeZone);
}

/** Formats a day as RFC 3339 with the city's offset, so that readers in other time zones see the same date. */
function formatStartOfDay(day: Day, timeZone: string): Instant {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toString({ timeZoneName: 'never' });
}

/** Matches characters that XML 1.0 cannot contain, not even as references. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/**
 * Renders a feed as XML (Atom, RFC 4287). A listing does not record when it changed, so its entry uses the filing date.
 */
export function renderAtomFeed(publisher: Publisher, page: FeedPage): string {
  const { city, version } = publisher;
  const feed = makeJsonFeed(publisher, page, '/feed.xml');
  const entries = feed.items.map(
    ({ id, url, title, content_text, date_published, tags }) => markup`<entry>
<id>${id}</id>
<title>${toXmlText(title)}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<published>${date_published}</published>
<updated>${date_published}</updated>
<content>${toXmlText(content_text)}</content>
${tags.map((tag) => markup`<category term="${toXmlText(tag)}"/>`)}
</entry>
`,
  );
  const next =
    'next_url' in feed && markup`<link rel="next" type="application/atom+xml" href="${feed.next_url}"/>\n`;
  const whole = markup`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">
<id>${makeId('feed', city.name, formatQuery(page.question).slice(1))}</id>
<title>${toXmlText(feed.title)}</title>
<subtitle>${toXmlText(feed.description)}</subtitle>
<updated>${formatUpdated(page, publisher)}</updated>
<author><name>${toXmlText(city.operator.name)}</name></author>
<generator version="${version}">Shingle</generator>
<link rel="self" type="application/atom+xml" href="${feed.feed_url}"/>
${next}<link rel="alternate" type="text/html" href="${feed.home_page_url}"/>
${entries}</feed>
`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${whole.html}`;
}

function toXmlText(text: string): string {
  return text.replace(NOT_XML, '\ufffd');
}

/** One page of a search as a feed: a plain value, and its formats. */

import { createHash } from 'node:crypto';
import type { Day, Instant } from '../listings/day.ts';
import type { Listing } from '../listings/listing.ts';
import { fitToQ, formatQuestion, PAGE_LIMIT, type Question } from '../search/parameters.ts';
import type { ServerContext } from './context.ts';
import { type Markup, markup } from './pages/markup.ts';

export type FeedItem = {
  id: string;
  url: string;
  title: string;
  text: string;
  /** The filing date, in the city's time zone. */
  publishedAt: string;
  tags: readonly string[];
};

export type Feed = {
  id: string;
  title: string;
  description: string;
  /** The page with the same search. */
  pageUrl: string;
  /** The query of the feed's own address, with its `?`. */
  query: string;
  /** The query of the next page, with its `?`; `null` on the last one. */
  nextQuery: string | null;
  language: string;
  updatedAt: string;
  author: string;
  version: string;
  items: readonly FeedItem[];
};

type Publisher = Pick<ServerContext, 'city' | 'publicUrl' | 'version'>;
/** One page of a question, and when the data was last brought up to date: an instant, or the day if that is all there is. */
type Page = {
  question: Question;
  /** The search in the city's own words. */
  title: string;
  listings: readonly Listing[];
  updated: Instant | Day;
  /** The page after this one. */
  next: Question | null;
  /** Why there is nothing, in sentences. */
  emptiness: string | undefined;
};

/** The feed of a search. Listings that are the same item appear once. */
export function makeFeed(publisher: Publisher, page: Page): Feed {
  const { question, title, listings, updated, next, emptiness } = page;
  const { city, publicUrl, version } = publisher;
  const filters = formatQuestion({ ...question, limit: PAGE_LIMIT, offset: 0 });
  const query = filters === '' ? '' : `?${filters}`;
  const updatedAt = updated.includes('T') ? updated : startOfDay(updated, city.timeZone);
  const items = listings.map((listing) => makeItem(publisher, listing));
  if (emptiness !== undefined)
    items.push({
      id: makeId('nothing', city.name, filters),
      url: `${publicUrl}/${query}`,
      title: 'Nothing matches this search yet',
      text: emptiness,
      publishedAt: updatedAt,
      tags: [],
    });
  return {
    id: makeId('feed', city.name, filters),
    title,
    description: `Business filings in ${city.name}, ${city.region}, as published. A filing is a registration, not proof that a business is open. Not for bulk copying.`,
    pageUrl: `${publicUrl}/${query}`,
    query,
    nextQuery: next && `?${formatQuestion(next)}`,
    language: 'en',
    updatedAt,
    author: city.operator.name,
    version,
    items: [...new Map(items.map((item) => [item.id, item])).values()],
  };
}

function makeItem({ city, publicUrl }: Publisher, listing: Listing): FeedItem {
  const { name, category, neighborhood, status, filing_date } = listing;
  return {
    id: makeId(name, neighborhood, filing_date), // a new status or category makes no new item
    url: `${publicUrl}/?q=${encodeURIComponent(fitToQ(name))}`,
    title: name,
    text: `${category} in ${neighborhood}, filed on ${filing_date}, ${status}.`,
    publishedAt: startOfDay(filing_date, city.timeZone),
    tags: [category, neighborhood, status],
  };
}

/** The same for the same texts, in every format. Reveals nothing else of the source. */
function makeId(...texts: readonly string[]): string {
  return `urn:shingle:${createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22)}`;
}

/** RFC 3339 with the city's offset, so that readers in other time zones see the same date. */
function startOfDay(day: Day, timeZone: string): Instant {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toString({ timeZoneName: 'never' });
}

/** A feed as JSON (jsonfeed.org, version 1.1), as a value of FeedSchema. */
export function toJsonFeed(feed: Feed, publicUrl: string) {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.pageUrl,
    feed_url: `${publicUrl}/feed.json${feed.query}`,
    ...(feed.nextQuery !== null && { next_url: `${publicUrl}/feed.json${feed.nextQuery}` }),
    description: feed.description,
    language: feed.language,
    items: feed.items.map(({ id, url, title, text, publishedAt, tags }) => ({
      id,
      url,
      title,
      content_text: text,
      date_published: publishedAt,
      tags,
    })),
  };
}

/** XML 1.0 has no way to write these characters, not even as references. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** A feed as XML (Atom, RFC 4287). */
export function renderAtomFeed(feed: Feed, publicUrl: string): string {
  const whole = markup`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">
<id>${feed.id}</id>
<title>${toXmlText(feed.title)}</title>
<subtitle>${toXmlText(feed.description)}</subtitle>
<updated>${feed.updatedAt}</updated>
<author><name>${toXmlText(feed.author)}</name></author>
<generator version="${feed.version}">Shingle</generator>
<link rel="self" type="application/atom+xml" href="${publicUrl}/feed.xml${feed.query}"/>
${feed.nextQuery !== null && markup`<link rel="next" type="application/atom+xml" href="${publicUrl}/feed.xml${feed.nextQuery}"/>\n`}<link rel="alternate" type="text/html" href="${feed.pageUrl}"/>
${feed.items.map(renderEntry)}</feed>
`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${whole.html}`;
}

/** A listing does not say when it changed, so its entry is updated on the day of its filing. */
function renderEntry({ id, url, title, text, publishedAt, tags }: FeedItem): Markup {
  return markup`<entry>
<id>${id}</id>
<title>${toXmlText(title)}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<published>${publishedAt}</published>
<updated>${publishedAt}</updated>
<content>${toXmlText(text)}</content>
${tags.map((tag) => markup`<category term="${toXmlText(tag)}"/>`)}
</entry>
`;
}

function toXmlText(text: string): string {
  return text.replace(NOT_XML, '\ufffd');
}

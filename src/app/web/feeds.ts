/**
 * Adds GET /feed.json and GET /feed.xml: the news of any search as a feed, newest arrival first, with the filters and
 * the budget of the API. GET /feeds shows their addresses to people. Browsers that open a feed are redirected there,
 * because they show feeds as source code.
 */

import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import PARAMETERS from '../../data/parameters.json' with { type: 'json' };
import { markup } from '../../page/markup.ts';
import { describeSearch } from '../../page/question-text.ts';
import { renderFeedsPage } from '../../page/share/feeds-page.ts';
import type { ArrivalPage, Position } from '../../service/search/index/arrivals.ts';
import type { ListingIndex } from '../../service/search/index/open.ts';
import { parseSearchQuery } from '../../service/search/query.ts';
import { priceOf } from '../../service/web/limits/charge.ts';
import { sendPage } from '../../service/web/pages.ts';
import { readQuery } from '../../service/web/plugins/strict-http.ts';
import { addQuestionRoute } from '../../service/web/routes/route-kinds.ts';
import { formatInstant } from '../../service/web/served-data.ts';
import { localizationFor } from '../../shared/city/localization.ts';
import type { Day, Instant } from '../../shared/day.ts';
import { isException, type Listing } from '../../shared/listing.ts';
import {
  asksAnything,
  fitToQ,
  formatAddress,
  formatQuestion,
  NARROWING,
  type OtherParameter,
  PAGE_LIMIT,
  PARAMETER_NAMES,
  type Question,
} from '../../shared/question.ts';
import { rememberTexts } from '../../shared/remember.ts';
import type { PageContext } from './page-context.ts';

const FORMATS = [
  {
    path: '/feed.json',
    type: 'application/feed+json',
    render: (_context: PageContext, { id: _, updated: __, ...feed }: Feed) => JSON.stringify(feed),
  },
  {
    path: '/feed.xml',
    type: 'application/atom+xml',
    render: renderAtomFeed,
  },
];

/** Feeds lead on by position, because their order grows at the top while a reader reads. */
const before: OtherParameter<Position | undefined> = {
  schema: PARAMETERS.before,
  isList: false,
  read([text]) {
    if (text === undefined) return { value: undefined };
    const value = parsePosition(text);
    return value === undefined ? { problem: 'before must be from the next link of a feed.' } : { value };
  },
};

/** Formats the time of the arrival as digits, and the place. */
function formatPosition({ at, place }: Position): string {
  return `${at.replace(/\D/g, '')}-${place}`;
}

function parsePosition(text: string): Position | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})-(\d{1,9})$/.exec(text);
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, ms, place] = found;
  return { at: `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`, place: Number(place) };
}

export function feedRoutes(app: FastifyInstance, pages: PageContext): void {
  // programs read feeds, and dates of pages have spaces that do not break
  const layout = { ...pages.layout, localization: localizationFor(pages.city) };
  const context = { ...pages, layout };
  for (const { path, type, render } of FORMATS)
    addQuestionRoute<{ before: Position | undefined }>(app, context, {
      path,
      type,
      config: { priority: 'page', isCrossOrigin: true },
      names: PARAMETER_NAMES.filter((name) => name !== 'offset'),
      others: { before },
      cacheControl: 'private, max-age=60',
      isDated: false,
      pageForPeople: '/feeds',
      answer(data, { question, others }) {
        const { index } = data;
        const page = index.readArrivals(question, others.before);
        return {
          price: priceOf(data, 'feed', question, page),
          render: () => render(context, makeFeed(context, index, { path, question, page })),
        };
      },
    });
  app.get('/feeds', { config: { priority: 'page' } }, (request, reply) => {
    const index = pages.index();
    const ended = (!pages.layout.hasNews() && index?.dataEnd) || undefined;
    // invalid parameters are ignored, as on all pages
    const { question } = parseSearchQuery(readQuery(request.raw), NARROWING);
    const html = renderFeedsPage({ layout: pages.layout, question, ended });
    return sendPage(pages, reply, html, { referrer: 'same-origin' });
  });
}

type Feed = ReturnType<typeof makeFeed>;
type Item = ReturnType<typeof makeItem>;

/** Makes a JSON feed (jsonfeed.org, version 1.1): the fields of the schema Feed, and those of Atom. */
function makeFeed(
  context: PageContext,
  index: ListingIndex,
  { path, question, page }: { path: string; question: Question; page: ArrivalPage },
) {
  const { city, layout, publicUrl } = context;
  const { say, language } = layout.localization;
  const filters = formatQuestion({ ...question, limit: PAGE_LIMIT });
  const query = filters && `?${filters}`;
  const updated = formatInstant(page.newest ?? null) ?? formatStartOfDay(index.day, city.timeZone);
  const next = page.next && `before=${formatPosition(page.next)}`;
  const listings = index.readListings(page.rows);
  const items = listings.map((listing, i) => makeItem(context, listing, page.items[i]!));
  if (page.rest !== undefined) items.push(makeRestItem(context, question, page.rest));
  if (page.total === 0 && asksAnything(question))
    items.push({
      id: makeId('nothing', city.name, filters),
      url: `${publicUrl}/${query}`,
      title: say('feed.none.title'),
      content_text: say('feed.none'),
      date_published: updated,
      date_modified: updated,
      tags: [],
    });
  return {
    id: makeId('feed', city.name, filters),
    updated,
    version: 'https://jsonfeed.org/version/1.1',
    title: describeSearch({ layout, question: index.spellQuestion(question) }),
    home_page_url: `${publicUrl}/${query}`,
    feed_url: `${publicUrl}${path}${query}`,
    ...(next !== undefined && { next_url: `${publicUrl}${formatAddress(path, question, next)}` }),
    description: say('feed.description', { region: city.region }),
    language,
    items,
  };
}

function makeItem(
  { city, layout, publicUrl }: PageContext,
  listing: Listing,
  { at, namesakes }: ArrivalPage['items'][number],
) {
  const { say, day } = layout.localization;
  const { name, category, neighborhood, status, filing_date } = listing;
  return {
    // no other fact is part of it, because a reader shows what has a new id again
    id: makeId(name, filing_date, ...(namesakes === 0 ? [] : [String(namesakes)])),
    url: `${publicUrl}/?q=${encodeURIComponent(fitToQ(name))}`,
    title: name,
    content_text: say(isException(status) ? 'feed.item.status' : 'feed.item', {
      kind: category,
      place: neighborhood,
      day: day(filing_date),
      status: say(`status.${status}`),
    }),
    date_published: formatStartOfDay(filing_date, city.timeZone),
    date_modified: formatInstant(at)!,
    tags: [category, neighborhood, status],
  };
}

/** Makes the last item of a full first page. Its id is that of the day, so a reader shows it once for each such day. */
function makeRestItem(
  { city, layout, publicUrl }: PageContext,
  question: Question,
  { day: on, at, count: n }: NonNullable<ArrivalPage['rest']>,
): Item {
  const { say, count, day } = layout.localization;
  const filters = { ...question, limit: PAGE_LIMIT };
  const link = { ...filters, added_from: question.added_from || on };
  const updated = formatInstant(at)!;
  return {
    id: makeId('more', city.name, formatQuestion(filters), on),
    url: `${publicUrl}${formatAddress('/', link)}`,
    title: count('feed.more.title', n, { day: day(on) }),
    content_text: say('feed.more'),
    date_published: updated,
    date_modified: updated,
    tags: [],
  };
}

/** Makes an id from texts. Both formats have the same ids, and an id reveals nothing about the source. */
function makeId(...texts: readonly string[]): string {
  return `urn:shingle:${hash('sha256', JSON.stringify(texts), 'base64url').slice(0, 22)}`;
}

/** Formats a day as RFC 3339 with the city's offset, so that readers in other time zones see the same date. */
function formatStartOfDay(day: Day, timeZone: string): Instant {
  return startsOfDays(`${day} ${timeZone}`);
}

const startsOfDays = rememberTexts((text) => {
  const [day = '', timeZone = ''] = text.split(' ');
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toString({ timeZoneName: 'never' });
});

/** Matches characters that XML 1.0 cannot contain, not even as references. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Renders a feed as XML (Atom, RFC 4287). */
function renderAtomFeed({ city, version }: PageContext, feed: Feed): string {
  const entries = feed.items.map(
    ({ id, url, title, content_text, date_published, date_modified, tags }) => markup`<entry>
<id>${id}</id>
<title>${toXmlText(title)}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<published>${date_published}</published>
<updated>${date_modified}</updated>
<content>${toXmlText(content_text)}</content>
${tags.map((tag) => markup`<category term="${toXmlText(tag)}"/>`)}
</entry>
`,
  );
  const next =
    feed.next_url !== undefined &&
    markup`<link rel="next" type="application/atom+xml" href="${feed.next_url}"/>\n`;
  const whole = markup`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">
<id>${feed.id}</id>
<title>${toXmlText(feed.title)}</title>
<subtitle>${toXmlText(feed.description)}</subtitle>
<updated>${feed.updated}</updated>
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

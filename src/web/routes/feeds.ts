/**
 * Adds GET /feed.json and GET /feed.xml: one page of any search as a feed, with the parameters and the budget of the
 * API. GET /feeds shows their addresses to people. Browsers that open a feed are redirected there, because they show
 * feeds as source code.
 */

import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { baseLanguageOf } from '../../city/page-words.ts';
import type { Day, Instant } from '../../listings/day.ts';
import { isException, type Listing } from '../../listings/listing.ts';
import {
  asksAnything,
  EVERYTHING,
  fitToQ,
  formatQuestion,
  NARROWING,
  PAGE_LIMIT,
  type Question,
} from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { parseListings, type SearchResult, searchListings } from '../../search/search.ts';
import { sendPage } from '../answers.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { costOfSearch } from '../limits/charge.ts';
import { schemaOf, serializeFields } from '../openapi.ts';
import { markup } from '../pages/markup.ts';
import { describeSearch } from '../pages/question-text.ts';
import { renderFeedsPage } from '../pages/share/feeds-page.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { tooFarProblem } from '../problems.ts';
import { hasWeeklyEnded } from '../signup-form.ts';
import { addQuestionRoute } from './data-routes.ts';

const FEED = schemaOf('Feed');

const FORMATS = [
  {
    path: '/feed.json',
    type: 'application/feed+json',
    id: 'Feed',
    operationId: 'getFeed',
    summary: 'One page of a search as a JSON Feed',
    render: (_context: ServerContext, feed: Feed) => serializeFields(FEED, feed),
  },
  {
    path: '/feed.xml',
    type: 'application/atom+xml',
    operationId: 'getAtomFeed',
    summary: 'One page of a search as an Atom feed',
    render: renderAtomFeed,
  },
];

export function feedRoutes(app: FastifyInstance, context: ServerContext): void {
  for (const { path, type, id, render, ...described } of FORMATS)
    addQuestionRoute(app, context, {
      ...described,
      path,
      config: { priority: 'page', isCrossOrigin: true },
      tag: 'Feeds',
      returns: { description: `At most ${PAGE_LIMIT} items`, id, type },
      cacheControl: 'private, max-age=60',
      pageForPeople: '/feeds',
      answer(data, { question, ...asked }) {
        const result = searchListings(data.index, { question, ...asked });
        if ('tooFar' in result) return tooFarProblem(result.tooFar);
        return {
          rows: costOfSearch(question, result.count),
          render: () => render(context, makeFeed(context, data, { path, question, result })),
        };
      },
    });
  app.get('/feeds', { config: { priority: 'page' } }, (request, reply) => {
    const index = context.index();
    const ended = (hasWeeklyEnded(context) && index?.latestFiling) || undefined;
    // invalid parameters are ignored, as on all pages
    const { question } = parseSearchQuery(readQuery(request.raw), NARROWING);
    const facets = index?.facets(EVERYTHING);
    const html = renderFeedsPage({ layout: context.layout, question, ended, facets });
    return sendPage(context, reply, html, { referrer: 'same-origin' });
  });
}

type Feed = ReturnType<typeof makeFeed>;

/** Makes a JSON feed (jsonfeed.org, version 1.1): the fields of the schema Feed, and those of Atom. Omits repeated items. */
function makeFeed(
  context: ServerContext,
  { index, dataAsOf }: ServedData,
  { path, question, result }: { path: string; question: Question; result: SearchResult },
) {
  const { city, layout, publicUrl } = context;
  const { say, language } = layout.localization;
  const { nextOffset: offset, nextLimit: limit } = result;
  const filters = formatQuestion({ ...question, limit: PAGE_LIMIT, offset: 0 });
  const query = filters && `?${filters}`;
  const updated = dataAsOf ?? formatStartOfDay(index.day, city.timeZone);
  const items = parseListings(result).map((listing) => makeItem(context, listing));
  if (result.total === 0 && asksAnything(question))
    items.push({
      id: makeId('nothing', city.name, filters),
      url: `${publicUrl}/${query}`,
      title: say('feed.none.title'),
      content_text: explainEmptiness(context, result),
      date_published: updated,
      tags: [],
    });
  return {
    id: makeId('feed', city.name, filters),
    updated,
    version: 'https://jsonfeed.org/version/1.1',
    title: describeSearch({ layout, question: index.spellQuestion(question) }),
    home_page_url: `${publicUrl}/${query}`,
    feed_url: `${publicUrl}${path}${query}`,
    ...(offset !== null && {
      next_url: `${publicUrl}${path}?${formatQuestion({ ...question, limit, offset })}`,
    }),
    description: say('feed.description', { region: city.region }),
    language,
    items: [...new Map(items.map((item) => [item.id, item])).values()],
  };
}

/** Explains in an item why a feed is empty, because readers show no warnings. Warnings are in English. */
function explainEmptiness({ layout }: ServerContext, { warnings }: SearchResult): string {
  const { say, language } = layout.localization;
  if (baseLanguageOf(language) !== 'en') return say('feed.none');
  const sentences = warnings.map(({ detail, did_you_mean }) =>
    did_you_mean === undefined ? detail : `${detail} Did you mean “${did_you_mean}”?`,
  );
  return [say('feed.none'), ...sentences].join(' ');
}

function makeItem({ city, layout, publicUrl }: ServerContext, listing: Listing) {
  const { say, day } = layout.localization;
  const { name, category, neighborhood, status, filing_date } = listing;
  return {
    id: makeId(name, neighborhood, filing_date), // a new status or category must not make a new item
    url: `${publicUrl}/?q=${encodeURIComponent(fitToQ(name))}`,
    title: name,
    content_text: say(isException(status) ? 'feed.item.status' : 'feed.item', {
      ...{ kind: category, place: neighborhood },
      ...{ day: day(filing_date), status: say(`status.${status}`) },
    }),
    date_published: formatStartOfDay(filing_date, city.timeZone),
    tags: [category, neighborhood, status],
  };
}

/** Makes an id from texts. Both formats have the same ids, and an id reveals nothing about the source. */
function makeId(...texts: readonly string[]): string {
  return `urn:shingle:${createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22)}`;
}

/** Formats a day as RFC 3339 with the city's offset, so that readers in other time zones see the same date. */
function formatStartOfDay(day: Day, timeZone: string): Instant {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toString({ timeZoneName: 'never' });
}

/** Matches characters that XML 1.0 cannot contain, not even as references. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Renders a feed as XML (Atom, RFC 4287). Entries have the filing date, as we do not know when a listing changed. */
function renderAtomFeed({ city, version }: ServerContext, feed: Feed): string {
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

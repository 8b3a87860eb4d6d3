/**
 * Adds GET /feed.json and GET /feed.xml: one page of any search as a feed, with the parameters and the budget of the
 * API. GET /feeds shows their addresses to people. Browsers that open a feed are redirected there, because they show
 * feeds as source code.
 */

import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { baseLanguageOf } from '../../city/words.ts';
import type { Day, Instant } from '../../listings/day.ts';
import { isUnknown, type Listing } from '../../listings/listing.ts';
import type { Counts, ListingIndex } from '../../search/listing-index.ts';
import {
  asksAnything,
  EVERYTHING,
  fitToQ,
  formatQuestion,
  NARROWING,
  PAGE_LIMIT,
  type Question,
  type ReadQuestion,
  readQuestion,
} from '../../search/parameters.ts';
import { splitQuery } from '../../search/query.ts';
import { parseListings, type SearchResult, searchListings, spellQuestion } from '../../search/search.ts';
import { type Answer, sendPage } from '../answers.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { costOfSearch } from '../limits/charge.ts';
import { markup } from '../pages/markup.ts';
import { describeSearch } from '../pages/question-text.ts';
import { type FeedChoices, renderFeedsPage } from '../pages/share/feeds-page.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { type Problem, tooFarProblem } from '../problems.ts';
import { CHARGED_HEADERS, describeResponse } from '../responses.ts';
import { hasWeeklyEnded } from '../signup-form.ts';
import { addQuestionRoute } from './question-route.ts';

type FeedFormat = {
  path: string;
  type: string;
  operationId: string;
  summary: string;
  response: object;
  render(context: ServerContext, page: FeedPage): object | string;
};

const ITEMS = `At most ${PAGE_LIMIT} items`;
const [JSON_FEED, ATOM] = ['application/feed+json', 'application/atom+xml'];
const FORMATS: readonly FeedFormat[] = [
  {
    path: '/feed.json',
    type: JSON_FEED,
    operationId: 'getFeed',
    summary: 'One page of a search as a JSON Feed',
    response: describeResponse(ITEMS, { id: 'Feed', type: JSON_FEED, headers: CHARGED_HEADERS }),
    render: (context, page) => makeJsonFeed(context, page),
  },
  {
    path: '/feed.xml',
    type: ATOM,
    operationId: 'getAtomFeed',
    summary: 'One page of a search as an Atom feed',
    response: describeResponse(ITEMS, { type: ATOM, headers: CHARGED_HEADERS }),
    render: renderAtomFeed,
  },
];

export function feedRoutes(app: FastifyInstance, context: ServerContext): void {
  for (const format of FORMATS)
    addQuestionRoute(app, context, {
      ...format,
      config: { priority: 'page', isCrossOrigin: true },
      tag: 'Feeds',
      cacheControl: 'private, max-age=60',
      pageForPeople: '/feeds',
      answer: (data, asked) => answerFeed(context, format, data, asked),
    });
  app.get('/feeds', { config: { priority: 'page' } }, (request, reply) => {
    const { given } = splitQuery(readQuery(request.raw), NARROWING); // all pages ignore invalid parameters
    const index = context.index();
    const ended = (hasWeeklyEnded(context) && index?.latestFiling) || undefined;
    const searched = { layout: context.layout, question: readQuestion(given).question };
    const html = renderFeedsPage({ ...searched, ended, choices: listFeedChoices(index) });
    return sendPage(context, reply, html, { referrer: 'same-origin' });
  });
}

/** Lists the kinds and neighborhoods of the city by name. */
function listFeedChoices(index: ListingIndex | undefined): FeedChoices {
  const { byCategory = [], byNeighborhood = [] } = index?.stats(EVERYTHING) ?? {};
  const sort = (counts: Counts) =>
    counts.flatMap(({ value }) => (isUnknown(value) ? [] : value)).toSorted((a, b) => a.localeCompare(b));
  return { category: sort(byCategory), neighborhood: sort(byNeighborhood) };
}

function answerFeed(
  context: ServerContext,
  { type, render }: FeedFormat,
  { index, dataAsOf }: ServedData,
  asked: ReadQuestion,
): Answer | Problem {
  const { question } = asked;
  const result = searchListings(index, asked);
  if ('tooFar' in result) return tooFarProblem(result.tooFar);
  const { nextOffset: offset, nextLimit: limit } = result;
  const makeBody = () => {
    const spelled = spellQuestion(index, question, result.doubts);
    const title = describeSearch({ layout: context.layout, question: spelled });
    return render(context, {
      question,
      title,
      listings: parseListings(result),
      updated: dataAsOf ?? index.day,
      next: offset === null ? null : { ...question, limit, offset },
      emptiness: result.total === 0 && asksAnything(question) ? explainEmptiness(context, result) : undefined,
    });
  };
  return {
    rows: costOfSearch(question, result.count),
    headers: { 'content-type': `${type}; charset=utf-8` },
    render: makeBody,
  };
}

/** Explains in the feed why it is empty, because readers show no warnings. Warnings are in English. */
function explainEmptiness({ layout }: ServerContext, { warnings }: SearchResult): string {
  const { say, language } = layout.localization;
  if (baseLanguageOf(language) !== 'en') return say('feed.none');
  const sentences = warnings.map(({ detail, did_you_mean }) =>
    did_you_mean === undefined ? detail : `${detail} Did you mean “${did_you_mean}”?`,
  );
  return [say('feed.none'), ...sentences].join(' ');
}

type Publisher = Pick<ServerContext, 'city' | 'layout' | 'publicUrl' | 'version'>;

type FeedPage = {
  question: Question;
  title: string;
  listings: readonly Listing[];
  /** Time of the last update: an instant, or the day if the instant is unknown. */
  updated: Instant | Day;
  next: Question | null;
  /** Sentences that explain why the page is empty. */
  emptiness: string | undefined;
};

/** Makes a JSON feed (jsonfeed.org, version 1.1), a value of FeedSchema. Omits repeated items. */
function makeJsonFeed(publisher: Publisher, page: FeedPage, path = '/feed.json') {
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
    id: makeId(name, neighborhood, filing_date), // a new status or category must not make a new item
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

/** Makes an id from texts. Both formats have the same ids, and an id reveals nothing about the source. */
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

/** Renders a feed as XML (Atom, RFC 4287). We do not know when a listing changed, so its entry has the filing date. */
function renderAtomFeed(publisher: Publisher, page: FeedPage): string {
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

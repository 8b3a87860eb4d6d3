/** GET /feed.json: one page of any search as a JSON Feed (jsonfeed.org, version 1.1), with the parameters and the budget of the API. */

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { City } from '../../city/define.ts';
import type { Day } from '../../listings/day.ts';
import type { Listing } from '../../listings/listing.ts';
import type { ListingIndex } from '../../search/listing-index.ts';
import { fitToQ, formatQuestion, PAGE_LIMIT } from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { parseListings, searchListings } from '../../search/search.ts';
import { formatDataState, formatInstant, makeLimitHeaders, TERMS_LINK } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { makeEtag, matchesEtag } from '../limits/hash.ts';
import { makeQuotaProblem } from '../limits/quota-problem.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { invalidParametersProblem, notReadyProblem, tooFarProblem } from '../problems.ts';
import { describeJsonResponse, describeProblems, NOT_MODIFIED } from '../responses.ts';
import { buildQuerySchema } from '../schemas.ts';

export function feedRoute(app: FastifyInstance, context: ServerContext): void {
  app.get(
    '/feed.json',
    {
      config: { priority: 'page', isForPrograms: true },
      schema: {
        operationId: 'getFeed',
        tags: ['Listings'],
        summary: 'One page of a search as a JSON Feed',
        querystring: buildQuerySchema(),
        response: {
          200: describeJsonResponse('At most 25 items', 'Feed', 'application/feed+json'),
          304: NOT_MODIFIED,
          ...describeProblems('invalid-parameter', 'too-far', 'not-ready'),
        },
      },
    },
    (request, reply) => {
      const index = context.index();
      if (index === undefined) return reply.problem(notReadyProblem());
      return answerFeed(context, index, request, reply);
    },
  );
}

function answerFeed(
  context: ServerContext,
  index: ListingIndex,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const asked = parseSearchQuery(readQuery(request.raw));
  if (asked.faults.length > 0) return reply.problem(invalidParametersProblem(asked.faults));
  const { question } = asked;
  const state = formatDataState(context, index, formatInstant(context.dataAsOf()));
  const etag = makeEtag(`feed\n${formatQuestion(question)}\n${state}`);
  const headers = { link: TERMS_LINK, 'cache-control': 'private, max-age=60', etag };
  if (matchesEtag(request.headers['if-none-match'], etag))
    return reply
      .code(304)
      .headers({ ...headers, ...makeLimitHeaders(context, request) })
      .send();
  const result = searchListings(index, asked);
  if ('tooFar' in result) return reply.problem(tooFarProblem(result.tooFar));
  if (!request.chargeListings(result.count))
    return reply.problem(makeQuotaProblem(context, request.client, result.count));
  const filters = formatQuestion({ ...question, limit: PAGE_LIMIT, offset: 0 });
  reply.headers({ ...headers, ...makeLimitHeaders(context, request) });
  return reply
    .header('content-type', 'application/feed+json; charset=utf-8')
    .send(feedOf(context, filters, parseListings(result)));
}

function feedOf({ city, publicUrl }: ServerContext, filters: string, listings: readonly Listing[]) {
  const query = filters === '' ? '' : `?${filters}`;
  const items = new Map(listings.map((listing) => [idOf(listing), itemOf(city, publicUrl, listing)]));
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: `New businesses in ${city.name}`,
    home_page_url: `${publicUrl}/${query}`,
    feed_url: `${publicUrl}/feed.json${query}`,
    description: `Business openings in ${city.name}, ${city.region}, from public filings. Not for bulk copying.`,
    language: 'en',
    items: [...items.values()],
  };
}

function itemOf(city: City, publicUrl: string, listing: Listing) {
  const { name, category, neighborhood, status, filing_date } = listing;
  return {
    id: idOf(listing),
    url: `${publicUrl}/?q=${encodeURIComponent(fitToQ(name))}`,
    title: name,
    content_text: `${category} in ${neighborhood}, filed on ${filing_date}, ${status}.`,
    date_published: midnight(filing_date, city.timeZone),
    tags: [category, neighborhood, status],
  };
}

/** Stays the same as long as these three do, so a new status creates no new item. Contains nothing else from the source. */
function idOf({ name, neighborhood, filing_date }: Listing): string {
  const facts = JSON.stringify([name, neighborhood, filing_date]);
  return `urn:shingle:${createHash('sha256').update(facts).digest('base64url').slice(0, 22)}`;
}

/** RFC 3339 with the city's offset, so that readers in other time zones see the same date. */
function midnight(day: Day, timeZone: string): string {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toString({ timeZoneName: 'never' });
}

/** GET /feed.json and GET /feed.xml: one page of any search as a feed, with the parameters and the budget of the API. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ListingIndex } from '../../search/listing-index.ts';
import { formatQuestion } from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { parseListings, searchListings, spellQuestion } from '../../search/search.ts';
import { formatDataState, formatInstant, TERMS_LINK } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { renderAtomFeed } from '../feeds/atom-feed.ts';
import { type Feed, makeFeed } from '../feeds/feed.ts';
import { toJsonFeed } from '../feeds/json-feed.ts';
import { chargeRows, costOfSearch } from '../limits/charge.ts';
import { makeEtag, matchesEtag } from '../limits/hash.ts';
import { describeSearch } from '../pages/question-text.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { invalidParametersProblem, notReadyProblem, tooFarProblem } from '../problems.ts';
import {
  CHARGED_HEADERS,
  describeJsonResponse,
  describeNotModified,
  describeProblems,
  describeTextResponse,
} from '../responses.ts';
import { buildQuerySchema } from '../schemas.ts';

type FeedFormat = {
  path: string;
  type: string;
  operationId: string;
  summary: string;
  response: object;
  render(feed: Feed, publicUrl: string): object | string;
};

const ITEMS = 'At most 25 items';
const FORMATS: readonly FeedFormat[] = [
  {
    path: '/feed.json',
    type: 'application/feed+json',
    operationId: 'getFeed',
    summary: 'One page of a search as a JSON Feed',
    response: describeJsonResponse(ITEMS, 'Feed', {
      type: 'application/feed+json',
      headers: CHARGED_HEADERS,
    }),
    render: toJsonFeed,
  },
  {
    path: '/feed.xml',
    type: 'application/atom+xml',
    operationId: 'getAtomFeed',
    summary: 'One page of a search as an Atom feed',
    response: describeTextResponse(ITEMS, 'application/atom+xml', CHARGED_HEADERS),
    render: renderAtomFeed,
  },
];

export function feedRoutes(app: FastifyInstance, context: ServerContext): void {
  for (const format of FORMATS) {
    const { path, operationId, summary, response } = format;
    app.get(
      path,
      {
        config: { priority: 'page', isOpen: true, isForPrograms: true },
        schema: {
          operationId,
          tags: ['Feeds'],
          summary,
          querystring: buildQuerySchema(),
          response: {
            200: response,
            304: describeNotModified(CHARGED_HEADERS),
            ...describeProblems('invalid-parameter', 'too-far', 'not-ready'),
          },
        },
      },
      (request, reply) => {
        const index = context.index();
        if (index === undefined) return reply.problem(notReadyProblem());
        return answerFeed(context, { index, format }, request, reply);
      },
    );
  }
}

function answerFeed(
  context: ServerContext,
  { index, format }: { index: ListingIndex; format: FeedFormat },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const asked = parseSearchQuery(readQuery(request.raw));
  if (asked.faults.length > 0) return reply.problem(invalidParametersProblem(asked.faults));
  const { question } = asked;
  const asOf = formatInstant(context.dataAsOf());
  const state = formatDataState(context, index, asOf);
  const etag = makeEtag(`${format.path}\n${formatQuestion(question)}\n${state}`);
  const headers = { link: TERMS_LINK, 'cache-control': 'private, max-age=60', etag };
  if (matchesEtag(request.headers['if-none-match'], etag))
    return reply
      .code(304)
      .headers({ ...headers, ...context.limiter.headers(request.client) })
      .send();
  const result = searchListings(index, asked);
  if ('tooFar' in result) return reply.problem(tooFarProblem(result.tooFar));
  const refusal = chargeRows(context, request.client, costOfSearch(question, result.count));
  if (refusal !== undefined) return reply.problem(refusal);
  reply.headers({ ...headers, ...context.limiter.headers(request.client) });
  reply.header('content-type', `${format.type}; charset=utf-8`);
  const spelled = spellQuestion(index, question, result.doubts);
  const feed = makeFeed(context, {
    question,
    title: describeSearch({ layout: context.layout, question: spelled }),
    listings: parseListings(result),
    updated: asOf ?? index.day,
  });
  return reply.send(format.render(feed, context.publicUrl));
}

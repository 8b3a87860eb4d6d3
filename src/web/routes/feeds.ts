/**
 * Adds GET /feed.json and GET /feed.xml: one page of any search as a feed, with the parameters and the budget of the
 * API. GET /feeds shows their addresses to people. Browsers are redirected there, because they show feeds as source.
 */

import type { FastifyInstance } from 'fastify';
import { baseLanguageOf } from '../../city/words.ts';
import {
  asksAnything,
  NARROWING,
  PAGE_LIMIT,
  type ReadQuestion,
  readQuestion,
} from '../../search/parameters.ts';
import { splitQuery } from '../../search/query.ts';
import { parseListings, type SearchResult, searchListings, spellQuestion } from '../../search/search.ts';
import { type Answer, sendPage } from '../answers.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { type FeedPage, makeJsonFeed, renderAtomFeed } from '../feed.ts';
import { costOfSearch } from '../limits/charge.ts';
import { describeSearch } from '../pages/question-text.ts';
import { renderFeedsPage } from '../pages/share/feeds-page.ts';
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
      config: { priority: 'page', isOpen: true },
      tag: 'Feeds',
      cacheControl: 'private, max-age=60',
      pageForPeople: '/feeds',
      answer: (data, asked) => answerFeed(context, format, data, asked),
    });
  app.get(
    '/feeds',
    { config: { priority: 'page', isPage: true }, schema: { hide: true } },
    (request, reply) => {
      const { given } = splitQuery(readQuery(request.raw), NARROWING); // like all pages, ignores invalid parameters
      const ended = hasWeeklyEnded(context) ? context.index()?.latestFiling : undefined;
      const searched = { layout: context.layout, question: readQuestion(given).question };
      const html = renderFeedsPage(searched, ended ?? undefined);
      return sendPage(context, reply, html, { referrer: 'same-origin' });
    },
  );
}

function answerFeed(
  context: ServerContext,
  { type, render }: FeedFormat,
  { index, asOf }: ServedData,
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
      updated: asOf ?? index.day,
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

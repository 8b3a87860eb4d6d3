/** Adds GET /: the listings of any search, with the budget of the API. The default page stays rendered. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  FURTHEST,
  fitToQ,
  PAGE_LIMIT,
  PARAMETER_NAMES,
  type ReadQuestion,
  readQuestion,
} from '../../search/parameters.ts';
import { splitQuery } from '../../search/query.ts';
import { type Answer, pageHeaders, sendPage, sendVersion } from '../answers.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { costOfSearch } from '../limits/charge.ts';
import { renderCityPage, renderWaitingPage } from '../pages/city-page.ts';
import { viewSearch } from '../pages/city-page-view.ts';
import { completeValues, formatPageAddress } from '../pages/search-view.ts';
import { readQuery } from '../plugins/strict-http.ts';

/** The parameter in links of the page that searches for the words as typed. */
const AS_TYPED = 'typed';

type PageQuestion = ReadQuestion & { isTyped: boolean };

export function cityPageRoute(app: FastifyInstance, context: ServerContext): void {
  addSearchPage(app, context, {
    path: '/',
    read: readPageQuestion,
    spell: ({ question, warnings, isTyped }) =>
      `${formatPageAddress(question)} ${warnings.length} ${isTyped}`,
    answer: answerPage,
    wait: (reply) =>
      sendPage(context, reply, renderWaitingPage(context.layout, context.heldRuns?.()), { status: 503 }),
  });
}

function answerPage(
  context: ServerContext,
  { index, asOf }: ServedData,
  { asked, robots }: { asked: PageQuestion; robots: string },
): Answer {
  const { layout, leftOut } = context;
  const surroundings = { layout, asOf, outline: context.outline(), leftOut: leftOut?.() };
  const completed = { ...asked, question: completeValues(index, asked.question) };
  const view = viewSearch(context.city, index, { asked: completed, surroundings });
  return {
    rows: costOfSearch(asked.question, view.listings.length),
    headers: pageHeaders(context, { referrer: 'same-origin', robots, mayLocate: true }),
    render: () => Buffer.from(renderCityPage(view)),
  };
}

/** Reads the question of a page address. Ignores invalid parameters, and cuts words that are too many, with a warning. */
function readPageQuestion(query: string): PageQuestion {
  const { given } = splitQuery(query, [...PARAMETER_NAMES, 'as']);
  const q = given.q?.map(fitToQ);
  const { question } = readQuestion({ ...given, ...(q && { q }) });
  const offset = Math.min(question.offset, FURTHEST - PAGE_LIMIT);
  const isCut = given.q?.some((text, i) => text !== q?.[i]) ?? false;
  const warnings = isCut ? [{ parameter: 'q', detail: 'q was too long.' }] : [];
  return {
    ...{ question: { ...question, limit: PAGE_LIMIT, offset }, warnings, faults: [] },
    isTyped: given.as?.[0] === AS_TYPED,
  };
}

type SearchPage<Asked> = {
  path: string;
  read(query: string): Asked;
  /** Identifies the response, besides the data. */
  spell(asked: Asked): string;
  /** Renders the response. `robots`: the `X-Robots-Tag` header. */
  answer(context: ServerContext, data: ServedData, asked: { asked: Asked; robots: string }): Answer;
  /** Sends the response before the first run is kept. */
  wait(reply: FastifyReply): FastifyReply;
};

/** Adds a view of a search, with conditional requests and a default page that stays rendered. */
export function addSearchPage<Asked>(
  app: FastifyInstance,
  context: ServerContext,
  { path, read, spell, answer, wait }: SearchPage<Asked>,
): void {
  let plain: { data: ServedData; answer: Answer } | undefined;
  app.get(path, { config: { priority: 'page', isPage: true }, schema: { hide: true } }, (request, reply) => {
    const data = context.data();
    if (data === undefined) return wait(reply);
    const query = readQuery(request.raw);
    const asked = read(query);
    const isPlain = query === '';
    const version = {
      etag: data.makeEtag(`page ${path} ${spell(asked)} ${isPlain}`),
      cacheControl: 'private, max-age=60',
    };
    return sendVersion(context, reply, version, () => {
      if (!isPlain) return answer(context, data, { asked, robots: 'noindex' });
      if (plain?.data !== data)
        plain = { data, answer: keepBody(answer(context, data, { asked, robots: 'noarchive' })) };
      return plain.answer;
    });
  });
}

function keepBody(answer: Answer): Answer {
  let body: string | object | undefined;
  const render = () => {
    body ??= answer.render();
    return body;
  };
  return { ...answer, render, isLasting: true };
}

/** GET /: the listings of any search. They count against the same budget as in the API. The default page is kept rendered. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  FURTHEST,
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

/** Set by a link of the page: the words are to be looked for as they are. */
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

/** The question of a page address. What is invalid is left out; what is wrong with the words becomes a warning. */
function readPageQuestion(query: string): PageQuestion {
  const { given } = splitQuery(query, [...PARAMETER_NAMES, 'as']);
  const { question, faults } = readQuestion(given);
  const offset = Math.min(question.offset, FURTHEST - PAGE_LIMIT);
  const warnings = faults.filter(({ parameter }) => parameter === 'q');
  return {
    ...{ question: { ...question, limit: PAGE_LIMIT, offset }, warnings, faults: [] },
    isTyped: given.as?.[0] === AS_TYPED,
  };
}

type SearchPage<Asked> = {
  path: string;
  read(query: string): Asked;
  /** What identifies the answer, besides the data. */
  spell(asked: Asked): string;
  /** `robots`: the `X-Robots-Tag` header. */
  answer(context: ServerContext, data: ServedData, asked: { asked: Asked; robots: string }): Answer;
  /** The answer before the first run is kept. */
  wait(reply: FastifyReply): FastifyReply;
};

/** Adds a view of a search: conditional requests, and the default page kept rendered. */
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

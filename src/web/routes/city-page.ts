/** GET /: the listings of any search. They count against the same budget as in the API. The default page is kept rendered. */

import type { FastifyInstance } from 'fastify';
import {
  FURTHEST,
  PAGE_LIMIT,
  PARAMETER_NAMES,
  type ReadQuestion,
  readQuestion,
} from '../../search/parameters.ts';
import { splitQuery } from '../../search/query.ts';
import { type Answer, pageHeaders, sendPage } from '../answers.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { costOfSearch } from '../limits/charge.ts';
import { renderCityPage, renderWaitingPage } from '../pages/city-page.ts';
import { viewSearch } from '../pages/city-page-view.ts';
import { completeValues, formatPageAddress } from '../pages/search-view.ts';
import { addSearchPage } from './search-page.ts';

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

/** Adds GET /changes: a search compared with the year before. Costs one listing. The default page stays rendered. */

import type { FastifyInstance } from 'fastify';
import { formatQuestion, NARROWING, readQuestion } from '../../search/parameters.ts';
import { splitQuery } from '../../search/query.ts';
import { type Answer, pageHeaders } from '../answers.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { costOf } from '../limits/charge.ts';
import { renderChangesPage } from '../pages/changes/changes-page.ts';
import { type ChangesQuery, formatSort, parseSort, viewChanges } from '../pages/changes/changes-view.ts';
import { completeValues, type RowFilter } from '../pages/search-view.ts';
import { notReadyProblem } from '../problems.ts';
import { addSearchPage } from './city-page.ts';

const ROWS: readonly RowFilter[] = ['neighborhood', 'category'];

export function changesRoute(app: FastifyInstance, context: ServerContext): void {
  addSearchPage(app, context, {
    path: '/changes',
    read: readChangesQuery,
    spell: ({ question, by, sort }) => `${formatQuestion(question)} ${by} ${formatSort(sort)}`,
    answer: answerChanges,
    wait: (reply) => reply.problem(notReadyProblem()),
  });
}

function answerChanges(
  context: ServerContext,
  { index, asOf }: ServedData,
  { asked, robots }: { asked: ChangesQuery; robots: string },
): Answer {
  const surroundings = { layout: context.layout, asOf, outline: context.outline() };
  const completed = { ...asked, question: completeValues(index, asked.question) };
  return {
    rows: costOf(asked.question, 0),
    headers: pageHeaders(context, { referrer: 'same-origin', robots, mayLocate: true }),
    render: () =>
      Buffer.from(renderChangesPage(viewChanges(context.city, index, { asked: completed, surroundings }))),
  };
}

/** Reads the query. Ignores invalid parameters, like all pages. */
function readChangesQuery(query: string): ChangesQuery {
  const { given } = splitQuery(query, [...NARROWING, 'by', 'sort']);
  const [by] = given.by ?? [];
  return {
    question: readQuestion(given).question,
    by: ROWS.find((known) => known === by),
    sort: parseSort(given.sort?.[0] ?? ''),
  };
}

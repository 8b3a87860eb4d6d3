/** Adds GET / (the listings of a search) and GET /changes (its counts compared with the year before). */

import type { FastifyInstance } from 'fastify';
import {
  FURTHEST,
  fitToQ,
  NARROWING,
  PAGE_LIMIT,
  PARAMETER_NAMES,
  type ReadQuestion,
  readQuestion,
} from '../../search/parameters.ts';
import { splitQuery } from '../../search/query.ts';
import { sendPage } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { costOf, costOfSearch } from '../limits/charge.ts';
import { renderChangesPage } from '../pages/changes/changes-page.ts';
import { type ChangesQuery, parseSort, viewChanges } from '../pages/changes/changes-view.ts';
import { renderSearchPage, renderWaitingPage } from '../pages/search/search-page.ts';
import { viewSearch } from '../pages/search/search-page-view.ts';
import { completeValues, type RowFilter } from '../pages/search-view.ts';
import { addDataPage, type PageAnswer, type PageRequest } from './data-routes.ts';

/** The parameter in links that search for the words as typed. */
const AS_TYPED = 'typed';

const ROWS: readonly RowFilter[] = ['neighborhood', 'category'];

type PageQuestion = ReadQuestion & { isTyped: boolean };

export function searchPageRoutes(app: FastifyInstance, context: ServerContext): void {
  const options = { referrer: 'same-origin', robots: 'noarchive', mayLocate: true } as const;
  addDataPage(app, context, '/', {
    ...options,
    answer: (request) => answerPage(context, request),
    wait: (reply) =>
      sendPage(context, reply, renderWaitingPage(context.layout, context.heldRuns?.()), { status: 503 }),
  });
  addDataPage(app, context, '/changes', { ...options, answer: (request) => answerChanges(context, request) });
}

function answerPage(context: ServerContext, { data: { index, dataAsOf }, query }: PageRequest): PageAnswer {
  const { layout, leftOut } = context;
  const asked = readPageQuestion(query);
  const surroundings = { layout, dataAsOf, outline: context.outline(), leftOut: leftOut?.() };
  const completed = { ...asked, question: completeValues(index, asked.question) };
  const view = viewSearch(context.city, index, { asked: completed, surroundings });
  return { rows: costOfSearch(asked.question, view.listings.length), render: () => renderSearchPage(view) };
}

/** Reads the question of a page address. Ignores invalid parameters. Shortens too many words, with a warning. */
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

function answerChanges(
  context: ServerContext,
  { data: { index, dataAsOf }, query }: PageRequest,
): PageAnswer {
  const asked = readChangesQuery(query);
  const surroundings = { layout: context.layout, dataAsOf, outline: context.outline() };
  const completed = { ...asked, question: completeValues(index, asked.question) };
  const render = () =>
    renderChangesPage(viewChanges(context.city, index, { asked: completed, surroundings }));
  return { rows: costOf(asked.question, 0), render };
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

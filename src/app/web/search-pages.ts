/**
 * Adds GET / (the listings of a search), GET /changes (its counts compared with the year before) and, if the operator
 * allows it, GET /embed (its newest listings, for frames on other sites).
 */

import type { FastifyInstance } from 'fastify';
import { renderChangesPage } from '../../page/changes/changes-page.ts';
import { type ChangesQuery, parseSort } from '../../page/changes/changes-view.ts';
import { renderSearchPage, renderWaitingPage } from '../../page/search/search-page.ts';
import type { TypedQuestion } from '../../page/search/search-page-view.ts';
import { EMBEDDED, renderEmbedPage } from '../../page/share/embed-page.ts';
import { parseSearchQuery, splitQuery } from '../../service/search/query.ts';
import { searchListings } from '../../service/search/search.ts';
import { countCells, countCellsOf, priceOf } from '../../service/web/limits/charge.ts';
import { sendPage } from '../../service/web/pages.ts';
import { invalidParametersProblem, type Problem, tooFarProblem } from '../../service/web/problems.ts';
import { addDataPage, type PageAnswer, type PageRequest } from '../../service/web/routes/route-kinds.ts';
import type { NamedFilter } from '../../shared/listing.ts';
import {
  FURTHEST,
  fitToQ,
  LONGEST_ASKED,
  NARROWING,
  PAGE_LIMIT,
  PARAMETER_NAMES,
  readQuestion,
  VALUE_FILTERS,
} from '../../shared/question.ts';
import type { PageContext } from './page-context.ts';
import { viewChanges } from './views/view-changes.ts';
import { viewSearch } from './views/view-search.ts';

/** The parameter in links that search for the words as typed. */
const AS_TYPED = 'typed';

const ROWS: readonly NamedFilter[] = ['neighborhood', 'category'];

export function searchPageRoutes(app: FastifyInstance, context: PageContext): void {
  const options = { referrer: 'same-origin', robots: 'noarchive', mayLocate: true } as const;
  addDataPage(app, context, '/', {
    ...options,
    answer: (request) => answerPage(context, request),
    wait: (reply) =>
      sendPage(context, reply, renderWaitingPage(context.layout, context.heldRuns?.()), { status: 503 }),
  });
  addDataPage(app, context, '/changes', {
    ...options,
    answer: (request) => answerChanges(context, request),
  });
  if (context.mayEmbed)
    addDataPage(app, context, '/embed', {
      config: { isFramed: true },
      cacheControl: 'private, max-age=300',
      answer: (request) => answerFrame(context, request),
    });
}

function answerPage(context: PageContext, { data, query }: PageRequest): PageAnswer {
  const { index, dataAsOf } = data;
  const { layout, leftOut } = context;
  const asked = readPageQuestion(query);
  const surroundings = { layout, dataAsOf, outline: context.outline(), leftOut: leftOut?.() };
  const view = viewSearch(index, { asked, surroundings });
  const { question, facets, anyTime, widened, identities, similar, beside, difference } = view;
  const { category = [], neighborhood = [] } = beside?.facets ?? {};
  const others = difference?.rows.map(({ value, before }) => ({ value, count: before })) ?? [];
  const cells =
    countCells(category, neighborhood) +
    countCellsOf(
      question,
      ...[...Object.values(facets), anyTime.byMonth, similar, others],
      ...(widened.question === question ? [] : VALUE_FILTERS.map((filter) => widened[filter])),
    );
  return {
    price: priceOf(data, 'page', asked.question, { identities, cells }),
    render: () => renderSearchPage(view),
  };
}

/** Reads the question of a page address. Ignores invalid parameters. `whole` has all words, `question` as many as a search may have. */
function readPageQuestion(query: string): TypedQuestion {
  const { given } = splitQuery(query, [...PARAMETER_NAMES, 'as']);
  const q = given.q?.map(fitToQ);
  const { question, problems } = readQuestion({ ...given, ...(q && { q }) });
  const undated = (['filed_from', 'filed_to'] as const)
    .filter((name) => question[name] === '' && problems.some(({ parameter }) => parameter === name))
    .flatMap((name) => given[name]?.find((text) => text !== '') ?? []);
  const offset = Math.min(question.offset, FURTHEST - PAGE_LIMIT);
  return {
    question: { ...question, limit: PAGE_LIMIT, offset },
    warnings: [],
    problems: [],
    whole: [...(given.q?.[0] ?? '')].slice(0, LONGEST_ASKED).join('').toWellFormed(),
    isTyped: given.as?.[0] === AS_TYPED,
    undated,
  };
}

function answerChanges(context: PageContext, { data, query }: PageRequest): PageAnswer {
  const { index, dataAsOf, undecided } = data;
  const asked = readChangesQuery(query);
  const surroundings = { layout: context.layout, dataAsOf, outline: context.outline() };
  const view = viewChanges(index, { asked, surroundings, undecided });
  const { facets, months, rows, small, shown } = view;
  // the rows are those of a period, even if the question has none
  const compared = [...rows, ...small].flatMap(({ now, before }) => [{ count: now }, { count: before }]);
  const counts = [
    ...Object.values(facets),
    ...Object.values(months).flatMap(({ now, before }) => [now, before]),
  ];
  const cells = countCells(compared) + countCellsOf(asked.question, ...counts);
  return {
    price: priceOf(data, `changes by ${shown.by}`, asked.question, { cells }),
    render: () => renderChangesPage(view),
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

/** Finds the newest listings. Refuses invalid parameters, because the author of the frame sees the error. */
function answerFrame(context: PageContext, { data, query }: PageRequest): PageAnswer | Problem {
  const { index } = data;
  const asked = parseSearchQuery(query, NARROWING);
  if (asked.problems.length > 0) return invalidParametersProblem(asked.problems);
  const question = { ...asked.question, limit: EMBEDDED };
  const result = searchListings(index, { ...asked, question });
  if ('tooFar' in result) return tooFarProblem(result.tooFar);
  const render = () =>
    renderEmbedPage({
      layout: context.layout,
      question: index.spellQuestion(question),
      total: result.total,
      listings: index.readListings(result.rows),
      dataEnd: index.dataEnd,
    });
  return { price: priceOf(data, 'search', question, result), render };
}

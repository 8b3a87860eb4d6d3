/** Adds GET /embed if the operator allows it: the newest listings of a search, for frames on other sites. */

import type { FastifyInstance } from 'fastify';
import { hasRegisterEnded } from '../../listings/day.ts';
import { NARROWING } from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { parseListings, searchListings, spellQuestion } from '../../search/search.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { costOfSearch } from '../limits/charge.ts';
import { findDataEnd } from '../pages/changes/periods.ts';
import { renderEmbedPage } from '../pages/share/embed-page.ts';
import { invalidParametersProblem, type Problem, tooFarProblem } from '../problems.ts';
import { addDataPage, type PageAnswer } from './data-routes.ts';

const SHOWN = 10;

export function embedRoute(app: FastifyInstance, context: ServerContext): void {
  addDataPage(app, context, '/embed', {
    config: { isFramed: true },
    cacheControl: 'private, max-age=300',
    answer: ({ data, query }) => answerFrame(context, data, query),
  });
}

function answerFrame(context: ServerContext, { index }: ServedData, query: string): PageAnswer | Problem {
  const asked = parseSearchQuery(query, NARROWING);
  if (asked.faults.length > 0) return invalidParametersProblem(asked.faults);
  const question = { ...asked.question, limit: SHOWN };
  const result = searchListings(index, { ...asked, question });
  if ('tooFar' in result) return tooFarProblem(result.tooFar);
  const render = () => {
    const dataEnd = findDataEnd(index.latestFiling, index.day);
    const isArchive = hasRegisterEnded(context.city, index.latestFiling, index.day);
    const view = { question: spellQuestion(index, question, result.doubts), total: result.total, dataEnd };
    return renderEmbedPage({ ...view, isArchive, layout: context.layout, listings: parseListings(result) });
  };
  return { rows: costOfSearch(question, result.count), render };
}

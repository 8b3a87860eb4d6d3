/**
 * Adds GET /embed if the operator allows it: the newest listings of any search in a frame on other sites. They cost as
 * much as in a search.
 */

import type { FastifyInstance } from 'fastify';
import { formatQuestion, NARROWING, type ReadQuestion } from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { parseListings, searchListings, spellQuestion } from '../../search/search.ts';
import { type Answer, pageHeaders, sendVersion } from '../answers.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { costOfSearch } from '../limits/charge.ts';
import { findDataEnd } from '../pages/changes/periods.ts';
import { renderEmbedPage } from '../pages/share/embed-page.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { invalidParametersProblem, notReadyProblem, type Problem, tooFarProblem } from '../problems.ts';

const SHOWN = 10;

export function embedRoute(app: FastifyInstance, context: ServerContext): void {
  const config = { priority: 'page', isPage: true, isFramed: true } as const;
  app.get('/embed', { config, schema: { hide: true } }, (request, reply) => {
    const data = context.data();
    if (data === undefined) return reply.problem(notReadyProblem());
    const asked = parseSearchQuery(readQuery(request.raw), NARROWING);
    if (asked.faults.length > 0) return reply.problem(invalidParametersProblem(asked.faults));
    const etag = data.makeEtag(`/embed?${formatQuestion(asked.question)}`);
    const version = { etag, cacheControl: 'private, max-age=300' };
    return sendVersion(context, reply, version, () => answerFrame(context, data, asked));
  });
}

function answerFrame(context: ServerContext, { index }: ServedData, asked: ReadQuestion): Answer | Problem {
  const question = { ...asked.question, limit: SHOWN };
  const result = searchListings(index, { ...asked, question });
  if ('tooFar' in result) return tooFarProblem(result.tooFar);
  const render = () => {
    const dataEnd = findDataEnd(index.latestFiling, index.day);
    const view = { question: spellQuestion(index, question, result.doubts), total: result.total, dataEnd };
    const html = renderEmbedPage({ ...view, layout: context.layout, listings: parseListings(result) });
    return Buffer.from(html);
  };
  return { rows: costOfSearch(question, result.count), headers: pageHeaders(context), render };
}

/** GET /: the city's page for any search. Listings count against the same budget as in the API. The default page is kept rendered. */

import type { FastifyInstance } from 'fastify';
import { FURTHEST, PAGE_LIMIT, type ReadQuestion } from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { type Answer, pageHeaders, sendPage, sendVersion } from '../answers.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { costOfSearch } from '../limits/charge.ts';
import { renderCityPage, renderWaitingPage } from '../pages/city-page.ts';
import { formatPageAddress, viewSearch } from '../pages/city-page-view.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { renderSignupForm } from '../signup-form.ts';

export function cityPageRoute(app: FastifyInstance, context: ServerContext): void {
  let plain: { data: ServedData; answer: Answer } | undefined;
  app.get('/', { config: { priority: 'page', isPage: true }, schema: { hide: true } }, (request, reply) => {
    const data = context.data();
    if (data === undefined) {
      const signup = context.subscriptions && renderSignupForm(context);
      const html = renderWaitingPage(context.layout, signup, context.heldRuns?.());
      return sendPage(context, reply, html, { status: 503, referrer: 'same-origin' });
    }
    const query = readQuery(request.raw);
    const asked = readPageQuestion(query);
    const isPlain = query === '';
    const version = {
      etag: data.makeEtag(`page ${formatPageAddress(asked.question)} ${asked.warnings.length} ${isPlain}`),
      cacheControl: 'private, max-age=60',
    };
    return sendVersion(context, reply, version, () => {
      if (!isPlain) return answerPage(context, data, asked, 'noindex');
      if (plain?.data !== data)
        plain = { data, answer: keepBody(answerPage(context, data, asked, 'noarchive')) };
      return plain.answer;
    });
  });
}

function answerPage(
  context: ServerContext,
  { index, asOf }: ServedData,
  asked: ReadQuestion,
  robots: string,
): Answer {
  const view = viewSearch(context.city, index, asked);
  const { category: categories, neighborhood: neighborhoods } = view.question;
  const render = () => {
    const signup =
      context.subscriptions && renderSignupForm(context, { chosen: { categories, neighborhoods } });
    const { layout, leftOut } = context;
    const surroundings = { layout, asOf, outline: context.outline(), signup, leftOut: leftOut?.() };
    return Buffer.from(renderCityPage({ ...view, ...surroundings }));
  };
  return {
    rows: costOfSearch(asked.question, view.listings.length),
    headers: pageHeaders(context, { referrer: 'same-origin', robots, mayLocate: true }),
    render,
  };
}

function keepBody(answer: Answer): Answer {
  let body: string | object | undefined;
  const render = () => {
    body ??= answer.render();
    return body;
  };
  return { ...answer, render, isLasting: true };
}

/** The question of a page address. What is invalid is left out; what is wrong with the words becomes a warning. */
function readPageQuestion(query: string): ReadQuestion {
  const { question, faults } = parseSearchQuery(query);
  const offset = Math.min(question.offset, FURTHEST - PAGE_LIMIT);
  const warnings = faults.filter(({ parameter }) => parameter === 'q');
  return { question: { ...question, limit: PAGE_LIMIT, offset }, warnings, faults: [] };
}

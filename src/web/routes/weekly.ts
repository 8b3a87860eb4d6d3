/** Adds GET /weekly and /weekly/DATE: past weekly emails, with filters. Listings cost as much as in a search. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ListingIndex } from '../../search/listing-index.ts';
import { EVERYTHING, FURTHEST, PAGE_LIMIT, type Question } from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { parseListings } from '../../search/search.ts';
import { pageHeaders, sendVersion } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { costOf } from '../limits/charge.ts';
import { renderEditionPage, renderEditionsPage } from '../pages/weekly-pages.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { notReadyProblem } from '../problems.ts';
import { hasEnded } from '../signup-form.ts';

/** Renders a page and counts its listings. Returns `undefined` if the edition does not exist. */
type Render = (index: ListingIndex, question: Question) => { html: string; listings: number } | undefined;

export function weeklyRoutes(app: FastifyInstance, context: ServerContext): void {
  const options = { config: { priority: 'page', isPage: true } as const, schema: { hide: true } };
  app.get('/weekly', options, (request, reply) =>
    answer(context, request, reply, (index, question) => renderEditions(context, index, question)),
  );
  app.get<{ Params: { edition: string } }>('/weekly/:edition', options, (request, reply) =>
    answer(context, request, reply, (index, question) =>
      renderEdition(context, index, { edition: request.params.edition, question }),
    ),
  );
}

function answer(
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
  render: Render,
): FastifyReply | Promise<FastifyReply> {
  const data = context.data();
  if (data === undefined) return reply.problem(notReadyProblem());
  const version = {
    etag: data.makeEtag(request.raw.url ?? ''),
    cacheControl: 'private, max-age=60',
  };
  return sendVersion(context, reply, version, () => {
    const question = readEditionFilters(readQuery(request.raw));
    const page = render(data.index, question);
    if (page === undefined) return { code: 'not-found' };
    return {
      rows: costOf(question, page.listings),
      headers: pageHeaders(context),
      render: () => Buffer.from(page.html),
    };
  });
}

/** Reads the filters of preferences, and the page. Ignores invalid parameters, like all pages. */
function readEditionFilters(query: string): Question {
  const { category, neighborhood, offset } = parseSearchQuery(query).question;
  return { ...EVERYTHING, category, neighborhood, offset: Math.min(offset, FURTHEST - PAGE_LIMIT) };
}

function renderEditions(context: ServerContext, index: ListingIndex, question: Question) {
  const editions = index.listEditions(question);
  return { html: renderEditionsPage({ ...viewOf(context, index, question), editions }), listings: 0 };
}

function renderEdition(
  context: ServerContext,
  index: ListingIndex,
  { edition, question }: { edition: string; question: Question },
) {
  const found = index.readEdition(edition, question);
  if (found === undefined) return undefined;
  const { total, count, page } = found;
  const listings = parseListings({ listingsJson: page.toString() });
  const view = { ...viewOf(context, index, question), edition, total, listings };
  return { html: renderEditionPage(view), listings: count };
}

function viewOf(context: ServerContext, index: ListingIndex, question: Question) {
  const { layout, subscriptions } = context;
  const { byCategory, byNeighborhood, latestFiling } = index.stats(EVERYTHING);
  const isEnded = hasEnded(context);
  const { chosen } = index.facets(question);
  const spelled = (filter: 'category' | 'neighborhood') =>
    chosen[filter].length > 0 ? chosen[filter] : question[filter];
  return {
    layout,
    question: { ...question, category: spelled('category'), neighborhood: spelled('neighborhood') },
    choices: { category: byCategory, neighborhood: byNeighborhood },
    hasSignup: subscriptions !== undefined && !isEnded,
    ended: isEnded ? (latestFiling ?? index.day) : undefined,
  };
}

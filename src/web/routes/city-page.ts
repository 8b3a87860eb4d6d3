/** GET /: the city's page for any search. Listings count against the same budget as in the API. The default page is kept rendered. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ListingIndex } from '../../search/listing-index.ts';
import { FURTHEST, PAGE_LIMIT, type ReadQuestion } from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { formatDataState, formatInstant, TERMS_LINK } from '../answers.ts';
import { chooseEncoding, sendCompressed } from '../compression.ts';
import type { ServerContext } from '../context.ts';
import { chargeRows, costOfSearch } from '../limits/charge.ts';
import { makeEtag, matchesEtag } from '../limits/hash.ts';
import { preparePage, sendPage } from '../page-responses.ts';
import { viewSearch } from '../page-view.ts';
import { renderCityPage, renderWaitingPage } from '../pages/city-page.ts';
import { formatPageAddress } from '../pages/city-page-view.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { renderSignupForm } from '../signup-form.ts';

const PAGE_CACHE_CONTROL = 'private, max-age=60';

/** `rows`: what it costs. */
type CachedPage = { state: string; body: Buffer; rows: number };

export function cityPageRoute(app: FastifyInstance, context: ServerContext): void {
  const render = pageRenderer(context);
  app.get('/', { config: { priority: 'page', isPage: true }, schema: { hide: true } }, (request, reply) => {
    const index = context.index();
    if (index !== undefined) return answerPage(context, { index, render }, request, reply);
    const signup = context.subscriptions && renderSignupForm(context);
    const html = renderWaitingPage(context.layout, signup, context.heldRuns?.());
    return sendPage(context, reply, html, { status: 503, referrer: 'same-origin' });
  });
}

type Render = (index: ListingIndex, asked: ReadQuestion, isPlain: boolean, state: string) => CachedPage;

/** Renders pages, and caches the default one. */
function pageRenderer(context: ServerContext): Render {
  let plain: CachedPage | undefined;
  return (index, asked, isPlain, state) => {
    if (isPlain && plain?.state === state) return plain;
    const view = viewSearch(context.city, index, asked);
    const { category: categories, neighborhood: neighborhoods } = view.question;
    const signup =
      context.subscriptions && renderSignupForm(context, { chosen: { categories, neighborhoods } });
    const surroundings = {
      ...{ layout: context.layout, outline: context.outline(), signup },
      leftOut: context.leftOut?.(),
    };
    const asOf = formatInstant(context.dataAsOf());
    const body = Buffer.from(renderCityPage({ ...view, ...surroundings, asOf }));
    const rendered = { state, body, rows: costOfSearch(asked.question, view.listings.length) };
    if (isPlain) plain = rendered;
    return rendered;
  };
}

function answerPage(
  context: ServerContext,
  { index, render }: { index: ListingIndex; render: Render },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const query = readQuery(request.raw);
  const asked = readPageQuestion(query);
  const isPlain = query === '';
  const state = formatDataState(context, index, formatInstant(context.dataAsOf()));
  const etag = makeEtag(
    `page\n${state}\n${formatPageAddress(asked.question)}\n${asked.warnings.length}\n${isPlain}\n${chooseEncoding(request)}`,
  );
  const { limiter } = context;
  const { client } = request;
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    reply.headers({ etag, 'cache-control': PAGE_CACHE_CONTROL, vary: 'Accept-Encoding' });
    return reply.code(304).headers(limiter.headers(client)).send();
  }
  const { body, rows } = render(index, asked, isPlain, state);
  const refusal = chargeRows(context, client, rows);
  if (refusal !== undefined) return reply.problem(refusal);
  const robots = isPlain ? 'noarchive' : 'noindex';
  preparePage(context, reply, {
    referrer: 'same-origin',
    cache: PAGE_CACHE_CONTROL,
    robots,
    mayLocate: true,
  });
  reply.headers({ etag, link: TERMS_LINK, ...limiter.headers(client) });
  return sendCompressed(reply, body, { isLasting: isPlain });
}

/** The question of a page address. What is invalid is left out; what is wrong with the words is told. */
function readPageQuestion(query: string): ReadQuestion {
  const { question, faults } = parseSearchQuery(query);
  const offset = Math.min(question.offset, FURTHEST - PAGE_LIMIT);
  const warnings = faults.filter(({ parameter }) => parameter === 'q');
  return { question: { ...question, limit: PAGE_LIMIT, offset }, warnings, faults: [] };
}

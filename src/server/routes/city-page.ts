/** GET /: the city's page for any search. Listings count against the same budget as in the API. The default page is kept rendered. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isArchive } from '../../listings/archive.ts';
import { addDays } from '../../listings/day.ts';
import { renderCityPage, renderWaitingPage } from '../../pages/city-page.ts';
import { type CityPageView, formatPageAddress } from '../../pages/city-page-view.ts';
import type { Markup } from '../../pages/markup.ts';
import { renderSignupFields } from '../../pages/subscription-pages.ts';
import type { ListingIndex } from '../../search/listing-index.ts';
import {
  asksAnything,
  EVERYTHING,
  FURTHEST,
  PAGE_LIMIT,
  type ReadQuestion,
} from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { countWithoutFilters, parseListings, searchListings } from '../../search/search.ts';
import { describeSignup, formatNotice } from '../../subscriptions/consent.ts';
import { SIGNUP_TYPES, type SignupType } from '../../subscriptions/ports.ts';
import { formatDataState, formatInstant, TERMS_LINK } from '../answers.ts';
import { chooseEncoding, sendCompressed } from '../compression.ts';
import type { ServerContext } from '../context.ts';
import { makeEtag, matchesEtag } from '../limits/hash.ts';
import { makeQuotaProblem } from '../limits/quota-problem.ts';
import { preparePage, sendPage } from '../page-responses.ts';
import { readQuery } from '../plugins/strict-http.ts';

const FIRST_NEWS = 5;
const PAGE_CACHE_CONTROL = 'private, max-age=60';

type Surroundings = Pick<CityPageView, 'layout' | 'asOf' | 'outline' | 'signup'>;
type CachedPage = { state: string; body: Buffer; listings: number };

export function cityPageRoute(app: FastifyInstance, context: ServerContext): void {
  const signup = context.subscriptions && renderSignupForm(context);
  const render = pageRenderer(context, {
    signup,
    // an archive has no weekly email
    waitlist: context.subscriptions && renderSignupForm(context, { types: ['pro-waitlist'] }),
  });
  app.get('/', { config: { priority: 'page', isPage: true }, schema: { hide: true } }, (request, reply) => {
    const index = context.index();
    if (index !== undefined) return answerPage(context, { index, render }, request, reply);
    const html = renderWaitingPage(context.layout, signup, context.heldRuns?.());
    return sendPage(context, reply, html, { status: 503, referrer: 'same-origin' });
  });
}

type Render = (index: ListingIndex, asked: ReadQuestion, isPlain: boolean, state: string) => CachedPage;

/** Renders pages, and caches the default one. */
type SignupForms = { signup: Markup | undefined; waitlist: Markup | undefined };

function pageRenderer(context: ServerContext, forms: SignupForms): Render {
  let plain: CachedPage | undefined;
  return (index, asked, isPlain, state) => {
    if (isPlain && plain?.state === state) return plain;
    const ended = isArchive(context.city, index.stats(EVERYTHING).latestFiling, index.day);
    const view = { ...viewOf(index, asked, context.city.asOf !== undefined), isArchive: ended };
    const signup = ended ? forms.waitlist : forms.signup;
    const surroundings = { layout: context.layout, outline: context.outline(), signup };
    const asOf = formatInstant(context.dataAsOf());
    const body = Buffer.from(renderCityPage({ ...view, ...surroundings, asOf }));
    const rendered = { state, body, listings: view.listings.length + view.week.listings.length };
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
  if (matchesEtag(request.headers['if-none-match'], etag))
    return reply
      .code(304)
      .headers({ etag, 'cache-control': PAGE_CACHE_CONTROL, vary: 'Accept-Encoding' })
      .send();
  const { body, listings } = render(index, asked, isPlain, state);
  if (!request.chargeListings(listings))
    return reply.problem(makeQuotaProblem(context, request.client, listings));
  const robots = isPlain ? 'noarchive' : 'noindex';
  preparePage(context, reply, { referrer: 'same-origin', cache: PAGE_CACHE_CONTROL, robots });
  reply.headers({ etag, link: TERMS_LINK });
  return sendCompressed(reply, body, { isLasting: isPlain });
}

/** The form and its notice, for every page that shows it. */
export function renderSignupForm(
  { city }: ServerContext,
  { email, types = SIGNUP_TYPES }: { email?: string | undefined; types?: readonly SignupType[] } = {},
): Markup {
  return renderSignupFields({
    choices: types.map((type) => ({ type, ...describeSignup(type, city) })),
    notice: formatNotice(city),
    email,
  });
}

/** The question of a page address. What is invalid is left out; what is wrong with the words is told. */
function readPageQuestion(query: string): ReadQuestion {
  const { question, faults } = parseSearchQuery(query);
  const offset = Math.min(question.offset, FURTHEST - PAGE_LIMIT);
  const warnings = faults.filter(({ parameter }) => parameter === 'q');
  return { question: { ...question, limit: PAGE_LIMIT, offset }, warnings, faults: [] };
}

function viewOf(
  index: ListingIndex,
  asked: ReadQuestion,
  isReadAtOnce: boolean,
): Omit<CityPageView, keyof Surroundings | 'isArchive'> {
  const { question } = asked;
  const facets = index.facets(question);
  const result = searchListings(index, asked);
  if ('tooFar' in result) throw new Error('a page reaches no further than the first 1,000');
  const { total, warnings } = result;
  return {
    question: { ...question, ...facets.chosen },
    total,
    listings: parseListings(result),
    warnings: warnings.filter(({ parameter }) => parameter !== 'offset'),
    facets,
    stats: index.stats(EVERYTHING),
    week: weekOf(index, isReadAtOnce, asksAnything(question) ? 0 : FIRST_NEWS),
    today: index.day,
    without: total > 0 ? {} : countWithoutFilters(index, question),
  };
}

/**
 * The listings first seen in the last seven days, as in the weekly email. An archive is imported all at once, so it uses the filing
 * dates. Its first listings are in the results anyway.
 */
function weekOf(index: ListingIndex, isReadAtOnce: boolean, first: number): CityPageView['week'] {
  if (isReadAtOnce) return { total: index.filedSince(addDays(index.day, -6)).total, listings: [] };
  const news = index.seenSince(`${addDays(index.day, -7)}T00:00:00.000Z`);
  return { total: news.total, listings: first === 0 ? [] : news.listings(0, first) };
}

/** GET /: the city's page for any question. Serves listings from the same budget as the API; the plain page is kept ready. */

import type { Catalogue } from '../catalogue/catalogue.ts';
import { asksAnything, FURTHEST, fitToQ, PAGE_LIMIT, type Question } from '../catalogue/parameters.ts';
import { parseSearchQuery } from '../catalogue/query.ts';
import { countListings, listingsOf, searchListings, totalsWithout } from '../catalogue/search.ts';
import { addDays } from '../listings/day.ts';
import { noticeOf, wantedBy } from '../mailing/consent.ts';
import { cityPage, waitingPage } from '../web/city-page.ts';
import { signupFields } from '../web/desk-pages.ts';
import type { Markup } from '../web/markup.ts';
import { addressOf, type Shown } from '../web/shown.ts';
import { compressed, encodingFor } from './compressed.ts';
import type { Door } from './door.ts';
import { etagOf, namesEtag } from './fingerprint.ts';
import { html } from './html.ts';
import { servedAt, stateOf, TERMS } from './json.ts';
import { quotaExceeded } from './quota.ts';
import type { Ask, Reply, Resource } from './reply.ts';

const FIRST_NEWS = 5;
const FRESH = 'private, max-age=60';

type Surroundings = Pick<Shown, 'dress' | 'asOf' | 'outline' | 'signup'>;
type Drawn = { state: string; body: Buffer; rows: number };

export function cityPageResource(door: Door): Resource {
  const { dress } = door;
  const signup = door.desk && signupForm(door);
  let kept: Drawn | undefined;

  function page(ask: Ask, catalogue: Catalogue): Reply | Promise<Reply> {
    const asOf = servedAt(door.dataAsOf());
    const question = understood(ask.query);
    const state = stateOf(door, catalogue, asOf);
    const etag = etagOf(`page\n${state}\n${addressOf(question)}\n${ask.query === ''}\n${encodingFor(ask)}`);
    if (namesEtag(ask.headers['if-none-match'], etag)) {
      const headers = ['ETag', etag, 'Cache-Control', FRESH, 'Vary', 'Accept-Encoding'];
      return { status: 304, headers, body: null };
    }
    const isPlain = ask.query === '';
    let drawn = isPlain && kept?.state === state ? kept : undefined;
    if (drawn === undefined) {
      const shown = shownBy(catalogue, question, door.city.asOf !== undefined);
      const rows = shown.listings.length + shown.week.listings.length;
      const body = Buffer.from(cityPage({ ...shown, dress, asOf, outline: door.outline(), signup }));
      drawn = { state, body, rows };
      if (isPlain) kept = drawn;
    }
    if (ask.method !== 'HEAD' && !door.limiter.charge(ask.client, drawn.rows))
      return quotaExceeded(door, ask.client, drawn.rows);
    const robots = isPlain ? 'noarchive' : 'noindex';
    const manner = { referrer: 'same-origin', cache: FRESH, robots, more: ['ETag', etag, ...TERMS] } as const;
    return compressed(ask, html(door, 200, drawn.body, manner), isPlain);
  }

  return {
    path: '/',
    rank: 'page',
    get(ask) {
      const catalogue = door.catalogue();
      if (catalogue !== undefined) return page(ask, catalogue);
      return html(door, 503, waitingPage(dress, signup), { referrer: 'same-origin' });
    },
  };
}

/** The form and its notice, for whichever page shows it. */
export function signupForm({ city }: Door, email?: string): Markup {
  return signupFields({
    weekly: wantedBy('weekly', city),
    waitlist: wantedBy('pro-waitlist', city),
    notice: noticeOf(city),
    email,
  });
}

/** What a person asks, taken kindly: what makes no sense is left out. */
function understood(query: string): Question {
  const { question } = parseSearchQuery(query);
  const offset = Math.min(question.offset, FURTHEST - PAGE_LIMIT);
  return { ...question, q: fitToQ(question.q), limit: PAGE_LIMIT, offset };
}

function shownBy(catalogue: Catalogue, asked: Question, isArchive: boolean): Omit<Shown, keyof Surroundings> {
  const facets = catalogue.facets(asked);
  const result = searchListings(catalogue, { question: asked, warnings: [], faults: [] });
  if ('tooFar' in result) throw new Error('a page reaches no further than the first 1,000');
  const { total, warnings } = result;
  return {
    question: { ...asked, ...facets.chosen },
    total,
    listings: listingsOf(result),
    warnings: warnings.filter(({ parameter }) => parameter !== 'offset'),
    facets,
    stats: countListings(catalogue),
    week: weekOf(catalogue, isArchive, asksAnything(asked) ? 0 : FIRST_NEWS),
    today: catalogue.day,
    without: total > 0 ? {} : totalsWithout(catalogue, asked),
  };
}

/**
 * What was first seen in seven days, as in the weekly email. An archive is read at one time: there the filings tell, and the first
 * of them stand in the results anyway.
 */
function weekOf(catalogue: Catalogue, isArchive: boolean, first: number): Shown['week'] {
  if (isArchive) return { total: catalogue.filedSince(addDays(catalogue.day, -6)).total, listings: [] };
  const news = catalogue.seenSince(`${addDays(catalogue.day, -7)}T00:00:00.000Z`);
  return { total: news.total, listings: first === 0 ? [] : news.listings(0, first) };
}

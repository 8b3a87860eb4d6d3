/**
 * Sample requests with their responses, for the OpenAPI document and the reference. The listings are made up. A test sends each request to
 * a service with these listings and compares.
 */

import type { Listing } from '../listings/listing.ts';
import { parseSearchQuery } from '../search/query.ts';
import type { ServerContext } from './context.ts';
import { renderAtomFeed } from './feeds/atom-feed.ts';
import { makeFeed } from './feeds/feed.ts';
import { toJsonFeed } from './feeds/json-feed.ts';
import { formatProblem, invalidParametersProblem } from './problems.ts';

export type Sample = {
  summary: string;
  method: 'GET' | 'POST';
  address: string;
  headers?: Record<string, string>;
  body?: object;
  status: number;
  type: string;
  /** A value as JSON, or a text. */
  answer: object | string;
};

const AS_OF = '2026-10-02T11:30:00Z';
const FRESH = { data_as_of: AS_OF, latest_filing: '2026-10-01' };
const JSON_BODY = { 'Content-Type': 'application/json' };

const COFFEE: readonly Listing[] = [
  {
    name: 'Millrace Coffee',
    category: 'Cafes & Bakeries',
    neighborhood: 'Old Town',
    status: 'open',
    filing_date: '2026-09-29',
  },
  {
    name: 'Quay Street Coffee',
    category: 'Cafes & Bakeries',
    neighborhood: 'Harbor',
    status: 'open',
    filing_date: '2026-09-22',
  },
];
const RESTAURANT: Listing = {
  name: 'The Copper Pot',
  category: 'Restaurants',
  neighborhood: 'Old Town',
  status: 'open',
  filing_date: '2026-09-24',
};

type Place = Pick<ServerContext, 'city' | 'publicUrl' | 'version'>;

/** The samples of each operation, by its operationId. */
export function makeSamples(place: Place): Partial<Record<string, readonly Sample[]>> {
  return {
    searchListings: [ONLY_COUNTED, FOUND, MISSPELLED, misnamed(place)],
    countListings: [COUNTED],
    getHealth: [health(place)],
    signUp: [SIGNED_UP],
    getFeed: [feedSample(place, '/feed.json')],
    getAtomFeed: [feedSample(place, '/feed.xml')],
    mcp: [ASKED_BY_AGENT],
  };
}

const json = { status: 200, type: 'application/json' } as const;

const ONLY_COUNTED: Sample = {
  ...json,
  summary: 'How many places match “coffee”?',
  method: 'GET',
  address: '/api/search?q=coffee&limit=0',
  answer: { total: 17, limit: 0, offset: 0, next: null, listings: [], ...FRESH },
};

const FOUND: Sample = {
  ...json,
  summary: 'The two newest open places that match “coffee”',
  method: 'GET',
  address: '/api/search?q=coffee&status=open&limit=2',
  answer: {
    ...{ total: 14, limit: 2, offset: 0 },
    next: '/api/search?q=coffee&status=open&limit=2&offset=2',
    listings: COFFEE,
    ...FRESH,
  },
};

const MISSPELLED: Sample = {
  ...json,
  summary: 'A misspelled word, and what was probably meant',
  method: 'GET',
  address: '/api/search?q=cofee',
  answer: {
    ...{ total: 0, limit: 25, offset: 0, next: null, listings: [], ...FRESH },
    warnings: [
      { parameter: 'q', detail: 'No listings match "cofee".', did_you_mean: 'coffee' },
      { parameter: 'category', detail: '"coffee" names a category.', did_you_mean: 'Cafes & Bakeries' },
    ],
  },
};

function misnamed({ publicUrl }: Place): Sample {
  const query = 'categry=Restaurants';
  return {
    summary: 'A misspelled parameter',
    method: 'GET',
    address: `/api/search?${query}`,
    status: 400,
    type: 'application/problem+json',
    answer: formatProblem(publicUrl, invalidParametersProblem(parseSearchQuery(query).faults)),
  };
}

const COUNTED: Sample = {
  ...json,
  summary: 'Restaurants in one neighborhood, month by month',
  method: 'GET',
  address: '/api/stats?category=Restaurants&neighborhood=Old+Town&filed_from=2026-07&filed_to=2026-09',
  answer: {
    ...{ total: 9, data_as_of: AS_OF, latest_filing: RESTAURANT.filing_date },
    by_month: [
      { month: '2026-09', count: 4 },
      { month: '2026-08', count: 0 },
      { month: '2026-07', count: 5 },
    ],
    by_category: [{ category: 'Restaurants', count: 9 }],
    by_neighborhood: [{ neighborhood: 'Old Town', count: 9 }],
  },
};

function health({ version }: Place): Sample {
  const answer = { status: 'ok', listings: 5188, ...FRESH, version };
  return { ...json, summary: 'A healthy service', method: 'GET', address: '/api/health', answer };
}

const SIGNED_UP: Sample = {
  summary: 'A signup for the weekly email',
  method: 'POST',
  address: '/api/signup',
  headers: JSON_BODY,
  body: { email: 'you@example.org', type: 'weekly' },
  status: 202,
  type: 'application/json',
  answer: { status: 'accepted', detail: 'Check your inbox to confirm.' },
};

function feedSample(place: Place, path: '/feed.json' | '/feed.xml'): Sample {
  const query = 'category=Restaurants&limit=1';
  const { question } = parseSearchQuery(query);
  const title = `Restaurants in ${place.city.name}`;
  const feed = makeFeed(place, { question, title, listings: [RESTAURANT], updated: AS_OF });
  const isJson = path === '/feed.json';
  return {
    summary: 'The newest restaurant',
    method: 'GET',
    address: `${path}?${query}`,
    status: 200,
    type: isJson ? 'application/feed+json' : 'application/atom+xml',
    answer: isJson ? toJsonFeed(feed, place.publicUrl) : renderAtomFeed(feed, place.publicUrl),
  };
}

const AGENT_COUNTS = {
  ...{ total: 9, data_as_of: AS_OF, latest_filing: RESTAURANT.filing_date },
  by_month: { '2026-09': 4, '2026-07': 5 },
  by_category: { Restaurants: 9 },
  by_neighborhood: { 'Old Town': 9 },
};

const ASKED_BY_AGENT: Sample = {
  summary: 'A call to count_listings',
  method: 'POST',
  address: '/mcp',
  headers: { ...JSON_BODY, Accept: 'application/json, text/event-stream' },
  body: {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: {
      name: 'count_listings',
      arguments: { category: 'Restaurants', neighborhood: 'Old Town', filed_from: '2026-07' },
    },
  },
  status: 200,
  type: 'text/event-stream',
  answer: `event: message\ndata: ${JSON.stringify({
    result: {
      content: [{ type: 'text', text: JSON.stringify(AGENT_COUNTS) }],
      structuredContent: AGENT_COUNTS,
    },
    ...{ jsonrpc: '2.0', id: 1 },
  })}\n\n`,
};

/** The request as a command to copy. */
export function formatCurl(publicUrl: string, { address, headers = {}, body }: Sample): string {
  const lines = [`curl '${publicUrl}${address}'`];
  for (const [name, value] of Object.entries(headers)) lines.push(`-H '${name}: ${value}'`);
  if (body !== undefined) lines.push(`-d '${JSON.stringify(body)}'`);
  return lines.join(' \\\n  ');
}

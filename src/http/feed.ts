/** GET /feed.json: one page of any search as a JSON Feed (jsonfeed.org, version 1.1). The same question and budget as the API's. */

import { createHash } from 'node:crypto';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { fitToQ, formatQuestion, PAGE_LIMIT } from '../catalogue/parameters.ts';
import { parseSearchQuery } from '../catalogue/query.ts';
import { listingsOf, searchListings } from '../catalogue/search.ts';
import type { City } from '../city/define.ts';
import type { Day } from '../listings/day.ts';
import type { Listing } from '../listings/listing.ts';
import type { Door } from './door.ts';
import { etagOf, namesEtag } from './fingerprint.ts';
import { JSON_HEADERS, notReady, servedAt, stateOf } from './json.ts';
import { quotaExceeded } from './quota.ts';
import type { Ask, Reply, Resource } from './reply.ts';
import { invalidParameter, limitHeaders, tooFar } from './search.ts';

export function feedResource(door: Door): Resource {
  return {
    path: '/feed.json',
    rank: 'page',
    get(ask) {
      const catalogue = door.catalogue();
      return catalogue === undefined ? notReady(door) : feed(door, catalogue, ask);
    },
  };
}

function feed(door: Door, catalogue: Catalogue, ask: Ask): Reply {
  const asked = parseSearchQuery(ask.query);
  if (asked.faults.length > 0) return invalidParameter(door, asked.faults);
  const { question } = asked;
  const state = stateOf(door, catalogue, servedAt(door.dataAsOf()));
  const etag = etagOf(`feed\n${formatQuestion(question)}\n${state}`);
  const headers = [...JSON_HEADERS.slice(2), 'Cache-Control', 'private, max-age=60', 'ETag', etag];
  if (namesEtag(ask.headers['if-none-match'], etag))
    return { status: 304, headers: [...headers, ...limitHeaders(door, ask)], body: null };
  const result = searchListings(catalogue, asked);
  if ('tooFar' in result) return tooFar(door, result.tooFar);
  if (ask.method !== 'HEAD' && !door.limiter.charge(ask.client, result.count))
    return quotaExceeded(door, ask.client, result.count);
  const filters = formatQuestion({ ...question, limit: PAGE_LIMIT, offset: 0 });
  return {
    status: 200,
    headers: ['Content-Type', 'application/feed+json; charset=utf-8', ...headers, ...limitHeaders(door, ask)],
    body: Buffer.from(JSON.stringify(feedOf(door, filters, listingsOf(result)))),
  };
}

function feedOf({ city, publicUrl }: Door, filters: string, listings: readonly Listing[]) {
  const query = filters === '' ? '' : `?${filters}`;
  const items = new Map(listings.map((listing) => [idOf(listing), itemOf(city, publicUrl, listing)]));
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: `New businesses in ${city.name}`,
    home_page_url: `${publicUrl}/${query}`,
    feed_url: `${publicUrl}/feed.json${query}`,
    description: `Business openings in ${city.name}, ${city.region}, from public filings. Not for copying wholesale.`,
    language: 'en',
    items: [...items.values()],
  };
}

function itemOf(city: City, publicUrl: string, listing: Listing) {
  const { name, category, neighborhood, status, filing_date } = listing;
  return {
    id: idOf(listing),
    url: `${publicUrl}/?q=${encodeURIComponent(fitToQ(name))}`,
    title: name,
    content_text: `${category} in ${neighborhood}, filed on ${filing_date}, ${status}.`,
    date_published: midnight(filing_date, city.timeZone),
    tags: [category, neighborhood, status],
  };
}

/** The same for as long as these three stay; a status that changes makes nothing new. Nothing of the source is in it. */
function idOf({ name, neighborhood, filing_date }: Listing): string {
  const facts = JSON.stringify([name, neighborhood, filing_date]);
  return `urn:shingle:${createHash('sha256').update(facts).digest('base64url').slice(0, 22)}`;
}

/** RFC 3339 with the city's offset: readers in other zones see the day it was. */
function midnight(day: Day, timeZone: string): string {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toString({ timeZoneName: 'never' });
}

/** GET /feed.json: one page of any search as a JSON Feed (jsonfeed.org, version 1.1). The same question, budget and answer as the API's. */

import { createHash } from 'node:crypto';
import { asWords, canonicalFilters } from '../catalogue/question.ts';
import type { City } from '../city/define.ts';
import type { Day } from '../listings/day.ts';
import type { Listing } from '../listings/listing.ts';
import type { Door } from './door.ts';
import { JSON_HEADERS } from './json.ts';
import { parseQuestion } from './parameters.ts';
import type { Ask, Reply, Resource } from './reply.ts';

const MARK = '-feed"'; // an ETag of the same answer in another shape

export function feedResource(door: Door, search: (ask: Ask) => Reply): Resource {
  return {
    path: '/feed.json',
    rank: 'page',
    get: (ask) => inFeedShape(door, ask, search(asIfForSearch(ask))),
  };
}

function asIfForSearch(ask: Ask): Ask {
  const known = ask.headers['if-none-match']?.replaceAll(MARK, '"');
  return { ...ask, headers: { ...ask.headers, 'if-none-match': known } };
}

function inFeedShape(door: Door, ask: Ask, reply: Reply): Reply {
  if (reply.status !== 200 && reply.status !== 304) return reply;
  const kept = ['ETag', 'RateLimit-Policy', 'RateLimit'];
  const carried = reply.headers.flatMap((name, i, all) => {
    if (i % 2 === 1 || !kept.includes(name)) return [];
    const value = all[i + 1]!;
    return [name, name === 'ETag' ? value.replace(/"$/, MARK) : value];
  });
  const headers = [...JSON_HEADERS.slice(2), 'Cache-Control', 'private, max-age=60', ...carried];
  if (reply.status === 304) return { status: 304, headers, body: null };
  const { listings } = JSON.parse(Buffer.from(reply.body as string, 'latin1').toString()) as {
    listings: Listing[];
  };
  const feed = feedOf(door, canonicalFilters(parseQuestion(ask.query).question), listings);
  return {
    status: 200,
    headers: ['Content-Type', 'application/feed+json; charset=utf-8', ...headers],
    body: Buffer.from(JSON.stringify(feed)),
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
    url: `${publicUrl}/?q=${encodeURIComponent(asWords(name))}`,
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

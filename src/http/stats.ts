/** GET /api/stats: how the listings spread over months, kinds and neighborhoods. Rendered once for each catalogue. */

import type { Catalogue, Counts } from '../catalogue/catalogue.ts';
import type { Door } from './door.ts';
import { etagOf, namesEtag } from './fingerprint.ts';
import { JSON_HEADERS, notReady, servedAt } from './json.ts';
import type { Ask, Reply, Resource } from './reply.ts';

const HEADERS = [...JSON_HEADERS, 'Cache-Control', 'public, max-age=300'];

type Rendered = { of: Catalogue; asOf: string | null; etag: string; body: Buffer };

export function statsResource(door: Door): Resource {
  return { path: '/api/stats', isOpen: true, get: statsReply(door) };
}

/** What answers with the figures, for whichever door is asked. */
export function statsReply(door: Door): (ask: Ask) => Reply {
  let rendered: Rendered | undefined;
  return (ask) => {
    const catalogue = door.catalogue();
    if (catalogue === undefined) return notReady(door);
    const asOf = servedAt(door.dataAsOf());
    if (rendered?.of !== catalogue || rendered.asOf !== asOf) rendered = render(door, catalogue, asOf);
    const { etag, body } = rendered;
    if (namesEtag(ask.headers['if-none-match'], etag))
      return { status: 304, headers: [...HEADERS.slice(2), 'ETag', etag], body: null };
    return { status: 200, headers: [...HEADERS, 'ETag', etag], body };
  };
}

function render(door: Door, of: Catalogue, asOf: string | null): Rendered {
  const stats = of.stats();
  const named = (name: string, counts: Counts) =>
    counts.map(({ value, count }) => ({ [name]: value, count }));
  const body = JSON.stringify({
    total: stats.total,
    data_as_of: asOf,
    latest_filing: stats.latestFiling,
    by_month: named('month', stats.byMonth),
    by_category: named('category', stats.byCategory),
    by_neighborhood: named('neighborhood', stats.byNeighborhood),
  });
  const etag = etagOf(`stats\n${door.version}\n${of.version}\n${of.day}\n${asOf}`);
  return { of, asOf, etag, body: Buffer.from(body) };
}

/** GET /api/stats: how the listings spread over months, kinds and neighborhoods. Rendered once for each catalogue. */

import type { Catalogue, Counts } from '../catalogue/catalogue.ts';
import { countListings } from '../catalogue/search.ts';
import type { Door } from './door.ts';
import { etagOf } from './fingerprint.ts';
import { forEverybody, notReady, servedAt, stateOf } from './json.ts';
import type { Ask, Reply } from './reply.ts';

type Rendered = { state: string; etag: string; body: Buffer };

/** What answers GET /api/stats. */
export function statsReply(door: Door): (ask: Ask) => Reply {
  let rendered: Rendered | undefined;
  return (ask) => {
    const catalogue = door.catalogue();
    if (catalogue === undefined) return notReady(door);
    const asOf = servedAt(door.dataAsOf());
    const state = stateOf(door, catalogue, asOf);
    if (rendered?.state !== state) rendered = render(catalogue, asOf, state);
    return forEverybody(ask, rendered.etag, rendered.body);
  };
}

function render(catalogue: Catalogue, asOf: string | null, state: string): Rendered {
  const body = JSON.stringify(statsBody(catalogue, asOf));
  return { state, etag: etagOf(`stats\n${state}`), body: Buffer.from(body) };
}

/** The counts as the API answers them. */
export function statsBody(catalogue: Catalogue, asOf: string | null) {
  const stats = countListings(catalogue);
  const named = (name: string, counts: Counts) =>
    counts.map(({ value, count }) => ({ [name]: value, count }));
  return {
    total: stats.total,
    data_as_of: asOf,
    latest_filing: stats.latestFiling,
    by_month: named('month', stats.byMonth),
    by_category: named('category', stats.byCategory),
    by_neighborhood: named('neighborhood', stats.byNeighborhood),
  };
}

/** GET /api/stats: how the listings spread over months, kinds and neighborhoods. Rendered once for each index. */

import type { FastifyInstance } from 'fastify';
import type { Catalogue, Counts } from '../../search/catalogue.ts';
import { countListings } from '../../search/search.ts';
import { dataState, formatInstant, sendCacheable } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { etagOf } from '../limits/hash.ts';
import { notReady } from '../problems.ts';
import { jsonResponse, NOT_MODIFIED, problemResponses } from '../responses.ts';

type Rendered = { state: string; etag: string; text: string };

export function statsRoute(app: FastifyInstance, context: ServerContext): void {
  let rendered: Rendered | undefined;
  app.get(
    '/api/stats',
    {
      config: { isOpen: true, isForPrograms: true },
      schema: {
        operationId: 'countListings',
        tags: ['Listings'],
        summary: 'Counts by month, category and neighborhood',
        response: {
          200: jsonResponse('The counts', 'Stats'),
          304: NOT_MODIFIED,
          ...problemResponses('not-ready'),
        },
      },
    },
    (request, reply) => {
      const index = context.index();
      if (index === undefined) return reply.problem(notReady());
      const asOf = formatInstant(context.dataAsOf());
      const state = dataState(context, index, asOf);
      if (rendered?.state !== state) rendered = render(index, asOf, state);
      return sendCacheable(request, reply, rendered); // a test holds the text against StatsSchema
    },
  );
}

function render(index: Catalogue, asOf: string | null, state: string): Rendered {
  return { state, etag: etagOf(`stats\n${state}`), text: JSON.stringify(statsBody(index, asOf)) };
}

/** The counts as a value, of StatsSchema. */
export function statsBody(index: Catalogue, asOf: string | null) {
  const stats = countListings(index);
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

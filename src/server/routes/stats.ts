/** GET /api/stats: the number of listings by month, category and neighborhood. Rendered once for each index. */

import type { FastifyInstance } from 'fastify';
import type { Counts, ListingIndex } from '../../search/listing-index.ts';
import { countListings } from '../../search/search.ts';
import { formatDataState, formatInstant, sendCacheable } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { makeEtag } from '../limits/hash.ts';
import { notReadyProblem } from '../problems.ts';
import { describeJsonResponse, describeProblems, NOT_MODIFIED } from '../responses.ts';

type CachedStats = { state: string; etag: string; text: string };

export function statsRoute(app: FastifyInstance, context: ServerContext): void {
  let rendered: CachedStats | undefined;
  app.get(
    '/api/stats',
    {
      config: { isOpen: true, isForPrograms: true },
      schema: {
        operationId: 'countListings',
        tags: ['Listings'],
        summary: 'Counts by month, category and neighborhood',
        response: {
          200: describeJsonResponse('The counts', 'Stats'),
          304: NOT_MODIFIED,
          ...describeProblems('not-ready'),
        },
      },
    },
    (request, reply) => {
      const index = context.index();
      if (index === undefined) return reply.problem(notReadyProblem());
      const asOf = formatInstant(context.dataAsOf());
      const state = formatDataState(context, index, asOf);
      if (rendered?.state !== state) rendered = render(index, asOf, state);
      return sendCacheable(request, reply, rendered); // a test compares the text with StatsSchema
    },
  );
}

function render(index: ListingIndex, asOf: string | null, state: string): CachedStats {
  return { state, etag: makeEtag(`stats\n${state}`), text: JSON.stringify(toStatsBody(index, asOf)) };
}

/** The counts as a value of StatsSchema. */
export function toStatsBody(index: ListingIndex, asOf: string | null) {
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

/** GET /api/stats: the number of listings that match by month, category and neighborhood. The whole city is rendered once for each index. */

import type { FastifyInstance } from 'fastify';
import type { Counts } from '../../search/listing-index.ts';
import { formatQuestion, NARROWING } from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { countListings, type ListingCounts } from '../../search/search.ts';
import { formatDataState, formatInstant, sendCacheable, sendCharged } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { costOf } from '../limits/charge.ts';
import { makeEtag } from '../limits/hash.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { invalidParametersProblem, notReadyProblem } from '../problems.ts';
import {
  CHARGED_HEADERS,
  describeJsonResponse,
  describeNotModified,
  describeProblems,
} from '../responses.ts';
import { buildQuerySchema } from '../schemas.ts';

/** What may be asked: everything that narrows. Counts have no pages. */
export const STATS_PARAMETERS = NARROWING;

export function statsRoute(app: FastifyInstance, context: ServerContext): void {
  let plain: { state: string; text: string } | undefined;
  app.get(
    '/api/stats',
    {
      config: { isOpen: true, isForPrograms: true },
      schema: {
        operationId: 'countListings',
        tags: ['Listings'],
        summary: 'Counts by month, category and neighborhood',
        querystring: buildQuerySchema(STATS_PARAMETERS),
        response: {
          200: describeJsonResponse('The counts', 'Stats', { headers: CHARGED_HEADERS }),
          304: describeNotModified(CHARGED_HEADERS),
          ...describeProblems('invalid-parameter', 'not-ready'),
        },
      },
    },
    (request, reply) => {
      const index = context.index();
      if (index === undefined) return reply.problem(notReadyProblem());
      const asked = parseSearchQuery(readQuery(request.raw), STATS_PARAMETERS);
      if (asked.faults.length > 0) return reply.problem(invalidParametersProblem(asked.faults));
      const asOf = formatInstant(context.dataAsOf());
      const state = formatDataState(context, index, asOf);
      const spelling = formatQuestion(asked.question);
      const etag = makeEtag(`stats\n${state}\n${spelling}`);
      const render = () => JSON.stringify(toStatsBody(countListings(index, asked), asOf)); // a test compares it with StatsSchema
      const rows = costOf(asked.question, 0);
      if (spelling !== '') return sendCharged(context, request, reply, { etag, rows, render });
      if (plain?.state !== state) plain = { state, text: render() };
      const { text } = plain;
      return sendCacheable(request, reply, { etag, render: () => text });
    },
  );
}

/** The counts as a value of StatsSchema. */
export function toStatsBody(counts: ListingCounts, asOf: string | null) {
  const named = (name: string, counted: Counts) =>
    counted.map(({ value, count }) => ({ [name]: value, count }));
  return {
    total: counts.total,
    data_as_of: asOf,
    latest_filing: counts.latestFiling,
    by_month: named('month', counts.byMonth),
    by_category: named('category', counts.byCategory),
    by_neighborhood: named('neighborhood', counts.byNeighborhood),
    ...(counts.warnings.length > 0 && { warnings: counts.warnings }),
  };
}

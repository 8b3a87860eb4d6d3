/** Adds GET /api/stats: the matching listings by month, category and neighborhood. The city's stay rendered. */

import type { FastifyInstance } from 'fastify';
import type { Counts } from '../../search/listing-index.ts';
import { formatQuestion, NARROWING } from '../../search/parameters.ts';
import { countListings, type ListingCounts } from '../../search/search.ts';
import { JSON_TYPE } from '../answers.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { costOf } from '../limits/charge.ts';
import { CHARGED_HEADERS, describeResponse } from '../responses.ts';
import { addQuestionRoute } from './question-route.ts';

export function statsRoute(app: FastifyInstance, context: ServerContext): void {
  let whole: { data: ServedData; text: string } | undefined;
  addQuestionRoute(app, context, {
    path: '/api/stats',
    config: { isOpen: true },
    operationId: 'countListings',
    tag: 'Listings',
    summary: 'Counts by month, category and neighborhood',
    response: describeResponse('The counts', { id: 'Stats', headers: CHARGED_HEADERS }),
    names: NARROWING, // counts have no pages
    cacheControl: 'private, max-age=300',
    isFree: ({ question }) => formatQuestion(question) === '',
    answer(data, asked) {
      const render = () => JSON.stringify(toStatsBody(countListings(data.index, asked), data.asOf)); // a test compares it with StatsSchema
      const renderWhole = () => {
        if (whole?.data !== data) whole = { data, text: render() };
        return whole.text;
      };
      return {
        rows: costOf(asked.question, 0),
        headers: { 'content-type': JSON_TYPE },
        render: formatQuestion(asked.question) === '' ? renderWhole : render,
      };
    },
  });
}

/** Formats the counts as a value of StatsSchema. */
export function toStatsBody(counts: ListingCounts, asOf: string | null) {
  const named = (name: string, counted: Counts) =>
    counted.map(({ value, count }) => ({ [name]: value, count }));
  return {
    total: counts.total,
    data_as_of: asOf,
    latest_filing: counts.latestFiling,
    by_month: named('month', counts.byMonth),
    ...(counts.earlier > 0 && { earlier: counts.earlier }),
    by_category: named('category', counts.byCategory),
    by_neighborhood: named('neighborhood', counts.byNeighborhood),
    ...(counts.warnings.length > 0 && { warnings: counts.warnings }),
  };
}

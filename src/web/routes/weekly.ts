/** Adds GET /weekly and /weekly/DATE: past weekly emails, with filters. Listings cost as much as in a search. */

import type { FastifyInstance } from 'fastify';
import { type Instant, toLocalDay } from '../../listings/day.ts';
import type { ListingIndex } from '../../search/listing-index.ts';
import { EVERYTHING, FURTHEST, PAGE_LIMIT, type Question } from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { parseListings } from '../../search/search.ts';
import type { ServerContext } from '../context.ts';
import { costOf } from '../limits/charge.ts';
import { renderEditionPage, renderEditionsPage } from '../pages/weekly-pages.ts';
import { hasWeeklyEnded } from '../signup-form.ts';
import { addDataPage } from './data-routes.ts';

export function weeklyRoutes(app: FastifyInstance, context: ServerContext): void {
  addDataPage(app, context, '/weekly', {
    answer({ data: { index }, query }) {
      const question = readEditionFilters(query);
      const view = { ...viewOf(context, index, question), editions: index.listEditions(question) };
      return { rows: costOf(question, 0), render: () => renderEditionsPage(view) };
    },
  });
  addDataPage(app, context, '/weekly/:edition', {
    answer({ data: { index }, query, params }) {
      const { edition } = params as { edition: string };
      const question = readEditionFilters(query);
      const found = index.readEdition(edition, question);
      if (found === undefined) return { code: 'not-found' };
      const { total, count, page, firstSeen } = found;
      const listings = parseListings({ listingsJson: page.toString() });
      const toDay = (at: Instant) => toLocalDay(context.city.timeZone, at);
      const seen = firstSeen && { from: toDay(firstSeen.from), to: toDay(firstSeen.to) };
      const dayAt = (offset: number) => {
        const { page: one } = index.readEdition(edition, { ...question, offset, limit: 1 })!;
        return parseListings({ listingsJson: one.toString() })[0]!.filing_date;
      };
      const filed = total > 0 ? { from: dayAt(total - 1), to: dayAt(0) } : undefined;
      const view = { ...viewOf(context, index, question), edition, seen, filed, total, listings };
      return { rows: costOf(question, count), render: () => renderEditionPage(view) };
    },
  });
}

/** Reads the filters and the page from a query. Ignores invalid parameters, as all pages do. */
function readEditionFilters(query: string): Question {
  const { category, neighborhood, offset } = parseSearchQuery(query).question;
  return { ...EVERYTHING, category, neighborhood, offset: Math.min(offset, FURTHEST - PAGE_LIMIT) };
}

function viewOf(context: ServerContext, index: ListingIndex, question: Question) {
  const { layout, subscriptions } = context;
  const { byCategory, byNeighborhood, latestFiling } = index.stats(EVERYTHING);
  const isEnded = hasWeeklyEnded(context);
  return {
    layout,
    question: index.spellQuestion(question),
    choices: { category: byCategory, neighborhood: byNeighborhood },
    hasSignup: subscriptions !== undefined && !isEnded,
    ended: isEnded ? (latestFiling ?? index.day) : undefined,
  };
}

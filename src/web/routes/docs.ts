/** GET /docs: the reference for developers. */

import type { FastifyInstance } from 'fastify';
import { UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../../listings/listing.ts';
import type { Counts } from '../../search/listing-index.ts';
import { EVERYTHING, formatQuestion, type Question } from '../../search/parameters.ts';
import { sendCompressed } from '../compression.ts';
import type { ServerContext } from '../context.ts';
import { preparePage } from '../page-responses.ts';
import type { ApiDocument } from '../pages/reference/document.ts';
import { renderReferencePage } from '../pages/reference/page.ts';
import { PROBLEMS } from '../problems.ts';

export function docsRoute(app: FastifyInstance, context: ServerContext): void {
  let rendered: { version: string; body: Buffer } | undefined;
  app.get(
    '/docs',
    { config: { priority: 'page', isPage: true }, schema: { hide: true } },
    async (_request, reply) => {
      const version = context.index()?.version ?? '';
      if (rendered?.version !== version) {
        const document = (await app.openApi()) as ApiDocument;
        rendered = { version, body: Buffer.from(renderReference(context, document)) };
      }
      preparePage(context, reply, { referrer: 'same-origin', robots: 'all', cache: 'public, max-age=300' });
      return sendCompressed(reply, rendered.body, { isLasting: true });
    },
  );
}

function renderReference(context: ServerContext, document: ApiDocument): string {
  const { layout, limits, limiter } = context;
  const { policies, ...quotas } = limiter.quotas();
  const budgets = limits === 'off' ? undefined : { ...quotas, policy: policies.usual };
  return renderReferencePage({ layout, document, problems: PROBLEMS, budgets, tries: makeTries(context) });
}

/** Requests about the most frequent category and neighborhood of the city. */
function makeTries(context: ServerContext): { search: string; counts: string } {
  const stats = context.index()?.stats(EVERYTHING);
  const first = (counts: Counts = []) =>
    counts.find(({ value }) => value !== UNCATEGORIZED && value !== UNKNOWN_NEIGHBORHOOD)?.value;
  const category = first(stats?.byCategory) ?? 'Restaurants';
  const neighborhood = first(stats?.byNeighborhood) ?? UNKNOWN_NEIGHBORHOOD;
  const asked = (filters: Partial<Question>) => formatQuestion({ ...EVERYTHING, ...filters });
  return {
    search: `/api/search?${asked({ category: [category], limit: 3 })}`,
    counts: `/api/stats?${asked({ category: [category], neighborhood: [neighborhood] })}`,
  };
}

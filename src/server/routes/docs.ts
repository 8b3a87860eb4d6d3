/** GET /docs: the reference, with examples for this city. */

import type { FastifyInstance } from 'fastify';
import { type Example, type Reference, renderReferencePage } from '../../pages/reference.ts';
import { EVERYTHING, formatQuestion, type Question } from '../../search/parameters.ts';
import { sendCompressed } from '../compression.ts';
import type { ServerContext } from '../context.ts';
import { preparePage } from '../page-responses.ts';

export function docsRoute(app: FastifyInstance, context: ServerContext): void {
  let rendered: { version: string; body: Buffer } | undefined;
  app.get(
    '/docs',
    { config: { priority: 'page', isPage: true }, schema: { hide: true } },
    async (_request, reply) => {
      const version = context.index()?.version ?? '';
      if (rendered?.version !== version) {
        const html = renderReferencePage(
          context.layout,
          (await app.openApi()) as Reference,
          examplesFor(context),
        );
        rendered = { version, body: Buffer.from(html) };
      }
      preparePage(context, reply, { referrer: 'same-origin', robots: 'all', cache: 'public, max-age=300' });
      return sendCompressed(reply, rendered.body, { isLasting: true });
    },
  );
}

function examplesFor(context: ServerContext): Record<string, Example[]> {
  const stats = context.index()?.stats(EVERYTHING);
  const category = stats?.byCategory[0]?.value ?? 'Restaurants';
  const neighborhood = stats?.byNeighborhood[0]?.value ?? 'Unknown';
  const asked = (filters: Partial<Question>, limit: number) =>
    formatQuestion({ ...EVERYTHING, ...filters, limit });
  const at = (address: string): Example => ({ address });
  const post = (path: string, body: unknown, more = ''): Example => ({
    command: `curl '${context.publicUrl}${path}' -H 'Content-Type: application/json'${more} \\\n  -d '${JSON.stringify(body)}'`,
  });
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search_listings', arguments: { q: 'coffee', limit: 3 } },
  };
  return {
    '/api/search': [
      at(`/api/search?${asked({ q: 'coffee' }, 5)}`),
      at(`/api/search?${asked({ category: [category], neighborhood: [neighborhood] }, 3)}`),
      at(`/api/search?${asked({ category: [category] }, 0)}`),
      at('/api/search?categry=typo'),
    ],
    '/api/stats': [at('/api/stats')],
    '/api/health': [at('/api/health')],
    '/feed.json': [at(`/feed.json?${asked({ category: [category] }, 3)}`)],
    '/api/signup': [post('/api/signup', { email: 'you@example.org', type: 'weekly' })],
    '/mcp': [post('/mcp', call, " -H 'Accept: application/json, text/event-stream'")],
  };
}

/** GET /docs: the reference, with examples that ask for what this city has. */

import { EVERYTHING, formatQuestion, type Question } from '../catalogue/parameters.ts';
import { type Example, referencePage } from '../web/reference.ts';
import { compressed } from './compressed.ts';
import type { Door } from './door.ts';
import { html } from './html.ts';
import { openApiDocument } from './openapi.ts';
import type { Resource } from './reply.ts';

export function docsResource(door: Door): Resource {
  const reference = openApiDocument(door.publicUrl, door.version);
  let drawn: { version: string; body: Buffer } | undefined;
  return {
    path: '/docs',
    rank: 'page',
    get(ask) {
      const version = door.catalogue()?.version ?? '';
      if (drawn?.version !== version) {
        const body = Buffer.from(referencePage(door.dress, reference, examplesFor(door)));
        drawn = { version, body };
      }
      const manner = { referrer: 'same-origin', robots: 'all', cache: 'public, max-age=300' } as const;
      return compressed(ask, html(door, 200, drawn.body, manner), true);
    },
  };
}

function examplesFor(door: Door): Record<string, Example[]> {
  const stats = door.catalogue()?.stats();
  const category = stats?.byCategory[0]?.value ?? 'Restaurants';
  const neighborhood = stats?.byNeighborhood[0]?.value ?? 'Unknown';
  const asked = (filters: Partial<Question>, limit: number) =>
    formatQuestion({ ...EVERYTHING, ...filters, limit });
  const at = (address: string): Example => ({ address });
  const post = (path: string, body: unknown, more = ''): Example => ({
    command: `curl '${door.publicUrl}${path}' -H 'Content-Type: application/json'${more} \\\n  -d '${JSON.stringify(body)}'`,
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

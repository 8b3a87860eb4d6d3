/** GET /docs: the reference for developers. */

import type { FastifyInstance } from 'fastify';
import { sendCompressed } from '../compression.ts';
import type { ServerContext } from '../context.ts';
import { preparePage } from '../page-responses.ts';
import { renderReferencePage } from '../pages/reference-page.ts';
import { PROBLEMS } from '../problems.ts';
import { readReference } from '../reference.ts';

export function docsRoute(app: FastifyInstance, context: ServerContext): void {
  let rendered: { version: string; body: Buffer } | undefined; // limits follow the size of the city
  app.get(
    '/docs',
    { config: { priority: 'page', isPage: true }, schema: { hide: true } },
    (_request, reply) => {
      const version = context.index()?.version ?? '';
      if (rendered?.version !== version) {
        const view = {
          layout: context.layout,
          sections: readReference(context),
          problems: Object.keys(PROBLEMS),
        };
        rendered = { version, body: Buffer.from(renderReferencePage(view)) };
      }
      preparePage(context, reply, { referrer: 'same-origin', robots: 'all', cache: 'public, max-age=300' });
      return sendCompressed(reply, rendered.body, { isLasting: true });
    },
  );
}

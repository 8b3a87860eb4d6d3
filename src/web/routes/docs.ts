/** GET /docs: the reference for developers. */

import type { FastifyInstance } from 'fastify';
import { pageHeaders, sendVersion } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { makeEtag } from '../limits/hash.ts';
import { renderReferencePage } from '../pages/reference-page.ts';
import { PROBLEMS } from '../problems.ts';
import { readReference } from '../reference.ts';

export function docsRoute(app: FastifyInstance, context: ServerContext): void {
  const headers = pageHeaders(context, { referrer: 'same-origin', robots: 'all' });
  let rendered: { index: unknown; tag: string; body: Buffer } | undefined; // limits follow the size of the city
  app.get(
    '/docs',
    { config: { priority: 'page', isPage: true }, schema: { hide: true } },
    (_request, reply) => {
      const index = context.index();
      if (rendered === undefined || rendered.index !== index) {
        const view = {
          layout: context.layout,
          sections: readReference(context),
          problems: Object.keys(PROBLEMS),
        };
        const html = renderReferencePage(view);
        rendered = { index, tag: makeEtag(html), body: Buffer.from(html) };
      }
      const { tag, body } = rendered;
      const version = {
        etag: makeEtag(tag),
        cacheControl: 'public, max-age=300',
        isFree: true,
      };
      return sendVersion(context, reply, version, () => ({
        rows: 0,
        headers,
        render: () => body,
        isLasting: true,
      }));
    },
  );
}

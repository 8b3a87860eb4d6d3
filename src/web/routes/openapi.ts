/** GET /openapi.json: the OpenAPI document. */

import type { FastifyInstance } from 'fastify';
import { sendCacheable } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { makeEtag } from '../limits/hash.ts';
import { CACHED_HEADERS, describeNotModified, describeProblems, describeResponse } from '../responses.ts';

export function openApiRoute(app: FastifyInstance, _context: ServerContext): void {
  let rendered: { etag: string; render(): string } | undefined;
  const schema = {
    operationId: 'getOpenApi',
    tags: ['Service'],
    summary: 'This document',
    description: 'The description of the API for tools, such as generators of clients.',
    response: {
      200: describeResponse('OpenAPI 3.1', CACHED_HEADERS, {
        'application/json': { schema: { type: 'object' } },
      }),
      304: describeNotModified(CACHED_HEADERS),
      ...describeProblems(),
    },
  };
  app.get(
    '/openapi.json',
    { config: { isOpen: true, isForPrograms: true }, schema },
    async (request, reply) => {
      if (rendered === undefined) {
        const text = JSON.stringify(await app.openApi());
        rendered = { etag: makeEtag(text), render: () => text };
      }
      return sendCacheable(request, reply, rendered);
    },
  );
}

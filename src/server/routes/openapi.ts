/** GET /openapi.json: the OpenAPI document. */

import type { FastifyInstance } from 'fastify';
import { sendCacheable } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { makeEtag } from '../limits/hash.ts';
import { describeProblems, NOT_MODIFIED } from '../responses.ts';

export function openApiRoute(app: FastifyInstance, _context: ServerContext): void {
  let rendered: { etag: string; text: string } | undefined;
  const schema = {
    operationId: 'getOpenApi',
    tags: ['Service'],
    summary: 'This document',
    response: {
      200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
      304: NOT_MODIFIED,
      ...describeProblems(),
    },
  };
  app.get('/openapi.json', { config: { isForPrograms: true }, schema }, async (request, reply) => {
    if (rendered === undefined) {
      const text = JSON.stringify(await app.openApi());
      rendered = { text, etag: makeEtag(text) };
    }
    return sendCacheable(request, reply, rendered);
  });
}

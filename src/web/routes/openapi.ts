/** GET /openapi.json: the OpenAPI document. */

import type { FastifyInstance } from 'fastify';
import { JSON_TYPE, sendVersion } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { makeEtag } from '../limits/hash.ts';
import { CACHED_HEADERS, describeEmptyResponse, describeProblems, describeResponse } from '../responses.ts';

export function openApiRoute(app: FastifyInstance, context: ServerContext): void {
  const schema = {
    operationId: 'getOpenApi',
    tags: ['Service'],
    summary: 'This document',
    description: 'The description of the API for tools, such as generators of clients.',
    response: {
      200: describeResponse('OpenAPI 3.1', { schema: { type: 'object' }, headers: CACHED_HEADERS }),
      304: describeEmptyResponse('Not modified', CACHED_HEADERS),
      ...describeProblems(),
    },
  };
  let text: string | undefined;
  app.get(
    '/openapi.json',
    { config: { isOpen: true, isForPrograms: true }, schema },
    async (_request, reply) => {
      text ??= JSON.stringify(await app.openApi());
      const body = text;
      const version = { etag: makeEtag(body), cacheControl: 'public, max-age=300', isFree: true };
      return sendVersion(context, reply, version, () => ({
        rows: 0,
        headers: { 'content-type': JSON_TYPE },
        render: () => body,
      }));
    },
  );
}

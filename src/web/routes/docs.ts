/** Adds GET /docs, the reference for developers, and GET /openapi.json, the same for tools. */

import type { FastifyInstance } from 'fastify';
import type { ListingIndex } from '../../search/listing-index.ts';
import { JSON_TYPE, pageHeaders, sendFree } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { makeEtag } from '../limits/hash.ts';
import { renderReferencePage } from '../pages/reference-page.ts';
import { PROBLEMS } from '../problems.ts';
import { answerSamples, readReference } from '../reference.ts';
import { CACHED_HEADERS, describeEmptyResponse, describeProblems, describeResponse } from '../responses.ts';

export function docsRoute(app: FastifyInstance, context: ServerContext): void {
  const headers = pageHeaders(context, { referrer: 'same-origin', robots: 'all' });
  const render = async (index: ListingIndex | undefined) => {
    const written = readReference(context);
    const sections =
      index === undefined ? written : await answerSamples(app, context, { index, sections: written });
    const view = { layout: context.layout, sections, problems: Object.keys(PROBLEMS) };
    const html = renderReferencePage(view);
    return { etag: makeEtag(html), body: Buffer.from(html) };
  };
  let rendered: { index: ListingIndex | undefined; page: ReturnType<typeof render> } | undefined; // depends on the index, because limits and samples do
  app.get(
    '/docs',
    { config: { priority: 'page', isPage: true }, schema: { hide: true } },
    async (_request, reply) => {
      const index = context.index();
      if (rendered === undefined || rendered.index !== index) rendered = { index, page: render(index) };
      const { etag, body } = await rendered.page;
      return sendFree(context, reply, { body, etag, cacheControl: 'public, max-age=300', headers });
    },
  );
}

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
    { config: { isCrossOrigin: true, isForPrograms: true }, schema },
    async (_request, reply) => {
      text ??= JSON.stringify(await app.openApi());
      const headers = { 'content-type': JSON_TYPE };
      return sendFree(context, reply, { body: text, cacheControl: 'public, max-age=300', headers });
    },
  );
}

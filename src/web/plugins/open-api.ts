/** The OpenAPI document, made of the schemas of the routes when it is first asked for. Pages and assets are left out. */

import { type FastifyInstance, fastify, type RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { ServerContext } from '../context.ts';
import { addSamples, shareHeaders } from '../document-details.ts';
import type { ApiDocument } from '../pages/reference/document.ts';
import { makeSamples } from '../samples.ts';
import { SHARED_SCHEMAS } from '../schemas.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of all routes. */
    openApi(): Promise<object>;
  }
}

export const openApiDocument = fastifyPlugin<ServerContext>((app, context, done) => {
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  let document: Promise<object> | undefined;
  app.decorate('openApi', () => {
    document ??= describeRoutes(routes, context);
    return document;
  });
  done();
});

/**
 * The routes are described by an app that never listens: `@fastify/swagger` and what it needs would make the start of the service a tenth
 * longer.
 */
async function describeRoutes(routes: readonly RouteOptions[], context: ServerContext): Promise<object> {
  const { publicUrl, version } = context;
  const described = fastify({ exposeHeadRoutes: false });
  for (const schema of SHARED_SCHEMAS) described.addSchema(referToShared(schema));
  await addSwagger(described, publicUrl, version);
  for (const { method, url, schema } of routes)
    if (method !== 'HEAD') described.route({ method, url, schema: { ...schema }, handler: () => undefined });
  await described.ready();
  const document = described.swagger() as ApiDocument;
  addSamples(document, publicUrl, makeSamples(context));
  shareHeaders(document);
  return document;
}

/** A shared schema that refers to the others in it by name, where serializers have them inline. */
function referToShared(schema: object): object {
  const refer = (key: string, value: { $id?: string } | null) =>
    key !== '' && value?.$id !== undefined ? { $ref: `${value.$id}#` } : value;
  return JSON.parse(JSON.stringify(schema, refer));
}

async function addSwagger(app: FastifyInstance, publicUrl: string, version: string): Promise<void> {
  await app.register((await import('@fastify/swagger')).default, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Shingle: the new businesses of one city',
        version,
        description: 'Free to use, no credentials needed. Each listing has five fields.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl }],
      security: [],
      tags: [
        { name: 'Listings', description: 'Search and count the listings.' },
        { name: 'Signup', description: 'Join the weekly email or the Pro waitlist.' },
        { name: 'Feeds', description: 'Any search as a feed.' },
        { name: 'Agents', description: 'The listings as tools of an agent.' },
        { name: 'Service', description: 'The state of the service and the description of its API.' },
      ],
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
}

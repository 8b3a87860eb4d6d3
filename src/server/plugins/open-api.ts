/** The OpenAPI document, made of the schemas of the routes. Pages and assets are left out. */

import swagger from '@fastify/swagger';
import fastifyPlugin from 'fastify-plugin';
import type { ServerContext } from '../context.ts';
import { SHARED_SCHEMAS } from '../schemas.ts';

export const openApiDocument = fastifyPlugin<ServerContext>((app, { publicUrl, version }, done) => {
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  app.register(swagger, {
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
        { name: 'Service', description: 'The state of the service and the description of its API.' },
      ],
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
  done();
});

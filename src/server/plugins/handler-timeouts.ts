/** Requests that wait for something longer than their route allows get 503. Fastify's own `handlerTimeout` starts with the body. */

import fastifyPlugin from 'fastify-plugin';
import type { ServerContext } from '../context.ts';
import { notReady } from '../problems.ts';

export const handlerTimeouts = fastifyPlugin<ServerContext>((app, _context, done) => {
  app.addHook('preHandler', (request, reply, next) => {
    const { timeoutMs } = request.routeOptions.config;
    if (timeoutMs !== undefined) {
      const timer = setTimeout(() => {
        if (!reply.sent) reply.problem(notReady('The response took too long. Try again shortly.'));
      }, timeoutMs);
      reply.raw.once('close', () => clearTimeout(timer));
    }
    next();
  });
  done();
});

/** Requests that wait for something longer than their route allows get 503. Fastify's own `handlerTimeout` starts with the body. */

import fastifyPlugin from 'fastify-plugin';
import type { ServerContext } from '../context.ts';
import { notReadyProblem } from '../problems.ts';

export const handlerTimeouts = fastifyPlugin<ServerContext>((app, _context, done) => {
  app.addHook('preHandler', (request, reply, next) => {
    const { timeoutMs } = request.routeOptions.config;
    if (timeoutMs !== undefined) {
      const timer = setTimeout(() => {
        if (!reply.sent) reply.problem(notReadyProblem('The answer took too long; ask again soon.'));
      }, timeoutMs);
      reply.raw.once('close', () => clearTimeout(timer));
    }
    next();
  });
  done();
});

/** Requests that wait for something longer than their route allows get 503. Fastify's own `handlerTimeout` ends with the body. */

import type { preHandlerHookHandler } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { ServerContext } from '../context.ts';
import { notReadyProblem } from '../problems.ts';

export const handlerTimeouts = fastifyPlugin<ServerContext>((app, _context, done) => {
  app.addHook('onRoute', (route) => {
    const { timeoutMs } = route.config ?? {};
    if (timeoutMs !== undefined) route.preHandler = endAfter(timeoutMs);
  });
  done();
});

function endAfter(timeoutMs: number): preHandlerHookHandler {
  return (_request, reply, next) => {
    const timer = setTimeout(() => {
      if (!reply.sent) reply.problem(notReadyProblem('The response took too long. Try again shortly.'));
    }, timeoutMs);
    reply.raw.once('close', () => clearTimeout(timer));
    next();
  };
}

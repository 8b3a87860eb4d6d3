/** Rate limits: every request is charged to its client before anything is read; routes charge the listings they serve (limits/charge.ts). */

import type { IncomingMessage } from 'node:http';
import fastifyPlugin from 'fastify-plugin';
import type { ServerContext } from '../context.ts';
import { makeBurstProblem } from '../limits/quota-problem.ts';

type RateLimitOptions = ServerContext & { addressOf(request: IncomingMessage): string };

export const rateLimits = fastifyPlugin<RateLimitOptions>((app, { addressOf, ...context }, done) => {
  const { limiter } = context;
  app.decorateRequest('client');
  app.addHook('onRequest', (request, reply, next) => {
    request.client = limiter.client(addressOf(request.raw));
    if (request.target?.config.isFree || limiter.admit(request.client)) next();
    else reply.problem(makeBurstProblem(context, request.client));
  });
  done();
});

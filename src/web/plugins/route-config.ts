/** Applies the `config` of routes: charges requests, limits their time, and adds the headers of responses. */

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ServerContext } from '../context.ts';
import { makeBurstProblem } from '../limits/charge.ts';
import { BARE_HEADERS, notReadyProblem } from '../problems.ts';
import { readPath } from './strict-http.ts';

/** Charges every request to its client before anything is read. Routes charge the listings they serve (limits/charge.ts). */
export function addRateLimits(
  app: FastifyInstance,
  context: ServerContext,
  addressOf: (request: IncomingMessage) => string,
): void {
  const { limiter } = context;
  app.decorateRequest('client');
  app.addHook('onRequest', (request, reply, next) => {
    request.client = limiter.client(addressOf(request.raw));
    if (request.target?.config.isFree || limiter.admit(request.client)) next();
    else reply.problem(makeBurstProblem(context, request.client));
  });
}

/** Answers 503 if a request takes longer than its route allows. Fastify's own `handlerTimeout` ends with the body. */
export function addHandlerTimeouts(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { timeoutMs } = route.config ?? {};
    if (timeoutMs === undefined) return;
    route.preHandler = (_request, reply, next) => {
      const timer = setTimeout(() => {
        if (!reply.sent) reply.problem(notReadyProblem('The response took too long. Try again shortly.'));
      }, timeoutMs);
      reply.raw.once('close', () => clearTimeout(timer));
      next();
    };
  });
}

const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
};

/** Counts responses. Adds security headers, and CORS headers for paths that other origins may read. */
export function addResponseHeaders(app: FastifyInstance, { metrics }: ServerContext): void {
  app.addHook('onSend', ({ target, raw }, reply, payload, next) => {
    metrics?.answered(target?.path ?? 'other', reply.statusCode);
    const isPreflight = reply.statusCode === 204;
    const isOpen = target === undefined ? readPath(raw).startsWith('/api/') : target.config.isOpen;
    if (isOpen && !isPreflight) reply.headers(OPEN_HEADERS);
    if (!target?.config.isPage && !reply.hasHeader('content-security-policy')) reply.headers(BARE_HEADERS);
    next(null, payload);
  });
}

/** Headers that responses have in common: security, CORS on what other origins may read, and what is counted of them. */

import fastifyPlugin from 'fastify-plugin';
import type { ServerContext } from '../context.ts';
import { BARE_HEADERS } from '../problems.ts';

const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
};

export const responseHeaders = fastifyPlugin<ServerContext>((app, { metrics }, done) => {
  app.addHook('onSend', ({ target }, reply, payload, next) => {
    metrics?.answered(target?.path ?? 'other', reply.statusCode);
    const isPreflight = reply.statusCode === 204;
    if (target?.config.isOpen && !isPreflight) reply.headers(OPEN_HEADERS);
    if (!target?.config.isPage && !reply.hasHeader('content-security-policy')) reply.headers(BARE_HEADERS);
    next(null, payload);
  });
  done();
});

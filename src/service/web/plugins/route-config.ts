/**
 * Handles unknown paths (404), methods (405 with `Allow`) and OPTIONS. Applies the `config` of routes: charges
 * requests, limits their time, and adds response headers.
 */

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { startPatience } from '../connections.ts';
import type { ServerContext, Target } from '../context.ts';
import { makeMinuteProblem } from '../limits/charge.ts';
import { addCorsHeaders, isCausedElsewhere, mayBeShownElsewhere } from '../origins.ts';
import { BARE_HEADERS, notReadyProblem } from '../problems.ts';
import { isAboutServer, readPath } from './strict-http.ts';

/** Sets `request.target` to the requested path, for any method, and `request.startedMs`. */
export function addTargets(app: FastifyInstance): void {
  const known = new Map<string, Target>();
  app.addHook('onRoute', (route) => {
    const { url, config = {} } = route;
    const method = String(route.method);
    const target = known.getOrInsert(url, { path: url, config, methods: ['OPTIONS'] });
    target.methods = [...target.methods, method].toSorted();
    // Fastify's own HEAD routes add a Content-Length to 304
    if (method === 'GET') app.route({ ...route, method: 'HEAD' });
  });
  app.decorate('targets', () => [...known.values()]);
  app.decorateRequest('target', undefined);
  app.decorateRequest('startedMs', 0);
  app.addHook('onRequest', (request, _reply, next) => {
    request.startedMs = performance.now();
    request.target = request.is404
      ? findTarget(known, decodePath(readPath(request.raw)))
      : known.get(request.routeOptions.url!);
    next();
  });
}

/** Finds a path that has routes for other methods. A parameter such as `:edition` matches any name. */
function findTarget(known: ReadonlyMap<string, Target>, path: string): Target | undefined {
  const matches = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
  return known.get(path) ?? [...known.values()].find((one) => one.path.includes(':') && matches(one.path));
}

/** Answers requests that match no route, before their body is read. */
export function addMethods(app: FastifyInstance): void {
  const listMethods = () =>
    [...new Set(app.targets().flatMap(({ methods }) => methods))].toSorted().join(', ');
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (isAboutServer(request.raw)) return reply.header('allow', listMethods()).code(204).send();
    if (request.target === undefined) return reply.problem({ code: 'not-found' });
    const allowed = request.target.methods.join(', ');
    reply.header('allow', allowed);
    if (request.method !== 'OPTIONS')
      return reply.problem({ code: 'method-not-allowed', detail: `This path supports ${allowed}.` });
    return reply.code(204).send();
  };
  app.addHook('onRequest', (request, reply, next) => {
    if (request.is404) answer(request, reply);
    else next();
  });
  app.setNotFoundHandler(answer);
}

/** Decodes a path as the router does: `/%61pi/search` is `/api/search` (RFC 3986, 6.2.2.2). */
function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Charges every request to its client before it is read. Routes charge the listings they serve (limits/charge.ts). */
export function addRateLimits(
  app: FastifyInstance,
  context: ServerContext,
  addressOf: (request: IncomingMessage) => string,
): void {
  const { limiter } = context;
  app.decorateRequest('client');
  app.addHook('onRequest', (request, reply, next) => {
    const isElsewhere = isCausedElsewhere(request, context.publicUrl);
    const client = limiter.client(addressOf(request.raw), isElsewhere);
    request.client = client;
    if (request.target?.config.isUnlimited) next();
    else if (!limiter.spend(client, 'burst')) reply.problem(makeMinuteProblem(context, client, 'burst', 1));
    else if (!limiter.mayCompute(client)) reply.problem(makeMinuteProblem(context, client, 'cpu', 0));
    else if (isElsewhere && !mayBeShownElsewhere(request)) reply.problem({ code: 'foreign-origin' });
    else next();
  });
  app.addHook('onRoute', (route) => {
    if (route.config?.isUnlimited) return;
    const { handler } = route;
    route.handler = function measure(this: FastifyInstance, request, reply) {
      return context.measure(request.client, () => handler.call(this, request, reply));
    };
  });
}

/** Sends 503 if a request takes longer than its route allows. Fastify's `handlerTimeout` ends when the body is read. */
export function addHandlerTimeouts(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { timeoutMs } = route.config ?? {};
    if (timeoutMs === undefined) return;
    route.preHandler = (_request, reply, next) => {
      const stop = startPatience(timeoutMs, () => {
        if (!reply.sent) reply.problem(notReadyProblem('The response took too long. Try again shortly.'));
      });
      reply.raw.once('close', stop);
      next();
    };
  });
}

/** Counts each response and adds the headers that depend on its route. */
export function addResponseHeaders(app: FastifyInstance, { metrics }: ServerContext): void {
  app.addHook('onSend', (request, reply, payload, next) => {
    const { target, startedMs } = request;
    metrics?.answered(target?.path ?? 'other', reply.statusCode, performance.now() - startedMs);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    addCorsHeaders(request, reply);
    // a 304 would change the headers of the stored response
    const isBare = reply.statusCode !== 304 && !reply.hasHeader('content-security-policy');
    if (isBare) reply.headers(BARE_HEADERS);
    if (target?.config.isFramed) {
      const policy = String(reply.getHeader('content-security-policy'));
      reply.header('content-security-policy', policy.replace("frame-ancestors 'none'", 'frame-ancestors *'));
    }
    next(null, payload);
  });
}

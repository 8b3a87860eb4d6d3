/** Knows which paths exist and which methods they take. Answers 404, 405 with `Allow`, and OPTIONS. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Target } from '../context.ts';
import { readPath } from './strict-http.ts';

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

/** Sets `request.target` to the path that a request asks for, whatever its method. */
export function addTargets(app: FastifyInstance): void {
  const known = new Map<string, Target>();
  app.addHook('onRoute', (route) => {
    const { url, method, config = {} } = route;
    if (method === 'GET') app.route({ ...route, method: 'HEAD' }); // Fastify's own HEAD routes add a Content-Length to 304
    const before = known.get(url)?.methods ?? ['OPTIONS'];
    known.set(url, { path: url, config, methods: [...new Set([...before, method].flat())].toSorted() });
  });
  app.decorate('targets', () => [...known.values()]);
  app.decorateRequest('target', undefined);
  app.addHook('onRequest', (request, _reply, next) => {
    const path = request.is404 ? decodePath(readPath(request.raw)) : request.routeOptions.url!;
    request.target = known.get(path) ?? known.get(path.replace(/[^/]+$/, ':edition')); // the only path parameter
    next();
  });
}

/** Answers requests that match no route, before their body is read. */
export function addMethods(app: FastifyInstance): void {
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (request.target === undefined) return reply.problem({ code: 'not-found' });
    const allowed = request.target.methods.join(', ');
    reply.header('allow', allowed);
    if (request.method !== 'OPTIONS')
      return reply.problem({ code: 'method-not-allowed', detail: `This path supports ${allowed}.` });
    if (request.target.config.isOpen) reply.headers(PREFLIGHT);
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

/**
 * The HTTP door: which paths there are, who may use them how often, and what every answer has in common.
 * Resources answer with values; sockets, methods, timeouts and shutdown are here and nowhere else.
 */

import type { ServerResponse } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import { dressOf } from '../web/dress.ts';
import { agentsResource } from './agents.ts';
import { answer, methodsOf, pathOf, unexpected } from './answer.ts';
import { openAssets } from './assets.ts';
import { LONGEST_BODY } from './body.ts';
import { cityPageResource } from './city-page.ts';
import { openAddressReader } from './client.ts';
import { docsResource } from './docs-page.ts';
import type { Door, Entrance } from './door.ts';
import { feedResource } from './feed.ts';
import { healthResource } from './health.ts';
import { problemPages } from './html.ts';
import { leavingResources } from './leaving.ts';
import { NO_LIMITS, openLimiter } from './limits.ts';
import { openapiResource } from './openapi.ts';
import { problemReply } from './problem.ts';
import { carriesBody, refuseConnect, refuseRaw } from './protocol.ts';
import { type Reply, type Resource, writeReply } from './reply.ts';
import { searchReply } from './search.ts';
import { signupResources } from './signup.ts';
import { statsReply } from './stats.ts';
import { textResources } from './texts.ts';

const MOST_CONNECTIONS = 2000; // also of those not yet accepted: with Node's 511 whoever comes amid a rush waits for TCP to try again
const CLOSE_MS = 10_000; // what is still unanswered then is cut
const OPEN = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
];
const NONE: string[] = [];

export type App = {
  /** Every path it knows, for tests of the documentation. */
  readonly paths: readonly string[];
  /** Binds the port (0: any free one) and says where it listens, such as `http://127.0.0.1:3000`. */
  listen(host: string, port: number): Promise<string>;
  /** Stops accepting, lets everything accepted finish, at most 10 seconds. */
  close(): Promise<void>;
};

/** The service's HTTP door. `more` resources (signup, tests) join the ones it has. Throws `refused` for a bad TRUST_PROXY. */
export function openApp(entrance: Entrance, more: readonly Resource[] = []): App {
  let requestAt = entrance.now(); // the clock is read once for each request
  const now = () => requestAt;
  const addresses = openAddressReader(entrance.trustProxy, now, entrance.log.warn);
  const { limits = {} } = entrance;
  const limiter = limits === 'off' ? NO_LIMITS : openLimiter(limits, now);
  const { assets, resources: wardrobe } = openAssets(entrance.city);
  const dress = dressOf(entrance.city, assets, entrance.publicUrl);
  const door: Door = { ...entrance, limiter, sawUnvouched: addresses.sawUnvouched, dress };
  const resources = [...resourcesOf(door), ...wardrobe, ...more];
  let isClosing = false;

  function serve(resource: Resource | undefined): Handler {
    return (request, reply) => {
      requestAt = entrance.now();
      const given = answer(door, resource, request.raw, addresses.addressOf(request.raw));
      if (given instanceof Promise) return given.then((late) => send(request, reply, resource, late));
      send(request, reply, resource, given);
    };
  }

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    resource: Resource | undefined,
    given: Reply,
  ): void {
    door.metrics?.answered(resource?.path ?? 'other', given.status);
    reply.hijack();
    writeReply(reply.raw, given, {
      head: request.raw.method === 'HEAD',
      more: resource?.isOpen === true && given.status !== 204 ? OPEN : NONE,
      close: isClosing || isLast(reply.raw) || (carriesBody(request.raw) && !request.raw.readableEnded),
    });
  }

  const instance = newInstance(door);
  connect(instance, resources, serve);
  instance.setErrorHandler<FastifyError>((error, request, reply) => {
    // a Content-Type that is none: what takes a body says so itself, within the budget; elsewhere nobody asked for one
    if (request.is404 || error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
      return serve(resourceAt(resources, request))(request, reply);
    send(request, reply, undefined, unexpected(door, error));
  });
  return {
    paths: resources.map(({ path }) => path),
    listen: (host, port) => instance.listen({ host, port, backlog: MOST_CONNECTIONS }),
    async close() {
      isClosing = true;
      const cut = setTimeout(() => instance.server.closeAllConnections(), CLOSE_MS);
      await instance.close().finally(() => clearTimeout(cut));
    },
  };
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Every path takes the methods it has; all else, known path or not, goes where 404 and 405 are told apart. */
function connect(
  instance: FastifyInstance,
  resources: readonly Resource[],
  serve: (resource: Resource | undefined) => Handler,
): void {
  for (const resource of resources) {
    instance.route({
      method: methodsOf(resource),
      url: resource.path,
      handler: serve(resource),
    });
  }
  instance.setNotFoundHandler((request, reply) => serve(resourceAt(resources, request))(request, reply));
}

/** As the router reads a path: `/%61pi/search` is `/api/search` (RFC 3986, 6.2.2.2). */
function resourceAt(resources: readonly Resource[], request: FastifyRequest): Resource | undefined {
  const path = decoded(pathOf(request.raw));
  return resources.find((resource) => resource.path === path);
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function resourcesOf(door: Door): Resource[] {
  return [
    { path: '/api/search', isOpen: true, get: searchReply(door) },
    { path: '/api/stats', isOpen: true, get: statsReply(door) },
    healthResource(door),
    openapiResource(door),
    cityPageResource(door),
    docsResource(door),
    feedResource(door),
    agentsResource(door),
    ...textResources(door),
    ...problemPages(door),
    ...(door.desk === undefined
      ? []
      : [...signupResources(door, door.desk), ...leavingResources(door, door.desk)]),
  ];
}

/** Fastify with its defaults corrected: bounded in time and size, nothing parsed or logged that we do not ask for. */
function newInstance(door: Door): FastifyInstance {
  const instance = fastify({
    logger: false,
    requestTimeout: 15_000,
    keepAliveTimeout: 10_000,
    connectionTimeout: 30_000,
    maxRequestsPerSocket: 1000,
    bodyLimit: LONGEST_BODY,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { querystringParser: () => ({}) }, // parameters.ts reads the raw query
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: 16_384,
      requireHostHeader: false, // protocol.ts counts them, and answers as a problem
    },
    clientErrorHandler: (error, socket) => refuseRaw(door.publicUrl, error, socket),
    frameworkErrors: (_error, request, reply) => {
      const problem = problemReply(door.publicUrl, { code: 'bad-request' });
      reply.hijack();
      writeReply(reply.raw, problem, { head: request.method === 'HEAD', close: true });
    },
  });
  instance.server.maxConnections = MOST_CONNECTIONS;
  instance.server.on('checkExpectation', (...asked) => instance.server.emit('request', ...asked)); // Node would say a bare 417
  instance.server.on('connect', (_request, socket) => refuseConnect(door.publicUrl, socket));
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', (_request, _payload, done) => done(null)); // bodies are left unread
  return instance;
}

/** The thousandth on its connection: Node would say `close` but keep it open, and answer what follows with a bare 503. */
function isLast(response: ServerResponse): boolean {
  return 'maxRequestsOnConnectionReached' in response && response.maxRequestsOnConnectionReached === true;
}

/**
 * The HTTP door: which paths there are, who may use them how often, and what every answer has in common.
 * Resources answer with values; sockets, methods, timeouts and shutdown are here and nowhere else.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import { openAddressReader } from './client.ts';
import type { Door, Entrance } from './door.ts';
import { healthResource } from './health.ts';
import { notReady } from './json.ts';
import { NO_LIMITS, openLimiter } from './limits.ts';
import { openapiResource } from './openapi.ts';
import { pageResource, problemPages } from './page.ts';
import { PROBLEMS, type Problem, problemReply } from './problem.ts';
import { carriesBody, protocolFault, refuseConnect, refuseRaw } from './protocol.ts';
import { quotaExceeded } from './quota.ts';
import { type Ask, type Reply, type Resource, writeReply } from './reply.ts';
import { searchResource } from './search.ts';
import { statsResource } from './stats.ts';

const METHODS = 'GET, HEAD, OPTIONS';
const CLOSE_MS = 10_000; // what is still unanswered then is cut
const OPEN = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
];
const NONE: string[] = [];
const PREFLIGHT = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Allow-Methods',
  'GET, HEAD',
  'Access-Control-Allow-Headers',
  'If-None-Match',
  'Access-Control-Max-Age',
  '86400',
];

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
  const addresses = openAddressReader(entrance.trustProxy, now);
  const limiter = entrance.limits === 'off' ? NO_LIMITS : openLimiter(entrance.limits ?? {}, now);
  const door: Door = { ...entrance, limiter, sawUnvouched: addresses.sawUnvouched };
  const resources = [...resourcesOf(door), ...more];
  let isClosing = false;

  function serve(resource: Resource | undefined): (request: FastifyRequest, reply: FastifyReply) => unknown {
    return (request, reply) => {
      const startedAt = performance.now();
      requestAt = entrance.now();
      const given = answer(door, resource, request.raw, addresses.addressOf(request.raw));
      if (given instanceof Promise)
        return given.then((late) => send(request, reply, { resource, startedAt }, late));
      send(request, reply, { resource, startedAt }, given);
    };
  }

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { resource, startedAt }: { resource: Resource | undefined; startedAt: number },
    given: Reply,
  ): void {
    if (reply.sent) return; // given up on meanwhile
    reply.hijack();
    const { method } = request.raw;
    writeReply(reply.raw, given, {
      head: method === 'HEAD',
      more: resource?.isOpen === true && given.status !== 204 ? OPEN : NONE,
      close: isClosing || isLast(reply.raw) || carriesBody(request.raw),
    });
    entrance.requests?.({
      method: method ?? '',
      route: resource?.path ?? 'none',
      status: given.status,
      ms: Math.round((performance.now() - startedAt) * 100) / 100,
    });
  }

  const instance = newInstance(door);
  for (const resource of resources) {
    instance.route({
      method: ['GET', 'HEAD', 'OPTIONS'],
      url: resource.path,
      handler: serve(resource),
      ...(resource.patienceMs === undefined ? {} : { handlerTimeout: resource.patienceMs }),
    });
  }
  const elsewhere = (request: FastifyRequest, reply: FastifyReply) =>
    serve(resources.find(({ path }) => path === pathOf(request.raw)))(request, reply);
  instance.setNotFoundHandler(elsewhere);
  instance.setErrorHandler((error, request, reply) => {
    if (request.is404) return elsewhere(request, reply);
    const isLate = error instanceof Error && 'code' in error && error.code === 'FST_ERR_HANDLER_TIMEOUT';
    const given = isLate ? notReady(door) : unexpected(door, error);
    send(request, reply, { resource: undefined, startedAt: performance.now() }, given);
  });

  return {
    paths: resources.map(({ path }) => path),
    listen: (host, port) => instance.listen({ host, port }),
    async close() {
      isClosing = true;
      const cut = setTimeout(() => instance.server.closeAllConnections(), CLOSE_MS);
      await instance.close().finally(() => clearTimeout(cut));
    },
  };
}

function resourcesOf(door: Door): Resource[] {
  return [
    searchResource(door),
    statsResource(door),
    healthResource(door),
    openapiResource(door),
    pageResource(door),
    ...problemPages(),
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
    bodyLimit: 4096,
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
      const problem: Problem = { code: 'bad-request', detail: PROBLEMS['bad-request'].text };
      reply.hijack();
      writeReply(reply.raw, problemReply(door.publicUrl, problem), {
        head: request.method === 'HEAD',
        close: true,
      });
    },
  });
  instance.server.maxConnections = 2000;
  instance.server.on('connect', (_request, socket) => refuseConnect(door.publicUrl, socket));
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', (_request, _payload, done) => done(null)); // bodies are left unread
  return instance;
}

/** The answer to anything: protocol first, then the budget, then the path and its method. */
function answer(
  door: Door,
  resource: Resource | undefined,
  request: IncomingMessage,
  address: string,
): Reply | Promise<Reply> {
  try {
    const fault = protocolFault(request);
    if (fault !== undefined) return problemReply(door.publicUrl, fault);
    const ask: Ask = {
      method: request.method ?? '',
      query: queryOf(request),
      headers: request.headers,
      client: door.limiter.client(address),
    };
    const given = admitted(door, resource, ask);
    return given instanceof Promise ? given.catch((error: unknown) => unexpected(door, error)) : given;
  } catch (error) {
    return unexpected(door, error);
  }
}

function admitted(door: Door, resource: Resource | undefined, ask: Ask): Reply | Promise<Reply> {
  if (resource?.isFree !== true && !door.limiter.admit(ask.client)) return quotaExceeded(door, ask.client, 0);
  if (resource === undefined)
    return problemReply(door.publicUrl, { code: 'not-found', detail: PROBLEMS['not-found'].text });
  if (ask.method === 'GET' || ask.method === 'HEAD') return resource.get(ask);
  if (ask.method === 'OPTIONS')
    return { status: 204, headers: ['Allow', METHODS, ...(resource.isOpen ? PREFLIGHT : [])], body: null };
  return problemReply(door.publicUrl, {
    code: 'method-not-allowed',
    detail: `This path takes ${METHODS}.`,
    headers: ['Allow', METHODS],
  });
}

/** Says nothing of what happened to the asker, and nothing of the asker to the log: messages may quote what was asked. */
function unexpected(door: Door, error: unknown): Reply {
  const reference = crypto.randomUUID();
  const where =
    error instanceof Error
      ? (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
      : [];
  const name = error instanceof Error ? error.name : typeof error;
  door.log.warn(
    `a request failed (${reference}): ${name} ${where
      .slice(0, 5)
      .map((line) => line.trim())
      .join(', ')}`,
  );
  return problemReply(door.publicUrl, {
    code: 'internal',
    detail: `Internal error, reference ${reference}.`,
  });
}

/** The thousandth on its connection: Node would say `close` but keep it open, and answer what follows with a bare 503. */
function isLast(response: ServerResponse): boolean {
  return 'maxRequestsOnConnectionReached' in response && response.maxRequestsOnConnectionReached === true;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0]!;
}

function queryOf(request: IncomingMessage): string {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

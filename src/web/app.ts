/** The HTTP server as a Fastify app: its plugins, in the order in which they handle a request, and its routes. */

import { createRequire } from 'node:module';
import { type FastifyInstance, type FastifyReply, type FastifyServerOptions, fastify } from 'fastify';
import type { ServerContext, Services } from './context.ts';
import { openAddressReader } from './limits/client-address.ts';
import { CLIENT_CONNECTIONS, limitConnections } from './limits/connections.ts';
import { type Limiter, NO_LIMITS, openLimiter } from './limits/limiter.ts';
import { layoutFor } from './pages/page-layout.ts';
import { handlerTimeouts } from './plugins/handler-timeouts.ts';
import { loadShedding } from './plugins/load-shedding.ts';
import { methods, targets } from './plugins/methods.ts';
import { openApiDocument } from './plugins/open-api.ts';
import { problemDetails } from './plugins/problem-details.ts';
import { rateLimits } from './plugins/rate-limits.ts';
import { responseHeaders } from './plugins/response-headers.ts';
import { answerRawError, strictHttp } from './plugins/strict-http.ts';
import { formatProblem, problemHeaders } from './problems.ts';
import { FORM_LIMIT_BYTES } from './request-body.ts';
import { assetRoutes, readAssets } from './routes/assets.ts';
import { chartRoute } from './routes/chart.ts';
import { cityPageRoute } from './routes/city-page.ts';
import { docsRoute } from './routes/docs.ts';
import { feedRoutes } from './routes/feeds.ts';
import { healthRoute } from './routes/health.ts';
import { mcpRoute } from './routes/mcp.ts';
import { openApiRoute } from './routes/openapi.ts';
import { problemPageRoutes } from './routes/problem-pages.ts';
import { searchRoute } from './routes/search.ts';
import { signupRoutes } from './routes/signup.ts';
import { statsRoute } from './routes/stats.ts';
import { subscriptionRoutes } from './routes/subscriptions.ts';
import { textRoutes } from './routes/texts.ts';
import { weeklyRoutes } from './routes/weekly.ts';

/** Open connections, and those waiting to be accepted. With Node's default of 511, many new clients would have to wait for TCP retries. */
export const MAX_CONNECTIONS = 2000;

export type AppOptions = {
  /** Further routes, for tests. */
  routes?: (app: FastifyInstance, context: ServerContext) => void;
};

/** The app, ready to `listen` or `inject`. Throws `refused` for a bad TRUST_PROXY. */
export function buildApp(services: Services, options: AppOptions = {}): FastifyInstance {
  const clock = { requestAt: services.now() }; // read once for each request
  const now = () => clock.requestAt;
  const addresses = openAddressReader(services.trustProxy, now, services.log.warn);
  const limiter = openLimiterOf(services, now);
  const assets = readAssets(services.city);
  const layout = layoutFor(services.city, assets.addresses, services.publicUrl);
  const context: ServerContext = { ...services, limiter, layout, sawUnvouched: addresses.sawUnvouched };

  const app = newApp(context);
  if (services.limits !== 'off' && services.trustProxy.length === 0)
    // else the proxy has to
    limitConnections(app.server, services.limits?.connections ?? CLIENT_CONNECTIONS, () =>
      services.metrics?.refused('connections'),
    );
  app.addHook('onRequest', (_request, _reply, done) => {
    clock.requestAt = services.now();
    done();
  });
  app.register(targets);
  app.register(problemDetails, context);
  app.register(openApiDocument, context);
  app.register(responseHeaders, context);
  app.register(strictHttp, context);
  app.register(loadShedding, context);
  app.register(rateLimits, { ...context, addressOf: addresses.addressOf });
  app.register(methods, context);
  app.register(handlerTimeouts, context);
  app.register((routes, _options, done) => {
    for (const add of routesFor(context)) add(routes, context);
    assetRoutes(routes, assets);
    options.routes?.(routes, context);
    done();
  });
  return app;
}

/** The budgets follow the city's size, so that an import changes them. */
function openLimiterOf({ limits = {}, index, instances }: Services, now: () => number): Limiter {
  if (limits === 'off') return NO_LIMITS;
  return openLimiter(limits, now, { listings: () => index()?.size ?? 0, instances });
}

function routesFor({ subscriptions }: Services): ((app: FastifyInstance, context: ServerContext) => void)[] {
  return [
    searchRoute,
    statsRoute,
    healthRoute,
    openApiRoute,
    feedRoutes,
    chartRoute,
    mcpRoute,
    cityPageRoute,
    weeklyRoutes,
    docsRoute,
    textRoutes,
    problemPageRoutes,
    ...(subscriptions === undefined ? [] : [signupRoutes, subscriptionRoutes]),
  ];
}

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

/** Requests need no compiled schemas: the strict readers judge them. */
const acceptAll = (() => () => () => true) as unknown as NonNullable<Compilers['buildValidator']>;

/** What Fastify would load at its start by itself. */
const fastifyRequire = createRequire(createRequire(import.meta.url).resolve('fastify'));

type Serializer = (value: unknown) => string;

/**
 * Serializers are compiled while the service waits for its first index, or when a route first answers with a value: loading their compiler
 * would make the start longer. Routes whose answers have the same schema share one; most answer with the same problem details.
 */
function lazySerializers() {
  const compiled = new Map<string, Serializer>();
  const compilers: (() => void)[] = [];
  let compileRoute: ((route: object) => Serializer) | undefined;
  const buildSerializer = (schemas: unknown, options: unknown) => (route: { schema?: unknown }) => {
    const schema = JSON.stringify(route.schema);
    let serialize: Serializer | undefined;
    const compile = (): Serializer => {
      compileRoute ??= fastifyRequire('@fastify/fast-json-stringify-compiler')()(schemas, options);
      serialize ??= compiled.get(schema) ?? compileRoute!(route);
      compiled.set(schema, serialize);
      return serialize;
    };
    compilers.push(compile);
    return (value: unknown) => (serialize ?? compile())(value);
  };
  /** Compiles one, then lets requests in, then the next. */
  const compileAll = (): void => {
    compilers.shift()?.();
    if (compilers.length > 0) setImmediate(compileAll);
  };
  return { buildSerializer, compileAll };
}

const MAX_HEADER_BYTES = 16_384;

/** Fastify with its defaults corrected: bounded in time and size; parameters and bodies are read by our own strict readers. */
function newApp({ publicUrl }: ServerContext): FastifyInstance {
  const { buildSerializer, compileAll } = lazySerializers();
  const app = fastify({
    logger: false,
    requestTimeout: 15_000,
    keepAliveTimeout: 10_000,
    connectionTimeout: 30_000,
    bodyLimit: FORM_LIMIT_BYTES,
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: acceptAll, buildSerializer } },
    routerOptions: {
      querystringParser: () => ({}), // the raw query is read by search/query.ts
      maxParamLength: MAX_HEADER_BYTES, // plugins/strict-http.ts limits addresses
    },
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false, // strict-http.ts counts them, and answers with a problem
    },
    clientErrorHandler: (error, socket) => answerRawError(publicUrl, error, socket),
    frameworkErrors: (_error, _request, reply) => {
      const problem = formatProblem(publicUrl, { code: 'bad-request' }); // no plugin has seen this request
      (reply as FastifyReply)
        .code(problem.status)
        .headers({ ...problemHeaders, connection: 'close' })
        .send(JSON.stringify(problem));
    },
  });
  app.addHook('onListen', async () => void setImmediate(compileAll));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.server.maxConnections = MAX_CONNECTIONS;
  return app;
}

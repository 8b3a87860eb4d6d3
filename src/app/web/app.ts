/** Builds the HTTP server as a Fastify app: routes, and plugins in the order in which they handle a request. */

import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import type { PageLayout } from '../../page/page-layout.ts';
import type { ListingIndex } from '../../service/search/index/open.ts';
import { limitConnections, limitSlowClients, MAX_CONNECTIONS } from '../../service/web/connections.ts';
import type { Clocks, Services } from '../../service/web/context.ts';
import { openAddressReader } from '../../service/web/limits/client-address.ts';
import { type Limiter, openLimiter } from '../../service/web/limits/limiter.ts';
import { addLoadShedding } from '../../service/web/plugins/load-shedding.ts';
import {
  addHandlerTimeouts,
  addMethods,
  addRateLimits,
  addResponseHeaders,
  addTargets,
} from '../../service/web/plugins/route-config.ts';
import { addStrictHttp, answerRawError, refuseRaw } from '../../service/web/plugins/strict-http.ts';
import { formatProblem, problemHeaders } from '../../service/web/problems.ts';
import { FORM_LIMIT_BYTES } from '../../service/web/request-body.ts';
import { mcpRoute } from '../../service/web/routes/mcp.ts';
import { searchRoute } from '../../service/web/routes/search-routes.ts';
import { apiIndexRoute, healthRoute, textRoutes } from '../../service/web/routes/small-routes.ts';
import { statsRoute, statsTableRoute } from '../../service/web/routes/stats.ts';
import { openDataReader } from '../../service/web/served-data.ts';
import { pageLocalizationFor } from '../../shared/city/localization.ts';
import { hasRegisterEnded } from '../../shared/city/register-end.ts';
import { EVERYTHING } from '../../shared/question.ts';
import { aboutRoute } from './about.ts';
import { assetRoutes, readAssets } from './assets.ts';
import { chartRoute } from './chart.ts';
import { docsRoutes } from './docs.ts';
import { feedRoutes } from './feeds.ts';
import type { PageContext } from './page-context.ts';
import { addProblemDetails, problemPageRoutes } from './problem-details.ts';
import { searchPageRoutes } from './search-pages.ts';
import { signupRoutes } from './signup.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { openNewestEdition, weeklyRoutes } from './weekly.ts';

/** Maximum connections of one IPv4 address or IPv6 /48. This is enough for a large office or school. */
const CLIENT_CONNECTIONS = 100;

type AddRoutes = (app: FastifyInstance, context: PageContext) => void;

/** Builds an app that can `listen` or `inject`. Tests add `routes`. Throws `refused` for an invalid TRUST_PROXY. */
export function buildApp(services: Services, { routes }: { routes?: AddRoutes } = {}): FastifyInstance {
  const { city, index, limits = {}, metrics, publicUrl, trustProxy } = services;
  const clock = { requestAt: services.now() }; // read once for each request
  const now = () => clock.requestAt;
  const addresses = openAddressReader(trustProxy, services.now, services.log.warn);
  // a copy of invented data does no harm, and a demo must not stop people who try it
  const listings = () => (city.invented === true ? Number.POSITIVE_INFINITY : (index()?.size ?? 0));
  const hasNews = () => !hasRegisterEnded(city, index());
  const assets = readAssets(city);
  const localization = pageLocalizationFor(city);
  const recorded = new WeakMap<ListingIndex, boolean>();
  const layout: PageLayout = {
    style: assets.style.address,
    referenceStyle: assets.referenceStyle.address,
    script: assets.script.address,
    icon: assets.icon.address,
    font: assets.font.address,
    city,
    localization,
    publicUrl,
    mayEmbed: services.mayEmbed === true,
    writesFiles: services.writesFiles === true,
    hasNews,
    recordsClosings: () => {
      const now = index();
      return now !== undefined && recorded.getOrInsertComputed(now, recordsClosings);
    },
    today: () => (hasNews() ? index()?.day : undefined),
    newestEdition: openNewestEdition(() => layout, index),
  };
  const limiter = openLimiter(limits, now, {
    listings,
    secret: services.secret,
    charged: metrics?.charged,
  });
  const context: PageContext = {
    ...services,
    data: openDataReader(services),
    limiter,
    measure: openMeter(limiter, services.clocks),
    layout,
  };

  const app = newApp(context);
  app.decorate('filled', limiter.filled);
  app.decorate('sawUnvouched', addresses.sawUnvouched);
  if (limits !== 'off' && trustProxy.length === 0)
    // behind a proxy, all connections come from the proxy, which has to limit its clients
    limitConnections(app.server, limits.connections ?? CLIENT_CONNECTIONS);
  limitSlowClients(app.server, (socket) => refuseRaw(publicUrl, { code: 'timeout' }, socket));
  app.addHook('onRequest', (_request, _reply, done) => {
    clock.requestAt = services.now();
    done();
  });
  addTargets(app);
  addProblemDetails(app, context);
  addResponseHeaders(app, context);
  addStrictHttp(app, context);
  addLoadShedding(app, context);
  addRateLimits(app, context, addresses.addressOf);
  addMethods(app);
  addHandlerTimeouts(app);
  for (const add of ROUTES) add(app, context);
  assetRoutes(app, context, assets);
  routes?.(app, context);
  return app;
}

/** Returns a function that charges clients for CPU time. Without clocks, CPU time costs nothing. */
function openMeter({ addCpu }: Limiter, clocks: Clocks | undefined): PageContext['measure'] {
  if (clocks === undefined) return (_client, work) => work();
  return (client, work) => {
    const start = clocks.cpuMs();
    try {
      return work();
    } finally {
      addCpu(client, clocks.cpuMs() - start);
    }
  };
}

const ROUTES: readonly AddRoutes[] = [
  searchRoute,
  statsRoute,
  statsTableRoute,
  healthRoute,
  apiIndexRoute,
  docsRoutes,
  feedRoutes,
  chartRoute,
  mcpRoute,
  searchPageRoutes,
  aboutRoute,
  weeklyRoutes,
  textRoutes,
  problemPageRoutes,
  signupRoutes,
  subscriptionRoutes,
];

export const MAX_HEADER_BYTES = 16_384;

/** Opens Fastify with limits on size. Our own readers parse parameters and bodies. */
function newApp({ publicUrl }: PageContext): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: FORM_LIMIT_BYTES,
    return503OnClosing: false,
    exposeHeadRoutes: false, // plugins/route-config.ts adds HEAD routes
    routerOptions: {
      querystringParser: () => ({}), // search/query.ts reads the raw query
      maxParamLength: MAX_HEADER_BYTES, // plugins/strict-http.ts limits the length of addresses
    },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false, // strict-http.ts counts Host headers and sends a problem
    },
    clientErrorHandler: (error, socket) => answerRawError(publicUrl, error, socket),
    frameworkErrors: (_error, _request, reply) => {
      // plugins do not run for this request
      const problem = formatProblem(publicUrl, { code: 'bad-request' });
      (reply as FastifyReply)
        .code(problem.status)
        .headers({ ...problemHeaders, connection: 'close' })
        .send(JSON.stringify(problem));
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.server.maxConnections = MAX_CONNECTIONS;
  return app;
}

function recordsClosings(index: ListingIndex): boolean {
  return index.facets(EVERYTHING).status.some(({ value }) => value === 'closed');
}

/** Adds GET /api: whose data this is, how fresh it is, its limits, and where everything is. It is free. */

import type { FastifyInstance } from 'fastify';
import { localizationFor } from '../../../shared/city/localization.ts';
import { FURTHEST, PAGE_LIMIT } from '../../../shared/question.ts';
import { formatInstant, JSON_TYPE, sendFree } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { describeFree } from '../openapi.ts';

export function apiIndexRoute(app: FastifyInstance, context: ServerContext): void {
  const schema = {
    operationId: 'getService',
    tags: ['Service'],
    summary: 'Whose data this is, how fresh it is, and where everything is',
    response: describeFree({ description: 'The service', id: 'Service' }),
  };
  app.get('/api', { config: { isCrossOrigin: true }, schema }, (_request, reply) => {
    const body = JSON.stringify(describeService(context));
    const headers = { 'content-type': JSON_TYPE };
    return sendFree(context, reply, { body, cacheControl: 'public, max-age=300', headers });
  });
}

/** Describes the service as a value of ServiceSchema. */
function describeService(context: ServerContext) {
  const { city, publicUrl, version, subscriptions } = context;
  const index = context.index();
  const { burst, rows, signup } = context.limiter.quotas();
  const limitOf = (quota: number) => (Number.isFinite(quota) ? quota : null);
  return {
    name: city.name,
    region: city.region,
    time_zone: city.timeZone,
    language: localizationFor(city).language,
    operator: { name: city.operator.name, contact: city.operator.contact },
    publishers: city.sources.map(({ publisher: name, homepage, license, terms }) => ({
      name,
      homepage,
      license,
      license_url: terms ?? null,
    })),
    terms: `${publicUrl}/about#terms`,
    listings: index?.size ?? 0,
    data_as_of: formatInstant(context.dataAsOf()),
    latest_filing: index?.latestFiling ?? null,
    version,
    limits: {
      listings_per_page: PAGE_LIMIT,
      listings_per_query: FURTHEST,
      requests_per_minute: limitOf(burst),
      listings_per_day: limitOf(rows),
      signups_per_hour: limitOf(signup),
    },
    links: {
      website: `${publicUrl}/`,
      documentation: `${publicUrl}/docs`,
      openapi: `${publicUrl}/openapi.json`,
      search: `${publicUrl}/api/search`,
      counts: `${publicUrl}/api/stats`,
      table: `${publicUrl}/api/stats.csv`,
      health: `${publicUrl}/api/health`,
      feed_json: `${publicUrl}/feed.json`,
      feed_atom: `${publicUrl}/feed.xml`,
      chart: `${publicUrl}/chart.svg`,
      agents: `${publicUrl}/mcp`,
      signup: subscriptions === undefined ? null : `${publicUrl}/api/signup`,
    },
  };
}

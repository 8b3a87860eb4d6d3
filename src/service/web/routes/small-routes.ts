/** Adds the small routes, all free: the state of the service, whose data this is, and texts at well-known addresses. */

import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { DIMENSIONS } from '../../../shared/answers.ts';
import { formatContactLink, listHomepages } from '../../../shared/city/city-facts.ts';
import { localizationFor } from '../../../shared/city/localization.ts';
import { addDays } from '../../../shared/day.ts';
import { FURTHEST, formatList, PAGE_LIMIT, searchParameters } from '../../../shared/question.ts';
import { fillIn } from '../../../shared/text/fill-in.ts';
import { JSON_TYPE, sendFree } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { formatInstant } from '../served-data.ts';

/** Adds GET /api/health: the state of the service, for monitoring. It is never cached. */
export function healthRoute(app: FastifyInstance, context: ServerContext): void {
  const config = { isCrossOrigin: true, isUnlimited: true, priority: 'health' } as const;
  app.get('/api/health', { config }, (_request, reply) => {
    const { status, detail } = context.health();
    reply.headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store' });
    return reply.code(status === 'fail' ? 503 : 200).send({
      status,
      listings: context.index()?.size ?? 0,
      data_as_of: formatInstant(context.dataAsOf()),
      latest_filing: context.index()?.latestFiling ?? null,
      version: context.version,
      ...(detail.length > 0 && { detail: detail.join('; ') }),
    });
  });
}

/** Adds GET /api: whose data this is, how fresh it is, its limits, and where everything is. */
export function apiIndexRoute(app: FastifyInstance, context: ServerContext): void {
  app.get('/api', { config: { isCrossOrigin: true } }, (_request, reply) => {
    const body = JSON.stringify(describeService(context));
    const headers = { 'content-type': JSON_TYPE };
    return sendFree(context, reply, { body, cacheControl: 'public, max-age=300', headers });
  });
}

/** Describes the service as a `Service` of the API document. */
function describeService(context: ServerContext) {
  const { city, publicUrl, version } = context;
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
      signup: `${publicUrl}/api/signup`,
    },
  };
}

const GOOD_FOR_DAYS = 180; // RFC 9116 recommends less than a year

type Values = Readonly<Record<string, string | number>>;

/** Adds plain texts for agents, search engines and security reports. */
export function textRoutes(app: FastifyInstance, context: ServerContext): void {
  const texts: [path: string, type: string, listValues: (context: ServerContext) => Values][] = [
    ['/llms.txt', 'text/markdown', listLlmsValues],
    ['/robots.txt', 'text/plain', () => ({})],
    ['/.well-known/security.txt', 'text/plain', listSecurityValues],
  ];
  for (const [path, type, listValues] of texts) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const template = readFileSync(new URL(`../../../data/${name}`, import.meta.url), 'utf8');
    const headers = { 'content-type': `${type}; charset=utf-8` };
    app.get(path, (_request, reply) => {
      const body = fillIn(template, listValues(context));
      return sendFree(context, reply, { body, cacheControl: 'public, max-age=3600', headers });
    });
  }
}

/** Returns the values of llms.txt (llmstxt.org). */
function listLlmsValues(context: ServerContext): Values {
  const { city, publicUrl: url } = context;
  const index = context.index();
  const latest = index?.latestFiling ?? null;
  const newest = latest === null ? '' : `, most recent filing ${latest}`;
  const asOf = formatInstant(context.dataAsOf());
  const parameters = Object.entries(searchParameters).map(
    ([name, { isList }]) => `\`${name}\`${isList ? ' (may be repeated)' : ''}`,
  );
  return {
    url,
    city: city.name,
    region: city.region,
    limit: PAGE_LIMIT,
    operator: city.operator.name,
    contact: city.operator.contact,
    source: city.invented
      ? 'Invented businesses, to try the service.'
      : 'New businesses from public filings.',
    homepages: listHomepages(city, ', '),
    parameters: parameters.join(', '),
    dimensions: formatList(DIMENSIONS),
    state: index ? `${index.size} listings, data as of ${asOf}${newest}.` : 'There is no data yet.',
  };
}

/** Returns the values of RFC 9116. The contact must be a URI: other texts are replaced by the page that shows them. */
function listSecurityValues({ city, publicUrl: url, now }: ServerContext): Values {
  const today = new Date(now()).toISOString().slice(0, 10);
  const expires = `${addDays(today, GOOD_FOR_DAYS)}T00:00:00Z`;
  const contact = formatContactLink(city.operator.contact) ?? `${url}/about#correct`;
  return { url, contact, expires };
}

/** Adds plain texts at well-known addresses, for agents, search engines and security reports. */

import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { DIMENSIONS } from '../../../shared/answers.ts';
import { formatContactLink } from '../../../shared/city/city-facts.ts';
import { addDays } from '../../../shared/day.ts';
import { formatList, PAGE_LIMIT, searchParameters } from '../../../shared/question.ts';
import { formatInstant, sendFree } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { listHomepages } from '../limits/charge.ts';

const GOOD_FOR_DAYS = 180; // RFC 9116 recommends less than a year

type Values = Readonly<Record<string, string | number>>;

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
      const values = listValues(context);
      const body = template.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
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

/** Adds plain texts at well-known addresses, for agents, search engines and security reports. */

import type { FastifyInstance } from 'fastify';
import { formatContactLink } from '../../city/define.ts';
import { addDays, type Day } from '../../listings/day.ts';
import { PAGE_LIMIT, searchParameters } from '../../search/parameters.ts';
import { formatInstant, sendFree } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { listHomepages } from '../limits/charge.ts';

const GOOD_FOR_DAYS = 180; // RFC 9116 recommends less than a year

export function textRoutes(app: FastifyInstance, context: ServerContext): void {
  const texts: [path: string, type: string, render: () => string][] = [
    ['/llms.txt', 'text/markdown', () => llms(context)],
    ['/robots.txt', 'text/plain', () => ROBOTS],
    ['/.well-known/security.txt', 'text/plain', () => security(context)],
  ];
  for (const [path, type, render] of texts)
    app.get(path, (_request, reply) => {
      const headers = { 'content-type': `${type}; charset=utf-8` };
      return sendFree(context, reply, { body: render(), cacheControl: 'public, max-age=3600', headers });
    });
}

/** Lets search engines fetch pages that they must not index, so that they can read `noindex` there. */
const ROBOTS = `# Search pages, feeds and the API send "noindex", so that removed listings do not stay in search engines.
User-agent: *
Allow: /
Disallow: /mcp
Disallow: /confirm
Disallow: /manage
Disallow: /unsubscribe
`;

/** Returns the text in the format of llmstxt.org. */
function llms(context: ServerContext): string {
  const { city, publicUrl } = context;
  const index = context.index();
  const asOf = formatInstant(context.dataAsOf());
  const latest = index?.latestFiling ?? null;
  const newest = latest === null ? '' : `, most recent filing ${latest}`;
  const state =
    index === undefined ? 'There is no data yet.' : `${index.size} listings, data as of ${asOf}${newest}.`;
  return `# New businesses in ${city.name}, ${city.region}

> New businesses from public filings. ${state} A listing has a name, a category, a neighborhood, a status and the date of its first filing, and nothing else. Free to use, no credentials needed.

A filing means that a business was registered. It does not mean that the business is open. Categories and neighborhoods may be inferred from the filing. Not a consumer report. Not for bulk copying: a response has at most ${PAGE_LIMIT} listings, and each client has a rate limit. A 429 response says when to try again. If you need all the data, get it from the publisher: ${listHomepages(city, ', ')}.

## Query

- [MCP server](${publicUrl}/mcp): Streamable HTTP, no credentials; the tools \`search_listings\` and \`count_listings\`
- [Search](${publicUrl}/api/search?q=coffee&status=open&limit=5): ${parametersInWords()}
- [Just the count](${publicUrl}/api/search?q=coffee&limit=0): it costs one listing of the limit
- [Counts](${publicUrl}/api/stats): by month, category and neighborhood; use its values as filter values. Those of the whole city are free, any others cost one listing
- [OpenAPI document](${publicUrl}/openapi.json) and [reference](${publicUrl}/docs)
- Feeds of any search, with the same parameters: [JSON Feed](${publicUrl}/feed.json), [Atom](${publicUrl}/feed.xml)

## Read

- [Website](${publicUrl}/)
- [Terms](${publicUrl}/about#terms)

Run by ${city.operator.name}. To have a listing removed: ${city.operator.contact}
`;
}

/** Lists the parameter names. Marks those that may be repeated. */
function parametersInWords(): string {
  return Object.entries(searchParameters)
    .map(([name, { isList }]) => `\`${name}\`${isList ? ' (may be repeated)' : ''}`)
    .join(', ');
}

/** Returns the text of RFC 9116. The contact must be a URI, so a sentence is replaced by the page that shows it. */
function security({ city, publicUrl, now }: ServerContext): string {
  const today: Day = new Date(now()).toISOString().slice(0, 10);
  return `Contact: ${formatContactLink(city.operator.contact) ?? `${publicUrl}/about#correct`}
Expires: ${addDays(today, GOOD_FOR_DAYS)}T00:00:00Z
Preferred-Languages: en
Canonical: ${publicUrl}/.well-known/security.txt
`;
}

/** What the OpenAPI document does not say: what the service is, its limits, and caching. */

import { type Markup, markup } from '../markup.ts';
import type { PageLayout } from '../page-layout.ts';
import { renderRows } from './rows.ts';
import type { SampleView } from './samples.ts';
import { joinMarkup } from './text.ts';

export type Described = { text: Markup; samples: readonly SampleView[] };

/** The budgets of one client: requests a minute, listings in 24 hours, signups an hour, and the RateLimit-Policy header. */
export type Budgets = { burst: number; rows: number; signup: number; policy: string };

export function describeService({ city, publicUrl }: PageLayout): Markup {
  const homes = new Map(city.sources.map(({ homepage, publisher }) => [homepage, publisher]));
  const publishers = [...homes].map(
    ([homepage, publisher]) => markup`<a href="${homepage}">${publisher}</a>`,
  );
  const brief = (term: string, text: Markup) => ({ term: markup`${term}`, text, isBrief: true });
  return markup`<p>Search and count the new businesses in ${city.name}, ${city.region}, by name, kind, neighborhood and filing date. The data comes from public filings. A filing means that a business was registered. It does not mean that it is open.</p>
<p>The API is free. You need no key and no account. It serves five fields about each business and nothing else. There is no bulk download: if you need all the data, get it from its publisher (${joinMarkup(publishers, ', ')}).</p>
${renderRows([
  brief('Base address', markup`<code>${publicUrl}</code>`),
  brief('OpenAPI', markup`<a href="/openapi.json">/openapi.json</a>`),
  brief('For AI agents', markup`<a href="/llms.txt">/llms.txt</a>`),
])}`;
}

export function describeLimits({ publicUrl }: PageLayout, budgets: Budgets | undefined): Described {
  if (budgets === undefined)
    return { text: markup`<p>Rate limits are turned off on this service.</p>`, samples: [] };
  const { burst, rows, signup, policy } = budgets;
  const row = (term: string, text: string) => ({ term: markup`${term}`, text: markup`${text}` });
  const text = markup`<p>Each client has a budget of requests, of listings and of signups. A client is an IPv4 address or an IPv6 /56 network; the networks of one /48 share four times the budget. The API, the website, the feeds and the MCP tools share these budgets. The operator can lift the limit of listings for a network, such as that of a library or a newsroom.</p>
${renderRows([
  row(
    `${format(burst)} requests in any minute`,
    'Every request counts, including errors and 304 responses. Health checks do not count.',
  ),
  row(
    `${format(rows)} listings in any 24 hours`,
    'Every answer about a search costs at least one listing: empty ones, HEAD, limit=0, counts, charts and count_listings too. A 304 is free, and so are the counts of the whole city at /api/stats. The newest listings of the whole city cost one. If fewer are left than a response costs, you get 429.',
  ),
  row(
    `${format(signup)} signups in any hour`,
    'Each mailbox gets at most three confirmation emails in 24 hours.',
  ),
])}
<p>On all of these and on 429 responses (except at the signup limit), the <code>RateLimit</code> header says what is left (<code>r</code>), and in how many seconds some of it comes back (<code>t</code>). Over a limit you get 429 with <code>Retry-After</code> in seconds. Wait that long: trying again sooner does not help.</p>`;
  const answer = `RateLimit-Policy: ${policy}\nRateLimit: "burst";r=${burst - 1};t=60, "rows";r=${rows - 1};t=86400`;
  const request = `curl -I '${publicUrl}/api/search?q=coffee&limit=0'`;
  return { text, samples: [{ label: 'What is left', request, status: '200', answer }] };
}

export function describeCaching({ publicUrl }: PageLayout): Described {
  const row = (term: string, text: string) => ({
    term: markup`${term}`,
    text: markup`<code>${text}</code>`,
    isBrief: true,
  });
  const text = markup`<p>Searches, counts, charts, feeds and <code>/openapi.json</code> have an <code>ETag</code>. Send it back as <code>If-None-Match</code>: as long as nothing has changed, you get 304 without a body, and it costs no listings. It changes with the data, the local date and the query.</p>
${renderRows([
  row('Searches, feeds', 'private, max-age=60'),
  row('Counts of a search, charts', 'private, max-age=300'),
  row('Counts of the whole city, OpenAPI', 'public, max-age=300'),
  row('Health, errors', 'no-store'),
])}
<p>Scripts on any site may read the GET routes under <code>/api</code>, both feeds and <code>/openapi.json</code> (CORS), with the headers <code>ETag</code>, <code>Link</code>, <code>RateLimit</code>, <code>RateLimit-Policy</code> and <code>Retry-After</code>. They cannot sign people up.</p>`;
  const request = `curl -i '${publicUrl}/api/stats' \\\n  -H 'If-None-Match: "1x3hc85-y078qu"'`;
  return { text, samples: [{ label: 'Nothing has changed', request, status: '304', answer: '' }] };
}

/** How an agent is told of the service. */
export function describeAgentSettings({ publicUrl }: PageLayout): SampleView {
  const answer = { mcpServers: { openings: { type: 'http', url: `${publicUrl}/mcp` } } };
  return { label: 'MCP settings for most agents', answer };
}

function format(count: number): string {
  return count.toLocaleString('en');
}

/**
 * The Model Context Protocol (Streamable HTTP, stateless) for agents. Two tools that read; they ask the same resources as
 * everybody, so that answers and budgets are the same. Holds nothing between requests.
 */

import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { City } from '../city/define.ts';
import { STATUSES } from '../listings/listing.ts';
import type { Door } from './door.ts';
import { JSON_HEADERS } from './json.ts';
import type { Client } from './limits.ts';
import { quotaExceeded } from './quota.ts';
import type { Answers, Ask, Posted, Reply } from './reply.ts';
import { closed, type Schema, SEARCH, STATS } from './schemas.ts';

const CLIENT = 'x-shingle-client'; // who asks, on its way through the SDK; never taken from outside

const values = (description: string) => ({
  ...{ type: 'array', items: { type: 'string' } },
  ...{ description, maxItems: 20 },
});
const ASKED: Record<string, Schema> = {
  q: {
    type: 'string',
    description: 'Words that must all match name, kind or neighborhood; the last also as a beginning.',
  },
  category: values('Kinds of business, exact, any of them; listing_stats names them all.'),
  neighborhood: values('Neighborhoods, exact, any of them; listing_stats names them all.'),
  status: values(`Any of ${STATUSES.join(', ')}.`),
  limit: { type: 'integer', minimum: 0, maximum: 25, description: 'Default 25; 0 only counts.' },
  offset: { type: 'integer', minimum: 0, maximum: 1000, description: '25 is the second page.' },
};

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** What answers a message of an agent; `patienceMs` is how long anybody waits for that. */
export function openAgents(
  door: Door,
  { search, stats }: Answers,
  patienceMs: number,
): (posted: Posted) => Promise<Reply> {
  const schemas = {
    question: fromJsonSchema(closed(ASKED, Object.keys(ASKED))),
    nothing: fromJsonSchema(closed({})),
    found: fromJsonSchema(SEARCH),
    spread: fromJsonSchema(STATS),
  };

  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const client = clientOf(requestInfo);
      let isPaid = true; // the first of a batch, with the request that brought it
      const within = (answered: () => Reply) => {
        const isServed = isPaid || door.limiter.admit(client);
        isPaid = false;
        return resultOf(isServed ? answered() : quotaExceeded(door, client, 0));
      };
      const asking = (query: string): Ask => ({
        method: 'GET',
        query,
        headers: {},
        client,
      });
      const server = new McpServer(
        { name: 'shingle', title: `New businesses in ${door.city.name}`, version: door.version },
        { instructions: instructionsFor(door.city), capabilities: { tools: { listChanged: false } } },
      );
      server.registerTool(
        'search_listings',
        {
          title: 'Search business openings',
          description: `Business openings in ${door.city.name}, ${door.city.region}, most recent filing first, at most 25 at once. Answers questions; not for copying everything.`,
          inputSchema: schemas.question,
          outputSchema: schemas.found,
          annotations: READS,
        },
        (given) => within(() => search(asking(queryOf(given as Record<string, unknown>)))),
      );
      server.registerTool(
        'listing_stats',
        {
          title: 'Count business openings',
          description: `How many openings ${door.city.name} has on file, by month, kind and neighborhood.`,
          inputSchema: schemas.nothing,
          outputSchema: schemas.spread,
          annotations: READS,
        },
        () => within(() => stats(asking(''))),
      );
      return server;
    },
    { legacy: 'stateless', maxSubscriptions: 0, onerror: () => undefined },
  );

  return async (posted) => replyOf(await handler.fetch(requestOf(door.publicUrl, posted, patienceMs)));
}

function instructionsFor({ name, region, operator }: City): string {
  return `New business openings of ${name}, ${region}, from public filings. A filing is not proof that the doors are open. Not a consumer report. Served within a budget: ask for what is needed. Run by ${operator.name}.`;
}

/** The tool's arguments as the API's parameters. */
function queryOf(given: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given))
    for (const one of [value].flat()) query.append(name, String(one));
  return query.toString();
}

/** What the API answered, as a tool does: the same JSON twice, for programs and for models; a problem as an error to read. */
function resultOf({ status, body, headers }: Reply) {
  const text = typeof body === 'string' ? Buffer.from(body, 'latin1').toString() : String(body);
  if (status === 200)
    return { content: [{ type: 'text' as const, text }], structuredContent: JSON.parse(text) };
  const after = headers[headers.indexOf('Retry-After') + 1];
  const { detail } = JSON.parse(text);
  const told = headers.includes('Retry-After') ? `${detail} (Retry-After: ${after})` : detail;
  return { content: [{ type: 'text' as const, text: told }], isError: true };
}

function clientOf(request: Request | undefined): Client {
  return JSON.parse(request!.headers.get(CLIENT)!) as Client;
}

/** With an end: a stream that would stay open is cut when nobody waits for it any more. */
function requestOf(publicUrl: string, { headers, body, client }: Posted, patienceMs: number): Request {
  const plain = Object.entries(headers).filter(
    (header): header is [string, string] => typeof header[1] === 'string',
  );
  const kept = plain.filter(([name]) => /^(accept|content-type|mcp-.*|last-event-id)$/.test(name));
  kept.push([CLIENT, JSON.stringify(client)]);
  const signal = AbortSignal.timeout(patienceMs);
  return new Request(`${publicUrl}/mcp`, {
    method: 'POST',
    headers: kept,
    body: new Uint8Array(body),
    signal,
  });
}

async function replyOf(response: Response): Promise<Reply> {
  const body = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type');
  const headers = [...(type === null ? [] : ['Content-Type', type]), 'Cache-Control', 'no-store'];
  return { status: response.status, headers: [...headers, ...JSON_HEADERS.slice(2)], body };
}

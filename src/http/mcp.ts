/**
 * The Model Context Protocol (Streamable HTTP, stateless) for agents. Two tools that read; they ask the same resources as
 * everybody, so that answers and budgets are the same. Holds nothing between requests.
 */

import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { readQuestion, searchParameters } from '../catalogue/parameters.ts';
import { searchListings } from '../catalogue/search.ts';
import type { City } from '../city/define.ts';
import { STATUSES } from '../listings/listing.ts';
import type { Door } from './door.ts';
import { JSON_HEADERS, notReady, servedAt } from './json.ts';
import type { Client } from './limits.ts';
import type { ProblemReply } from './problem.ts';
import { quotaExceeded } from './quota.ts';
import type { Posted, Reply } from './reply.ts';
import { closed, type Schema, SEARCH, STATS } from './schemas.ts';
import { invalidParameter, searchBody, tooFar } from './search.ts';
import { statsBody } from './stats.ts';

/** The arguments of the search tool: the search parameters, those that may be repeated as lists. */
const ARGUMENTS: Record<string, Schema> = Object.fromEntries(
  Object.entries(searchParameters).map(([name, { schema, isList }]) => [
    name,
    isList
      ? { type: 'array', items: { type: 'string' }, description: describeList(name), maxItems: 20 }
      : ({ ...schema } as Schema),
  ]),
);

function describeList(name: string): string {
  if (name === 'status') return `Any of ${STATUSES.join(', ')}.`;
  return `Exact values of ${name}, any of them; listing_stats names them all.`;
}

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** What answers a message of an agent; `patienceMs` is how long anybody waits for that. */
export function openAgents(door: Door, patienceMs: number): (posted: Posted) => Promise<Reply> {
  const schemas = {
    question: fromJsonSchema(closed(ARGUMENTS, Object.keys(ARGUMENTS))),
    nothing: fromJsonSchema(closed({})),
    found: fromJsonSchema(SEARCH),
    spread: fromJsonSchema(STATS),
  };

  const handler = createMcpHandler(
    ({ authInfo }) => {
      const client = authInfo!.extra!.client as Client;
      let isPaid = true; // the first of a batch, with the request that brought it
      /** Charges the message, then answers from the index. */
      const charged = (answer: (index: Catalogue, asOf: string | null) => ToolResult): ToolResult => {
        const isServed = isPaid || door.limiter.admit(client);
        isPaid = false;
        if (!isServed) return refusal(quotaExceeded(door, client, 0));
        const index = door.catalogue();
        return index === undefined ? refusal(notReady(door)) : answer(index, servedAt(door.dataAsOf()));
      };
      const search = (given: Record<string, unknown>) =>
        charged((index, asOf) => {
          const asked = readQuestion(mapValues(given, (value) => [value].flat().map(String)));
          if (asked.faults.length > 0) return refusal(invalidParameter(door, asked.faults));
          const result = searchListings(index, asked);
          if ('tooFar' in result) return refusal(tooFar(door, result.tooFar));
          if (!door.limiter.charge(client, result.count))
            return refusal(quotaExceeded(door, client, result.count));
          return success(searchBody(result, asked.question, asOf));
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
        (given) => search(given as Record<string, unknown>),
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
        () => charged((index, asOf) => success(statsBody(index, asOf))),
      );
      return server;
    },
    { legacy: 'stateless', maxSubscriptions: 0, onerror: () => undefined },
  );

  return async (posted) => {
    const authInfo = { token: '', clientId: '', scopes: [], extra: { client: posted.client } };
    return replyOf(await handler.fetch(requestOf(door.publicUrl, posted, patienceMs), { authInfo }));
  };
}

function instructionsFor({ name, region, operator }: City): string {
  return `New business openings of ${name}, ${region}, from public filings. A filing is not proof that the doors are open. Not a consumer report. Served within a budget: ask for what is needed. Run by ${operator.name}.`;
}

type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

/** A value twice: as text for models, as it is for programs. */
function success(value: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

/** A problem as an error to read. */
function refusal({ problem, headers }: ProblemReply): ToolResult {
  const after = headers[headers.indexOf('Retry-After') + 1];
  const text = headers.includes('Retry-After') ? `${problem.detail} (Retry-After: ${after})` : problem.detail;
  return { content: [{ type: 'text', text }], isError: true };
}

function mapValues<From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** With an end: a stream that would stay open is cut when nobody waits for it any more. */
function requestOf(publicUrl: string, { headers, body }: Posted, patienceMs: number): Request {
  const plain = Object.entries(headers).filter(
    (header): header is [string, string] => typeof header[1] === 'string',
  );
  const kept = plain.filter(([name]) => /^(accept|content-type|mcp-.*|last-event-id)$/.test(name));
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

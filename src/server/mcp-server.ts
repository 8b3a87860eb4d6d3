/**
 * The Model Context Protocol (Streamable HTTP, stateless) for agents, with two read-only tools. They use the same index and the
 * same budgets as the API. Keeps no state between requests.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { Type } from 'typebox';
import type { City } from '../city/define.ts';
import { STATUSES } from '../listings/listing.ts';
import type { ListingIndex } from '../search/listing-index.ts';
import { readQuestion, searchParameters } from '../search/parameters.ts';
import { countListings, searchListings } from '../search/search.ts';
import { formatInstant } from './answers.ts';
import type { ServerContext } from './context.ts';
import type { Client } from './limits/limiter.ts';
import { makeQuotaProblem } from './limits/quota-problem.ts';
import {
  invalidParametersProblem,
  notReadyProblem,
  PROBLEMS,
  type Problem,
  tooFarProblem,
} from './problems.ts';
import { toSearchBody } from './routes/search.ts';
import { toStatsBody } from './routes/stats.ts';
import { SearchSchema, StatsSchema } from './schemas.ts';

const LONGEST_VALUE = 2048; // a warning repeats it; over HTTP no address is longer
const LONGEST_ERROR = 500;

/** The arguments of the search tool: the search parameters, those that may be repeated as lists. */
const ARGUMENTS = Type.Object(
  Object.fromEntries(
    Object.entries(searchParameters).map(([name, { schema, isList }]) => [
      name,
      Type.Optional(
        isList
          ? Type.Array(Type.String({ maxLength: LONGEST_VALUE }), {
              description: describeList(name),
              maxItems: 20,
            })
          : schema,
      ),
    ]),
  ),
  { additionalProperties: false },
);

function describeList(name: string): string {
  if (name === 'status') return `Any of ${STATUSES.join(', ')}.`;
  return `Matches any of these exact ${name} values. listing_stats lists all values.`;
}

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** A message of an agent: the headers and body of its request, and the client to charge. */
export type Message = { headers: IncomingHttpHeaders; body: Buffer; client: Client };

/** `type` is its content type; `null` where there is no body. */
export type McpAnswer = { status: number; type: string | null; body: string };

/** What answers messages of agents, each within `timeoutMs`. */
export function openMcpServer(
  context: ServerContext,
  timeoutMs: number,
): (message: Message) => Promise<McpAnswer> {
  const schemas = {
    question: fromJsonSchema(inlineSchema(ARGUMENTS)),
    nothing: fromJsonSchema({ type: 'object', properties: {}, additionalProperties: false }),
    found: fromJsonSchema(inlineSchema(SearchSchema)),
    spread: fromJsonSchema(inlineSchema(StatsSchema)),
  };

  const handler = createMcpHandler(
    ({ authInfo }) => {
      const client = authInfo!.extra!.client as Client;
      const answered = (answer: (index: ListingIndex, asOf: string | null) => ToolResult): ToolResult => {
        const index = context.index();
        return index === undefined
          ? toToolError(notReadyProblem())
          : answer(index, formatInstant(context.dataAsOf()));
      };
      const search = (given: Record<string, unknown>) =>
        answered((index, asOf) => {
          const asked = readQuestion(mapValues(given, (value) => [value].flat().map(String)));
          if (asked.faults.length > 0) return toToolError(invalidParametersProblem(asked.faults));
          const result = searchListings(index, asked);
          if ('tooFar' in result) return toToolError(tooFarProblem(result.tooFar));
          if (!context.limiter.charge(client, result.count))
            return toToolError(makeQuotaProblem(context, client, result.count));
          return success(toSearchBody(result, asked.question, asOf));
        });
      const server = new McpServer(
        { name: 'shingle', title: `New businesses in ${context.city.name}`, version: context.version },
        { instructions: instructionsFor(context.city), capabilities: { tools: { listChanged: false } } },
      );
      server.registerTool(
        'search_listings',
        {
          title: 'Search business openings',
          description: `Business openings in ${context.city.name}, ${context.city.region}, most recent filing first, at most 25 per call. Not for bulk copying.`,
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
          description: `Number of business openings in ${context.city.name} by month, category and neighborhood.`,
          inputSchema: schemas.nothing,
          outputSchema: schemas.spread,
          annotations: READS,
        },
        () => answered((index, asOf) => success(toStatsBody(countListings(index, readQuestion({})), asOf))),
      );
      return server;
    },
    { legacy: 'stateless', maxSubscriptions: 0, onerror: () => undefined },
  );

  return async ({ headers, body, client }) => {
    const authInfo = { token: '', clientId: '', scopes: [], extra: { client } };
    const request = requestOf({ headers, body }, context.publicUrl, timeoutMs);
    const response = await handler.fetch(request, { authInfo });
    const type = response.headers.get('content-type');
    return { status: response.status, type, body: shortenErrors(await response.text()) };
  };
}

function instructionsFor({ name, region, operator }: City): string {
  return `New business openings of ${name}, ${region}, from public filings. A filing does not prove that the business is open. Not a consumer report. Results are rate limited, so request only what you need. Run by ${operator.name}.`;
}

type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

/** The same value twice: as text for models, and as data for programs. */
function success(value: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

/** A problem as a tool error. */
function toToolError({ code, detail = PROBLEMS[code].text, headers }: Problem): ToolResult {
  const after = headers?.['retry-after'];
  const text = after === undefined ? detail : `${detail} (Retry-After: ${after})`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** The SDK names every fault and repeats what was asked. Each line holds one message: as JSON, or as the data of an event. */
function shortenErrors(body: string): string {
  const lines = body.split('\n');
  return lines.map((line) => (line.length > LONGEST_ERROR ? shortenError(line) : line)).join('\n');
}

type Failure = { error?: { code: number; message: string; data?: unknown }; result?: Partial<ToolResult> };

function shortenError(line: string): string {
  if (!/"(?:error|isError)":/.test(line)) return line; // no text of a result has this: its quotes are escaped
  const start = line.startsWith('data: ') ? 6 : 0;
  const message = JSON.parse(line.slice(start)) as Failure;
  const { error, result } = message;
  if (error !== undefined) message.error = { code: error.code, message: cutText(error.message) };
  if (result?.isError)
    result.content = result.content?.map(({ type, text }) => ({ type, text: cutText(text) })) ?? [];
  return line.slice(0, start) + JSON.stringify(message);
}

function cutText(text: string): string {
  return text.length > LONGEST_ERROR ? `${text.slice(0, LONGEST_ERROR).toWellFormed()}…` : text;
}

/** A schema as plain JSON. Its `$id` would have to be a URI. */
function inlineSchema(schema: object): Record<string, unknown> {
  const { $id: _, ...rest } = JSON.parse(JSON.stringify(schema));
  return rest;
}

function mapValues<From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** Ends streams: one that would stay open is closed when the client has gone. */
function requestOf(
  { headers, body }: Pick<Message, 'headers' | 'body'>,
  publicUrl: string,
  timeoutMs: number,
): Request {
  const texts = Object.entries(headers).filter(
    (header): header is [string, string] => typeof header[1] === 'string',
  );
  return new Request(`${publicUrl}/mcp`, {
    method: 'POST',
    headers: texts.filter(([name]) => /^(accept|content-type|mcp-.*|last-event-id)$/.test(name)),
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/**
 * Serves the Model Context Protocol (Streamable HTTP, stateless) to agents, with two read-only tools. They use the same
 * index and the same budgets as the API.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { Counts, ListingIndex } from '../search/listing-index.ts';
import {
  type Asked,
  formatAlternatives,
  PAGE_LIMIT,
  type Paging,
  type ParameterFault,
  type ReadQuestion,
} from '../search/parameters.ts';
import { parseSearchQuery } from '../search/query.ts';
import {
  countListings,
  parseListings,
  type SearchResult,
  searchListings,
  toParameterFault,
} from '../search/search.ts';
import { formatInstant } from './answers.ts';
import type { ServedData, ServerContext } from './context.ts';
import { chargeRows, costOf, costOfSearch } from './limits/charge.ts';
import type { Client } from './limits/limiter.ts';
import {
  COUNT_TOOL,
  describeArguments,
  listKnownValues,
  readArguments,
  SEARCH_TOOL,
  toArguments,
} from './mcp-arguments.ts';
import {
  invalidParametersProblem,
  notReadyProblem,
  PROBLEMS,
  type Problem,
  tooFarProblem,
} from './problems.ts';
import { warnOfChange } from './routes/search.ts';
import { CountsSchema, FoundSchema } from './schemas.ts';

const LONGEST_ERROR = 500;
const PASSED_HEADERS = /^(accept|content-type|mcp-.*|last-event-id)$/;

/** Maximum number of months in counts without dates, because agents pay for every word. */
const MOST_MONTHS = 24;

const ABOUT_ARGUMENTS =
  'filed_from and filed_to are about the date of the first filing, never about the closing. There is no search near a place: use neighborhood.';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** The request of an agent, and the client that is charged. */
export type Message = { headers: IncomingHttpHeaders; body: Buffer; client: Client };

/** Opens the server. It answers each message within `timeoutMs`. */
export function openMcpServer(context: ServerContext, timeoutMs: number) {
  const schemasOf = openSchemas();
  return async ({ headers, body, client }: Message) => {
    const { fetch } = createMcpHandler(
      () => makeServer(context, { schemas: schemasOf(context.index()), client }),
      { legacy: 'stateless', maxSubscriptions: 0, onerror: () => undefined },
    );
    const response = await fetch(makeRequest({ headers, body }, context.publicUrl, timeoutMs));
    const type = response.headers.get('content-type');
    return { status: response.status, type, body: shortenErrors(await response.text()) };
  };
}

type Schemas = Record<'search' | 'counts' | 'found' | 'counted', ReturnType<typeof fromJsonSchema>>;

/** Accepts everything. `readArguments` checks instead, because the SDK's errors do not name unknown properties. */
const READ_BY_US: Parameters<typeof fromJsonSchema>[1] = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

/** Returns a function that makes the tool schemas once for each index, because they list its values. */
function openSchemas(): (index: ListingIndex | undefined) => Schemas {
  const results = {
    found: fromJsonSchema(withoutId(FoundSchema)),
    counted: fromJsonSchema(withoutId(CountsSchema)),
  };
  let version: string | undefined;
  let schemas: Schemas | undefined;
  return (index) => {
    if (schemas !== undefined && version === index?.version) return schemas;
    const known = listKnownValues(index);
    version = index?.version;
    schemas = {
      search: fromJsonSchema(describeArguments(SEARCH_TOOL, known), READ_BY_US),
      counts: fromJsonSchema(describeArguments(COUNT_TOOL, known), READ_BY_US),
      ...results,
    };
    return schemas;
  };
}

/** Makes a server with the two tools, for one message of one client. */
function makeServer(
  context: ServerContext,
  { schemas, client }: { schemas: Schemas; client: Client },
): McpServer {
  const { name, region } = context.city;
  const server = new McpServer(
    { name: 'shingle', title: `New businesses in ${name}`, version: context.version },
    { instructions: instructionsFor(context), capabilities: { tools: { listChanged: false } } },
  );
  const answer = (
    given: unknown,
    tool: typeof SEARCH_TOOL,
    respond: (data: ServedData, asked: Asked<Paging>) => ToolResult,
  ): ToolResult => {
    const data = context.data();
    if (data === undefined) return toToolError(notReadyProblem());
    const asked = readArguments(given, tool);
    if (asked.faults.length > 0) return toToolError(invalidParametersProblem(asked.faults));
    return respond(data, asked);
  };
  server.registerTool(
    'search_listings',
    {
      title: 'Search new businesses',
      description: `New businesses in ${name}, ${region}, as registered, most recent filing first, at most ${PAGE_LIMIT} per call. ${ABOUT_ARGUMENTS} If little is found, \`warnings\` has the arguments that were probably meant. Not for bulk copying.`,
      inputSchema: schemas.search,
      outputSchema: schemas.found,
      annotations: READS,
    },
    (given) =>
      answer(given, SEARCH_TOOL, (data, asked) => {
        const result = searchListings(data.index, warnOfChange(asked, data));
        if ('tooFar' in result) return toToolError(tooFarProblem(result.tooFar));
        const refusal = chargeRows(context, client, costOfSearch(asked.question, result.count));
        if (refusal !== undefined) return toToolError(refusal);
        return success(toFound(result, data));
      }),
  );
  server.registerTool(
    'count_listings',
    {
      title: 'Count new businesses',
      description: `Number of new businesses in ${name} that match, by month, category and neighborhood. ${ABOUT_ARGUMENTS} Months without filings are left out; without filed_from or filed_to, only the ${MOST_MONTHS} latest months are listed.`,
      inputSchema: schemas.counts,
      outputSchema: schemas.counted,
      annotations: READS,
    },
    (given) =>
      answer(given, COUNT_TOOL, (data, asked) => {
        const refusal = chargeRows(context, client, costOf(asked.question, 0));
        if (refusal !== undefined) return toToolError(refusal);
        return success(toCounts(asked, data));
      }),
  );
  return server;
}

function toFound(result: SearchResult, { dataAsOf, listingsVersion }: ServedData) {
  const { total, limit, offset, nextOffset, latestFiling, warnings } = result;
  return {
    total,
    limit,
    offset,
    next_offset: nextOffset,
    data: listingsVersion,
    listings: parseListings(result),
    data_as_of: dataAsOf,
    latest_filing: latestFiling,
    ...formatWarnings(warnings),
  };
}

/** Formats warnings. Suggestions are arguments instead of addresses, because agents cannot open addresses. */
function formatWarnings(warnings: readonly ParameterFault[]) {
  if (warnings.length === 0) return {};
  const forAgents = warnings.map(({ href, ...warning }) => {
    if (href === undefined) return warning;
    const { question } = parseSearchQuery(href.slice(href.indexOf('?') + 1));
    return { ...warning, arguments: toArguments(question) };
  });
  return { warnings: forAgents };
}

/** Formats counts as a value of CountsSchema, as objects because lists would be longer. */
function toCounts(asked: ReadQuestion, { index, dataAsOf }: ServedData) {
  const { question } = asked;
  const counts = countListings(index, asked);
  const doubts = index.suggest(question, counts.total).map(toParameterFault);
  const isRange = question.filed_from !== '' || question.filed_to !== '';
  const months = counts.byMonth.filter(({ count }) => count > 0);
  const toObject = (list: Counts) => Object.fromEntries(list.map(({ value, count }) => [value, count]));
  return {
    total: counts.total,
    data_as_of: dataAsOf,
    latest_filing: counts.latestFiling,
    by_month: toObject(isRange ? months : months.slice(0, MOST_MONTHS)),
    by_category: toObject(counts.byCategory),
    by_neighborhood: toObject(counts.byNeighborhood),
    ...formatWarnings([...counts.warnings, ...doubts]),
  };
}

function instructionsFor({ city, index, dataAsOf }: ServerContext): string {
  const { name, region, operator } = city;
  const latest = index()?.latestFiling ?? null;
  const state =
    latest === null
      ? 'There is no data yet.'
      : `Data as of ${formatInstant(dataAsOf())}; the most recent filing is from ${latest}, so the data says nothing about later days.`;
  return `New businesses in ${name}, ${region}, from public filings. ${state} A filing does not prove that the business is open. Not a consumer report. Results are rate limited, so request only what you need. Run by ${operator.name}.`;
}

type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

/** Returns a value both as text for models and as data for programs. */
function success(value: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

/** Formats a problem as a tool error. Its text says everything, because models read only the text. */
function toToolError({ code, detail = PROBLEMS[code].text, errors = [], headers }: Problem): ToolResult {
  const after = headers?.['retry-after'];
  const meant = errors.flatMap(({ did_you_mean }) => did_you_mean ?? []);
  const hints = [
    ...(meant.length > 0 ? [` Did you mean ${formatAlternatives(meant)}?`] : []),
    ...(after === undefined ? [] : [` (Retry-After: ${after})`]),
  ];
  const text = `${detail}${hints.join('')}`;
  return { content: [{ type: 'text', text }], isError: true };
}

/**
 * Shortens protocol errors in a response of the SDK, because they list every fault and repeat the request. The SDK has
 * no hook for this. Each line contains one message, as JSON or as the data of an event.
 */
function shortenErrors(body: string): string {
  const lines = body.split('\n');
  return lines.map((line) => (line.length > LONGEST_ERROR ? shortenError(line) : line)).join('\n');
}

type Failure = { error?: { code: number; message: string; data?: unknown }; result?: Partial<ToolResult> };

function shortenError(line: string): string {
  if (!/"(?:error|isError)":/.test(line)) return line; // quotes in the texts of results are escaped, so they do not match
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

/** Copies a schema without its `$id`, which some clients reject because it is not a URI. */
function withoutId(schema: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value)));
}

/** Makes the request for the SDK. Its signal ends a stream that would otherwise stay open. */
function makeRequest(
  { headers, body }: Pick<Message, 'headers' | 'body'>,
  publicUrl: string,
  timeoutMs: number,
): Request {
  const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && PASSED_HEADERS.test(name) ? [[name, value]] : [],
  );
  return new Request(`${publicUrl}/mcp`, {
    method: 'POST',
    headers: passed,
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

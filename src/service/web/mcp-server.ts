/**
 * Serves the Model Context Protocol (Streamable HTTP, stateless) to agents, with two read-only tools. The tools take
 * search parameters as arguments, and use the same index and the same budgets as the API.
 */

import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { DIMENSIONS, type Dimension } from '../../shared/answers.ts';
import type { Counts } from '../../shared/listing.ts';
import {
  type Asked,
  EVERYTHING,
  formatAlternatives,
  formatList,
  isNarrowedBy,
  NARROWING,
  type OtherParameter,
  PAGE_LIMIT,
  PARAMETER_NAMES,
  type Paging,
  type ParameterProblem,
  pagingParameters,
  readQuestion,
  searchParameters,
  type ValueFilter,
  type Warning,
} from '../../shared/question.ts';
import { isRecord } from '../../shared/record.ts';
import { dimensions } from '../search/counts.ts';
import type { ListingIndex } from '../search/index/open.ts';
import { isParameter, MOST_PROBLEMS, makeUnknownProblem } from '../search/query.ts';
import { type SearchResult, searchListings } from '../search/search.ts';
import { formatWarnings } from '../search/warnings.ts';
import type { Answer } from './answers.ts';
import type { ServedData, ServerContext } from './context.ts';
import { chargeAnswer, priceOf } from './limits/charge.ts';
import type { Client } from './limits/limiter.ts';
import { schemaOf } from './openapi.ts';
import {
  headersOf,
  invalidParametersProblem,
  notReadyProblem,
  PROBLEMS,
  type Problem,
  tooFarProblem,
} from './problems.ts';
import { warnOfChange } from './routes/search-routes.ts';
import { countForProgram, tooManyProblem, writeStats } from './routes/stats.ts';
import { formatInstant } from './served-data.ts';

const LONGEST_ERROR = 500;
const PASSED_HEADERS = /^(accept|content-type|mcp-.*|last-event-id)$/;

/** Maximum number of months in counts without dates, because agents pay for every word. */
const MOST_MONTHS = 24;
/** Maximum number of counts by two dimensions. */
const MOST_CELLS = 1000;
const LONGEST_VALUE = 2048; // as long as a URL can be, because warnings repeat the value
const MOST_VALUES = 20;
/** Maximum number of filter values in a schema. A model reads the schema in every conversation. */
const MOST_LISTED = 50;

const ABOUT_ARGUMENTS =
  'Closed businesses are included unless status says otherwise. filed_from and filed_to are about the date of the first filing, never about the closing; added_from finds what was added to this data since an earlier call, since many filings are published late. There is no search near a place: use neighborhood. In q, -word excludes a word and OR between two words matches either; other words such as "not" or "since" are words to search for: use the arguments.';

type ToolParameters = Record<string, OtherParameter<unknown>>;

/** The parameters of tools that are not about which listings match. */
type Others = Paging & { by: readonly Dimension[] };
const others = {
  ...pagingParameters,
  by: dimensions(2, {
    usual: [],
    description: `Adds \`breakdown\`: the counts by two of ${formatList(DIMENSIONS)}.`,
  }),
};

type ToolAnswer = Required<Pick<Answer, 'price'>> & { render(): Record<string, unknown> };

type Tool = {
  name: string;
  title: string;
  /** Describes the tool. `where` is the city with its region. */
  describe(where: string): string;
  parameters: ToolParameters;
  output: object;
  find(data: ServedData, asked: Asked<Others>): ToolAnswer | Problem;
};

const TOOLS: readonly Tool[] = [
  {
    name: 'search_listings',
    title: 'Search new businesses',
    describe: (where) =>
      `New businesses in ${where}, as registered, most recent filing first, at most ${PAGE_LIMIT} per call. ${ABOUT_ARGUMENTS} If little is found, \`warnings\` has the arguments that were probably meant. Not for bulk copying.`,
    parameters: { ...searchParameters, ...pagingParameters },
    output: schemaOf('Found'),
    find(data, asked) {
      const result = searchListings(data.index, warnOfChange(asked, data));
      if ('tooFar' in result) return tooFarProblem(result.tooFar);
      return {
        price: priceOf(data, 'search', asked.question, result),
        render: () => toFound(result, data),
      };
    },
  },
  {
    name: 'count_listings',
    title: 'Count new businesses',
    describe: (where) =>
      `Number of new businesses in ${where}, that match, by ${formatList(DIMENSIONS)}. ${ABOUT_ARGUMENTS} by_month leaves out months without filings; without filed_from or filed_to, it has the ${MOST_MONTHS} latest months, and those before as one count. A breakdown by month has them all.`,
    parameters: {
      ...Object.fromEntries(NARROWING.map((name) => [name, searchParameters[name]])),
      by: others.by,
    },
    output: schemaOf('Stats'),
    find: countForAgents,
  },
];

/**
 * Turns off the SDK's checks: `readArguments` checks arguments, with errors that name unknown properties, and tests compare
 * results with their schema.
 */
const CHECKED_BY_US: Parameters<typeof fromJsonSchema>[1] = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Opens the server. It answers the messages in a body within `timeoutMs`, and charges their client. */
export function openMcpServer(context: ServerContext, timeoutMs: number) {
  return async (request: FastifyRequest, { body, json }: { body: Buffer; json: unknown }) => {
    const call = readPlainCall(request, json);
    if (call !== undefined) {
      const { tool, given, id } = call;
      const message = { result: answer(context, request.client, tool, given), jsonrpc: '2.0', id };
      const text = `event: message\ndata: ${JSON.stringify(message)}\n\n`;
      return { status: 200, type: 'text/event-stream', body: shortenErrors(text) };
    }
    const { fetch } = createMcpHandler(() => makeServer(context, request.client), {
      legacy: 'stateless',
      maxSubscriptions: 0,
      onerror: () => undefined,
    });
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && PASSED_HEADERS.test(name) ? [[name, value]] : [],
    );
    const signal = AbortSignal.timeout(timeoutMs); // ends a stream that would otherwise stay open
    const init = { method: 'POST', headers, signal, body: new Uint8Array(body) };
    const message = new Request(`${context.publicUrl}/mcp`, init);
    const response = await fetch(message, { parsedBody: json });
    const type = response.headers.get('content-type');
    return { status: response.status, type, body: shortenErrors(await response.text()) };
  };
}

/**
 * Reads a body that is one call of a tool and nothing more, of a version of the protocol in which each call is a request of its own,
 * by a client that reads streams. To answer it as the SDK does takes the SDK as long as the search.
 */
function readPlainCall({ headers }: FastifyRequest, json: unknown) {
  const { accept = '', 'mcp-protocol-version': version } = headers;
  const isRead = accept.includes('application/json') && accept.includes('text/event-stream');
  const isOld = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
  if (!isRead || !isOld || !isRecord(json) || !isRecord(json.params)) return undefined;
  const { jsonrpc, method, id, params, ...others } = json;
  const { name, arguments: given = {}, _meta = {}, ...more } = params as Record<string, unknown>;
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined || !isRecord(given) || !isRecord(_meta)) return undefined;
  const isId = (one: unknown) => typeof one === 'string' || Number.isSafeInteger(one);
  const { progressToken = id } = _meta;
  const isCall = jsonrpc === '2.0' && method === 'tools/call' && isId(id) && isId(progressToken);
  const isPlain = Object.keys({ ...others, ...more }).length === 0;
  const isOfProtocol = Object.keys(_meta).some((key) => key.startsWith('io.modelcontextprotocol/'));
  return isCall && isPlain && !isOfProtocol ? { tool, given, id } : undefined;
}

/** Makes a server with the tools, for a single message of one client. */
function makeServer(context: ServerContext, client: Client): McpServer {
  const { name, region } = context.city;
  const server = new McpServer(
    { name: 'shingle', title: `New businesses in ${name}`, version: context.version },
    { instructions: instructionsFor(context), capabilities: { tools: { listChanged: false } } },
  );
  for (const tool of TOOLS) {
    const described = {
      title: tool.title,
      description: tool.describe(`${name}, ${region}`),
      inputSchema: fromJsonSchema(describeArguments(tool.parameters, context.index()), CHECKED_BY_US),
      outputSchema: fromJsonSchema(tool.output, CHECKED_BY_US),
      annotations: READS,
    };
    server.registerTool(tool.name, described, (given) => answer(context, client, tool, given));
  }
  return server;
}

function answer(context: ServerContext, client: Client, tool: Tool, given: unknown): ToolResult {
  return context.measure(client, () => {
    const data = context.data();
    if (data === undefined) return toToolError(notReadyProblem());
    const asked = readArguments(given, tool.parameters);
    if (asked.problems.length > 0) return toToolError(invalidParametersProblem(asked.problems));
    const found = chargeAnswer(context, client, () => tool.find(data, asked));
    if ('code' in found) return toToolError(found);
    const value = found.render();
    return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
  });
}

function toFound(result: SearchResult, { index, dataAsOf, listingsVersion }: ServedData) {
  const { total, limit, offset, nextOffset, latestFiling, warnings } = result;
  const formatted = formatWarnings(warnings, '/api/search');
  return {
    total,
    limit,
    offset,
    next_offset: nextOffset,
    data: listingsVersion,
    listings: index.readListings(result.rows),
    data_as_of: dataAsOf,
    latest_filing: latestFiling,
    ...(warnings.length > 0 && { warnings: addArguments(formatted, warnings) }),
  };
}

/** Adds the arguments of each suggestion, because agents cannot open addresses. */
function addArguments(
  formatted: ReturnType<typeof formatWarnings>,
  warnings: readonly Warning[],
  { by }: Pick<Others, 'by'> = { by: [] },
) {
  return formatted.map((warning, i) => {
    const meant = warnings[i]!.meant;
    if (meant === undefined) return warning;
    const names = PARAMETER_NAMES.filter((name) => isNarrowedBy(meant, name));
    const values = Object.fromEntries(names.map((name) => [name, meant[name]]));
    return { ...warning, arguments: by.length > 0 ? { ...values, by: by.join() } : values };
  });
}

type StatsBody = Record<string, unknown> & { warnings?: ReturnType<typeof formatWarnings> };

/** Counts as `/api/stats` does, with fewer months. */
function countForAgents(data: ServedData, asked: Asked<Others>): ToolAnswer | Problem {
  const found = countForProgram(data, asked, MOST_CELLS);
  if ('tooMany' in found) return tooManyProblem(found.tooMany);
  const { question } = asked;
  const { counts, pairs, price } = found;
  const { warnings } = counts;
  const render = () => {
    const isRange = question.filed_from !== '' || question.filed_to !== '';
    const months = counts.byMonth.filter(({ count }) => count > 0);
    const byMonth = isRange ? months : takeLatest(months);
    const written = writeStats(data, asked.others, { counts: { ...counts, byMonth }, pairs });
    const body = JSON.parse(written) as StatsBody;
    if (body.warnings === undefined) return body;
    return { ...body, warnings: addArguments(body.warnings, warnings, asked.others) };
  };
  return { price, render };
}

/** Returns the latest months, and the count of all months before as one. */
function takeLatest(months: Counts): Counts {
  const latest = months.slice(0, MOST_MONTHS);
  const earlier = months.slice(MOST_MONTHS).reduce((sum, { count }) => sum + count, 0);
  return earlier === 0 ? latest : [...latest, { value: `before ${latest.at(-1)?.value}`, count: earlier }];
}

function instructionsFor({ city, index, dataAsOf }: ServerContext): string {
  const { name, region, operator } = city;
  const source = city.invented ? 'invented, to try the service' : 'from public filings';
  const latest = index()?.latestFiling ?? null;
  const state =
    latest === null
      ? 'There is no data yet.'
      : `Data as of ${formatInstant(dataAsOf())}; the most recent filing is from ${latest}, so the data says nothing about later days.`;
  return `New businesses in ${name}, ${region}, ${source}. ${state} A filing does not prove that the business is open. Not a consumer report. Results are rate limited, so request only what you need. Run by ${operator.name}.`;
}

type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

/** Formats a problem as a tool error. The text is complete, because models read only the text. */
function toToolError({ code, detail = PROBLEMS[code].text, errors = [], headers }: Problem): ToolResult {
  const after = headersOf({ code, headers })['retry-after'];
  const meant = errors.flatMap(({ did_you_mean }) => did_you_mean ?? []);
  const hint = meant.length > 0 ? ` Did you mean ${formatAlternatives(meant)}?` : '';
  const text = `${detail}${hint}${after === undefined ? '' : ` (Retry-After: ${after})`}`;
  return { content: [{ type: 'text', text }], isError: true };
}

/**
 * Shortens errors in a response of the SDK, because they list every problem and repeat the request. The SDK has no hook
 * for this. Each line contains one message, as JSON or as the data of an event.
 */
function shortenErrors(body: string): string {
  return body.split('\n').map(shortenError).join('\n');
}

function shortenError(line: string): string {
  // quotes in the texts of results are escaped, so they do not match
  if (line.length <= LONGEST_ERROR || !/"(?:error|isError)":/.test(line)) return line;
  const start = line.startsWith('data: ') ? 6 : 0;
  const message = JSON.parse(line.slice(start), (key, value) => {
    if (key === 'data') return undefined;
    const isLong = typeof value === 'string' && value.length > LONGEST_ERROR;
    return isLong ? `${value.slice(0, LONGEST_ERROR).toWellFormed()}…` : value;
  });
  return line.slice(0, start) + JSON.stringify(message);
}

/** Makes the schema of a tool. Each list of values is in it once. A single text is accepted, too. */
function describeArguments(tool: ToolParameters, index: ListingIndex | undefined): object {
  const facets = index?.facets(EVERYTHING);
  const properties = Object.entries(tool).map(([name, { schema, isList, known }]) => {
    if (!isList) return [name, schema];
    const values = known ?? facets?.[name as ValueFilter].map(({ value }) => value) ?? [];
    const isShort = values.length > 0 && values.length <= MOST_LISTED;
    const value = { type: 'string', ...(isShort && { anyOf: [{ enum: values }, { pattern: '^-' }] }) };
    const more = isShort ? '' : ' count_listings lists all values.';
    const description = `Exact values. Listings with any of them match. A minus sign before a value excludes it.${more}`;
    return [name, { type: 'array', items: value, maxItems: MOST_VALUES, description }];
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

/** Reads arguments by the same rules as a query. `null` counts as absent. Errors name the argument. */
function readArguments(given: unknown, tool: ToolParameters): Asked<Others> {
  const names = Object.keys(tool);
  const problems: ParameterProblem[] = [];
  const texts: Partial<Record<string, readonly string[]>> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (problems.length >= MOST_PROBLEMS) break;
    if (!isParameter(name, names)) problems.push(makeUnknownProblem(name, names));
    else if (value !== null) {
      const detail = findProblem(tool[name]!, value);
      if (detail === undefined) texts[name] = [value].flat().map(String);
      else problems.push({ parameter: name, detail: `${name} ${detail}` });
    }
  }
  const read = readQuestion(texts, others);
  return { ...read, problems: [...problems, ...read.problems] };
}

/** Describes a wrong type or size of an argument. Accepts numbers as text, because models write them that way. */
function findProblem({ isList, schema }: OtherParameter<unknown>, value: unknown): string | undefined {
  if (schema.type === 'integer')
    return typeof value === 'number' || typeof value === 'string' ? undefined : 'must be a whole number.';
  const all = isList && Array.isArray(value) ? value : [value];
  if (!all.every((one) => typeof one === 'string')) {
    const { examples: [example] = [] } = schema as { examples?: string[] };
    return `must be a text${isList ? ' or a list of texts' : ''}${example === undefined ? '' : `, such as "${example}"`}.`;
  }
  if (all.length > MOST_VALUES) return `can have at most ${MOST_VALUES} values.`;
  return all.every((text) => text.length <= LONGEST_VALUE)
    ? undefined
    : `can have at most ${LONGEST_VALUE} characters.`;
}

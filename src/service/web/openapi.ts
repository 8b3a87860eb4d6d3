/** The OpenAPI document: its fixed parts (`data/openapi.json`), and how routes describe themselves with them. */

import FILE from '../../data/openapi.json' with { type: 'json' };
import WARNINGS from '../../data/warnings.json' with { type: 'json' };
import { STATUSES } from '../../shared/listing.ts';
import { formatAlternatives, type OtherParameter, PAGE_LIMIT } from '../../shared/question.ts';
import { MOST_PREFERRED } from '../../shared/signup/preferences.ts';
import { SIGNUP_TYPES, SIGNUPS } from '../../shared/signup/signups.ts';
import { PROBLEMS, type ProblemCode } from './problems.ts';

export const SIGNUPS_IN_WORDS = formatAlternatives(Object.values(SIGNUPS).map(({ name }) => name));

/** Values of the code for placeholders in the file, such as `"{page}"`. */
const VALUES: Record<string, unknown> = {
  statuses: STATUSES,
  warnings: Object.keys(WARNINGS),
  page: PAGE_LIMIT,
  items: PAGE_LIMIT + 1,
  preferred: MOST_PREFERRED,
  signups: SIGNUP_TYPES,
  promises: SIGNUP_TYPES.map((type) => `\`${type}\` is ${SIGNUPS[type].promise}.`).join(' '),
  join: `Join ${SIGNUPS_IN_WORDS}.`,
};

function fillIn(part: object, values: Record<string, unknown>) {
  return JSON.parse(JSON.stringify(part), (_key, text) => {
    const [, name] = typeof text === 'string' ? (/^\{(\w+)\}$/.exec(text) ?? []) : [];
    return name === undefined ? text : values[name];
  });
}

type Schema = { $ref?: string; properties?: Record<string, Schema>; items?: Schema };
type SchemaName = keyof typeof FILE.components.schemas | keyof typeof FILE.tools;
export type HeaderName = keyof typeof FILE.components.headers;

const { parts, tools, ...document } = fillIn(FILE, { ...VALUES, ...fillIn(FILE.parts, VALUES) });

/** The parts of the document that are the same for every service. */
export const OPENAPI: Omit<typeof FILE, 'parts' | 'tools'> = document;

const SCHEMAS: Record<string, Schema> = { ...document.components.schemas, ...tools };

/** Returns a schema of the document or of a tool of agents, without references to others. */
export function schemaOf(name: SchemaName): object {
  const refer = (_key: string, part: Schema | null) =>
    part?.$ref === undefined ? part : findSchema(part.$ref);
  return JSON.parse(JSON.stringify(SCHEMAS[name], refer));
}

function findSchema(reference: string): Schema {
  return SCHEMAS[reference.split('/').at(-1)!]!;
}

/** The headers of responses that are never cached. */
export const FRESH_HEADERS: readonly HeaderName[] = ['Cache-Control'];
/** The headers of responses that lead to another address. */
export const LEADING_HEADERS: readonly HeaderName[] = [...FRESH_HEADERS, 'Location'];
/** The headers of responses that are the same for every client. */
const CACHED_HEADERS: readonly HeaderName[] = [...FRESH_HEADERS, 'ETag'];
const BUDGET_HEADERS: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];
/** The headers of responses that count against a client's budgets. */
export const CHARGED_HEADERS: readonly HeaderName[] = [...CACHED_HEADERS, ...BUDGET_HEADERS];
/** The headers of responses to agents, which are not cached and count against the budgets. */
export const AGENT_HEADERS: readonly HeaderName[] = [...FRESH_HEADERS, ...BUDGET_HEADERS];

export type Described = {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema: object; examples?: Record<string, object> }>;
};

/** Describes a response with its own schema, or with one of the document by its name. The default is text. */
export function describeResponse(
  description: string,
  { id, schema, type = 'application/json', headers = [] }: ResponseParts,
): Described {
  const shared = id === undefined ? { type: 'string' } : { $ref: `#/components/schemas/${id}` };
  return {
    ...describeEmptyResponse(description, headers),
    content: { [type]: { schema: schema ?? shared } },
  };
}

type ResponseParts = {
  id?: string | undefined;
  schema?: object;
  type?: string;
  headers?: readonly HeaderName[];
};

export function describeEmptyResponse(description: string, headers: readonly HeaderName[]): Described {
  if (headers.length === 0) return { description };
  const references = headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { description, headers: Object.fromEntries(references) };
}

const ANYWHERE: readonly ProblemCode[] = [
  'bad-request',
  'timeout',
  'uri-too-long',
  'quota-exceeded',
  'headers-too-large',
  'internal',
  'overloaded',
];
const LATER: Record<number, readonly HeaderName[]> = {
  429: ['Retry-After', ...BUDGET_HEADERS],
  503: ['Retry-After'],
};

/** Describes the problems of a route and those of every path. Problems with the same status are one response. */
export function describeProblems(...codes: readonly ProblemCode[]): Record<number, Described> {
  const titles = Map.groupBy([...codes, ...ANYWHERE], (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...titles].map(([status, same]) => [
      status,
      describeResponse(same.map((code) => PROBLEMS[code].title).join('; '), {
        id: 'Problem',
        type: 'application/problem+json',
        headers: [...FRESH_HEADERS, ...(LATER[status] ?? [])],
      }),
    ]),
  );
}

/** Describes the responses of a route whose answer is the same for every client. */
export function describeFree({ description, ...parts }: { description: string } & ResponseParts) {
  return {
    200: describeResponse(description, { ...parts, headers: CACHED_HEADERS }),
    304: describeEmptyResponse('Not modified', CACHED_HEADERS),
    ...describeProblems(),
  };
}

/** Describes parameters of a query for the OpenAPI document. */
export function describeParameters(parameters: Record<string, OtherParameter<unknown>>) {
  return Object.entries(parameters).map(([name, { schema, isList }]) => {
    const { description, examples = [], ...value } = schema;
    const [example] = examples as unknown[];
    const common = { name, in: 'query', description };
    if (isList) return { ...common, schema: { type: 'array', items: value }, example: [example] };
    return { ...common, schema: value, example };
  });
}

/** Serializes a value with only the fields of its schema. Fastify's own compiler would slow down the start. */
export function serializeFields(schema: Schema, value: unknown): string {
  return JSON.stringify(pickFields(schema, value));
}

function pickFields({ $ref, properties, items }: Schema, value: unknown): unknown {
  if ($ref !== undefined) return pickFields(findSchema($ref), value);
  if (Array.isArray(value)) return items === undefined ? value : value.map((one) => pickFields(items, one));
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  const known = Object.entries(value).filter(([name]) => name in properties);
  return Object.fromEntries(known.map(([name, field]) => [name, pickFields(properties[name]!, field)]));
}

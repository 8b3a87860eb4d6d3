/** The OpenAPI document: `data/openapi.json`, with values of the code, and the problems that every path may answer with. */

import FILE from '../../data/openapi.json' with { type: 'json' };
import WARNINGS from '../../data/warnings.json' with { type: 'json' };
import { DIMENSIONS } from '../../shared/answers.ts';
import { STATUSES } from '../../shared/listing.ts';
import { formatAlternatives, formatList, type OtherParameter, PAGE_LIMIT } from '../../shared/question.ts';
import { MOST_PREFERRED } from '../../shared/signup/preferences.ts';
import { SIGNUP_TYPES, SIGNUPS } from '../../shared/signup/signups.ts';
import { fillIn } from '../../shared/text/fill-in.ts';
import type { Target } from './context.ts';
import { PROBLEMS, type ProblemCode } from './problems.ts';

const NAMES = formatAlternatives(Object.values(SIGNUPS).map(({ name }) => name));

/** Values of the code for placeholders in the file, such as `{page}`. A text that is only a placeholder becomes the value. */
const VALUES: Record<string, unknown> = {
  statuses: STATUSES,
  dimensions: formatList(DIMENSIONS),
  warnings: Object.keys(WARNINGS),
  page: PAGE_LIMIT,
  items: PAGE_LIMIT + 1,
  preferred: MOST_PREFERRED,
  signups: SIGNUP_TYPES,
  promises: SIGNUP_TYPES.map((type) => `\`${type}\` is ${SIGNUPS[type].promise}.`).join(' '),
  names: NAMES,
};

function complete(part: object, values: Record<string, unknown>) {
  return JSON.parse(JSON.stringify(part), (key, value) => {
    if (key === 'headers' && Array.isArray(value)) return referTo(value);
    if (typeof value !== 'string') return value;
    const [, name = ''] = /^\{(\w+)\}$/.exec(value) ?? [];
    return values[name] ?? fillIn(value, values as Record<string, string>);
  });
}

function referTo(headers: readonly string[]) {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

type Schema = { $ref?: string };
type SchemaName = keyof typeof FILE.components.schemas | keyof typeof FILE.tools;

type Response = {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema: object; examples?: Record<string, object> }>;
};

/** An operation of the document, to which the reference adds texts and samples. */
export type Operation = {
  description?: string;
  parameters?: { name: string; example?: unknown }[];
  requestBody?: Pick<Response, 'content'>;
  responses: Record<string, Response>;
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
};

type Paths = Record<string, Record<string, Operation & { problems: readonly ProblemCode[] }>>;

const { parts, tools, ...document } = complete(FILE, { ...VALUES, ...complete(FILE.parts, VALUES) });

/** The parts of the document that are the same for every service. */
export const OPENAPI: Omit<typeof FILE, 'parts' | 'tools' | 'paths'> & { paths: Paths } = document;

const SCHEMAS: Record<string, Schema> = { ...document.components.schemas, ...tools };

/** Returns a schema of the document or of a tool of agents, without references to others. */
export function schemaOf(name: SchemaName): object {
  const refer = (_key: string, part: Schema | null) =>
    part?.$ref === undefined ? part : SCHEMAS[part.$ref.split('/').at(-1)!];
  return JSON.parse(JSON.stringify(SCHEMAS[name], refer));
}

/** Describes the operations of a path, with the parameters of its route. */
export function describePath({ path, config }: Target): Record<string, Operation> {
  const described = Object.entries(OPENAPI.paths[path] ?? {}).map(([method, { problems, ...operation }]) => {
    const responses = { ...describeProblems(problems, config.isUnlimited === true), ...operation.responses };
    const { parameters = config.parameters && describeParameters(config.parameters) } = operation;
    return [method, { ...operation, ...(parameters && { parameters }), responses }];
  });
  return Object.fromEntries(described);
}

const ANYWHERE = ['bad-request', 'timeout', 'uri-too-long', 'headers-too-large', 'internal'] as const;
const LIMITED = ['quota-exceeded', 'overloaded'] as const;
const LATER: Record<number, readonly string[]> = {
  429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  503: ['Retry-After'],
};

/** Describes the problems of a route and those of every path. Problems with the same status are one response. */
function describeProblems(own: readonly ProblemCode[], isUnlimited: boolean): Record<string, Response> {
  const codes = [...own, ...ANYWHERE, ...(isUnlimited ? [] : LIMITED)];
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries(
    Array.from(
      Map.groupBy(codes, (code) => PROBLEMS[code].status),
      ([status, same]) => {
        const description = same.map((code) => PROBLEMS[code].title).join('; ');
        const headers = referTo(['Cache-Control', ...(LATER[status] ?? [])]);
        return [status, { description, headers, content }];
      },
    ),
  );
}

function describeParameters(parameters: Record<string, OtherParameter<unknown>>) {
  return Object.entries(parameters).map(([name, { schema, isList }]) => {
    const { description, examples = [], ...value } = schema;
    const [example] = examples as unknown[];
    const common = { name, in: 'query', description };
    if (isList) return { ...common, schema: { type: 'array', items: value }, example: [example] };
    return { ...common, schema: value, example };
  });
}

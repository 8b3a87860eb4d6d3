/** Describes the responses of routes for the OpenAPI document. */

import OPENAPI from '../data/openapi.json' with { type: 'json' };
import { PROBLEMS, type ProblemCode } from './problems.ts';

type HeaderName = keyof typeof OPENAPI.headers;

/** The headers of responses that are never cached. */
export const FRESH_HEADERS: readonly HeaderName[] = ['Cache-Control', 'Link'];
/** The headers of responses that are the same for every client. */
export const CACHED_HEADERS: readonly HeaderName[] = [...FRESH_HEADERS, 'ETag'];
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

/** Describes a response with its own schema, or with a schema of schemas.ts by its name. The default is text. */
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
  'uri-too-long',
  'quota-exceeded',
  'headers-too-large',
  'internal',
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
        headers: LATER[status] ?? [],
      }),
    ]),
  );
}

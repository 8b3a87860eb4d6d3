/** Describes the responses of routes for the OpenAPI document and the serializer. */

import { PROBLEMS, type ProblemCode } from './problems.ts';

type Headers = Record<string, { type: string; description: string }>;
type Described = { description: string; headers?: Headers; content?: Record<string, { schema: object }> };

const HEADERS = {
  'Cache-Control': 'How long the response may be reused.',
  ETag: 'Changes with the data, the local date and the query. Send it back as `If-None-Match`.',
  Link: 'The terms (`rel="terms-of-service"`); for a search also the pages after and before (`next`, `prev`).',
  'RateLimit-Policy':
    'The budgets of a client: requests a minute (`burst`) and listings in 24 hours (`rows`).',
  RateLimit:
    'What is left of each budget (`r`), and the seconds until some of it comes back (`t`). Counts of the whole city have no such header.',
  'Retry-After': 'The seconds to wait before you try again.',
} as const;

type HeaderName = keyof typeof HEADERS;

/** The headers of responses that count against a client's budgets. */
export const CHARGED_HEADERS: readonly HeaderName[] = [
  'Cache-Control',
  'ETag',
  'Link',
  'RateLimit-Policy',
  'RateLimit',
];
/** The headers of responses that are the same for every client. */
export const CACHED_HEADERS: readonly HeaderName[] = ['Cache-Control', 'ETag', 'Link'];
/** The headers of responses that are never cached. */
export const FRESH_HEADERS: readonly HeaderName[] = ['Cache-Control', 'Link'];
/** The headers of responses to agents, which are not cached and count against the budgets. */
export const AGENT_HEADERS: readonly HeaderName[] = [...FRESH_HEADERS, 'RateLimit-Policy', 'RateLimit'];

const ANYWHERE: readonly ProblemCode[] = [
  'bad-request',
  'uri-too-long',
  'quota-exceeded',
  'headers-too-large',
  'internal',
];

type ResponseParts = { id?: string; schema?: object; type?: string; headers?: readonly HeaderName[] };

/** Describes a response with its own schema, or with a schema of schemas.ts by its `$id`. The default is text. */
export function describeResponse(
  description: string,
  { id, schema, type = 'application/json', headers = [] }: ResponseParts,
): Described {
  const shared = id === undefined ? { type: 'string' } : { $ref: `${id}#` };
  const content = { [type]: { schema: schema ?? shared } };
  return { description, ...(headers.length > 0 && { headers: describeHeaders(headers) }), content };
}

export function describeEmptyResponse(description: string, headers: readonly HeaderName[]) {
  return { description, type: 'null', headers: describeHeaders(headers) };
}

function describeHeaders(names: readonly HeaderName[]): Headers {
  return Object.fromEntries(
    names.map((name) => [
      name,
      { type: name === 'Retry-After' ? 'integer' : 'string', description: HEADERS[name] },
    ]),
  );
}

/** Describes the problems of a route and those of every path. Problems with the same status are one response. */
export function describeProblems(...codes: readonly ProblemCode[]): Record<number, Described> {
  return describeStatuses([...codes, ...ANYWHERE]);
}

/** Describes the problems of every path, except those of the rate limit. */
export function describeFreeProblems(): Record<number, Described> {
  return describeStatuses(ANYWHERE.filter((code) => code !== 'quota-exceeded'));
}

const LATER: Record<number, readonly HeaderName[]> = {
  429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  503: ['Retry-After'],
};

function describeStatuses(codes: readonly ProblemCode[]): Record<number, Described> {
  const titles = Map.groupBy(codes, (code) => PROBLEMS[code].status);
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

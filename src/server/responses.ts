/** Describes responses of routes, for the OpenAPI document and for serialization. */

import { PROBLEMS, type ProblemCode } from './problems.ts';

type Described = { description: string; content?: Record<string, { schema: object }> };

/** Errors that any path can return. */
const ANYWHERE: readonly ProblemCode[] = [
  'bad-request',
  'uri-too-long',
  'quota-exceeded',
  'headers-too-large',
  'internal',
];

/** A response with the schema that has this `$id` in schemas.ts. */
export function describeJsonResponse(description: string, id: string, type = 'application/json'): Described {
  return { description, content: { [type]: { schema: { $ref: `${id}#` } } } };
}

export const NOT_MODIFIED = { description: 'Not modified', type: 'null' };

/** The problems a route can return, besides those of every path. Problems with the same status are one response. */
export function describeProblems(...codes: readonly ProblemCode[]): Record<number, Described> {
  return describeStatuses([...codes, ...ANYWHERE]);
}

/** The same for a route that does not count against the rate limit. */
export function describeFreeProblems(): Record<number, Described> {
  return describeStatuses(ANYWHERE.filter((code) => code !== 'quota-exceeded'));
}

function describeStatuses(codes: readonly ProblemCode[]): Record<number, Described> {
  const titles = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...titles].map(([status, same]) => [
      status,
      describeJsonResponse(
        same.map((code) => PROBLEMS[code].title).join('; '),
        'Problem',
        'application/problem+json',
      ),
    ]),
  );
}

/** How routes describe their answers, for the OpenAPI document and for what serializes them. */

import { PROBLEMS, type ProblemCode } from './problems.ts';

type Described = { description: string; content?: Record<string, { schema: object }> };

/** How any path can say no. */
const ANYWHERE: readonly ProblemCode[] = [
  'bad-request',
  'uri-too-long',
  'quota-exceeded',
  'headers-too-large',
  'internal',
];

/** An answer of the shape that has this `$id` in schemas.ts. */
export function describeJsonResponse(description: string, id: string, type = 'application/json'): Described {
  return { description, content: { [type]: { schema: { $ref: `${id}#` } } } };
}

export const NOT_MODIFIED = { description: 'Not modified', type: 'null' };

/** The problems that a route can answer with, besides those of any path. Several problems of one status are one answer. */
export function describeProblems(...codes: readonly ProblemCode[]): Record<number, Described> {
  return describeStatuses([...codes, ...ANYWHERE]);
}

/** The same for a route that is free of charge. */
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

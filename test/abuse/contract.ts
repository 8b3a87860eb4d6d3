/** The OpenAPI document as a judge of answers: which statuses it names, of which content, in which shape. */

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { openApiDocument } from '../../src/http/openapi.ts';
import type { Answered, Asked } from './a-client.ts';

type Content = Record<string, { schema: { $ref?: string } }>;
type Operation = {
  parameters: { name: string; in: string }[];
  responses: Record<string, { content?: Content }>;
};

/** As programs get it. */
export const CONTRACT = JSON.parse(
  JSON.stringify(openApiDocument('https://rivermouth.example', '1.0.0')),
) as {
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: { schemas: Record<string, TSchema & { properties: Record<string, TSchema> }> };
};

const SHAPES = new Map(
  Object.entries(CONTRACT.components.schemas).map(([name, schema]) => [name, Compile(schema)]),
);
const TEMPLATES = Object.keys(CONTRACT.paths).map((path) => ({
  path,
  spelling: new RegExp(`^${path.replaceAll('.', '\\.').replace('{code}', '(?:[a-z-]+)')}$`),
}));

/** Every parameter of every query, with the path and the method it belongs to. */
export function queryParameters(): { path: string; method: 'GET' | 'POST'; name: string }[] {
  return Object.entries(CONTRACT.paths).flatMap(([path, operations]) =>
    (['get', 'post'] as const).flatMap((verb) =>
      (operations[verb]?.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => ({ path, method: verb === 'get' ? ('GET' as const) : ('POST' as const), name })),
    ),
  );
}

/** What of the answer the document does not allow, in a sentence; `undefined` where it is as it should be. */
export function breach(asked: Asked, answer: Answered): string | undefined {
  const { status, headers } = answer;
  if (headers['x-content-type-options'] === undefined && status !== 204 && status !== 304)
    return 'it may be taken for another type';
  if (status >= 400 && headers['cache-control'] !== 'no-store') return 'an error may be kept';
  const path = asked.path.split('?', 1)[0]!;
  const known = TEMPLATES.find(({ spelling }) => spelling.test(path));
  const operation = known && CONTRACT.paths[known.path]![asked.method === 'POST' ? 'post' : 'get'];
  if (operation === undefined)
    return unlike(answer, { 'application/problem+json': { schema: PROBLEM } }, asked);
  const named = operation.responses[String(status)];
  if (named === undefined) return `${status} is not documented`;
  return named.content === undefined ? emptiness(answer) : unlike(answer, named.content, asked);
}

const PROBLEM = { $ref: '#/components/schemas/Problem' };

function emptiness({ body, status }: Answered): string | undefined {
  return body.length > 0 ? `${status} has a body` : undefined;
}

function unlike({ headers, body, status }: Answered, content: Content, asked: Asked): string | undefined {
  const type = headers['content-type']?.split(';', 1)[0] ?? '';
  const acceptsPages = /text\/html/.test(String(asked.headers?.Accept ?? ''));
  if (status >= 400 && type === 'text/html' && acceptsPages) return undefined; // docs/api.md, Errors
  if (content[type] === undefined) return `${type || 'nothing'} is not documented for ${status}`;
  if (!type.endsWith('json') || asked.method === 'HEAD' || headers['content-encoding']) return undefined;
  const value: unknown = JSON.parse(body.toString());
  const shape = content[type].schema.$ref?.split('/').at(-1);
  return shape === undefined || SHAPES.get(shape)!.Check(value) ? undefined : `it is no ${shape}`;
}

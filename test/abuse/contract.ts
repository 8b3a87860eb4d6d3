/** Checks responses against the OpenAPI document: status, content type and schema. */

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { AN_EDITION, openApiDocument } from '../service/web/a-door.ts';
import type { Answered, Asked } from './a-client.ts';

type Content = Record<string, { schema: { $ref?: string } }>;
type Operation = {
  parameters: { name: string; in: string }[];
  responses: Record<string, { content?: Content; headers?: object }>;
};

/** As programs get it. */
export const CONTRACT = (await openApiDocument()) as {
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: { schemas: Record<string, TSchema & { properties: Record<string, TSchema> }> };
};

/** The parameters of each answer for programs, by its path. */
export const DOCUMENTED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(CONTRACT.paths).flatMap(([path, { get: { parameters = [] } = {} }]) =>
    parameters.length === 0 ? [] : [[path, parameters.map(({ name }) => name)]],
  ),
);

/** A schema without references to others. Clients ignore fields that they do not know, but here each must be described. */
function inline<Part>(schema: Part): Part {
  const text = JSON.stringify(schema, (_key, part) => {
    const name = part?.$ref?.split('/').at(-1);
    const whole = name === undefined ? part : CONTRACT.components.schemas[name];
    return whole?.properties === undefined ? whole : { ...whole, additionalProperties: false };
  });
  return JSON.parse(text);
}

const SHAPES = new Map(
  Object.entries(CONTRACT.components.schemas).map(([name, schema]) => [name, Compile(inline(schema))]),
);
/** The headers of answers that the document describes. The others are the same everywhere, or about the connection. */
const DESCRIBED = [
  ...['cache-control', 'etag', 'link', 'location', 'retry-after', 'content-disposition'],
  ...['ratelimit', 'ratelimit-policy'],
];
const CONTRACT_PATHS = new Set(Object.keys(CONTRACT.paths));

/** Pages and texts, which the document leaves out: what each path answers with, beside problems. */
const html = { content: { 'text/html': { schema: {} } } };
const plain = (type: string) => ({ content: { [type]: { schema: {} } } });
const PROBLEM_JSON = {
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
const ANYWHERE = Object.fromEntries(
  ['400', '414', '429', '431', '500'].map((status) => [status, PROBLEM_JSON]),
);
const page = { parameters: [], responses: { ...ANYWHERE, '200': html, '304': {}, '503': html } };
const form = {
  parameters: [],
  responses: {
    ...ANYWHERE,
    '200': html,
    '413': PROBLEM_JSON,
    ...Object.fromEntries(['403', '415', '422', '429', '503'].map((status) => [status, html])),
  },
};
const link = {
  parameters: [{ name: 'token', in: 'query' }],
  responses: { ...ANYWHERE, '200': html, '404': html, '413': PROBLEM_JSON, '503': html },
};
const textOf = (type: string) => ({
  get: { parameters: [], responses: { ...ANYWHERE, '200': plain(type) } },
});
const searches = CONTRACT.paths['/api/search']!.get!.parameters.filter(
  ({ name }) => name !== 'limit' && name !== 'data',
);
const filters = searches.filter(({ name }) => ['category', 'neighborhood', 'offset'].includes(name));
Object.assign(CONTRACT.paths, {
  '/': { get: { ...page, parameters: searches } },
  '/changes': { get: { ...page, parameters: searches } },
  '/about': { get: page },
  '/correct': { get: { ...page, parameters: searches.filter(({ name }) => name !== 'offset') } },
  '/docs': { get: page },
  '/feeds': { get: { ...page, parameters: searches.filter(({ name }) => name !== 'offset') } },
  '/weekly': { get: { ...page, parameters: filters } },
  [`/weekly/${AN_EDITION}`]: { get: { ...page, parameters: filters } },
  '/signup': { get: page, post: form },
  '/confirm': { get: link, post: link },
  '/unsubscribe': { get: link, post: link },
  '/manage': { get: link, post: link },
  '/llms.txt': textOf('text/markdown'),
  '/robots.txt': textOf('text/plain'),
  '/.well-known/security.txt': textOf('text/plain'),
  '/style.css': textOf('text/css'),
  '/reference.css': textOf('text/css'),
  '/page.js': textOf('text/javascript'),
  '/icon.svg': textOf('image/svg+xml'),
  '/favicon.ico': textOf('image/x-icon'),
  '/display.woff2': textOf('font/woff2'),
  '/marks.svg': textOf('image/svg+xml'),
  '/problems/{code}': { get: { ...page, responses: { ...page.responses, '404': PROBLEM_JSON } } },
});

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
  const hasBody = status !== 204 && status !== 304;
  for (const name of ['x-content-type-options', 'content-security-policy'])
    if (hasBody && headers[name] === undefined) return `it has no ${name}`;
  if (status >= 400 && headers['cache-control'] !== 'no-store') return 'an error may be kept';
  const path = asked.path.split('?', 1)[0]!;
  const known = TEMPLATES.find(({ spelling }) => spelling.test(path));
  const operation = known && CONTRACT.paths[known.path]![asked.method === 'POST' ? 'post' : 'get'];
  if (operation === undefined) return unlike(answer, PROBLEM_JSON.content, asked);
  const named = operation.responses[String(status)];
  if (named === undefined) return `${status} is not documented`;
  const isDescribed = CONTRACT_PATHS.has(known!.path);
  const described = Object.keys(named.headers ?? {}).map((name) => name.toLowerCase());
  const unknown = DESCRIBED.filter((name) => name in headers && !described.includes(name));
  if (isDescribed && unknown.length > 0) return `${unknown} is not documented for ${status}`;
  return named.content === undefined ? emptiness(answer) : unlike(answer, named.content, asked);
}

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

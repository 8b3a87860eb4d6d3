/** The OpenAPI description of a search matches the search. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearchQuery } from '../../../src/service/search/query.ts';
import { schemaOf } from '../../../src/service/web/openapi.ts';
import { jsonOf } from '../../an-answer.ts';
import { aDoor, openApiDocument } from './a-door.ts';

type Operation = {
  parameters: { name: string; schema: Record<string, unknown> }[];
  responses: Record<string, { headers?: object; content?: object }>;
};
type Document = { paths: Record<string, Record<string, Operation>> };

test('the documented defaults and bounds of parameters are in use', async () => {
  const document = (await openApiDocument()) as Document;
  const { parameters } = document.paths['/api/search']!.get!;
  const { question } = parseSearchQuery('');
  let seen = 0;
  for (const { name, schema } of parameters) {
    const problems = (value: number | string) => parseSearchQuery(`${name}=${value}`).problems.length;
    if (schema.default !== undefined) {
      assert.equal(schema.default, (question as Record<string, unknown>)[name], name);
      seen++;
    }
    const longest = 'a'.repeat(Number(schema.maxLength ?? 0));
    for (const [bound, last, next] of [
      [schema.minimum, Number(schema.minimum), Number(schema.minimum) - 1],
      [schema.maxLength, longest, `${longest}a`],
    ] as const) {
      if (bound === undefined) continue;
      assert.deepEqual([problems(last), problems(next)], [0, 1], name);
      seen++;
    }
  }
  assert.equal(seen, 5, 'two defaults, two least values and a length');
});

test('the OpenAPI document excludes months that do not exist, and names the operator and the types that agents must accept', async () => {
  const { paths, info } = (await openApiDocument()) as Document & {
    info: { contact: unknown; license: { url: string } };
  };
  assert.equal(info.license.url, 'https://rivermouth.example/about#terms', 'not the page of the publisher');
  assert.deepEqual(info.contact, { name: 'Rivermouth Library', email: 'listings@rivermouth.example' });
  const { parameters } = paths['/api/search']!.get!;
  for (const name of ['filed_from', 'filed_to']) {
    const pattern = new RegExp(String(parameters.find((one) => one.name === name)!.schema.pattern));
    for (const date of ['2016', '2016-12', '2016-02-29']) assert.match(date, pattern);
    for (const date of ['2016-13', '2016-00', '2016-01-32', '16', '2016-1'])
      assert.doesNotMatch(date, pattern);
  }
  const accept = paths['/mcp']!.post!.parameters.find(({ name }) => name === 'Accept');
  assert.deepEqual(accept!.schema.enum, ['application/json, text/event-stream']);
});

type Part = { properties?: object; additionalProperties?: unknown; $ref?: string };

test('the OpenAPI document allows new fields and values, except in a listing', async () => {
  const { components } = (await openApiDocument()) as { components: { schemas: Record<string, Part> } };
  for (const [closes, name] of [
    ['"additionalProperties":false', 'Listing'],
    ['"enum":', 'NewSignup'], // a request
  ] as const)
    assert.deepEqual(
      Object.keys(components.schemas).filter((one) =>
        JSON.stringify(components.schemas[one]).includes(closes),
      ),
      [name],
    );
});

/** Words that generators add to the id of an operation to name what belongs to it. */
const ADDED = [
  ...['', 'Request', 'Response', 'Responses', 'Result', 'Params', 'QueryParams', 'Query', 'Mutation', 'Body'],
  ...['Data', 'Error', 'Errors', 'Schema', 'Path', 'Headers', '200', '202', '304', '400', 'Default'],
];

test('operations, schemas, headers and tags have names that stay different in every generator', async () => {
  const { paths, components } = (await openApiDocument()) as Document & {
    components: Record<'schemas' | 'headers', object>;
  };
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map((one) => (one as Operation & { operationId: string }).operationId),
  );
  assert.ok(
    ids.every((id) => /^[a-z]+[A-Z][A-Za-z]+$/.test(id)),
    `a verb and a noun: ${ids}`,
  );
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const schemas = Object.keys(components.schemas).map(plain);
  const made = ids.flatMap((id) => ADDED.map((word) => plain(id + word)));
  const names = [...schemas, ...made];
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
});

/** What strict clients take for each format. They know no relative address and no time with an offset. */
const FORMATS: Record<string, RegExp> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  uri: /^https?:\/\//,
};

type Formatted = {
  format?: string;
  properties?: Record<string, Formatted>;
  items?: Formatted;
  anyOf?: Formatted[];
  additionalProperties?: unknown;
};

/** Lists the fields of a value that its schema does not name. Objects whose keys are values, such as counts, have any. */
function listUndescribed({ properties, items, anyOf = [], ...rest }: Formatted, value: unknown): string[] {
  if (Array.isArray(value)) return items ? value.flatMap((one) => listUndescribed(items, one)) : [];
  if (typeof value !== 'object' || value === null) return [];
  const chosen = anyOf.find((one) => one.properties !== undefined);
  if (chosen !== undefined) return listUndescribed(chosen, value);
  if (properties === undefined || typeof rest.additionalProperties === 'object') return [];
  return Object.entries(value).flatMap(([name, one]) =>
    properties[name] === undefined ? [name] : listUndescribed(properties[name], one),
  );
}

/** Lists the texts of a value whose format is described. */
function listFormatted(
  { format, properties = {}, items, anyOf = [] }: Formatted,
  value: unknown,
): [string, string][] {
  if (typeof value === 'string' && format !== undefined) return [[format, value]];
  if (Array.isArray(value)) return items ? value.flatMap((one) => listFormatted(items, one)) : [];
  const fields = Object.entries(properties).flatMap(([name, schema]) =>
    listFormatted(schema, (value as Record<string, unknown> | null)?.[name]),
  );
  return [...fields, ...anyOf.flatMap((schema) => listFormatted(schema, value))];
}

test('every field of an answer is described, and every text has the format that its schema names', async (t) => {
  const { get } = await aDoor(t);
  const answers = {
    ...({ '/api': 'Service', '/api/health': 'Health', '/api/stats?q=sohp': 'Stats' } as const),
    ...({ '/api/search': 'SearchResult', '/api/search?q=shop&category=Restarants': 'SearchResult' } as const),
    ...({ '/feed.json': 'Feed', '/nowhere': 'Problem' } as const),
  };
  for (const [path, name] of Object.entries(answers)) {
    const answer = await jsonOf<unknown>(get(path), path === '/nowhere' ? 404 : 200);
    assert.deepEqual(listUndescribed(schemaOf(name), answer), [], path);
    const formatted = listFormatted(schemaOf(name), answer);
    assert.ok(formatted.length > 0, path);
    for (const [format, text] of formatted) assert.match(text, FORMATS[format]!, `${path}: ${format}`);
  }
});

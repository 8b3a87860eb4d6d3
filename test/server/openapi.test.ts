/** The OpenAPI description of a search matches the search. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearchQuery } from '../../src/search/query.ts';
import { openApiDocument } from './a-door.ts';

type Document = {
  paths: Record<string, { get: { parameters: { name: string; schema: Record<string, unknown> }[] } }>;
};

test('defaults and bounds of parameters are those that a question is read with', async () => {
  const document = (await openApiDocument()) as Document;
  const { parameters } = document.paths['/api/search']!.get;
  const { question } = parseSearchQuery('');
  let seen = 0;
  for (const { name, schema } of parameters) {
    const faults = (value: number | string) => parseSearchQuery(`${name}=${value}`).faults.length;
    if (schema.default !== undefined) {
      assert.equal(schema.default, (question as Record<string, unknown>)[name], name);
      seen++;
    }
    if (schema.minimum !== undefined) {
      assert.deepEqual([faults(Number(schema.minimum)), faults(Number(schema.minimum) - 1)], [0, 1], name);
      seen++;
    }
    if (schema.maxLength !== undefined) {
      const longest = 'a'.repeat(Number(schema.maxLength));
      assert.deepEqual([faults(longest), faults(`${longest}a`)], [0, 1], name);
      seen++;
    }
  }
  assert.equal(seen, 5, 'two defaults, two least values and a length');
});

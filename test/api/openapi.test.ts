/** What OpenAPI says of a search is what a search does. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from '../../src/http/openapi.ts';
import { parseQuestion } from '../../src/http/parameters.ts';

test('defaults and bounds of parameters are those that a question is read with', () => {
  const { parameters } = openApiDocument('http://127.0.0.1:3000', '0.0.0').paths['/api/search']!.get!;
  const { question } = parseQuestion('');
  let seen = 0;
  for (const { name, schema } of parameters as readonly { name: string; schema: Record<string, unknown> }[]) {
    const faults = (value: number | string) => parseQuestion(`${name}=${value}`).faults.length;
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

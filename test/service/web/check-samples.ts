/** Checks that every sample and every example of a city finds something. */

import assert from 'node:assert/strict';
import { jsonOf, textOf } from '../../an-answer.ts';

type Get = (path: string) => Promise<Response>;

type Operation = {
  parameters?: { name: string; in: string; example?: string | string[] }[];
  responses: Record<string, { content?: Record<string, { examples?: Record<string, Example> }> }>;
  'x-codeSamples'?: { label: string; source: string }[];
};
type Example = { summary: string; value: unknown };

export async function listOperations(get: Get): Promise<[path: string, operation: Operation][]> {
  const { paths } = await jsonOf<{
    paths: Record<string, Record<string, Operation>>;
  }>(get('/openapi.json'));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation): [string, Operation] => [path, operation]),
  );
}

/** Whether a JSON answer of a sample has something in it: listings, counts, or what was meant. */
function findsSomething(value: unknown): boolean {
  const {
    total = 1,
    items = [1],
    warnings,
    errors,
    breakdown = { a: 1 },
  } = value as {
    total?: number;
    items?: unknown[];
    breakdown?: object;
    warnings?: { did_you_mean?: string }[];
    errors?: { did_you_mean?: string }[];
  };
  const isCorrected = (warnings ?? errors)?.[0]?.did_you_mean !== undefined;
  return isCorrected || (total > 0 && items.length > 0 && Object.keys(breakdown).length > 0);
}

/** Checks the samples of /openapi.json and /docs, and each example alone and with the others. Returns how many samples there are. */
export async function checkSamples(get: Get, name: string): Promise<number> {
  const operations = await listOperations(get);
  let seen = 0;
  for (const [path, { parameters = [], responses, 'x-codeSamples': commands = [] }] of operations) {
    const values = Object.values(responses).flatMap(({ content = {} }) =>
      Object.entries(content).flatMap(([type, { examples = {} }]) =>
        Object.values(examples).map(({ value }) => (/event-stream/.test(type) ? readEvent(value) : value)),
      ),
    );
    assert.ok(values.length >= commands.length, path);
    for (const value of values) {
      if (typeof value === 'string')
        assert.ok(
          value.split('\n').some((row) => /,[1-9]\d*,/.test(row)),
          `${name}: ${value}`,
        );
      else assert.ok(findsSomething(value), `${name} ${path}: ${JSON.stringify(value)}`);
      seen++;
    }
    if (!path.startsWith('/api/s') || path === '/api/signup') continue;
    const examples = parameters.filter((one) => one.in === 'query' && one.example !== undefined);
    const queries = examples.map((one) =>
      [one.example!]
        .flat()
        .map((text) => `${one.name}=${encodeURIComponent(text)}`)
        .join('&'),
    );
    for (const query of [...queries, queries.join('&')]) {
      const answer = await get(`${path}?${query}`);
      assert.equal(answer.status, 200, `${name} ${path}?${query}`);
      const text = await answer.text();
      if (path.endsWith('.csv')) assert.ok(text.trim().split('\n').length > 1, `${name} ${path}?${query}`);
      else assert.ok((JSON.parse(text) as { total: number }).total > 0, `${name} ${path}?${query}`);
    }
  }
  const page = await textOf(get('/docs'));
  assert.ok(!page.includes('Rivermouth'), name);
  return seen;
}

function readEvent(text: unknown): unknown {
  return JSON.parse(String(text).split('data: ')[1]!).result.structuredContent;
}

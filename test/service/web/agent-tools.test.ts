/** The two tools of agents: their schemas, their arguments, and how little they say. Asked through the official client. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { STATUSES } from '../../../src/shared/listing.ts';
import { jsonOf } from '../../an-answer.ts';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { aDoor, type Opened, someRows } from './a-door.ts';

type Result = {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown> & {
    total: number;
    warnings?: { did_you_mean?: string; arguments?: Record<string, unknown> }[];
  };
};
type Warning = { did_you_mean?: string; href?: string };
type ToolSchema = { properties: Record<string, Record<string, unknown>> };

/** Forty kinds and sixty neighborhoods, filed over eighty years: as large as a city is. */
const CITY_OF_MANY = catalogueOf(
  Array.from({ length: 2000 }, (_, i) =>
    aRow({
      key: `K${i}`,
      name: `Business ${i}`,
      category: i % 40 === 0 ? 'Restaurants' : `Kind of business ${i % 40}`,
      neighborhood: i % 60 === 0 ? 'Downtown' : `Neighborhood ${i % 60}`,
      status: 'open',
      filedOn: `${1946 + (i % 80)}-${String(1 + (i % 12)).padStart(2, '0')}-15`,
    }),
  ),
  { day: '2026-03-15' },
);

async function anAgent(t: TestContext, given: Parameters<typeof aDoor>[1] = { catalogue: CITY_OF_MANY }) {
  const door: Opened = await aDoor(t, given);
  const client = new Client({ name: 'a-test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${door.url}/mcp`)));
  t.after(() => client.close());
  const call = async (name: string, given: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: given })) as unknown as Result;
  return { door, client, call };
}

test('the counts of a whole city for agents have no empty months, and one count for months before the 24 latest', async (t) => {
  const { call } = await anAgent(t);
  const result = await call('count_listings');
  assert.ok(JSON.stringify(result).length <= 6000, `${JSON.stringify(result).length} characters`);
  const { total, by_month, by_category } = result.structuredContent as Record<string, object> & {
    total: number;
  };
  const periods = Object.keys(by_month!);
  assert.deepEqual([total, periods.length, Object.keys(by_category!).length], [...[2000, 25, 40]]);
  assert.equal(periods.at(-1), `before ${periods.at(-2)}`);
  assert.ok(Object.values(by_month!).every((count) => count > 0));
  assert.equal(
    Object.values(by_month!).reduce((sum, count) => sum + count, 0),
    2000,
  );
  const asked = await call('count_listings', { filed_from: '1990', filed_to: '2019' });
  const months = Object.keys(asked.structuredContent!.by_month as object);
  assert.ok(months.length > 24 && months.every((month) => month >= '1990' && month < '2020'));
});

/** Known values, or one that is excluded. */
type Listed = { anyOf: [{ enum: string[] }, { pattern: string }] };

test('the schema for agents lists categories and statuses, and every client can read it', async (t) => {
  const { client } = await anAgent(t);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 2);
  for (const { name, inputSchema, outputSchema } of tools) {
    const { category, neighborhood, status, filed_from } = (inputSchema as ToolSchema).properties;
    assert.equal((category!.items as Listed).anyOf[0].enum.length, 40, name);
    assert.deepEqual((status!.items as Listed).anyOf[0].enum, STATUSES);
    assert.equal(JSON.stringify(inputSchema).split('"abandoned"').length, 2, 'each value once');
    assert.match(String(neighborhood!.description), /count_listings lists all values/);
    assert.match(String(filed_from!.description), /YYYY-MM/);
    for (const schema of [inputSchema, outputSchema]) {
      const text = JSON.stringify(schema);
      assert.doesNotMatch(text, /"type":\[|"\$id"|"\$ref"|patternProperties/, name);
    }
  }
});

/** What agents send, and the query that asks the same. */
const SAME: [given: Record<string, unknown>, query: string][] = [
  [{ category: 'Restaurants' }, 'category=Restaurants'],
  [{ category: ['restaurants'] }, 'category=restaurants'],
  [
    { category: ['Restaurants', 'Kind of business 3'], status: 'OPEN' },
    'category=Restaurants&category=Kind of business 3&status=OPEN',
  ],
  [{ q: 'business', limit: 100 }, 'q=business&limit=100'],
  [{ filed_from: '2010', filed_to: '2015-06', limit: 3 }, 'filed_from=2010&filed_to=2015-06&limit=3'],
  [{ q: '', neighborhood: [], status: '', offset: 25 }, 'offset=25'],
  [{ q: 'business', limit: 0 }, 'q=business&limit=0'],
  [{ q: 'business', limit: '5', offset: '10' }, 'q=business&limit=5&offset=10'],
  [{ neighborhood: 'Downtwn' }, 'neighborhood=Downtwn'],
  [
    { q: null, category: null, status: null, filed_from: null, limit: null, data: null, offset: 25 },
    'offset=25',
  ],
];

test('a search of an agent is answered like the same query', async (t) => {
  const { door, call } = await anAgent(t, { catalogue: CITY_OF_MANY, limits: 'off' });
  for (const [given, query] of SAME) {
    const { structuredContent } = await call('search_listings', given);
    const answer = await door.get(`/api/search?${query}`);
    const { next, warnings, ...same } = (await answer.json()) as {
      next: string | null;
      warnings?: Warning[];
    };
    const { next_offset, data, warnings: told, ...found } = structuredContent!;
    assert.deepEqual(found, same, query);
    const following = new URL(next ?? '/?offset=', door.url).searchParams;
    assert.equal(next_offset, following.has('data') ? Number(following.get('offset')) : null, query);
    assert.equal(data, following.get('data') ?? data, query);
    const meant = warnings?.map((warning) =>
      warning.href === undefined ? warning : { ...warning, arguments: { neighborhood: ['Downtown'] } },
    );
    assert.deepEqual(told, meant, query);
  }
});

const WRONG: [tool: string, given: Record<string, unknown>, told: RegExp][] = [
  ['search_listings', { categry: 'Restaurants' }, /^categry: Unknown parameter.*Did you mean category\?$/],
  ['count_listings', { limit: 5 }, /^limit: Unknown parameter. Valid parameters are q, .*added_from, by\.$/],
  ['search_listings', { limit: -1 }, /^limit: /],
  ['search_listings', { limit: 2.5 }, /^limit: /],
  ['search_listings', { limit: true }, /^limit: limit must be a whole number\.$/],
  [
    'search_listings',
    { limit: '5.0' },
    /^limit: limit must be a whole number, 0 or more, written in digits\.$/,
  ],
  ['search_listings', { filed_from: 2015 }, /^filed_from: filed_from must be a text, such as "2025"\.$/],
  ['count_listings', { by: 'month' }, /^by: by must be two different ones of .*, such as month,category\.$/],
  ['search_listings', { data: 5 }, /^data: data must be a text\.$/],
  ['search_listings', { q: ['a', 'b'] }, /^q: q must be a text, such as "coffee"\.$/],
  [
    'search_listings',
    { category: { name: 'a' } },
    /^category: category must be a text or a list of texts, such as "Restaurants"\.$/,
  ],
  ['search_listings', { category: ['a', null] }, /^category: /],
  ['search_listings', { status: Array(21).fill('open') }, /^status: status can have at most 20 values\.$/],
  ['search_listings', { neighborhood: 'x'.repeat(2049) }, /^neighborhood: .* 2048 characters\.$/],
  ['count_listings', { filed_from: 'May 2015' }, /^filed_from: .*YYYY-MM/],
  ['search_listings', { offset: -1, filed_to: '15' }, /^filed_to: .* offset: /],
  ['search_listings', { 'a b': 1 }, /^\(unreadable\): Unknown parameter/],
];

test('the error for an agent names the argument', async (t) => {
  const { client, call } = await anAgent(t, { catalogue: CITY_OF_MANY, limits: 'off' });
  await assert.rejects(client.callTool({ name: 'delete_listings', arguments: {} }), /delete_listings/);
  for (const [tool, given, told] of WRONG) {
    const { isError, content } = await call(tool, given);
    assert.equal(isError, true, String(told));
    assert.match(content[0]!.text, told);
  }
});

test('a warning for an agent has the suggested query as arguments, even if counts find nothing', async (t) => {
  const { call } = await anAgent(t);
  for (const tool of ['search_listings', 'count_listings']) {
    const { structuredContent } = await call(tool, { q: 'restaurants in downtown' });
    const meant = structuredContent!.warnings![0]!.arguments!;
    assert.deepEqual(meant, { category: ['Restaurants'], neighborhood: ['Downtown'] }, tool);
    assert.equal((await call(tool, meant)).isError ?? false, false);
  }
  const by = { q: 'restaurants in downtown', by: 'month,status' };
  const { structuredContent } = await call('count_listings', by);
  assert.equal(structuredContent!.warnings![0]!.arguments!.by, by.by);
});

test('the schema for agents lists the neighborhoods of most cities, and the tools explain dates and places', async (t) => {
  const { client } = await anAgent(t, { rows: someRows(10) });
  const { tools } = await client.listTools();
  for (const { inputSchema, description } of tools) {
    const { neighborhood } = (inputSchema as ToolSchema).properties;
    assert.deepEqual((neighborhood!.items as Listed).anyOf[0].enum, ['Café Row', 'Unknown']);
    assert.match(description!, /first filing, never about the closing/);
    assert.match(description!, /Closed businesses are included unless status says otherwise/);
  }
});

test('agents get the same counts by two dimensions as programs', async (t) => {
  const { door, call } = await anAgent(t, { rows: someRows(60) });
  const { structuredContent } = await call('count_listings', { by: 'category,neighborhood' });
  const { breakdown } = await jsonOf<Record<string, unknown>>(
    door.get('/api/stats?by=category,neighborhood'),
  );
  assert.deepEqual(structuredContent!.breakdown, breakdown);
  const rows = Array.from({ length: 1001 }, (_, i) => aRow({ key: `K${i}`, neighborhood: `Place ${i}` }));
  const { call: callLarge } = await anAgent(t, { rows });
  const { isError, content } = await callLarge('count_listings', { by: 'neighborhood,status' });
  assert.equal(isError, true);
  assert.match(content[0]!.text, /^by: These are 1001 counts, and an answer has at most 1000\. Narrow/);
});

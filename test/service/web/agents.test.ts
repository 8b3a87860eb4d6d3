/** MCP: the two tools of agents, asked through the official client, and messages that no such client sends. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Compile } from 'typebox/compile';
import { schemaOf } from '../../../src/service/web/openapi.ts';
import { STATUSES } from '../../../src/shared/listing.ts';
import { jsonOf, toolCall } from '../../an-answer.ts';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { aDoor, someRows } from './a-door.ts';

const isSearch = Compile(schemaOf('Found'));
const isCounts = Compile(schemaOf('Stats'));

type Warning = { code: string; arguments?: Record<string, unknown>; href?: string };
type Result = {
  isError?: boolean;
  content: { text: string }[];
  structuredContent: Record<string, unknown> & {
    by_month: Record<string, number>;
    by_category: object;
    warnings?: Warning[];
  };
};
type ToolSchema = { properties: Record<string, Record<string, unknown>> };
/** Known values, or one that is excluded. */
type Listed = { anyOf: [{ enum: string[] }, { pattern: string }] };

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

async function anAgent(t: TestContext, given: Parameters<typeof aDoor>[1] = {}, options = {}) {
  const door = await aDoor(t, given);
  const client = new Client({ name: 'a-test', version: '1' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${door.url}/mcp`)));
  t.after(() => client.close());
  const call = async (name: string, asked: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: asked })) as unknown as Result;
  return { door, client, call };
}

/** The newest revision, and those before it that the SDK still speaks with a handshake. */
const REVISIONS = {
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  '2025-11-25': { supportedProtocolVersions: ['2025-11-25'] },
  '2025-06-18': { supportedProtocolVersions: ['2025-06-18'] },
  '2025-03-26': { supportedProtocolVersions: ['2025-03-26'] },
  'whichever both know': { versionNegotiation: { mode: 'auto' } },
};

for (const [revision, options] of Object.entries(REVISIONS)) {
  test(`an agent with protocol ${revision} finds two read-only tools and calls them`, async (t) => {
    const { door, client, call } = await anAgent(t, {}, options);
    assert.match(
      client.getInstructions()!,
      /Data as of 2026-11-19T04:10:00Z; the most recent filing is from 2026-11-20/,
    );
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      ['search_listings', 'count_listings'].map((name) => [name, true]),
    );
    const found = await call('search_listings', { q: 'shop', category: 'Restaurants', limit: 2 });
    const answer = await door.get('/api/search?q=shop&category=Restaurants&limit=2');
    const { next, ...same } = (await answer.json()) as { next: string };
    const data = new URLSearchParams(next).get('data');
    assert.deepEqual(found.structuredContent, { ...same, next_offset: 2, data });
    assert.deepEqual(JSON.parse(found.content[0]!.text), found.structuredContent);
    assert.ok(isSearch.Check(found.structuredContent));
    const { structuredContent: figures } = await call('count_listings');
    assert.ok(isCounts.Check(figures));
    assert.equal(figures.latest_filing, '2026-11-20');
  });
}

test('before the first run an agent is told that there is no data yet, and to try again later', async (t) => {
  const { client, call } = await anAgent(t, { catalogue: null });
  assert.match(client.getInstructions()!, /There is no data yet\./);
  const { isError, content } = await call('search_listings', { q: 'coffee' });
  assert.deepEqual([isError, /Retry-After: 5/.test(content[0]!.text)], [true, true]);
});

const LONG = 'z'.repeat(30_000);
const message = (name: string, given: unknown, id: unknown = 1) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } },
});
/** Messages, and the status for each, alone and in a list. */
const SHORTLY_REFUSED: [what: string, message: object | string, status: number][] = [
  [
    'two thousand unknown arguments',
    message('search_listings', Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`k${i}`, 1]))),
    200,
  ],
  ['a list of numbers', message('search_listings', { category: Array(5000).fill(5) }), 200],
  ['a long value', message('search_listings', { category: [LONG] }), 200],
  ['a long value of a closed list', message('search_listings', { status: [LONG] }), 200],
  ['a long question', message('search_listings', { q: LONG }), 200],
  ['a tool of a long name', message(LONG, {}), 200],
  ['a method of a long name', { jsonrpc: '2.0', id: 1, method: LONG }, 200],
  ['a long id', message('search_listings', { zebra: 1 }, LONG), 400],
  ['a long id of no text', message('search_listings', { zebra: 1 }, [LONG]), 400],
  ['a handshake with everything missing', { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }, 200],
  ...[
    '{"toString":1}',
    '{"toString":null,"valueOf":null}',
    '{}',
    '[1]',
    '['.repeat(1.5e4) + ']'.repeat(1.5e4),
  ].map((id): [string, string, number] => [
    `the id ${id.slice(0, 20)}`,
    `{"jsonrpc":"2.0","method":"ping","id":${id}}`,
    400,
  ]),
];

test('an error for an agent is short, and an id that is not a text or a number is refused', async (t) => {
  const { get, warnings } = await aDoor(t);
  const { headers } = toolCall('');
  const post = async (body: string, more = {}) => {
    const answer = await get('/mcp', { method: 'POST', body, headers: { ...headers, ...more } });
    return { status: answer.status, text: await answer.text() };
  };
  for (const [what, sent, status] of SHORTLY_REFUSED) {
    const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
    const once = await post(body);
    assert.match(once.text, /"(error|isError|errors|detail)":/, what);
    const twice = await post(`[${body},${body}]`);
    assert.deepEqual([once.status, twice.status], [status, status], what);
    assert.ok(once.text.length < 1000 && twice.text.length < 2000, `${what}: ${once.text.length} characters`);
  }
  const told = await post(toolCall('search_listings').body, { 'MCP-Protocol-Version': '9'.repeat(9000) });
  assert.deepEqual([told.status, told.text.length < 1000], [400, true], 'a long header');
  assert.deepEqual(warnings, []);

  const alone = async (one: object) => (await post(JSON.stringify(one))).text;
  const plain = message('search_listings', { q: 'shop' }, 'a');
  const noted = { ...plain, params: { ...plain.params, _meta: { progressToken: 1 } } };
  for (const one of [plain, noted, message('count_listings', {})])
    assert.equal(await alone(one), await alone([one]));
  const wrong = { ...plain.params, _meta: 1 };
  for (const more of [{ extra: 1 }, { id: 1.5 }, { jsonrpc: '1.0' }, { params: wrong }])
    assert.match(await alone({ ...plain, ...more }), /^\{"jsonrpc":"2.0","error":\{"code":-32600/);
});

test('the MCP server keeps no connection open, and refuses subscriptions', async (t) => {
  const { client } = await anAgent(t, {}, REVISIONS['2026-07-28']);
  assert.equal(client.getServerCapabilities()?.tools?.listChanged, false);
  await assert.rejects(client.listen({ toolsListChanged: true }), /[Ss]ubscription limit/);
});

test('the counts of a whole city for agents have no empty months, and one count for months before the 24 latest', async (t) => {
  const { call } = await anAgent(t, { catalogue: CITY_OF_MANY });
  const result = await call('count_listings');
  assert.ok(JSON.stringify(result).length <= 6000, `${JSON.stringify(result).length} characters`);
  const { total, by_month, by_category } = result.structuredContent;
  const [periods, counts] = [Object.keys(by_month), Object.values(by_month)];
  assert.deepEqual([total, periods.length, Object.keys(by_category).length], [2000, 25, 40]);
  assert.equal(periods.at(-1), `before ${periods.at(-2)}`);
  assert.ok(counts.every((count) => count > 0));
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    2000,
  );
  const asked = await call('count_listings', { filed_from: '1990', filed_to: '2019' });
  const months = Object.keys(asked.structuredContent.by_month);
  assert.ok(months.length > 24 && months.every((month) => month >= '1990' && month < '2020'));
});

test('the schema for agents lists known values, every client can read it, and the tools explain dates and places', async (t) => {
  const small = await anAgent(t, { rows: someRows(10) });
  for (const { inputSchema, description } of (await small.client.listTools()).tools) {
    const { neighborhood } = (inputSchema as ToolSchema).properties;
    assert.deepEqual((neighborhood!.items as Listed).anyOf[0].enum, ['Café Row', 'Unknown']);
    assert.match(description!, /first filing, never about the closing/);
    assert.match(description!, /Closed businesses are included unless status says otherwise/);
  }
  const { client } = await anAgent(t, { catalogue: CITY_OF_MANY });
  for (const { name, inputSchema, outputSchema } of (await client.listTools()).tools) {
    const { category, neighborhood, status, filed_from } = (inputSchema as ToolSchema).properties;
    assert.equal((category!.items as Listed).anyOf[0].enum.length, 40, name);
    assert.deepEqual((status!.items as Listed).anyOf[0].enum, STATUSES);
    assert.equal(JSON.stringify(inputSchema).split('"abandoned"').length, 2, 'each value once');
    assert.match(String(neighborhood!.description), /count_listings lists all values/);
    assert.match(String(filed_from!.description), /YYYY-MM/);
    for (const schema of [inputSchema, outputSchema])
      assert.doesNotMatch(JSON.stringify(schema), /"type":\[|"\$id"|"\$ref"|patternProperties/, name);
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
  [{ filed_from: '2026-04' }, 'filed_from=2026-04'],
  [{ q: '', neighborhood: [], status: '', offset: 25 }, 'offset=25'],
  [{ q: 'business', limit: 0 }, 'q=business&limit=0'],
  [{ q: 'business', limit: '5', offset: '10' }, 'q=business&limit=5&offset=10'],
  [{ neighborhood: 'Downtwn' }, 'neighborhood=Downtwn'],
  [
    { q: null, category: null, status: null, filed_from: null, limit: null, data: null, offset: 25 },
    'offset=25',
  ],
];

test('a search of an agent is answered like the same query, and so are counts by two dimensions', async (t) => {
  const { door, call } = await anAgent(t, { catalogue: CITY_OF_MANY, limits: 'off' });
  for (const [given, query] of SAME) {
    const {
      next_offset,
      data,
      warnings: told,
      ...found
    } = (await call('search_listings', given)).structuredContent;
    const { next, warnings, ...same } = await jsonOf<{ next: string | null; warnings?: Warning[] }>(
      door.get(`/api/search?${query}`),
    );
    assert.deepEqual(found, same, query);
    const following = new URL(next ?? '/?offset=', door.url).searchParams;
    assert.equal(next_offset, following.has('data') ? Number(following.get('offset')) : null, query);
    assert.equal(data, following.get('data') ?? data, query);
    const meant = warnings?.map((warning) =>
      warning.href === undefined ? warning : { ...warning, arguments: { neighborhood: ['Downtown'] } },
    );
    assert.deepEqual(told, meant, query);
  }
  const { structuredContent } = await call('count_listings', { by: 'category,status' });
  const { breakdown } = await jsonOf<Result['structuredContent']>(door.get('/api/stats?by=category,status'));
  assert.deepEqual(structuredContent.breakdown, breakdown);
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
  [
    'count_listings',
    { by: 'neighborhood,status' },
    /^by: These are 1001 counts, and an answer has at most 1000\. Narrow/,
  ],
];

test('the error for an agent names the argument', async (t) => {
  const rows = Array.from({ length: 1001 }, (_, i) => aRow({ key: `K${i}`, neighborhood: `Place ${i}` }));
  const { client, call } = await anAgent(t, { rows, limits: 'off' });
  await assert.rejects(client.callTool({ name: 'delete_listings', arguments: {} }), /delete_listings/);
  for (const [tool, given, told] of WRONG) {
    const { isError, content } = await call(tool, given);
    assert.equal(isError, true, String(told));
    assert.match(content[0]!.text, told);
  }
});

test('a warning for an agent has the suggested query as arguments, even if counts find nothing', async (t) => {
  const { call } = await anAgent(t, { catalogue: CITY_OF_MANY });
  const meantBy = async (tool: string, given: Record<string, unknown>) =>
    (await call(tool, given)).structuredContent.warnings![0]!.arguments!;
  for (const tool of ['search_listings', 'count_listings']) {
    const meant = await meantBy(tool, { q: 'restaurants in downtown' });
    assert.deepEqual(meant, { category: ['Restaurants'], neighborhood: ['Downtown'] }, tool);
    assert.equal((await call(tool, meant)).isError ?? false, false);
  }
  const counted = await meantBy('count_listings', { q: 'restaurants in downtown', by: 'month,status' });
  assert.equal(counted.by, 'month,status');
});

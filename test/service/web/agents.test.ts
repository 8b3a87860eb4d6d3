/** Interfaces for agents: MCP through the official client, and the texts for agents and search engines. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Compile } from 'typebox/compile';
import { schemaOf } from '../../../src/service/web/openapi.ts';
import { textOf } from '../../an-answer.ts';
import { aDoor, CITY, type Opened } from './a-door.ts';

const AGENT = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const isSearch = Compile(schemaOf('Found'));
const isCounts = Compile(schemaOf('Stats'));

type Result = { isError?: boolean; content: { text: string }[]; structuredContent?: Record<string, unknown> };

/** The newest revision, and those before it that the SDK still speaks with a handshake. */
const REVISIONS = {
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' as const } } },
  '2025-11-25': { supportedProtocolVersions: ['2025-11-25'] },
  '2025-06-18': { supportedProtocolVersions: ['2025-06-18'] },
  '2025-03-26': { supportedProtocolVersions: ['2025-03-26'] },
  'whichever both know': { versionNegotiation: { mode: 'auto' as const } },
};

async function connected(door: Opened, options: object): Promise<Client> {
  const client = new Client({ name: 'a-test', version: '1' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${door.url}/mcp`)));
  return client;
}

const call = async (client: Client, name: string, given: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: given })) as unknown as Result;

for (const [revision, options] of Object.entries(REVISIONS)) {
  test(`an agent with protocol ${revision} finds two read-only tools and calls them`, async (t) => {
    const door = await aDoor(t);
    const client = await connected(door, options);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['search_listings', 'count_listings'],
    );
    assert.ok(
      tools.every(({ annotations, outputSchema }) => annotations?.readOnlyHint === true && outputSchema),
    );
    const found = await call(client, 'search_listings', { q: 'shop', category: 'Restaurants', limit: 2 });
    const answer = await door.get('/api/search?q=shop&category=Restaurants&limit=2');
    const { next, ...same } = (await answer.json()) as { next: string };
    const data = new URLSearchParams(next).get('data');
    assert.deepEqual(found.structuredContent, { ...same, next_offset: 2, data });
    assert.deepEqual(JSON.parse(found.content[0]!.text), found.structuredContent);
    assert.ok(isSearch.Check(found.structuredContent));
    const figures = await call(client, 'count_listings');
    assert.ok(isCounts.Check(figures.structuredContent));
    await client.close();
  });
}

test('an agent learns the date of the newest filing at the start, in each answer, and when it asks for later days', async (t) => {
  const door = await aDoor(t);
  const client = await connected(door, {});
  assert.match(
    client.getInstructions()!,
    /Data as of 2026-11-19T04:10:00Z; the most recent filing is from 2026-11-20/,
  );
  for (const tool of ['search_listings', 'count_listings']) {
    const { structuredContent: late } = await call(client, tool, { filed_from: '2026-11-21' });
    assert.equal(late!.total, 0);
    const [warning] = late!.warnings as { parameter: string; detail: string }[];
    assert.equal(warning!.parameter, 'filed_from');
    assert.match(warning!.detail, /The data ends on 2026-11-20/);
  }
  const { structuredContent } = await call(client, 'search_listings', { limit: 1 });
  assert.equal(structuredContent!.latest_filing, '2026-11-20');
  await client.close();
  const empty = await connected(await aDoor(t, { catalogue: null }), {});
  assert.match(empty.getInstructions()!, /There is no data yet\./);
  await empty.close();
});

test('before the first run an agent gets an error that says to try again later', async (t) => {
  const client = await connected(await aDoor(t, { catalogue: null }), {});
  const early = await call(client, 'search_listings', { q: 'coffee' });
  assert.deepEqual([early.isError, /Retry-After: 5/.test(early.content[0]!.text)], [true, true]);
  await client.close();
});

const LONG = 'z'.repeat(30_000);
const toolCall = (name: string, given: unknown, id: unknown = 1) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: given },
});
const WRONG: Record<string, unknown> = {
  'two thousand unknown arguments': toolCall(
    'search_listings',
    Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`k${i}`, 1])),
  ),
  'a list of numbers': toolCall('search_listings', { category: Array.from({ length: 5000 }, () => 5) }),
  'a long value': toolCall('search_listings', { category: [LONG] }),
  'a long value of a closed list': toolCall('search_listings', { status: [LONG] }),
  'a long question': toolCall('search_listings', { q: LONG }),
  'a tool of a long name': toolCall(LONG, {}),
  'a method of a long name': { jsonrpc: '2.0', id: 1, method: LONG },
  'a long id': toolCall('search_listings', { zebra: 1 }, LONG),
  'a long id of no text': toolCall('search_listings', { zebra: 1 }, [LONG]),
  'a handshake with everything missing': { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
};

test('an error for an agent is short', async (t) => {
  const { get } = await aDoor(t);
  const post = async (body: unknown) =>
    (await get('/mcp', { method: 'POST', body: JSON.stringify(body), headers: AGENT })).text();
  for (const [what, message] of Object.entries(WRONG)) {
    const answer = await post(message);
    assert.match(answer, /"(error|isError|errors|detail)":/, what);
    assert.ok(answer.length < 1000, `${what}: ${answer.length} characters`);
    const twice = await post([message, message]);
    assert.ok(twice.length < 2000, `${what}: ${twice.length} characters for two`);
  }
});

test('a call alone is answered as in a list, and one with anything more as the protocol says', async (t) => {
  const { get } = await aDoor(t);
  const post = async (body: unknown) =>
    (await get('/mcp', { method: 'POST', body: JSON.stringify(body), headers: AGENT })).text();
  const plain = toolCall('search_listings', { q: 'shop' }, 'a');
  const noted = { ...plain, params: { ...plain.params, _meta: { progressToken: 1 } } };
  for (const one of [plain, noted, toolCall('count_listings', {})])
    assert.equal(await post(one), await post([one]));
  const wrong = { ...plain.params, _meta: 1 };
  for (const more of [{ extra: 1 }, { id: 1.5 }, { jsonrpc: '1.0' }, { params: wrong }])
    assert.match(await post({ ...plain, ...more }), /^\{"jsonrpc":"2.0","error":\{"code":-32600/);
});

test('an id that is not a text or a number is refused in every form', async (t) => {
  const { get, warnings } = await aDoor(t);
  const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  for (const id of ['{"toString":1}', '{"toString":null,"valueOf":null}', '{}', '[1]', nested])
    for (const wrap of [(one: string) => one, (one: string) => `[${one}]`]) {
      const body = wrap(`{"jsonrpc":"2.0","method":"ping","id":${id}}`);
      assert.equal((await get('/mcp', { method: 'POST', body, headers: AGENT })).status, 400);
    }
  assert.deepEqual(warnings, []);
});

test('the error for an agent about a long header is short', async (t) => {
  const { get } = await aDoor(t);
  const body = JSON.stringify(toolCall('search_listings', {}));
  const told = await get('/mcp', {
    ...{ method: 'POST', body },
    headers: { ...AGENT, 'MCP-Protocol-Version': '9'.repeat(9000) },
  });
  assert.equal(told.status, 400);
  assert.ok((await told.text()).length < 1000);
});

test('the MCP server keeps no connection open, and refuses subscriptions', async (t) => {
  const door = await aDoor(t);
  const client = await connected(door, REVISIONS['2026-07-28']);
  assert.equal(client.getServerCapabilities()?.tools?.listChanged, false);
  await assert.rejects(client.listen({ toolsListChanged: true }), /[Ss]ubscription limit/);
  await client.close();
});

test('llms.txt names every interface and the state of the data', async (t) => {
  const { get } = await aDoor(t);
  const response = await get('/llms.txt');
  const text = await response.text();
  assert.match(response.headers.get('content-type')!, /^text\/markdown/);
  assert.match(
    text,
    /^# New businesses in Rivermouth, CA\n\n> .*60 listings, data as of 2026-11-19T04:10:00Z/,
  );
  const base = 'https://rivermouth.example';
  const paths = [...text.matchAll(/\]\((\S+?)\)/g)].map(([, link]) => link!.replace(base, '').split('#')[0]!);
  assert.ok(paths.length > 6);
  for (const path of paths.filter((one) => one !== '/mcp')) assert.equal((await get(path)).status, 200, path);
});

test('search engines may fetch every page and index only the page itself, without a query', async (t) => {
  const { get } = await aDoor(t);
  for (const path of ['/?q=shop', '/?utm=1'])
    assert.equal((await get(path)).headers.get('x-robots-tag'), 'noindex', path);
  const text = await textOf(await get('/robots.txt'));
  assert.match(text, /^User-agent: \*\nAllow: \/$/m);
  assert.doesNotMatch(text, /Disallow: \/(api|feed)?$/m);
});

test('security.txt does not expire, and leads to the page that shows a contact without an address', async (t) => {
  const { get, clock } = await aDoor(t);
  for (const years of [0, 3]) {
    clock.now += years * 365 * 86_400_000;
    const text = await textOf(await get('/.well-known/security.txt'));
    assert.match(text, /^Contact: mailto:listings@rivermouth\.example$/m);
    const days = (Date.parse(/^Expires: (.*)$/m.exec(text)![1]!) - clock.now) / 86_400_000;
    assert.ok(days > 30 && days < 365, `${days}`);
  }
  const operator = { ...CITY.operator, contact: 'at the town hall' };
  const other = await aDoor(t, { city: { ...CITY, operator } });
  const text = await textOf(other.get('/.well-known/security.txt'));
  assert.match(text, /^Contact: https:\/\/rivermouth\.example\/about#correct$/m);
});

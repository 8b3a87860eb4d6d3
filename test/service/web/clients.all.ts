/** Clients that nobody here wrote read the API as it is: axios, feedsmith, and version 1 of the MCP SDK. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { aDoor } from './a-door.ts';

const PACKAGES = fileURLToPath(new URL('../../../tools/client/node_modules/', import.meta.url));
const skip = !existsSync(`${PACKAGES}axios`) && 'needs "node tools/run.mjs client"';
const load = createRequire(PACKAGES);

type AtomItem = { id: string; title?: { value: string } };

test('requests of axios with arrays, cache busters and a content type are answered', {
  skip,
}, async (t) => {
  const axios = load('axios');
  const { url } = await aDoor(t);
  const client = axios.create({ baseURL: url, headers: { 'Content-Type': 'application/json' } });
  const params = { category: ['Restaurants', 'Auto Repair'], limit: 3, _: Date.now() };
  const { data, headers } = await client.get('/api/search', { params });
  assert.deepEqual([data.total, data.listings.length], [40, 3]);
  const next = await client.get(data.next);
  assert.deepEqual([next.data.offset, next.data.warnings], [3, undefined]);
  const known = await client.get('/api/search', {
    params,
    headers: { 'If-None-Match': headers.etag },
    validateStatus: (status: number) => status === 304,
  });
  assert.equal(known.status, 304);
  const counted = await client.get('/api/stats', { params: { status: ['open'], q: '' } });
  assert.equal(counted.data.total, 60);
});

test('the library feedsmith reads both feeds, and follows them to the end', { skip }, async (t) => {
  const { parseAtomFeed, parseJsonFeed } = load('feedsmith');
  const { get } = await aDoor(t);
  const textOf = async (path: string) => (await get(path)).text();
  const json = parseJsonFeed(JSON.parse(await textOf('/feed.json?category=Restaurants&limit=15')));
  assert.equal(json.items?.length, 16, 'and how many more');
  const rest = await textOf(json.next_url!.replace('https://rivermouth.example', ''));
  const last = parseJsonFeed(JSON.parse(rest));
  assert.deepEqual([last.items?.length, last.next_url], [5, undefined]);
  const atom = parseAtomFeed(await textOf('/feed.xml?category=Restaurants&limit=15'));
  assert.deepEqual(
    atom.entries?.map(({ id, title }: AtomItem) => [id, title?.value]),
    json.items?.map(({ id, title }: { id: string; title?: string }) => [id, title]),
  );
  assert.equal(atom.links?.find(({ rel }: { rel?: string }) => rel === 'next')?.type, 'application/atom+xml');
});

test('version 1 of the MCP SDK finds the tools and calls them', { skip }, async (t) => {
  const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = load('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { url } = await aDoor(t);
  const client = new Client({ name: 'a-test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const { tools } = await client.listTools();
  assert.equal(tools.length, 2);
  const found = await client.callTool({ name: 'search_listings', arguments: { q: 'shop', limit: '2' } });
  const { total, next_offset } = found.structuredContent as Record<string, number>;
  assert.deepEqual([total, next_offset], [30, 2]);
  const counted = await client.callTool({ name: 'count_listings', arguments: {} });
  assert.equal((counted.structuredContent as { total: number }).total, 60);
  await client.close();
});

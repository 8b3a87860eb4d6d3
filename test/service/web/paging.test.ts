/** Pages while the data changes: `next` says which listings it continues, and a page of others says so. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE_LIMIT, type searchParameters } from '../../../src/shared/question.ts';
import { jsonOf, resultOf, textOf, toolCall } from '../../an-answer.ts';
import { aRow } from '../search/made-up.ts';
import { aDoor, anIndex, someRows } from './a-door.ts';

type Body = {
  next: string | null;
  listings: { name: string }[];
  warnings?: { code?: string; parameter: string; detail: string }[];
};

/** A door whose data the test replaces. */
async function aChangingDoor(t: Parameters<typeof aDoor>[0]) {
  let catalogue = anIndex(someRows(60), 'v1');
  const door = await aDoor(t, { catalogue: () => catalogue });
  const read = async (path: string): Promise<Body> => await jsonOf<Body>(door.get(path));
  const newer = aRow({ key: 'new', name: 'Newest', filedOn: '2026-11-20', neighborhood: 'Café Row' });
  return { ...door, read, change: () => (catalogue = anIndex([newer, ...someRows(60)], 'v2')) };
}

/** One value of each parameter, of which all match the same listings; the last two page. */
const ALL: Record<keyof typeof searchParameters, string> = {
  ...{ q: 'shop', category: 'Restaurants', neighborhood: 'Café Row', status: 'open' },
  ...{ filed_from: '2026-11-02', filed_to: '2026-11-20', added_from: '2026-01-01', limit: '2', offset: '1' },
};

test('on every interface, the next page keeps all parameters of the request, page after page', async (t) => {
  const door = await aDoor(t, { rows: someRows(300) });
  const total = (await jsonOf<{ total: number }>(door.get(`/api/search?${new URLSearchParams(ALL)}`))).total;
  assert.ok(total > 25, `only ${total} listings match all values of ALL, which are less than two pages`);
  const link = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]?.replaceAll('&amp;', '&');
  const NEXT: Record<string, (text: string) => string | undefined> = {
    '/api/search': (text) => JSON.parse(text).next ?? undefined,
    '/feed.json': (text) => JSON.parse(text).next_url,
    '/feed.xml': (text) => link(text, /<link rel="next"[^>]*href="([^"]+)"/),
    '/': (text) => link(text, /rel="next nofollow" href="([^"]+)"/),
  };
  for (const [path, findNext] of Object.entries(NEXT)) {
    const given = new URLSearchParams(ALL);
    if (path !== '/api/search') given.delete('offset');
    if (path === '/') given.delete('limit');
    const seen = [];
    for (let next: string | undefined = `${path}?${given}`; next !== undefined; ) {
      const response = await door.get(next.replace('https://rivermouth.example', ''));
      assert.equal(response.status, 200, next);
      seen.push(new URL(next, door.url).searchParams);
      next = findNext(await response.text());
    }
    assert.equal(
      seen.length,
      Math.ceil((total - Number(given.get('offset') ?? 0)) / Number(given.get('limit') ?? PAGE_LIMIT)),
      path,
    );
    for (const parameters of seen)
      for (const [name, value] of given)
        if (name !== 'offset') assert.equal(parameters.get(name), value, `${path} ${name}`);
  }
});

test('on every interface, a search shows its first 1,000 listings, and no other', async (t) => {
  const { get } = await aDoor(t, { rows: someRows(1_100), limits: 'off' });
  const read = async (path: string, init?: RequestInit) => (await get(path, init)).text();
  const namesOf = ({ listings = [] }: Partial<Body>) => listings.map(({ name }) => name);
  const seen: Record<string, Set<string>> = { '/feed.json': new Set() };
  for (let next: string | undefined = '/feed.json'; next !== undefined; ) {
    const feed: { items: { title: string; tags: string[] }[]; next_url?: string } = JSON.parse(
      await read(next),
    );
    for (const { title, tags } of feed.items) if (tags.length > 0) seen['/feed.json']!.add(title);
    next = feed.next_url?.replace('https://rivermouth.example', '');
  }
  const ways: Record<string, (offset: number) => Promise<string[]>> = {
    '/api/search': async (offset) => namesOf(JSON.parse(await read(`/api/search?offset=${offset}`))),
    async '/'(offset) {
      const page = await read(`/?status=open&offset=${offset}`);
      return [...page.matchAll(/class="name"><bdi>([^<]*)</g)].map(([, name]) => name!);
    },
    async '/mcp'(offset) {
      const answer = await read('/mcp', toolCall('search_listings', { offset }));
      return namesOf(JSON.parse(/^data: (.*)$/m.exec(answer)![1]!).result.structuredContent ?? {});
    },
  };
  for (const [way, namesAt] of Object.entries(ways)) {
    const all = Array.from({ length: 44 }, (_, page) => 25 * page);
    seen[way] = new Set((await Promise.all([...all, 999, 1_001, 2 ** 31].map(namesAt))).flat());
  }
  for (const [way, names] of Object.entries(seen)) assert.equal(names.size, 1_000, way);
});

test('after an import between two pages, the second page has a warning', async (t) => {
  const { get, read, change } = await aChangingDoor(t);
  const { next, warnings } = await read('/api/search?neighborhood=cafe+row&limit=10');
  assert.match(next!, /^\/api\/search\?neighborhood=cafe%20row&limit=10&offset=10&data=[a-z0-9]{1,7}$/);
  assert.equal(warnings, undefined);
  const before = await get(next!);
  const etag = before.headers.get('etag')!;
  assert.equal(((await before.json()) as Body).warnings, undefined);
  change();
  const after = await get(next!, { headers: { 'If-None-Match': etag } });
  assert.deepEqual([after.status, after.headers.get('etag') === etag], [200, false]);
  const page = (await after.json()) as Body;
  assert.deepEqual(
    page.warnings?.map(({ code, parameter }) => [code, parameter]),
    [['data-changed', 'data']],
  );
  assert.equal((await read(page.next!)).warnings, undefined, 'it goes on with the new data');
});

test('the version of the data changes no match, form, feed or count', async (t) => {
  const { get, read } = await aChangingDoor(t);
  const { next, listings } = await read('/api/search?q=shop&limit=10');
  const data = new URLSearchParams(next!.split('?')[1]).get('data')!;
  const same = await get(`/api/search?q=shop&limit=10&data=${data}`);
  assert.deepEqual(((await same.json()) as Body).listings, listings);
  assert.match(same.headers.get('link')!, new RegExp(`data=${data}>; rel="next"`));
  for (const path of ['/api/stats', '/api/stats.csv', '/feed.json', '/feed.xml', '/chart.svg', '/chart.png'])
    assert.equal((await get(`${path}?data=${data}`)).status, 400, path);
  const page = await textOf(get(`/?q=shop&data=${data}`));
  assert.ok(!page.includes(`data=${data}`));
});

test('after an import without changes, an answer has the new time, and its pages continue', async (t) => {
  let asOf = '2026-11-19T04:10:00.000Z';
  const { get } = await aDoor(t, { dataAsOf: () => asOf });
  const ask = (etag: string) => get('/api/search?q=shop&limit=10', { headers: { 'If-None-Match': etag } });
  const first = await ask('""');
  asOf = '2026-11-20T04:10:00.000Z';
  const again = await ask(first.headers.get('etag')!);
  assert.equal(((await again.json()) as { data_as_of: string }).data_as_of, '2026-11-20T04:10:00Z');
  assert.equal((await ask(again.headers.get('etag')!)).status, 304);
  const { next } = (await first.json()) as Body;
  assert.equal((await jsonOf<Body>(get(next!))).warnings, undefined);
});

test('an agent gets and sends the version of the data with next_offset', async (t) => {
  const { get, change } = await aChangingDoor(t);
  type Found = Body & { next_offset: number; data: string };
  const call = (given: object) => resultOf<Found>(get('/mcp', toolCall('search_listings', given)));
  const { next_offset, data } = await call({ limit: 10 });
  assert.equal(next_offset, 10);
  assert.equal((await call({ limit: 10, offset: next_offset, data })).warnings, undefined);
  change();
  const { warnings } = await call({ limit: 10, offset: next_offset, data });
  assert.deepEqual(
    warnings?.map(({ code }) => code),
    ['data-changed'],
  );
});

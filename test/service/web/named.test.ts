/** Each name that an answer shows costs a listing, in whatever sentence it stands: every route is asked over names that nothing else contains. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addDays } from '../../../src/shared/day.ts';
import { toolCall } from '../../an-answer.ts';
import { aMailing } from '../mail/a-mailing.ts';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { aCountingDoor } from './a-door.ts';

/** The reference has samples of the newest listings, the same for everybody. */
const SAMPLES = ['/docs', '/openapi.json'];

const NAME = /zq\d{3}x/gi;
const EDITIONS = Array.from({ length: 30 }, (_, i) => addDays('2026-11-16', -7 * i));
const KINDS = ['Restaurants', 'Auto Repair', 'Cafes & Bakeries', 'Uncategorized'];

/** 120 listings. Every other edition has a single one, which its first sentence names. */
const ROWS = Array.from({ length: 120 }, (_, i) => {
  const edition = EDITIONS[i < 30 ? i : 2 * (i % 15)]!;
  return aRow({
    ...{ key: String(i), name: `Bakery Zq${String(i).padStart(3, '0')}x`, category: KINDS[i % 4]! },
    ...{ neighborhood: ['Old Town', 'Harbor', 'Unknown'][i % 3]!, filedOn: edition, edition },
    ...(i < 60 && { isNews: true, firstSeenAt: `${edition}T12:00:00.000Z` }),
  });
});

const QUERIES = [
  ...['', 'q=bakery', 'q=zq', 'q=zq*', 'q=zq003x', 'q=zq003y', 'q=zq003x+zq004x', 'q=bakery+zq00'],
  ...['q=cafe', 'q=cafe+downtown', 'category=Restaurants', 'neighborhood=Harbor&q=bakerry'],
  ...['offset=25', 'offset=100', 'limit=3', 'status=open&filed_from=2026-10', 'filed_to=2026-06'],
  ...[
    'category=Restaurants&neighborhood=Old+Town',
    'by=category',
    'compare=year_before',
    'added_from=2026-09',
  ],
];

async function open(t: TestContext) {
  const { paths, get, charged, newClient } = await aCountingDoor(t, {
    catalogue: catalogueOf(ROWS, { version: 'v1', day: '2026-11-20', editions: EDITIONS }),
    subscriptions: (await aMailing()).subscriptions,
  });
  /** Asks as a new client. Returns the names in the answer, wherever they stand, and what they cost. */
  async function ask(path: string, init: RequestInit = {}) {
    const before = charged();
    const headers = { Accept: 'text/html, */*', ...init.headers, ...newClient() };
    const response = await get(path, { ...init, headers });
    const text = `${JSON.stringify([...response.headers])} ${await response.text()}`;
    return {
      names: new Set(text.toLowerCase().match(NAME)),
      cost: charged() - before,
      status: response.status,
    };
  }
  return { paths, ask };
}

test('no route shows more names than its answer costs', async (t) => {
  const { paths, ask } = await open(t);
  await ask('/docs'); // it asks for its samples when it is first shown, as a client of its own
  const shown = new Map<string, number>();
  const picture = (await ask('/signup')).names; // of the newest edition, the same for everybody
  assert.ok(picture.size <= 3, `${picture.size}`);
  for (const path of [...paths, ...EDITIONS.slice(1, 4).map((edition) => `/weekly/${edition}`)])
    for (const query of QUERIES) {
      const asked = query.toLowerCase();
      const { names, cost, status } = await ask(query === '' ? path : `${path}?${query}`);
      const isPictured = !/^\/(?:api|feed\.|embed|mcp)/.test(path);
      // what was asked for stands in links
      const own = [...names].filter((name) => !asked.includes(name) && !(isPictured && picture.has(name)));
      shown.set(path, Math.max(shown.get(path) ?? 0, own.length));
      if (!SAMPLES.includes(path))
        assert.ok(own.length <= cost, `${path}?${query}: ${own.length} names for ${cost} (${status})`);
    }
  const named = [...shown].filter(([, count]) => count > 0);
  t.diagnostic(named.map(([path, count]) => `${path} ${count}`).join(', '));
  for (const path of ['/', '/api/search', '/feed.json', '/feed.xml', '/embed', '/weekly'])
    assert.ok(shown.get(path)! > 0, `${path} shows names`);
  for (const path of SAMPLES) assert.ok(shown.get(path)! <= 12, 'samples are the same few for everybody');
});

test('no tool of agents shows more names than its answer costs', async (t) => {
  const { ask } = await open(t);
  for (const [name, given] of [
    ...QUERIES.slice(1, 9).map(
      (query) => ['search_listings', { q: new URLSearchParams(query).get('q') }] as const,
    ),
    ['count_listings', { q: 'zq003y' }],
    ['count_listings', { category: ['Restaurants'], by: ['month', 'neighborhood'] }],
  ] as const) {
    const { names, cost } = await ask('/mcp', toolCall(name, given));
    const own = [...names].filter((one) => !JSON.stringify(given).includes(one));
    assert.ok(own.length <= cost, `${name} ${JSON.stringify(given)}: ${own.length} names for ${cost}`);
  }
});

/**
 * How much of a city a scraper can collect: it splits by every filter and word, pages to the end, uses every interface, and returns
 * exactly when told. The listings are counted from the responses, not from the server's own counts.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aTown, DAY_MS, type Heard, HOUR_MS, KINDS, LISTINGS, QUARTERS, type Town } from './a-town.ts';

const BUDGET = Math.max(2_500, LISTINGS / 4);
const ROUND_TRIP_MS = 20;
const MOST = 25; // in one answer

type Asked = { q?: string; category?: string; neighborhood?: string; status?: string };
type Answered = { names: string[]; total?: number; waitS?: number };
type Way = 'api' | 'feed' | 'page' | 'mcp';
const WAYS: readonly Way[] = ['api', 'feed', 'page', 'mcp'];

const queryOf = (asked: Asked, more: Record<string, number>): string =>
  new URLSearchParams({
    ...asked,
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)])),
  }).toString();

const namesIn = (listings: readonly { name: string }[]): string[] => listings.map(({ name }) => name);

function waitIn({ status, headers }: Heard): Answered | undefined {
  return status === 429 ? { names: [], waitS: Number(headers['retry-after']) } : undefined;
}

/** Where the next page of a feed begins, by its query and offset. */
const followed = new Map<string, string>();

/** One question through one door, read as that door answers. Past what is paged to there are no names. */
async function through(
  way: Way,
  ask: (path: string, given?: Parameters<Town['ask']>[2]) => Promise<Heard>,
  asked: Asked,
  offset: number,
): Promise<Answered> {
  const query = queryOf(asked, { offset });
  if (way === 'mcp') return throughMcp(ask, asked, offset);
  const link = way === 'feed' ? linkTo(asked, offset) : undefined;
  if (link !== undefined) return throughFeed(ask, link, asked, offset);
  const path = way === 'page' ? `/?${query}` : `/api/search?${query}`;
  const heard = await ask(path);
  const refused = waitIn(heard);
  if (refused !== undefined) return refused;
  if (heard.status === 400) return { names: [] };
  assert.equal(heard.status, 200, heard.text.slice(0, 300));
  if (way === 'page')
    return { names: [...heard.text.matchAll(/class="name"><bdi>([^<]*)</g)].map((found) => found[1]!) };
  const body = JSON.parse(heard.text);
  return { names: namesIn(body.listings), total: body.total };
}

/** The page of a feed, if it is the first one, or if the page before was read. */
function linkTo(asked: Asked, offset: number): string | undefined {
  return offset === 0 ? `/feed.json?${queryOf(asked, {})}` : followed.get(queryOf(asked, { offset }));
}

/** Reads a page of a feed, and remembers the link to the next one. */
async function throughFeed(
  ask: (path: string) => Promise<Heard>,
  path: string,
  asked: Asked,
  offset: number,
): Promise<Answered> {
  const heard = await ask(path);
  const refused = waitIn(heard);
  if (refused !== undefined) return refused;
  assert.equal(heard.status, 200, heard.text.slice(0, 300));
  const { items, next_url } = JSON.parse(heard.text) as {
    items: { title: string; tags: string[] }[];
    next_url?: string;
  };
  const listings = items.filter(({ tags }) => tags.length > 0);
  if (next_url !== undefined) {
    const { pathname, search } = new URL(next_url);
    followed.set(queryOf(asked, { offset: offset + listings.length }), pathname + search);
  }
  return { names: listings.map(({ title }) => title) };
}

async function throughMcp(
  ask: (path: string, given: Parameters<Town['ask']>[2]) => Promise<Heard>,
  { q, ...filters }: Asked,
  offset: number,
): Promise<Answered> {
  const lists = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, [value]]));
  const given = { ...lists, ...(q === undefined ? {} : { q }), offset };
  const params = { name: 'search_listings', arguments: given };
  const heard = await ask('/mcp', {
    accept: 'application/json, text/event-stream',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  const refused = waitIn(heard);
  if (refused !== undefined) return refused;
  assert.equal(heard.status, 200, heard.text.slice(0, 300));
  const { result } = JSON.parse(/^data: (.*)$/m.exec(heard.text)?.[1] ?? heard.text);
  if (result.isError !== true) return { names: namesIn(result.structuredContent.listings) };
  const told = /Retry-After: (\d+)/.exec(result.content[0].text);
  return told === null ? { names: [] } : { names: [], waitS: Number(told[1]) };
}

type Copied = {
  /** Listings served, how many different ones, and what they and the counts cost, by the end of the hour and of the day. */
  hour: Tally;
  day: Tally;
  /** Minutes until it had everything; `null` when it never had. */
  completeAfter: number | null;
  requests: number;
};

type Tally = { served: number; different: number; cost: number };

class IsOver extends Error {}

/** Copies for a day of the clock from these addresses, over and over when `again` says so; stops once it has more than `most`. */
async function copied(
  town: Town,
  addresses: readonly string[],
  { most, again }: { most: number; again: boolean },
): Promise<Copied> {
  const { clock } = town;
  const start = clock.now;
  const freeAt = new Map(addresses.map((address) => [address, start]));
  const seen = new Set<string>();
  let [served, cost, requests, turn] = [0, 0, 0, 0];
  let completeAfter: number | null = null;
  let hour: Copied['hour'] | undefined;
  const tally = () => ({ served, different: seen.size, cost });
  const passTo = (moment: number): void => {
    if (moment - start >= HOUR_MS) hour ??= tally();
    if (moment - start >= DAY_MS) throw new IsOver();
    clock.now = moment;
  };

  /** From whichever address may ask soonest; whoever is refused waits exactly as long as it is told. */
  async function patiently(act: (address: string) => Promise<Answered>): Promise<Answered> {
    for (;;) {
      const address = addresses.reduce((best, one) => (freeAt.get(one)! < freeAt.get(best)! ? one : best));
      passTo(Math.max(clock.now, freeAt.get(address)!) + ROUND_TRIP_MS);
      const answered = await act(address);
      requests++;
      if (answered.waitS === undefined) return answered;
      assert.ok(answered.waitS >= 1 && answered.waitS <= 86_400, `told to wait ${answered.waitS} s`);
      freeAt.set(address, clock.now + answered.waitS * 1000);
    }
  }
  async function takePage(asked: Asked, offset: number): Promise<void> {
    const way = WAYS[turn++ % WAYS.length]!;
    const { names } = await patiently((address) =>
      through(way, (path, given) => town.ask(address, path, given), asked, offset),
    );
    assert.ok(names.length <= MOST, `${names.length} in one answer`);
    served += names.length;
    cost += Math.max(1, names.length);
    if (served > most) throw new IsOver();
    for (const name of names) seen.add(name);
    if (seen.size === LISTINGS) completeAfter ??= (clock.now - start) / 60_000;
  }
  async function takeSlice(asked: Asked): Promise<void> {
    const { total = 0 } = await patiently(async (address) => {
      const heard = await town.ask(address, `/api/search?${queryOf(asked, { limit: 0 })}`);
      return waitIn(heard) ?? { names: [], total: JSON.parse(heard.text).total };
    });
    cost++;
    if (total > 1000) for (const narrower of split(asked)) await takeSlice(narrower);
    else for (let offset = 0; offset < total; offset += 25) await takePage(asked, offset);
  }

  try {
    do await takeSlice({});
    while (again || completeAfter === null);
  } catch (error) {
    if (!(error instanceof IsOver)) throw error;
  }
  return { hour: hour ?? tally(), day: tally(), completeAfter, requests };
}

/** By the next filter that is not used yet; then by the beginning of a word. */
function split(asked: Asked): Asked[] {
  if (asked.category === undefined) return KINDS.map((category) => ({ ...asked, category }));
  if (asked.neighborhood === undefined) return QUARTERS.map((neighborhood) => ({ ...asked, neighborhood }));
  if (asked.status === undefined)
    return ['open', 'expired', 'closed', 'unknown'].map((status) => ({ ...asked, status }));
  const begun = asked.q?.replace('*', '') ?? '';
  return [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => ({ ...asked, q: `${begun}${letter}*` }));
}

const some = (address: (i: number) => string): string[] => Array.from({ length: 12 }, (_, i) => address(i));

const CLIENTS: [who: string, addresses: string[], most: number, again: boolean][] = [
  ['one IPv4 address', ['203.0.113.7'], BUDGET, true],
  ['twelve addresses of one /64', some((i) => `2001:db8:7:100::${i + 1}`), BUDGET, true],
  ['twelve /56s of one /48', some((i) => `2001:db8:8:${(i * 256).toString(16)}::1`), 1.5 * BUDGET, true],
  ['five IPv4 addresses', some((i) => `192.0.2.${i + 1}`).slice(0, 5), 5 * BUDGET, false],
  ['twelve IPv4 addresses', some((i) => `198.51.100.${i + 1}`), 12 * BUDGET, false],
];

for (const [who, addresses, most, again] of CLIENTS) {
  test(`a copying program with ${who} is served at most ${most.toLocaleString('en')} listings a day`, async (t) => {
    const town = await aTown(t, { rows: BUDGET });
    const { hour, day, completeAfter, requests } = await copied(town, addresses, { most, again });
    const whole =
      completeAfter === null ? 'never has all' : `has all after ${completeAfter.toFixed(1)} minutes`;
    t.diagnostic(
      `${who}, of ${LISTINGS}: in an hour ${hour.different} different (${hour.served} served), in a day ${day.different} (${day.served}); ${whole}; ${requests} requests`,
    );
    assert.ok(day.different <= most, `${day.different} different ones at a price of ${day.cost}`);
    if (again) assert.ok(day.different > 0.9 * most, `it could have had more than ${day.different}`);
    else assert.notEqual(completeAfter, null, 'docs/api.md says that some addresses together copy a city');
  });
}

test('a query never shows more than its first 1,000 listings, through any interface', async (t) => {
  const town = await aTown(t);
  for (const [i, way] of WAYS.entries()) {
    const seen = new Set<string>();
    for (const offset of [
      ...Array.from({ length: 60 }, (_, page) => page * 25),
      999,
      1001,
      19_990,
      2 ** 31,
    ]) {
      const ask = (path: string, given?: Parameters<Town['ask']>[2]) =>
        town.ask(`192.0.2.${i + 1}`, path, given);
      const { names } = await through(way, ask, { status: 'open' }, offset);
      assert.ok(names.length <= 25);
      for (const name of names) seen.add(name);
    }
    t.diagnostic(`${way}: ${seen.size} different listings`);
    assert.equal(seen.size, 1000);
  }
});

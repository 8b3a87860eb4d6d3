/**
 * How much of Long Beach is copied, and how people who look something up there fare. The program that copies knows how many filings each
 * month has, which is free, and pages through the months by every door that pages; it pays for no listing twice.
 */

import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { lastDayOf } from '../../src/shared/day.ts';
import { EVERYTHING } from '../../src/shared/question.ts';
import { aFolder } from '../a-folder.ts';
import { aClient } from '../abuse/a-client.ts';
import { DAY_MS, HOUR_MS } from '../abuse/a-town.ts';
import { type LargeCity, readLongBeach } from '../page/a-large-city.ts';
import { realData } from '../real-data.ts';
import { aDoor } from '../service/web/a-door.ts';

const filings = realData('long-beach/business_licenses.csv');
const { skip } = filings;
const folder = aFolder();
let longBeach: LargeCity;
before(async () => {
  if (skip === false) longBeach = await readLongBeach(filings.path, folder);
});

async function aCity(t: TestContext) {
  const { city, catalogue } = longBeach;
  const door = await aDoor(t, { city, catalogue, trustProxy: ['127.0.0.0/8'], mayEmbed: true });
  const client = aClient(door.port, 4);
  const ask = async (address: string, path: string, body?: object) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const accept = body === undefined ? '*/*' : 'application/json, text/event-stream';
    const headers = { 'x-forwarded-for': address, accept, ...type };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await client.ask({ path, headers, ...sent });
    return { ...answer, text: answer.body.toString() };
  };
  return { clock: door.clock, ask };
}

type City = Awaited<ReturnType<typeof aCity>>;
type Slice = { filed_from: string; filed_to: string; offset: number };

/** The pages of all months. Months with more than 1,000 filings are not copied to their end. */
async function listSlices({ ask }: City): Promise<Slice[]> {
  const { by_month } = JSON.parse((await ask('192.0.2.1', '/api/stats')).text);
  const months = longBeach.catalogue.stats(EVERYTHING).byMonth; // as `by_month`, which leaves out the sparse ones
  assert.ok(Object.keys(by_month).length > 0);
  return months.flatMap(({ value, count }) =>
    Array.from({ length: Math.ceil(count / 25) }, (_, i) => ({
      ...{ filed_from: `${value}-01`, filed_to: lastDayOf(value), offset: 25 * i },
    })),
  );
}

type Page = { listings: { name: string; filing_date: string }[]; waitS: number | undefined };

async function takePage({ ask }: City, address: string, slice: Slice, turn: number): Promise<Page> {
  if (turn % 2 === 0) {
    const query = new URLSearchParams(Object.entries(slice).map(([name, value]) => [name, String(value)]));
    const { status, headers, text } = await ask(address, `/api/search?${query}`);
    if (status === 429) return { listings: [], waitS: Number(headers['retry-after']) };
    assert.equal(status, 200, text);
    return { listings: JSON.parse(text).listings, waitS: undefined };
  }
  const params = { name: 'search_listings', arguments: slice };
  const { text } = await ask(address, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  if (result.isError !== true) return { listings: result.structuredContent.listings, waitS: undefined };
  return { listings: [], waitS: Number(/Retry-After: (\d+)/.exec(result.content[0].text)![1]) };
}

type Copied = {
  hour: number;
  day: number;
  week: number;
  mostInADay: number;
  longestWaitS: number;
  minutes: number;
};

/** Copies for a week of the clock. Listings are counted when they are first served; no page is asked for twice. */
async function copy(city: City, addresses: readonly string[]): Promise<Copied> {
  const { clock } = city;
  const start = clock.now;
  const slices = await listSlices(city);
  const freeAt = addresses.map(() => start);
  const served: { at: number; count: number }[] = [];
  let longestWaitS = 0;
  for (let turn = 0; slices.length > 0; ) {
    const next = freeAt.indexOf(Math.min(...freeAt));
    clock.now = Math.max(clock.now, freeAt[next]!) + 5;
    if (clock.now > start + 7 * DAY_MS) break;
    const { listings, waitS } = await takePage(city, addresses[next]!, slices[0]!, turn++);
    if (waitS === undefined) {
      slices.shift();
      served.push({ at: clock.now - start, count: listings.length });
      freeAt[next] = clock.now + 110; // 600 requests a minute
    } else {
      if (waitS > 10) longestWaitS = Math.max(longestWaitS, waitS);
      freeAt[next] = clock.now + waitS * 1000;
    }
  }
  const within = (from: number, to: number) =>
    served.reduce((sum, { at, count }) => (at > from && at <= to ? sum + count : sum), 0);
  const [hour, day, week] = [HOUR_MS, DAY_MS, 7 * DAY_MS].map((to) => within(0, to)) as [
    number,
    number,
    number,
  ];
  const mostInADay = Math.max(...served.map(({ at }) => within(at - DAY_MS, at)));
  return { ...{ hour, day, week, mostInADay, longestWaitS }, minutes: served.at(-1)!.at / 60_000 };
}

const CLIENTS: [who: string, addresses: string[], share: number][] = [
  ['one address', ['203.0.113.7'], 1 / 4],
  ['an IPv6 /48', Array.from({ length: 8 }, (_, i) => `2001:db8:8:${(i * 256).toString(16)}::1`), 3 / 8],
  ['twenty addresses', Array.from({ length: 20 }, (_, i) => `198.51.100.${i + 1}`), 1],
];

for (const [who, addresses, share] of CLIENTS)
  test(`${who} copies at most ${100 * share} % of Long Beach in any 24 hours`, { skip }, async (t) => {
    const city = await aCity(t);
    const { size } = longBeach.catalogue;
    const { hour, day, week, mostInADay, longestWaitS, minutes } = await copy(city, addresses);
    const percent = (count: number) => `${((100 * count) / size).toFixed(1)} %`;
    t.diagnostic(
      `${who}, of ${size}: ${percent(hour)} in an hour, ${percent(day)} in a day, ${percent(week)} in a week, at most ${percent(mostInADay)} in 24 hours; longest wait ${longestWaitS} s; ended after ${minutes.toFixed(1)} minutes`,
    );
    assert.ok(mostInADay <= share * size);
    assert.ok(longestWaitS <= 1800);
    if (share < 1)
      assert.ok(hour > 0.45 * share * size && day > 0.95 * share * size, 'it could have had more');
    else assert.ok(hour > 0.9 * size, 'SECURITY.md says so');
  });

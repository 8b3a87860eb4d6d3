/** The buckets of clients, with clients that time their requests in every way, and what is remembered of what they were served. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openBuckets, openElapsed } from '../../../src/service/web/limits/bucket.ts';
import { type Client, quotasFor } from '../../../src/service/web/limits/limiter.ts';
import { openServed } from '../../../src/service/web/limits/served.ts';
import { rounds, seedFrom } from '../../depth.ts';
import { aLimiter } from './a-limiter.ts';

const SEED = seedFrom(20_261_120);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Served = { at: number; rows: number };

/** The most listings served in any 24 hours, both ends included. */
function mostInADay(served: readonly Served[]): number {
  let [most, sum, first] = [0, 0, 0];
  for (const { at, rows } of served) {
    sum += rows;
    while (served[first]!.at < at - DAY_MS) sum -= served[first++]!.rows;
    most = Math.max(most, sum);
  }
  return most;
}

const pauseMs = fc.oneof(
  { weight: 3, arbitrary: fc.nat(40 * MINUTE_MS) },
  { weight: 2, arbitrary: fc.nat(7 * HOUR_MS) },
  { weight: 1, arbitrary: fc.constantFrom(DAY_MS - 1, DAY_MS, DAY_MS + 1, 40 * HOUR_MS) },
);
const setBackMs = fc.oneof(
  { weight: 9, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.nat(9 * DAY_MS) },
);
const pages = fc.array(fc.constantFrom(25, 25, 25, 1, 7, 24, 130, 1300), { minLength: 1, maxLength: 60 });
const history = fc.array(fc.tuple(pauseMs, setBackMs, pages), { minLength: 4, maxLength: 40, size: 'max' });

for (const rows of [50, 130, 2500])
  test(`no client gets more than ${rows} listings in any 24 hours, even if the clock is set back (seed ${SEED})`, (t) => {
    let most = 0;
    const check = (steps: readonly [number, number, readonly number[]][]) => {
      const { clock, client, take } = aLimiter({ rows });
      let passed = 0; // what a clock shows that is never set back
      const served: Served[] = [];
      for (const [pause, back, counts] of steps) {
        clock.now += pause - back;
        passed += pause;
        for (const count of counts)
          while (count <= rows && take(client, count)) served.push({ at: passed, rows: count });
      }
      const inADay = mostInADay(served);
      assert.ok(inADay <= rows, `${inADay} listings were served in 24 hours`);
      most = Math.max(most, inADay);
    };
    fc.assert(fc.property(history, check), { seed: SEED, numRuns: rounds(100) });
    t.diagnostic(`${most} of ${rows} listings in 24 hours at most`);
    assert.ok(most > 0.9 * rows, 'some of them use up their budget');
  });

test('a client waits for the use of another only if they share both of their cells', () => {
  const budget = openBuckets({ refillMs: HOUR_MS, width: 8 }, () => 0);
  budget.take([1, 2], HOUR_MS);
  const keys = Array.from({ length: 64 }, (_, i) => [i >> 3, i & 7] as const);
  const waiting = keys.filter((key) => budget.waitMs(key, HOUR_MS) > 0);
  assert.deepEqual(waiting, [[1, 2]]);
});

test('a refused page is served when the time of Retry-After is over, and not a second earlier', () => {
  fc.assert(
    fc.property(fc.integer({ min: 50, max: 12_000 }), fc.array(pauseMs, { maxLength: 8 }), (rows, pauses) => {
      const { clock, limiter, client, take } = aLimiter({ rows });
      for (const pause of [0, ...pauses]) {
        clock.now += pause;
        while (take(client, 25));
        const seconds = limiter.retryAfter(client, 'rows', 25);
        if (rows >= 2500) assert.ok(seconds <= 1800, `${seconds} s for one more page of ${rows}`);
        clock.now += (seconds - 1) * 1000;
        assert.ok(!take(client, 25), 'a second before');
        clock.now += 1000;
        assert.ok(take(client, 25), `after ${seconds} s`);
      }
    }),
    { seed: SEED, numRuns: rounds(120) },
  );
});

test('a client can use half of its budget at once, and gets the other half back over a day, one page at a time', () => {
  const { clock, limiter, client, take } = aLimiter({ rows: 2500 });
  const takeAll = (): number => {
    let taken = 0;
    while (take(client, 25)) taken += 25;
    return taken;
  };
  assert.equal(takeAll(), 1250);
  clock.now += 28 * MINUTE_MS;
  assert.ok(!take(client, 1), 'not even one of the next page');
  clock.now += 48_000;
  assert.equal(takeAll(), 25);
  let refilled = 0;
  for (const end = clock.now + DAY_MS; clock.now < end; ) {
    clock.now += 1000 * limiter.retryAfter(client, 'rows', 25);
    refilled += takeAll();
  }
  assert.equal(refilled, 1250);
});

test('an IPv6 /48 is served 1.5 times the listings of a /56, and sends four times its requests and signups', () => {
  const { limiter, take } = aLimiter({ rows: 1000 });
  const sites = Array.from({ length: 8 }, (_, i) =>
    limiter.client(`2001:db8:7:${(i * 256).toString(16)}::1`),
  );
  const count = (act: (client: Client) => boolean): number[] =>
    sites.map((site) => {
      let done = 0;
      while (act(site)) done++;
      return done;
    });
  const pages = count((site) => take(site, 25));
  assert.deepEqual(pages, [20, 10, 0, 0, 0, 0, 0, 0]);
  const requests = count((site) => limiter.spend(site, 'burst'));
  assert.deepEqual(requests, [600, 600, 600, 600, 0, 0, 0, 0]);
  assert.equal(limiter.headers(sites[7]!).ratelimit, '"burst";r=0;t=1', 'its neighbors used all of it');
  const signups = count((site) => limiter.spend(site, 'signup'));
  assert.deepEqual(signups, [20, 20, 20, 20, 0, 0, 0, 0]);
});

test('a listing costs a client nothing again for a day, and costs other clients its price', () => {
  const { clock, limiter, client } = aLimiter({ rows: 150 });
  const other = limiter.client('198.51.100.8');
  const page = (first: number) => ({
    ...{ question: 'v1 search q=shop', cells: 0 },
    identities: Array.from({ length: 25 }, (_, i) => first + i),
  });
  for (let hour = 0; hour < 24; hour++, clock.now += HOUR_MS) {
    for (let i = 0; i < 20; i++) assert.ok(limiter.charge(client, page(0)), `hour ${hour}`);
    if (hour === 0) assert.ok(limiter.charge(client, page(25)));
  }
  for (const first of [0, 25, 50]) assert.ok(limiter.charge(other, page(first)));
  assert.ok(!limiter.charge(other, page(75)));
  assert.ok(!limiter.charge(other, page(0)), 'a refusal does not tell what was served');
  for (const day of [2, 4, 7]) {
    clock.now = day * DAY_MS;
    for (const first of [0, 25, 50]) assert.ok(limiter.charge(client, page(first)));
    assert.ok(!limiter.charge(client, page(75)), 'forgotten after two days at the latest, and charged again');
  }
});

test('when the memory of served listings is half full, all listings are charged as new', () => {
  const clock = { now: 0 };
  const served = openServed(openElapsed(() => clock.now));
  assert.ok(served.bytes <= 16 * 2 ** 20);
  const keys = Array.from({ length: 100 }, (_, i) => [(i + 1) * 0x01f3_5d79, (i + 1) * 0x00a7_11c3] as const);
  let added = 0;
  const fill = () => {
    while (served.filled() < 1) {
      served.isNew(keys[added % 100]!, Math.imul(added, 0x9e37_79b1) >>> 0);
      added++;
    }
  };
  fill();
  assert.ok(added < 1.01 * 2 ** 21, `${added} additions fill a day`);
  const first = added;
  clock.now = DAY_MS;
  fill();
  let [lost, mistaken] = [0, 0];
  for (let i = 0; i < first; i += 20)
    if (served.isNew(keys[i % 100]!, Math.imul(i, 0x9e37_79b1) >>> 0)) lost++;
  for (let i = 0; i < 200_000; i++) if (!served.isNew([7 + i, 11 + i * 5], i)) mistaken++;
  assert.ok(lost < 0.01 * (first / 20), `${lost} are lost, which are charged again`);
  assert.ok(mistaken < 200_000 / 3000, `${mistaken} of 200,000 are served for nothing`);
  clock.now = 2 * DAY_MS;
  assert.equal(served.filled(), 0, 'a day begins with no memory of the day before the last');
  for (const isNew of [true, false]) assert.equal(served.isNew([7, 11], 1), isNew);

  const { limiter, take, client: reader } = aLimiter({ rows: 5e6 });
  const heavy = limiter.client('198.51.100.9');
  const page = { question: 'v1 search q=shop', cells: 0, identities: [1, 2, 3] };
  assert.ok(limiter.charge(reader, page));
  while (limiter.filled() < 1) assert.ok(take(heavy, 50_000));
  const quota = quotasFor({ rows: 5e6 }, 0).rows;
  let paid = 0;
  const identities = Array.from({ length: 50_000 }, (_, i) => i);
  while (paid <= quota && limiter.charge(reader, { ...page, identities })) paid += 50_000;
  assert.ok(paid > 0 && paid <= quota / 2, 'the same listings are charged each time');
});

/** The budgets of clients, compared with a plain model, and tested with clients that time their requests in every way. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openBudget } from '../../src/web/limits/budget.ts';
import { type Client, type Limiter, openLimiter } from '../../src/web/limits/limiter.ts';
import { SECRET } from './a-door.ts';

const SEED = 20_261_120;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the budget promises, written plainly: groups that begin a quarter of a window apart, each kept a window after its last. */
function model(windowMs: number) {
  let groups: { start: number; last: number; sum: number }[] = [];
  const live = (now: number) => {
    groups = groups.filter(({ last }) => now - last < windowMs);
    return groups.reduce((sum, group) => sum + group.sum, 0);
  };
  return {
    live,
    take(now: number, amount: number) {
      const newest = groups.at(-1);
      if (newest === undefined || now - newest.start >= windowMs / 4)
        groups.push({ start: now, last: now, sum: amount });
      else Object.assign(newest, { last: now, sum: newest.sum + amount });
    },
  };
}

test('a budget matches its model, step by step', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 2500 }), fc.integer({ min: 1, max: 40 })), {
    minLength: 1,
    maxLength: 200,
    size: 'max', // the default makes about ten steps, which is too few to go round all groups
  });
  fc.assert(
    fc.property(steps, (taken) => {
      const clock = { now: 1_000_000 };
      const budget = openBudget({ windowMs: 6000, width: 64 }, () => clock.now); // ticks of 1 ms
      const plain = model(6000);
      budget.take([1, 1], 1);
      plain.take(clock.now, 1);
      for (const [pause, amount] of taken) {
        clock.now += pause;
        assert.equal(budget.left([1, 1], 200), Math.max(0, 200 - plain.live(clock.now)));
        if (plain.live(clock.now) + amount > 200) {
          const waitMs = budget.waitMs([1, 1], amount, 200);
          assert.ok(waitMs > 0 && waitMs <= 6000);
          assert.ok(plain.live(clock.now + waitMs - 1) + amount > 200);
          clock.now += waitMs;
          assert.ok(plain.live(clock.now) + amount <= 200);
        }
        budget.take([1, 1], amount);
        plain.take(clock.now, amount);
      }
    }),
    { seed: SEED, numRuns: 200 },
  );
});

test('whatever the pace, no window of a day serves more than the quota', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 5 * HOUR_MS }), {
    minLength: 20,
    maxLength: 300,
    size: 'max',
  });
  fc.assert(
    fc.property(pauses, (waits) => {
      const clock = { now: Date.parse('2026-11-20T00:00:00Z') };
      const limiter = openLimiter({ rows: 200 }, () => clock.now, { secret: SECRET });
      const client = limiter.client('198.51.100.7');
      const served: number[] = [];
      for (const wait of waits) {
        clock.now += wait;
        if (limiter.spend(client, 'rows', 25)) served.push(clock.now);
        const lastDay = served.filter((at) => clock.now - at < DAY_MS - 15_000); // one tick
        assert.ok(lastDay.length * 25 <= 200);
      }
    }),
    { seed: SEED, numRuns: 100 },
  );
});

type Served = { at: number; rows: number };

/** Takes pages of 25 listings until there are enough or one is refused. Returns how many listings were served. */
function takePages(limiter: Limiter, client: Client, pages: number): number {
  let taken = 0;
  while (taken < pages && limiter.spend(client, 'rows', 25)) taken++;
  return taken * 25;
}

/** The most listings served in any 24 hours: every window that ends when something was served is added up. */
function mostInADay(served: readonly Served[]): number {
  const sums = served.map(({ at: end }) =>
    served.reduce((sum, { at, rows }) => (at > end - DAY_MS && at <= end ? sum + rows : sum), 0),
  );
  return Math.max(...sums);
}

/** A budget takes most just before one group of it ends, then one page at the beginning of each further group. */
const PACED: [hour: number, pages: number][] = [
  [0, 1],
  [5.9, 380],
  [6.1, 1],
  [12.2, 1],
  [18.3, 1],
  [24.4, 1],
  [24.5, 400],
];

test('a client that times its requests by the groups of the budget gets at most 10,000 listings in any 24 hours', (t) => {
  const clock = { now: 0 };
  const limiter = openLimiter({}, () => clock.now, { secret: SECRET });
  const client = limiter.client('198.51.100.7');
  const served: Served[] = [];
  for (const [hour, pages] of PACED) {
    clock.now = hour * HOUR_MS;
    served.push({ at: clock.now, rows: takePages(limiter, client, pages) });
  }
  const first = served.slice(0, -1).map(({ rows }) => rows / 25);
  assert.deepEqual(first, [1, 380, 1, 1, 1, 1], 'the budget is not used up before the last step');
  const most = mostInADay(served);
  t.diagnostic(`${most} listings in 24 hours at most`);
  assert.ok(most <= 10_000, `${most} listings were served in 24 hours`);
});

const TICK_MS = DAY_MS / 6000; // how finely a budget of a day tells time

test(`however clients time their requests, none gets more than 10,000 listings in any 24 hours (seed ${SEED})`, (t) => {
  const pauseTicks = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1500, max: 1530 }) }, // a quarter of a day: another group begins
    { weight: 2, arbitrary: fc.integer({ min: 1300, max: 1499 }) },
    { weight: 2, arbitrary: fc.nat(200) },
    { weight: 1, arbitrary: fc.nat(6000) },
  );
  const somePages = fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.constantFrom(20, 380, 400) },
  );
  const step = fc.tuple(pauseTicks, somePages);
  const steps = fc.array(step, { minLength: 6, maxLength: 40, size: 'max' });
  let most = 0;
  fc.assert(
    fc.property(steps, (paced) => {
      const clock = { now: 0 };
      const limiter = openLimiter({}, () => clock.now, { secret: SECRET });
      const client = limiter.client('198.51.100.7');
      const served: Served[] = [];
      for (const [ticks, pages] of paced) {
        clock.now += ticks * TICK_MS;
        served.push({ at: clock.now, rows: takePages(limiter, client, pages) });
      }
      const inADay = mostInADay(served);
      assert.ok(inADay <= 10_000, `${inADay} listings were served in 24 hours`);
      most = Math.max(most, inADay);
    }),
    { seed: SEED, numRuns: 300 },
  );
  t.diagnostic(`${most} listings in 24 hours at most`);
  assert.equal(most, 10_000, 'some of them use up their budget');
});

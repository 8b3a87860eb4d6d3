/** One client has one budget at all instances: who is told what, by when, and what happens when nobody can be told. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aDoor } from './a-door.ts';
import { anInstance, aSharedPort, type Instance } from './a-shared-port.ts';
import { askUntilRefused } from './until-refused.ts';

const SEED = 20_261_120;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse('2026-11-20T12:00:00Z');
const GREEDY = '203.0.113.9';

/** Pages of 25 until no more is served; then an exchange, and on, until not one page is. Returns the rows. */
async function copyAll({ limiter, sharing }: Instance, address = GREEDY): Promise<number> {
  let rows = 0;
  for (let pages = 1; pages > 0; await sharing.flush()) {
    pages = askUntilRefused(() => limiter.charge(limiter.client(address), 25));
    rows += 25 * pages;
    assert.ok(rows <= 100_000, 'there is no end to it');
  }
  return rows;
}

const rowsLeft = ({ limiter }: Instance, address = GREEDY): number =>
  limiter.rowsLeft(limiter.client(address));
const charge = ({ limiter }: Instance, rows = 25, address = GREEDY): boolean =>
  limiter.charge(limiter.client(address), rows);

test('what one instance served, another knows once it serves that client too', async () => {
  const [port, clock] = [aSharedPort(), { now: START }];
  const [one, two] = [await anInstance(port, clock), await anInstance(port, clock)];
  assert.ok(charge(one, 200) && charge(two, 25) && charge(two, 25, '198.51.100.7'));
  await one.sharing.flush();
  assert.deepEqual([rowsLeft(one), rowsLeft(two)], [9_800, 9_975]);
  await two.sharing.flush();
  assert.deepEqual([rowsLeft(two), rowsLeft(two, '198.51.100.7')], [9_775, 9_975]);
  assert.ok(charge(one));
  assert.equal(rowsLeft(one), 9_775, 'it has not heard yet');
  await one.sharing.flush();
  assert.equal(rowsLeft(one), 9_750);
  await Promise.all([one.sharing.flush(), two.sharing.flush()]);
  assert.deepEqual(port.exchanges, [1, 2, 1], 'nothing new, nothing exchanged');
});

test('no address is told, and one client is the same to all instances', async () => {
  const [port, clock] = [aSharedPort(), { now: START }];
  for (const one of [await anInstance(port, clock), await anInstance(port, clock)]) {
    charge(one, 25, '2001:db8:1:200::1');
    await one.sharing.flush();
  }
  assert.deepEqual([...port.sums.values()], [50, 50]);
  for (const key of port.sums.keys()) assert.match(key, /^rows [0-9a-f]{16} \d+$/);
});

test('a client has another name each day, and one budget over midnight at all instances', async () => {
  const [port, clock] = [aSharedPort(), { now: START + 11 * HOUR_MS }];
  const all = await Promise.all([1, 2, 3].map(() => anInstance(port, clock)));
  const [one, two, three] = all as [Instance, Instance, Instance];
  assert.ok(charge(one, 6_000));
  await one.sharing.flush();
  const named = () => new Set([...port.sums.keys()].map((sum) => sum.split(' ')[1]));
  const before = named();
  clock.now += 2 * HOUR_MS;
  for (const instance of all) {
    charge(instance, 100);
    await instance.sharing.flush(); // still under the name that it had when it asked
    charge(instance, 100);
    await instance.sharing.flush();
  }
  assert.equal(before.size, 1);
  assert.equal(named().size, 2);
  assert.deepEqual([rowsLeft(one), rowsLeft(two), rowsLeft(three)], [3_800, 3_600, 3_400]);
  const rows = await copyAll(two);
  assert.ok(rows >= 3_400 && rows <= 3_500, `${rows} rows`);
  clock.now += 22 * HOUR_MS;
  assert.ok(!charge(two), 'a day after the first of them is not over');
  clock.now += HOUR_MS / 2;
  assert.equal(await copyAll(two), 6_000);
});

test('however exchanges and searches fall, three instances serve no more than 1.1 times the budget', async () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('serve', 'serve', 'serve', 'flush'), fc.nat(2), fc.integer({ min: 1, max: 25 })),
    { minLength: 100, maxLength: 600 },
  );
  let most = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const [port, clock] = [aSharedPort(), { now: START }];
      const all = await Promise.all([1, 2, 3].map(() => anInstance(port, clock)));
      let served = 0;
      const copy = (one: Instance, pages: number) => {
        for (let page = 0; page < pages && charge(one); page++) served += 25;
      };
      for (const [what, who, pages] of taken) {
        if (what === 'serve') copy(all[who]!, pages);
        // as slow as can be: what is served meanwhile is told the next time
        else await Promise.all([all[who]!.sharing.flush(), copy(all[who]!, pages)]);
      }
      for (const one of [...all, ...all]) served += await copyAll(one);
      most = Math.max(most, served);
      assert.ok(served >= 10_000 && served <= 10_900, `${served} rows`);
      for (const one of all) assert.ok(!charge(one) && rowsLeft(one) === 0);
    }),
    { seed: SEED, numRuns: 100 },
  );
  assert.ok(most > 10_000, 'a test of overshoot must see some');
});

test('who asks very fast is told to come back in a second, and then is served', async () => {
  const [port, clock] = [aSharedPort(), { now: START }];
  const one = await anInstance(port, clock);
  const client = one.limiter.client(GREEDY);
  assert.equal(25 * askUntilRefused(() => one.limiter.charge(client, 25)), 300); // 3 % of 10,000
  assert.equal(one.limiter.retryAfter(client, 25), 1);
  assert.equal(rowsLeft(one), 9_700);
  await one.sharing.flush();
  assert.ok(charge(one));
  assert.equal(await copyAll(one), 9_675);
  assert.equal(one.limiter.retryAfter(client, 25), 88_200, 'a day after the half hour in which it was taken');
});

test('small budgets do not stutter: a page, ten requests and five signups are always served at once', async () => {
  const [port, clock] = [aSharedPort(), { now: START }];
  const { limiter } = await anInstance(port, clock, { rows: 100, burst: 20, signup: 5 });
  const client = limiter.client(GREEDY);
  assert.ok(limiter.charge(client, 25) && !limiter.charge(client, 25));
  for (let i = 0; i < 10; i++) assert.ok(limiter.admit(client));
  assert.ok(!limiter.admit(client));
  for (let i = 0; i < 5; i++) assert.ok(limiter.signUp(client));
  assert.ok(!limiter.signUp(client));
  assert.ok(limiter.charge(limiter.client('198.51.100.7'), 60), 'whatever is asked first is served whole');
});

test('a restart forgets no more than a client takes before it is first told of', async () => {
  const [port, clock] = [aSharedPort(), { now: START }];
  assert.equal(await copyAll(await anInstance(port, clock)), 10_000);
  clock.now += 20 * HOUR_MS;
  const restarted = await anInstance(port, clock);
  assert.ok(charge(restarted));
  await restarted.sharing.flush();
  assert.ok(!charge(restarted));
  const seconds = restarted.limiter.retryAfter(restarted.limiter.client(GREEDY), 25);
  assert.ok(seconds > 3.9 * 3600 && seconds <= 4.5 * 3600, `${seconds} s: when it was taken is known too`);
  clock.now += seconds * 1000 - 1000;
  assert.ok(!charge(restarted));
  clock.now += 1000;
  assert.ok(charge(restarted, 9_975));
});

test('what is taken comes back everywhere after its window, also for who never stops asking', async () => {
  const [port, clock] = [aSharedPort(), { now: START }];
  const all = await Promise.all([1, 2, 3].map(() => anInstance(port, clock, { rows: 1_000 })));
  const served: { at: number; rows: number }[] = [];
  for (let step = 0; step < 4 * 96; step++, clock.now += 15 * MINUTE_MS) {
    const one = all[step % 3]!;
    for (let page = 0; page < 3 && charge(one); page++) served.push({ at: clock.now, rows: 25 });
    if (step % 2 === 0) await one.sharing.flush();
    const day = served.filter(({ at }) => clock.now - at < DAY_MS).reduce((sum, { rows }) => sum + rows, 0);
    assert.ok(day <= 1_100, `${day} rows in a day`);
  }
  const rows = served.reduce((sum, one) => sum + one.rows, 0);
  assert.ok(rows >= 3_500, `${rows} in four days of 1,000`);
});

test('with the database away an instance keeps its own budget, says so once, and tells later', async () => {
  const [port, clock] = [aSharedPort(), { now: START }];
  const [one, two] = [await anInstance(port, clock), await anInstance(port, clock)];
  charge(two, 100);
  await two.sharing.flush();
  charge(one);
  await one.sharing.flush();
  port.isAway = true;
  charge(one);
  await one.sharing.flush();
  let rows = 25;
  for (; charge(one); rows += 25) {
    assert.ok(rows <= 10_000);
    if (rows % 1_000 === 0) await one.sharing.flush();
  }
  assert.equal(rows, 10_000 - 125, 'as it last knew');
  assert.equal(one.warnings.length, 1);
  assert.match(one.warnings[0]!, /not shared.*the database is away/);
  port.isAway = false;
  await one.sharing.flush();
  assert.match(one.warnings[1]!, /shared again$/);
  charge(two);
  await two.sharing.flush();
  assert.equal(rowsLeft(two), 0);
});

test('days without the database are not held against anybody afterwards', async () => {
  const [port, clock] = [aSharedPort(), { now: START }];
  const one = await anInstance(port, clock);
  port.isAway = true;
  charge(one);
  await one.sharing.flush();
  for (let day = 0; day < 3; day++, clock.now += DAY_MS + HOUR_MS) askUntilRefused(() => charge(one));
  port.isAway = false;
  assert.ok(charge(one));
  await one.sharing.flush();
  assert.equal(rowsLeft(one), 9_975);
});

test('an exchange that does not end stops nobody for longer than two seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [port, clock] = [aSharedPort(), { now: START }];
  const one = await anInstance(port, clock);
  const { promise, resolve } = Promise.withResolvers<void>();
  port.held = promise;
  askUntilRefused(() => charge(one));
  t.mock.timers.tick(250);
  assert.ok(!charge(one), 'it is told, but not yet confirmed');
  t.mock.timers.tick(2_000);
  assert.match(one.warnings.join(), /no answer in 2 seconds/);
  askUntilRefused(() => charge(one));
  assert.equal(rowsLeft(one), 0);
  resolve();
  await one.sharing.flush();
  await one.sharing.close();
  assert.equal(
    [...port.sums.values()].reduce((sum, taken) => sum + taken),
    10_000,
  );
  assert.equal(one.warnings.length, 2);
});

test('exchanges are few: one in five seconds, one in a quarter of a second when somebody asks fast', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [port, clock] = [aSharedPort(), { now: START }];
  const one = await anInstance(port, clock);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  for (let i = 0; i < 5; i++) charge(one, 1, `198.51.100.${i}`);
  t.mock.timers.tick(4_999);
  assert.deepEqual(port.exchanges, []);
  t.mock.timers.tick(1);
  await settled();
  assert.deepEqual(port.exchanges, [5]);
  askUntilRefused(() => charge(one));
  t.mock.timers.tick(250);
  await settled();
  assert.deepEqual(port.exchanges, [5, 1]);
  t.mock.timers.tick(10_000);
  assert.deepEqual(port.exchanges, [5, 1], 'nothing to tell');
});

test('an instance that does not know the seeds yet serves, and shares once it does', async () => {
  const [port, clock] = [aSharedPort(), { now: START }];
  port.isAway = true;
  const one = await anInstance(port, clock);
  assert.ok(charge(one, 9_000));
  port.isAway = false;
  await one.sharing.flush();
  assert.ok(charge(one));
  await one.sharing.close();
  assert.deepEqual([one.warnings.length, [...port.sums.values()]], [2, [25]]);
});

test('memory has its bounds: the earliest clients are forgotten, but not what they took', async () => {
  const [port, clock] = [aSharedPort(), { now: START }];
  const [one, two] = [await anInstance(port, clock), await anInstance(port, clock)];
  await copyAll(one);
  charge(two);
  await two.sharing.flush();
  assert.equal(rowsLeft(two), 0);
  port.isAway = true;
  for (let i = 0; i < 25_000; i++) charge(two, 25, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  assert.equal(rowsLeft(two), 0);
  await two.sharing.flush();
  port.isAway = false;
  await two.sharing.close();
  assert.match(two.warnings.at(-1)!, /shared again; what \d{4} clients took meanwhile is not$/);
  assert.ok(port.exchanges.every((clients) => clients <= 2_000));
});

test('an IPv6 household has one budget everywhere, its site four', async () => {
  const [port, clock] = [aSharedPort(), { now: START }];
  const all = await Promise.all([1, 2, 3].map(() => anInstance(port, clock, { rows: 1_000 })));
  let rows = 0;
  for (let i = 0; i < 48; i++) rows += await copyAll(all[i % 3]!, `2001:db8:3:${(i % 16).toString(16)}00::1`);
  assert.ok(rows >= 4_000 && rows <= 4_400, `${rows} rows of a /48`);
  const household = await copyAll(all[0]!, '2001:db8:4:100::1');
  assert.equal(household + (await copyAll(all[1]!, '2001:db8:4:1ff::9')), 1_025);
});

test('what is over is let go of, also when nobody asks any more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => clock.now);
  const [port, clock] = [aSharedPort(), { now: START }];
  const one = await anInstance(port, clock);
  charge(one);
  await one.sharing.flush();
  clock.now += DAY_MS + 2 * HOUR_MS;
  t.mock.timers.tick(600_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(port.sums.size, 0);
});

test('a door shares what it serves, tells the rest when it closes, and its headers know of others', async (t) => {
  const port = aSharedPort();
  const [one, two] = [await aDoor(t, { shared: port }), await aDoor(t, { shared: port })];
  await one.get('/api/search');
  await one.close();
  assert.deepEqual([...port.sums.values()].toSorted(), [1, 25]);
  await two.get('/api/search');
  await two.close();
  assert.deepEqual([...port.sums.values()].toSorted(), [2, 50]);
  const off = await aDoor(t, { shared: port, limits: 'off' });
  assert.equal((await off.get('/api/search')).headers.get('ratelimit'), null);
});

/** During a rolling upgrade, instances of the previous version do what they did, in tables that this version has changed. */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openPostgres } from '../../src/database/engines/postgres.ts';
import { openPostgresStore } from '../../src/operations/data/store.ts';
import { aFiling } from '../a-filing.ts';
import { aServer, asked } from './a-postgres.ts';
import { add, at, DAY, sent, type Taken } from './mailing-steps.ts';
import { kept, keysIn } from './store-cases.ts';

const { primary, end: stop } = await aServer();
after(stop);

const CLIENT = '00000000ffffffff';
const NOW = '2026-11-20T12:00:00.000Z';

/** What an instance of the version before writes and asks, in its words. */
async function anOlderInstance(url: string) {
  const engine = await openPostgres(url);
  return {
    close: engine.close,
    seeds: (day: number) =>
      engine.transaction(async (tx) => {
        await tx.write('delete from budget_seed where day < ?', [[day - 1]]);
        await tx.write(
          'insert into budget_seed (day, a, b) values (?, ?, ?) on conflict (day) do nothing',
          [day, day - 1].map((one) => [one, one + 1, one + 2]),
        );
        return tx.read('select a, b from budget_seed where day <= ? order by day desc', [day]);
      }),
    exchange: (slice: number, taken: number) =>
      engine.transaction(async (tx) => {
        await tx.write(
          `insert into budget (client, kind, slice, taken) values (?, ?, ?, ?)
           on conflict (client, kind, slice) do update set taken = budget.taken + excluded.taken`,
          [[CLIENT, 'rows', slice, taken]],
        );
        return tx.read<{ slice: number; taken: number }>(
          `select budget.kind, budget.client, budget.slice, budget.taken
           from (values (cast(? as text), cast(? as text), cast(? as bigint))) as asked
           join budget on budget.client = asked.column1 and budget.kind = asked.column2 and budget.slice >= asked.column3
           order by budget.slice`,
          [CLIENT, 'rows', 0],
        );
      }),
    forget: (before: number) =>
      engine.transaction((tx) =>
        tx.write('delete from budget where kind = ? and slice < ?', [['rows', before]]),
      ),
  };
}

test('an instance of the previous version still shares its budgets, whatever this version does', async () => {
  const url = await primary.fresh();
  const store = await openPostgresStore(url);
  const older = await anOlderInstance(url);
  const seeds = await older.seeds(20_000);
  assert.equal((await older.exchange(990_000, 25))[0]!.taken, 25);

  await kept(store, [aFiling({ key: 'A' })]);
  await store.repairAfterRestore(NOW);
  await store.close();
  const again = await openPostgresStore(url);
  await again.repairAfterRestore(NOW);
  assert.equal(await keysIn(again), 'A');

  assert.deepEqual(await older.seeds(20_000), seeds);
  assert.deepEqual(
    (await older.exchange(990_001, 10)).map(({ slice, taken }) => [slice, taken]),
    [
      [990_000, 25],
      [990_001, 10],
    ],
  );
  await older.forget(990_001);
  assert.deepEqual(await asked(url, 'select taken::int as taken from budget'), [{ taken: 10 }]);
  await Promise.all([older.close(), again.close()]);
});

test('an instance of the previous version can erase a person, and leaves an announcement alone', async () => {
  const url = await primary.fresh();
  const store = await openPostgresStore(url);
  for (const who of ['ann@b.example', 'bo@b.example']) await add(store, who, 'pro-waitlist');
  const words = { type: 'pro-waitlist', subject: 'Pro', words: '# Pro' } as const;
  await store.announcements.decide({ ...words, decidedAt: at(), expiresAt: at(DAY) });
  const [sentMessage] = (await sent(store)) as [Taken];
  const { message } = sentMessage;
  await store.bounces.recordFailure({ message, is: 'temporary', status: '4.4.1', at: at() });
  const older = await openPostgres(url);
  await older.transaction(async (tx) => {
    for (const table of ['token', 'message', 'subscription', 'subscriber'])
      await tx.write(`delete from ${table} where subscriber = ?`, [[sentMessage.subscriber]]);
  });
  assert.deepEqual(await asked(url, 'select count(*)::int as n from bounce'), [{ n: 0 }]);
  assert.deepEqual(await asked(url, 'select count(*)::int as n from announced'), [{ n: 1 }]);
  await add(store, 'late@b.example', 'pro-waitlist');
  await store.announcements.decide({ ...words, decidedAt: at(), expiresAt: at(DAY) });
  const next = "select message from message where state = 'pending' and urgency = 2 and next_at <= ?";
  assert.deepEqual(await older.read(next, [at(DAY)]), [], 'as the previous version looks for what is due');
  assert.equal((await sent(store)).length, 1);
  await Promise.all([older.close(), store.close()]);
});

/** What every store promises about the budgets that instances share. */

import assert from 'node:assert/strict';
import type { BudgetStore } from '../../src/stores/budget-store.ts';
import type { Case } from './store-cases.ts';

type Taking = Parameters<BudgetStore['exchange']>[0][number];

const aTaking = (facts: Partial<Taking> = {}): Taking => ({
  kind: 'rows',
  client: '00000000ffffffff',
  slice: 990_000,
  taken: 25,
  since: 0,
  ...facts,
});

/** `slice:taken` of each, in the order told. */
const told = async (budgets: BudgetStore, ...takings: Taking[]): Promise<string> =>
  (await budgets.exchange(takings)).map(({ slice, taken }) => `${slice}:${taken}`).join(' ');

export const BUDGET_CASES: Record<string, Case> = {
  async 'what clients take adds up over all instances, each client, kind and slice for itself'(store, again) {
    const other = await again();
    try {
      assert.equal(await told(store.budgets, aTaking()), '990000:25');
      assert.equal(await told(other.budgets, aTaking({ taken: 10 })), '990000:35');
      assert.equal(await told(store.budgets, aTaking({ slice: 990_001 })), '990000:35 990001:25');
      assert.equal(await told(store.budgets, aTaking({ kind: 'burst', taken: 1 })), '990000:1');
      assert.equal(await told(other.budgets, aTaking({ client: '00000000fffffffe' })), '990000:25');
      assert.deepEqual(await other.budgets.exchange([aTaking({ taken: 0, since: 990_001 })]), [
        { kind: 'rows', client: '00000000ffffffff', slice: 990_001, taken: 25 },
      ]);
    } finally {
      await other.close();
    }
  },

  async 'many clients are told of at once, each since when it asks, in the order of slices'({ budgets }) {
    const takings = Array.from({ length: 1_234 }, (_, i) => aTaking({ client: `${i}`, taken: 1 + (i % 3) }));
    for (const slice of [990_002, 990_000, 990_001])
      await budgets.exchange(takings.map((one) => ({ ...one, slice })));
    const sums = await budgets.exchange(
      takings.map((one, i) => ({ ...one, taken: 0, since: 990_000 + (i % 4) })),
    );
    assert.equal(sums.length, 309 * 3 + 309 * 2 + 308);
    const of = (client: string) => sums.filter((sum) => sum.client === client);
    assert.deepEqual(
      of('400').map(({ slice, taken }) => [slice, taken]),
      [
        [990_000, 2],
        [990_001, 2],
        [990_002, 2],
      ],
    );
    assert.deepEqual(of('1203'), []);
    assert.deepEqual(await budgets.exchange([]), []);
  },

  async 'an exchange that fails has added nothing'({ budgets }) {
    await budgets.exchange([aTaking()]);
    await assert.rejects(budgets.exchange([aTaking(), aTaking({ kind: 'nonsense' })]));
    assert.equal(await told(budgets, aTaking({ taken: 0 })), '990000:25');
  },

  async 'what is over is let go, of one kind at a time'({ budgets }) {
    for (const slice of [990_000, 990_001, 990_002])
      await budgets.exchange([aTaking({ slice }), aTaking({ slice, kind: 'burst', taken: 1 })]);
    await budgets.forget('rows', 990_002);
    assert.equal(await told(budgets, aTaking({ taken: 0 })), '990002:25');
    assert.equal(await told(budgets, aTaking({ taken: 0, kind: 'burst' })), '990000:1 990001:1 990002:1');
  },

  async 'the seeds of a day are the same for everybody, whoever asked first, and gone when two more have begun'(
    store,
    again,
  ) {
    const other = await again();
    try {
      const [one, two] = await Promise.all([store.budgets.seeds(20_000), other.budgets.seeds(20_000)]);
      assert.deepEqual(one, two);
      assert.deepEqual(await store.budgets.seeds(20_000), one);
      assert.ok(one.flat().every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32));
      const [first, before] = one;
      const [second, stillFirst] = await other.budgets.seeds(20_001);
      assert.deepEqual(stillFirst, first);
      const late = await store.budgets.seeds(20_000); // a clock that is behind
      assert.deepEqual(late[0], first);
      assert.notDeepEqual(late[1], before, 'those are gone');
      assert.deepEqual((await store.budgets.seeds(20_002))[1], second);
      assert.equal(new Set([first, before, second, late[1]].flat()).size, 8);
    } finally {
      await other.close();
    }
  },
};

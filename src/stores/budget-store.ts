/**
 * What clients took at all instances, in slices of time. A client is sixteen digits made of an address and the seeds of a
 * day; no address is here, and nothing is kept longer than it counts.
 */

import { randomInt } from 'node:crypto';
import type { Engine, Transaction } from './engine.ts';

const MOST_ASKED = 100; // in one statement

type Taking = { kind: string; client: string; slice: number; taken: number; since: number };
type Sum = { kind: string; client: string; slice: number; taken: number };

export type BudgetStore = {
  /**
   * Of this day (since 1970) and of the one before: two numbers below 2^32 each, made by whoever asks first, and the same for
   * everybody from then on. Those of earlier days are gone.
   */
  seeds(day: number): Promise<[[number, number], [number, number]]>;
  /** Adds what was taken, all of it or nothing, and tells what everybody took of each since its `since`, by slice. */
  exchange(takings: readonly Taking[]): Promise<Sum[]>;
  /** Lets go of all slices of `kind` before this one. */
  forget(kind: string, before: number): Promise<void>;
};

export function budgetStoreOn(engine: Engine): BudgetStore {
  return {
    seeds: (day) =>
      engine.transaction(async (tx) => {
        await tx.write('delete from budget_seed where day < ?', [[day - 1]]);
        const made = [day, day - 1].map((one) => [one, randomInt(0, 2 ** 32), randomInt(0, 2 ** 32)]);
        await tx.write(
          'insert into budget_seed (day, a, b) values (?, ?, ?) on conflict (day) do nothing',
          made,
        );
        const sql = 'select a, b from budget_seed where day <= ? order by day desc';
        const [today, yesterday] = await tx.read<{ a: number; b: number }>(sql, [day]);
        return [
          [today!.a, today!.b],
          [yesterday!.a, yesterday!.b],
        ];
      }),
    exchange: (takings) =>
      engine.transaction(async (tx) => {
        await add(
          tx,
          takings.filter(({ taken }) => taken > 0),
        );
        const sums: Sum[] = [];
        for (let at = 0; at < takings.length; at += MOST_ASKED)
          sums.push(...(await sumsOf(tx, takings.slice(at, at + MOST_ASKED))));
        return sums;
      }),
    async forget(kind, before) {
      const sql = 'delete from budget where kind = ? and slice < ?';
      await engine.transaction((tx) => tx.write(sql, [[kind, before]]));
    },
  };
}

async function add(tx: Transaction, takings: readonly Taking[]): Promise<void> {
  await tx.write(
    `insert into budget (client, kind, slice, taken) values (?, ?, ?, ?)
     on conflict (client, kind, slice) do update set taken = budget.taken + excluded.taken`,
    takings.map(({ client, kind, slice, taken }) => [client, kind, slice, taken]),
  );
}

/** In the order of slices. */
function sumsOf(tx: Transaction, takings: readonly Taking[]): Promise<Sum[]> {
  const asked = takings.map(() => '(cast(? as text), cast(? as text), cast(? as bigint))').join(', ');
  return tx.read<Sum>(
    `select budget.kind, budget.client, budget.slice, budget.taken from (values ${asked}) as asked
     join budget on budget.client = asked.column1 and budget.kind = asked.column2 and budget.slice >= asked.column3
     order by budget.slice`,
    takings.flatMap(({ client, kind, since }) => [client, kind, since]),
  );
}

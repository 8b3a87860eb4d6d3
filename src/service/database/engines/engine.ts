/** Defines the interface to a database. SQL is the same for both engines: `?` for values, days and instants as text. */

import { setTimeout as sleep } from 'node:timers/promises';
import { storeError } from '../../../shared/errors.ts';
import { probe } from '../../../shared/probe.ts';

export type Value = string | number | null;

export type Reader = {
  /** Returns all rows as objects by column name. Use it for few rows. */
  read<R>(sql: string, params?: readonly Value[]): Promise<R[]>;
  /** Returns rows as arrays in batches of at most 2,000, from one snapshot. Use it for many rows. */
  stream<R extends readonly Value[]>(sql: string, params?: readonly Value[]): AsyncIterable<R[]>;
};

export type Transaction = Reader & {
  /** Executes a statement for each of `rows`. Returns the number of changed rows. No upsert may update a row twice. */
  write(sql: string, rows: readonly (readonly Value[])[]): Promise<number>;
};

export type Engine = Reader & {
  /**
   * Runs `work` as the only writer, all or nothing. Its changes are on disk when this resolves. Never nest calls: the
   * inner call would wait for the outer one.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` under a lock, which ends with the process. Throws `store` after `waitMs`, or if the lock is lost. */
  exclusively<T>(name: string, waitMs: number, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Makes a method that does `work` in one transaction, and names the point after its commit for tests of crashes. */
export function commitAt<Args extends unknown[], Result>(
  point: string,
  engine: Engine,
  work: (tx: Transaction, ...args: Args) => Promise<Result>,
) {
  return async (...args: Args): Promise<Result> => {
    const result = await engine.transaction((tx) => work(tx, ...args));
    probe(point);
    return result;
  };
}

/** Opens a queue that runs writes of this process one by one, in order of request. */
export function openWriteQueue(mostMs: number) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Queues `work` and passes it the remaining waiting time. Throws `store` if no time remains. */
    enqueue<T>(work: (waitMs: number) => Promise<T>): Promise<T> {
      const [before, until] = [last, performance.now() + mostMs];
      const queued = waitAtMost(before, mostMs).then(() =>
        work(Math.max(1, Math.round(until - performance.now()))),
      );
      last = Promise.allSettled([before, queued]);
      return queued;
    },
    idle: (): Promise<unknown> => last,
  };
}

async function waitAtMost(promise: Promise<unknown>, ms: number): Promise<void> {
  const enough = new AbortController();
  const tooLate = sleep(ms, undefined, enough).then(() => {
    throw storeError(`other processes have been writing for ${ms / 1000} seconds`);
  });
  await Promise.race([promise, tooLate]).finally(() => enough.abort());
}

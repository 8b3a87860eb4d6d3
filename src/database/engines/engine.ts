/** Defines the interface to a database. SQL is the same for both engines: `?` for values, days and instants as text. */

export type Value = string | number | null;

export type Reading = {
  /** Returns all rows as objects by column name. Use it for few rows. */
  read<R>(sql: string, params?: readonly Value[]): Promise<R[]>;
  /** Returns rows as arrays in batches of at most 2,000, from one snapshot. Use it for many rows. */
  stream<R extends readonly Value[]>(sql: string, params?: readonly Value[]): AsyncIterable<R[]>;
};

export type Transaction = Reading & {
  /** Executes a statement for each of `rows`. Returns the number of changed rows. */
  write(sql: string, rows: readonly (readonly Value[])[]): Promise<number>;
};

export type Engine = Reading & {
  /**
   * Runs `work` as the only writer, all or nothing, and on disk when it resolves. Never nest calls, because the inner
   * one would wait for the outer.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` under a lock, which is released if the process dies. Throws `store` after `waitMs`, or if it is lost.
   */
  exclusively<T>(name: string, waitMs: number, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

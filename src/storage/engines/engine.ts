/**
 * What a database must be able to do for the stores: five members, the same SQL text for every engine. Statements have
 * `?` for values, know no engine's own words, and hold days and instants as text. Knows no table.
 */

export type Value = string | number | null;

export type Reading = {
  /** All rows as objects by column name, in the shape the caller names. For few rows. */
  read<R>(sql: string, params?: readonly Value[]): Promise<R[]>;
  /** Rows as arrays in batches of at most 2,000, all of one moment. For many rows. */
  stream<R extends readonly Value[]>(sql: string, params?: readonly Value[]): AsyncIterable<R[]>;
};

export type Transaction = Reading & {
  /** Runs the statement once for each row of values; returns how many rows of the database it changed in all. */
  write(sql: string, rows: readonly (readonly Value[])[]): Promise<number>;
};

export type Engine = Reading & {
  /**
   * Runs `work` alone among all writers: committed and durable when it resolves, nothing of it kept when it throws.
   * Never nested: one inside another would wait for itself. Throws `store` when the database cannot do it now.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` while no other holder of `name` does, in any process; freed by the death of the process. Not a
   * transaction. Throws `store` after waiting `waitMs`. Where the lock can be lost, a transaction of `work` throws `store`
   * from then on, and so does this at the end.
   */
  exclusively<T>(name: string, waitMs: number, work: () => Promise<T>): Promise<T>;
  /** Waits for what is under way, then lets go. */
  close(): Promise<void>;
};

/**
 * The interface of a database: five methods, with the same SQL text for every engine. Statements use `?` for values and
 * no engine-specific syntax, and store days and instants as text. Engines do not know the tables.
 */

export type Value = string | number | null;

export type Reading = {
  /** Returns all rows as objects by column name. For few rows. */
  read<R>(sql: string, params?: readonly Value[]): Promise<R[]>;
  /** Returns rows as arrays in batches of at most 2,000, from one snapshot. For many rows. */
  stream<R extends readonly Value[]>(sql: string, params?: readonly Value[]): AsyncIterable<R[]>;
};

export type Transaction = Reading & {
  /** Runs the statement for each row of values. Returns the total number of changed rows. */
  write(sql: string, rows: readonly (readonly Value[])[]): Promise<number>;
};

export type Engine = Reading & {
  /**
   * Runs `work` as the only writer. Its changes are committed and on disk when it resolves, and rolled back when it
   * throws. Never nest calls: the inner one would wait for the outer one. Throws `store` if the database is temporarily
   * unavailable.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` while no other process holds the lock `name`. The lock is released when the process dies. Not a
   * transaction. Throws `store` after waiting `waitMs`. If the lock is lost, every later transaction of `work` throws
   * `store`, and so does this method.
   */
  exclusively<T>(name: string, waitMs: number, work: () => Promise<T>): Promise<T>;
  /** Finishes work in progress, then closes. */
  close(): Promise<void>;
};

/** A database, with the same SQL text for every engine: `?` for values, days and instants as text. */

export type Value = string | number | null;

export type Reading = {
  /** Returns all rows as objects by column name. For few rows. */
  read<R>(sql: string, params?: readonly Value[]): Promise<R[]>;
  /** Returns rows as arrays in batches of at most 2,000, from one snapshot. For many rows. */
  stream<R extends readonly Value[]>(sql: string, params?: readonly Value[]): AsyncIterable<R[]>;
};

export type Transaction = Reading & {
  /** Returns the number of changed rows. */
  write(sql: string, rows: readonly (readonly Value[])[]): Promise<number>;
};

export type Engine = Reading & {
  /**
   * Runs `work` as the only writer, all or nothing, and on disk when it resolves. Never nest calls: they would wait.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` under a lock that dies with its process. Throws `store` after `waitMs`, or if the lock is lost. */
  exclusively<T>(name: string, waitMs: number, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Settings and timeouts of every PostgreSQL session. Everything that is waited for has a timeout. */

export const SHORT_MS = 2_000; // a statement that a visitor waits for
export const LONG_MS = 120_000; // a statement of a stream, or under a lock: keeping a run, delivery, migrations
export const POSTGRES_WRITE_WAIT_MS = 15_000; // for other writers: a big run is kept in one transaction of several seconds
export const SILENCE_MS = 3_000; // added to a statement's timeout: the server may have disappeared

type Parser = (text: string) => unknown;

/** The types of our columns; booleans are numbers, as in SQLite. */
const PARSERS: Record<number, Parser> = {
  16: (text) => (text === 't' ? 1 : 0), // bool
  20: Number, // int8: counts
  23: Number, // int4
  1700: Number, // numeric: sums of counts
};

export const SESSION = {
  application_name: 'shingle',
  connectionTimeoutMillis: 3_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  statement_timeout: SHORT_MS,
  lock_timeout: SHORT_MS,
  idle_in_transaction_session_timeout: 10_000,
  // the server also notices within seconds that a machine is gone, and releases its locks
  options:
    '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c idle_session_timeout=0',
  pipeline: true, // sends many statements without waiting for each reply
  types: { getTypeParser: (type: number): Parser => PARSERS[type] ?? ((text) => text) },
};

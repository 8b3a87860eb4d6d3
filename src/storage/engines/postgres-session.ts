/** What every session with PostgreSQL is told, and how long anything may take. Nothing is waited for without an end. */

export const SHORT_MS = 2_000; // a statement that a visitor waits for
export const LONG_MS = 120_000; // one of a stream, or of whoever holds a lock: to keep a run, deliver, change the tables
export const POSTGRES_WRITE_WAIT_MS = 15_000; // for other writers: a big run is kept in one transaction of several seconds
export const SILENCE_MS = 3_000; // beyond its limit a statement is not waited for: the server may be gone without a word

type Parser = (text: string) => unknown;

/** What our columns are made of; booleans are numbers, as SQLite has them. */
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
  // the server, too, notices in seconds that a machine is gone, and lets go of its locks
  options:
    '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c idle_session_timeout=0',
  pipeline: true, // rows that need a statement each cost no way there and back each
  types: { getTypeParser: (type: number): Parser => PARSERS[type] ?? ((text) => text) },
};

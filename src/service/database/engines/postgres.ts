/** Opens PostgreSQL. Reads use the primary, as writes do. Never retries statements that may have had an effect. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { crc32 } from 'node:zlib';
import pg from 'pg';
import { refusedError, type ShingleError, storeError } from '../../../shared/errors.ts';
import { type Engine, openWriteQueue, type Reader, type Transaction, type Value } from './engine.ts';
import { findPrimary, hostOf, readPostgresAddress, splitHosts } from './postgres-address.ts';
import { type Statement, splitStatements, toPostgresSql } from './postgres-dialect.ts';
import {
  CONNECTIONS,
  findLoginProblem,
  findTlsProblem,
  isLost,
  LOCKED,
  POOLER_SAYS_NO,
  poolerError,
  toPostgresError,
  toStoreError,
} from './postgres-errors.ts';

// All waits have timeouts, because a server can disappear.
const SHORT_MS = 2_000; // timeout of a statement that a visitor waits for
// timeout of a statement in a stream or under a lock: keeping a run, delivery, migrations
const LONG_MS = 120_000;
const POSTGRES_WRITE_WAIT_MS = 15_000; // to wait for other writers; keeping a large run takes several seconds
const SILENCE_MS = 3_000; // added to a statement's timeout, in case the server has disappeared

const POSTGRES_BATCH_ROWS = 2_000; // also the most statements sent before the first reply
const POOL = 10;
// first half of our lock keys; the second half is 0 for writers, otherwise a hash of the name
const LOCKS = 0x53684e67;
const UNSAFE = ['fsync', 'full_page_writes', 'synchronous_commit'];

type Parser = (text: string) => unknown;

/** Parsers by type. Booleans become numbers, as in SQLite. */
const PARSERS: Record<number, Parser> = {
  16: (text) => (text === 't' ? 1 : 0), // bool
  20: Number, // int8, the type of a count
  23: Number, // int4
  1700: Number, // numeric, the type of a sum of counts
};

const SESSION = {
  application_name: 'shingle',
  connectionTimeoutMillis: 3_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  statement_timeout: SHORT_MS,
  lock_timeout: SHORT_MS,
  idle_in_transaction_session_timeout: 10_000,
  // lets the server release the locks of a lost machine within seconds
  options:
    '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c idle_session_timeout=0',
  pipeline: true, // sends many statements without waiting for each reply
  types: { getTypeParser: (type: number): Parser => PARSERS[type] ?? ((text) => text) },
};

const BEGIN_READING = `begin isolation level repeatable read read only; set local statement_timeout = ${LONG_MS}`;

type Primary = { url: string; pool: pg.Pool };
type Connections = ReturnType<typeof connectionsTo>;
type Lock = { key: number; pid: number };
type Answer<R> = { rows: R[]; rowCount: number | null; command: string };

/** The lock of the current work. Work under a lock must not delay visitors, and must stop if the lock is lost. */
const heldLocks = new AsyncLocalStorage<Lock>();

export type PostgresEngine = Awaited<ReturnType<typeof openPostgres>>;

/** Opens the engine. Throws `refused` if data can be lost, `store` if no host responds. */
export async function openPostgres(url: string) {
  const urls = splitHosts(url);
  const connections = connectionsTo(urls, primaryAt(await findPrimary(urls, takesWrites, 'refused')));
  const [visitors, others] = [openWriteQueue(POSTGRES_WRITE_WAIT_MS), openWriteQueue(POSTGRES_WRITE_WAIT_MS)];
  const engine: Engine = {
    read: (sql, params) => lend(connections, (client) => readApart(client, sql, params)),
    stream: (sql, params) => streamPostgres(connections, sql, params),
    transaction(work) {
      // work under a lock is slow, and must not take the connections of visitors
      const line = heldLocks.getStore() === undefined ? visitors : others;
      return line.enqueue((waitMs) => lend(connections, (client) => transactPostgres(client, waitMs, work)));
    },
    exclusively: (name, waitMs, work) => exclusively(connections, name, waitMs, work),
    async close() {
      await Promise.all([visitors.idle(), others.idle()]);
      await connections.end();
    },
  };
  return {
    ...engine,
    // what only a folder has
    findLoss: () => undefined,
    markServing: () => () => undefined,
    isServed: async () => undefined,
    scrub: async () => undefined,
    async describe() {
      const [row] = await engine.read<{ version: string; bytes: number }>(
        "select current_setting('server_version') as version, pg_database_size(current_database()) as bytes",
      );
      const database = `PostgreSQL ${row!.version.split(' ', 1)[0]}`;
      return { database, databaseBytes: Number(row!.bytes) };
    },
    listWarnings: () => listWarnings(engine),
  };
}

const COMMIT_SETTINGS = `select setting from pg_settings where name in ('synchronous_commit', 'synchronous_standby_names')
  order by name`;

/** Warns if commits do not wait for a standby, because a failure of the primary could then lose data. */
async function listWarnings({ read }: Reader): Promise<string[]> {
  const [commit, names] = (await read<{ setting: string }>(COMMIT_SETTINGS)).map(({ setting }) => setting);
  if (names !== '' && commit !== 'local') return [];
  const why = names === '' ? 'synchronous_standby_names is empty' : 'synchronous_commit is local';
  return [
    `the database does not wait for a standby (${why}): if the primary fails, the latest signups can be lost`,
  ];
}

async function takesWrites(url: string): Promise<boolean> {
  const client = await connect(url);
  try {
    await mustKeepSession(client, url);
    return await isPrimary(client);
  } finally {
    void client.end();
  }
}

const PROBES = 3; // connections beside the first one, in case a pooler takes turns

/**
 * Throws `refused` if a pooler lends our session to others between two transactions, because advisory locks would then
 * outlive their process. On a direct connection, the session has the id that the server gave when it opened.
 */
async function mustKeepSession(client: pg.Client, url: string): Promise<void> {
  const host = hostOf(url);
  const own = await readSession(client);
  if (own === (client as { processID?: number }).processID) return;
  await using others = new AsyncDisposableStack();
  try {
    for (let probes = 0; probes < PROBES; probes++) {
      const other = others.adopt(await connect(url), (one) => void one.end());
      await run(other, 'begin'); // keeps its session, so that it differs from ours or is ours
      if ((await readSession(other)) === own || (await readSession(client)) !== own) throw poolerError(host);
    }
  } catch (error) {
    const { code, cause } = error as ShingleError;
    if (cause === POOLER_SAYS_NO) throw poolerError(host); // no transactions, in statement mode
    if (code === 'refused') throw error;
    throw refusedError(
      `the connection pooler at ${host} does not open a second session. Let it open ${CONNECTIONS} for each instance, or name the PostgreSQL server itself in DATABASE_URL`,
    );
  }
}

async function readSession(client: pg.ClientBase): Promise<number> {
  const { rows } = await run<{ pid: number }>(client, 'select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

async function connectToPrimary(url: string): Promise<pg.Client> {
  const client = await connect(url);
  try {
    await mustBePrimary(client, url);
    return client;
  } catch (error) {
    void client.end();
    throw error;
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...SESSION, ...readPostgresAddress(url) });
  client.on('error', () => undefined); // the next statement reports the error
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw (
      findTlsProblem(error, hostOf(url)) ??
      findLoginProblem(error, url) ??
      toPostgresError(error, hostOf(url))
    );
  }
}

/** Returns whether a server is the primary. Throws `refused` if it may lose commits, or cannot store every text. */
async function isPrimary(client: pg.ClientBase): Promise<boolean> {
  const text = `select name, setting from pg_settings where name in ('transaction_read_only', 'server_encoding',
    ${UNSAFE.map((name) => `'${name}'`)})`;
  const { rows } = await run<{ name: string; setting: string }>(client, text);
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  const unsafe = UNSAFE.find((name) => settings.get(name) === 'off');
  if (unsafe !== undefined) throw refusedError(`the database can lose committed data: ${unsafe} is off`);
  if (settings.get('server_encoding') !== 'UTF8')
    throw refusedError(
      'the database encoding is not UTF8. Make another database, and name it in DATABASE_URL: createdb --encoding=UTF8 --template=template0 shingle_utf8',
    );
  return settings.get('transaction_read_only') === 'off';
}

async function mustBePrimary(client: pg.ClientBase, url: string): Promise<void> {
  if (!(await isPrimary(client))) throw storeError(`${hostOf(url)} is no longer the primary`);
}

function primaryAt(url: string): Primary {
  const onConnect = (client: pg.ClientBase): Promise<void> => {
    client.on('error', () => undefined);
    return mustBePrimary(client, url);
  };
  const pool = new pg.Pool({ ...SESSION, ...readPostgresAddress(url), max: POOL, onConnect });
  pool.on('error', () => undefined); // an idle connection was lost, and the pool will open another one
  return { url, pool };
}

function connectionsTo(urls: readonly string[], first: Primary) {
  let primary: Promise<Primary> | undefined = Promise.resolve(first);
  function forget({ pool }: Primary): void {
    if (pool.ending) return;
    primary = undefined;
    void pool.end();
  }
  /** Calls `open` with the primary. Retries once: this is safe, because no statement has been sent. */
  async function reach<C>(open: (at: Primary) => Promise<C>): Promise<C> {
    for (let isLast = false; ; isLast = true) {
      primary ??= findPrimary(urls, takesWrites, 'store').then(primaryAt);
      const at = await primary.catch((error: unknown) => {
        primary = undefined;
        throw toStoreError(error);
      });
      try {
        return await open(at);
      } catch (error) {
        const isBusy = at.pool.totalCount >= POOL;
        if (!isBusy) forget(at);
        if (isBusy || isLast) throw toStoreError(error, hostOf(at.url));
      }
    }
  }
  return {
    take: () => reach(async (at) => loanOf(await at.pool.connect(), () => forget(at))),
    own: () => reach(({ url }) => connectToPrimary(url)),
    async end() {
      const at = await primary?.catch(() => undefined);
      if (at?.pool.ending === false) await at.pool.end();
    },
  };
}

const lostConnections = new WeakSet<pg.ClientBase>();

function loanOf(client: pg.PoolClient, forget: () => void) {
  return {
    client,
    [Symbol.dispose]() {
      if (lostConnections.has(client)) forget();
      // the pool does not reuse a connection that is still in a transaction
      client.release(client.getTransactionStatus() !== 'I');
    },
  };
}

async function lend<T>({ take }: Connections, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  using loan = await take();
  return await work(loan.client);
}

async function transactPostgres<T>(
  client: pg.ClientBase,
  waitMs: number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const lock = heldLocks.getStore();
  const limitMs = lock === undefined ? SHORT_MS : LONG_MS;
  try {
    await run(client, 'begin isolation level read committed', 0);
    const wait = `set local statement_timeout = 0; set local lock_timeout = ${waitMs};
      select pg_advisory_xact_lock(${LOCKS}, 0);
      set local statement_timeout = ${limitMs}; set local lock_timeout = ${SHORT_MS}`;
    await run(client, wait, waitMs);
    if (lock !== undefined) await mustHold(client, lock);
    const write: Transaction['write'] = (sql, rows) => runAll(client, splitStatements(sql, rows), limitMs);
    const result = await work({ ...readingOn(client, limitMs), write });
    await commit(client, limitMs);
    return result;
  } catch (error) {
    await undo(client);
    throw error;
  }
}

/** Commits. Throws if the wait for the standby was canceled, which PostgreSQL reports as success with a warning. */
async function commit(client: pg.ClientBase, limitMs: number): Promise<void> {
  let isDoubtful = false;
  const warned = ({ severity }: { severity?: string | undefined }): void => {
    isDoubtful ||= severity === 'WARNING';
  };
  client.on('notice', warned);
  const { command } = await run(client, 'commit', limitMs).finally(() => client.off('notice', warned));
  if (command !== 'COMMIT' || isDoubtful) throw storeError('the database has not confirmed the transaction');
}

async function undo(client: pg.ClientBase): Promise<void> {
  await run(client, 'rollback').catch(() => undefined);
}

async function mustHold(client: pg.ClientBase, { key, pid }: Lock): Promise<void> {
  const text = `select pid from pg_locks where locktype = 'advisory' and granted
    and classid = ${LOCKS} and objid = ${key} and pid = ${pid}`;
  const { rows } = await run(client, text);
  if (rows.length === 0) throw storeError('the lock was lost: another process may hold it now');
}

/** Runs `work` under a lock. A separate session holds the lock, so the server releases it if the process dies. */
async function exclusively<T>(
  connections: Connections,
  name: string,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const key = crc32(name) >>> 1;
  const client = await connections.own();
  try {
    await run(client, `set statement_timeout = 0; set lock_timeout = ${Math.max(1, waitMs)}`);
    const text = `select pg_backend_pid() as pid from pg_advisory_lock(${LOCKS}, ${key})`;
    const { rows } = await run<{ pid: number }>(client, text, waitMs).catch((error: ShingleError) => {
      if (error.cause !== LOCKED) throw error;
      const held = `another process has held the lock "${name}" for ${waitMs / 1000} seconds`;
      throw storeError(held);
    });
    const lock = { key, pid: rows[0]!.pid };
    const result = await heldLocks.run(lock, work);
    await mustHold(client, lock);
    return result;
  } finally {
    await client.end();
  }
}

function readingOn(client: pg.ClientBase, limitMs: number): Reader {
  return {
    async read<R>(sql: string, params: readonly Value[] = []) {
      return (await run<R>(client, { text: toPostgresSql(sql), values: [...params] }, limitMs)).rows;
    },
    stream: (sql, params) => fetchCursor(client, sql, params),
  };
}

let cursors = 0;

/** Reads rows with a cursor, which sees one snapshot even if its own transaction writes later. */
async function* fetchCursor<R>(client: pg.ClientBase, sql: string, params: readonly Value[] = []) {
  const cursor = `c${++cursors}`;
  await run(client, `set local statement_timeout = ${LONG_MS}`);
  const text = `declare ${cursor} no scroll cursor for ${toPostgresSql(sql)}`;
  await run(client, { text, values: [...params] }, LONG_MS);
  const fetch = { text: `fetch ${POSTGRES_BATCH_ROWS} from ${cursor}`, rowMode: 'array' } as const;
  for (;;) {
    const { rows } = await run<R>(client, fetch, LONG_MS);
    if (rows.length > 0) yield rows;
    if (rows.length < POSTGRES_BATCH_ROWS) break;
  }
  await run(client, `close ${cursor}`);
}

async function readApart<R>(client: pg.ClientBase, sql: string, params?: readonly Value[]): Promise<R[]> {
  if (heldLocks.getStore() === undefined) return readingOn(client, SHORT_MS).read<R>(sql, params);
  try {
    await run(client, BEGIN_READING);
    return await readingOn(client, LONG_MS).read<R>(sql, params);
  } finally {
    await undo(client);
  }
}

async function* streamPostgres<R>({ take }: Connections, sql: string, params?: readonly Value[]) {
  using loan = await take();
  try {
    await run(loan.client, BEGIN_READING);
    yield* fetchCursor<R>(loan.client, sql, params);
  } finally {
    await undo(loan.client);
  }
}

/** Runs statements, many at a time. Returns the number of changed rows. */
async function runAll(client: pg.ClientBase, statements: readonly Statement[], limitMs: number) {
  let changed = 0;
  for (let at = 0; at < statements.length; at += POSTGRES_BATCH_ROWS) {
    const batch = statements.slice(at, at + POSTGRES_BATCH_ROWS);
    const answers = await Promise.all(batch.map((one) => run(client, one, limitMs)));
    for (const { rowCount } of answers) changed += rowCount ?? 0;
  }
  return changed;
}

async function run<R>(client: pg.ClientBase, statement: string | Statement, limitMs = SHORT_MS) {
  const asked = typeof statement === 'string' ? { text: statement } : statement;
  try {
    const answer = await client.query<pg.QueryResultRow>({
      ...asked,
      query_timeout: limitMs + SILENCE_MS,
    } as Statement);
    return answer as Answer<unknown> as Answer<R>;
  } catch (error) {
    const known = toPostgresError(error);
    if (isLost(known)) lostConnections.add(client);
    throw known;
  }
}

/**
 * The PostgreSQL engine: one database that several instances share. The only file that knows `pg`. Everything is asked of
 * the primary, reads too; what may have been done is never tried again, and no error tells a statement or a value.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { crc32 } from 'node:zlib';
import pg from 'pg';
import { ShingleError } from '../errors.ts';
import { dialect, type Statement, statementsOf, type Writing } from './dialect.ts';
import type { Engine, Reading, Transaction, Value } from './engine.ts';
import { turns } from './turns.ts';

const BATCH = 2_000;
const POOL = 10;
const CONNECT_MS = 3_000;
const SHORT_MS = 2_000; // a statement that a visitor waits for
const LONG_MS = 120_000; // one of a stream, or of whoever holds a lock: who keeps a run, delivers, changes the tables
const SILENCE_MS = 3_000; // longer than its limit no statement is waited for: the server may be gone without a word
const WRITE_WAIT_MS = 15_000; // a big run is kept in one transaction of several seconds
const IN_FLIGHT = 2_000; // statements that are sent before the first of them is answered
const LOCKS = 0x53684e67; // one half of the keys of all our locks; the other one is 0 for writers, or made of a name
const UNSAFE = ['fsync', 'full_page_writes', 'synchronous_commit'];

const ONLY_READS = '25006';
const LOCKED = '55P03';
const SAID: Record<string, string> = {
  [ONLY_READS]: 'it can only be read',
  [LOCKED]: 'another one has been writing for too long',
  '28P01': 'it does not accept the password',
  '3D000': 'it is not there',
  '53300': 'it has too many connections',
  '57014': 'it took too long',
};
const lockLost = () => new ShingleError('store', 'the lock was lost: another process may have it now');

const PARSERS: Record<number, (text: string) => number> = {
  16: (text) => (text === 't' ? 1 : 0), // booleans, as SQLite has them
  20: Number, // counts
  1700: Number, // sums of counts
};
const getTypeParser = ((oid: number, format: 'text') =>
  PARSERS[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

const SESSION = {
  application_name: 'shingle',
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  statement_timeout: SHORT_MS,
  lock_timeout: SHORT_MS,
  idle_in_transaction_session_timeout: 10_000,
  // the server, too, notices in seconds that a machine is gone, and lets go of its locks
  options:
    '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c idle_session_timeout=0',
  pipeline: true,
  types: { getTypeParser },
};

type Primary = { url: string; pool: pg.Pool };
type Connections = ReturnType<typeof connectionsTo>;
type Lock = { key: number; pid: number };
type Answer<R> = { rows: R[]; rowCount: number | null; command: string };

/** The lock under which something is done: no visitor waits for that, and it must not go on when the lock is lost. */
const holding = new AsyncLocalStorage<Lock>();

/**
 * Opens the database at `postgres://user:password@host:port,host:port/name`: at the first host that is the primary, found
 * anew when it is lost. Throws `refused` where committed work might be lost or nothing can be written, `store` where
 * nobody answers. No pooler that shares one session among several clients may be in between.
 */
export async function openPostgres(url: string): Promise<Engine> {
  const urls = urlsOf(url);
  const connections = connectionsTo(urls, primaryAt(await findPrimary(urls, 'refused')));
  const [visitors, others] = [turns(WRITE_WAIT_MS), turns(WRITE_WAIT_MS)];
  return {
    async read<R>(sql: string, params?: readonly Value[]) {
      const client = await connections.take();
      try {
        return await readingOn(client, SHORT_MS).read<R>(sql, params);
      } finally {
        giveBack(client);
      }
    },
    stream: (sql, params) => streamApart(connections, sql, params),
    transaction(work) {
      const lock = holding.getStore();
      const line = lock === undefined ? visitors : others; // what may take long must not delay what is short
      return line.queued((waitMs) => transact(connections, waitMs, work));
    },
    exclusively: (name, waitMs, work) => exclusively(connections, { name, waitMs }, work),
    async close() {
      await Promise.all([visitors.idle(), others.idle()]);
      await connections.end();
    },
  };
}

/** One address for each host of a list. Says nothing of what is in it: there is a password. */
function urlsOf(url: string): string[] {
  const [, scheme, user = '', hosts, rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^@/]*@)?([^@/?]+)([/?].*)?$/.exec(url) ?? [];
  const urls = hosts?.split(',').map((host) => `${scheme}${user}${host}${rest}`) ?? [];
  if (urls.length === 0 || !urls.every((one) => URL.canParse(one)))
    throw new ShingleError(
      'refused',
      'the address of the database is none of the form postgres://user:password@host:port,host:port/name',
    );
  return urls;
}

const hostOf = (url: string): string => new URL(url).host;

/** All hosts are asked at once, so that a silent one costs no more time than the others; the first one in order wins. */
async function findPrimary(urls: readonly string[], code: 'refused' | 'store'): Promise<string> {
  const found = await Promise.allSettled(urls.map(takesWrites));
  const at = found.findIndex((one) => one.status === 'fulfilled' && one.value);
  if (at !== -1) return urls[at]!;
  const failed = found.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  throw new ShingleError(
    code,
    `the database can only be read: no primary is at ${urls.map(hostOf).join(', ')}`,
  );
}

async function takesWrites(url: string): Promise<boolean> {
  const client = await connect(url);
  try {
    return await isPrimary(client);
  } finally {
    void client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...SESSION, connectionString: url });
  client.on('error', () => undefined); // whoever asks something next is told
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw storeError(error, hostOf(url));
  }
}

/** Throws `refused` for a server that may lose what it has acknowledged, or cannot hold every text. */
async function isPrimary(client: pg.ClientBase): Promise<boolean> {
  const text = `select name, setting from pg_settings where name in ('transaction_read_only', 'server_encoding',
    ${UNSAFE.map((name) => `'${name}'`)})`;
  const { rows } = await ask<{ name: string; setting: string }>(client, { text }, SHORT_MS);
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  const unsafe = UNSAFE.find((name) => settings.get(name) === 'off');
  if (unsafe !== undefined)
    throw new ShingleError('refused', `the database may lose what it has committed: ${unsafe} is off`);
  if (settings.get('server_encoding') !== 'UTF8')
    throw new ShingleError('refused', 'the database is not encoded in UTF8');
  return settings.get('transaction_read_only') === 'off';
}

function primaryAt(url: string): Primary {
  const onConnect = async (client: pg.ClientBase): Promise<void> => {
    client.on('error', () => undefined);
    if (!(await isPrimary(client)))
      throw new ShingleError('store', `${hostOf(url)} is not the primary any more`);
  };
  const pool = new pg.Pool({
    ...SESSION,
    connectionString: url,
    max: POOL,
    idleTimeoutMillis: 30_000,
    onConnect,
  });
  pool.on('error', () => undefined); // an idle connection was lost: the pool makes another one
  return { url, pool };
}

/** Connections to the primary, wherever it is now. */
function connectionsTo(urls: readonly string[], first: Primary) {
  let primary: Promise<Primary> | undefined = Promise.resolve(first);
  function forget({ pool }: Primary): void {
    if (pool.ending) return;
    primary = undefined;
    void pool.end();
  }
  /** To try once more is safe: nothing was asked yet. */
  async function reach<C>(open: (at: Primary) => Promise<C>): Promise<C> {
    for (let isLast = false; ; isLast = true) {
      primary ??= findPrimary(urls, 'store').then(primaryAt);
      const at = await primary.catch((error: unknown) => {
        primary = undefined;
        throw error;
      });
      try {
        return await open(at);
      } catch (error) {
        const isBusy = at.pool.totalCount >= POOL;
        if (!isBusy) forget(at);
        if (isBusy || isLast) throw storeError(error, hostOf(at.url));
      }
    }
  }
  return {
    take: () => reach(({ pool }) => pool.connect()),
    own: () => reach(({ url }) => connect(url)),
    /** It said that it only reads now. */
    lose: () => void primary?.then(forget, () => undefined),
    end: () =>
      primary?.then(
        ({ pool }) => pool.end(),
        () => undefined,
      ),
  };
}

/** What is in a transaction still, or cannot be asked any more, is not used again. */
function giveBack(client: pg.PoolClient): void {
  client.release(client.getTransactionStatus() !== 'I');
}

async function transact<T>(
  connections: Connections,
  waitMs: number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const lock = holding.getStore();
  const limitMs = lock === undefined ? SHORT_MS : LONG_MS;
  const client = await connections.take();
  try {
    const text = `begin isolation level read committed; set local statement_timeout = 0; set local lock_timeout = ${waitMs};
      select pg_advisory_xact_lock(${LOCKS}, 0);
      set local statement_timeout = ${limitMs}; set local lock_timeout = ${SHORT_MS}`;
    await ask(client, { text }, waitMs);
    if (lock !== undefined) await mustHold(client, lock);
    const result = await work({
      ...readingOn(client, limitMs),
      write: (sql, rows) => write(client, limitMs, { sql, rows }),
    });
    const { command } = await ask(client, { text: 'commit' }, limitMs);
    if (command !== 'COMMIT') throw new ShingleError('store', 'the database has undone the transaction');
    return result;
  } catch (error) {
    if (error instanceof ShingleError && error.cause === ONLY_READS) connections.lose();
    await ask(client, { text: 'rollback' }, SHORT_MS).catch(() => undefined);
    throw error;
  } finally {
    giveBack(client);
  }
}

/** Whoever lost the lock without noticing must not write: another one may have it now. */
async function mustHold(client: pg.ClientBase, { key, pid }: Lock): Promise<void> {
  const text = `select pid from pg_locks where locktype = 'advisory' and granted
    and classid = ${LOCKS} and objid = ${key} and pid = ${pid}`;
  const { rows } = await ask(client, { text }, SHORT_MS);
  if (rows.length === 0) throw lockLost();
}

/** A session of its own holds the lock: the server lets go of it when the process dies. */
async function exclusively<T>(
  connections: Connections,
  { name, waitMs }: { name: string; waitMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const key = crc32(name) >>> 1;
  const client = await connections.own();
  try {
    await ask(
      client,
      { text: `set statement_timeout = 0; set lock_timeout = ${Math.max(1, waitMs)}` },
      SHORT_MS,
    );
    const text = `select pg_backend_pid() as pid from pg_advisory_lock(${LOCKS}, ${key})`;
    const { rows } = await ask<{ pid: number }>(client, { text }, waitMs).catch((error: ShingleError) => {
      if (error.cause !== LOCKED) throw error;
      throw new ShingleError('store', `another process has held "${name}" for ${waitMs / 1000} seconds`);
    });
    const lock = { key, pid: rows[0]!.pid };
    const result = await holding.run(lock, work);
    await mustHold(client, lock).catch(() => {
      throw lockLost();
    });
    return result;
  } finally {
    await client.end();
  }
}

function readingOn(client: pg.ClientBase, limitMs: number): Reading {
  return {
    async read<R>(sql: string, params: readonly Value[] = []) {
      return (await ask<R>(client, { text: dialect(sql), values: [...params] }, limitMs)).rows;
    },
    stream: (sql, params) => batches(client, sql, params),
  };
}

let cursors = 0;

/** A cursor sees one moment, whatever its own transaction writes meanwhile. */
async function* batches<R>(client: pg.ClientBase, sql: string, params: readonly Value[] = []) {
  const cursor = `c${++cursors}`;
  await ask(client, { text: `set local statement_timeout = ${LONG_MS}` }, SHORT_MS);
  const text = `declare ${cursor} no scroll cursor for ${dialect(sql)}`;
  await ask(client, { text, values: [...params] }, LONG_MS);
  for (;;) {
    const { rows } = await ask<R>(
      client,
      { text: `fetch ${BATCH} from ${cursor}`, rowMode: 'array' },
      LONG_MS,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) break;
  }
  await ask(client, { text: `close ${cursor}` }, SHORT_MS);
}

async function* streamApart<R>(connections: Connections, sql: string, params?: readonly Value[]) {
  const client = await connections.take();
  try {
    await ask(client, { text: 'begin isolation level repeatable read read only' }, SHORT_MS);
    yield* batches<R>(client, sql, params);
  } finally {
    await ask(client, { text: 'rollback' }, SHORT_MS).catch(() => undefined);
    giveBack(client);
  }
}

async function write(client: pg.ClientBase, limitMs: number, writing: Writing): Promise<number> {
  const statements = statementsOf(writing);
  let changed = 0;
  for (let at = 0; at < statements.length; at += IN_FLIGHT) {
    const sent = statements.slice(at, at + IN_FLIGHT).map((one) => ask(client, one, limitMs));
    for (const { rowCount } of await Promise.all(sent)) changed += rowCount ?? 0;
  }
  return changed;
}

async function ask<R>(client: pg.ClientBase, statement: Statement, limitMs: number): Promise<Answer<R>> {
  const query = { ...statement, query_timeout: limitMs + SILENCE_MS };
  try {
    return (await client.query<pg.QueryResultRow>(query)) as Answer<unknown> as Answer<R>;
  } catch (error) {
    throw storeError(error);
  }
}

/** What went wrong as a code, which is also the cause: the server's own words may hold values or the statement. */
function storeError(error: unknown, host?: string): unknown {
  if (error instanceof ShingleError) return error;
  const { code, constraint, message } = error as Partial<pg.DatabaseError>;
  const isServers = error instanceof pg.DatabaseError;
  const what = isServers ? `${SAID[code ?? ''] ?? constraint ?? 'it says'} (${code})` : (code ?? message);
  const where = host === undefined ? '' : ` at ${host}`;
  return new ShingleError('store', `the database${where} cannot do it now: ${what}`, { cause: code });
}

/** Moves a store to an empty PostgreSQL database, all or nothing, and compares the copy before the commit. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '../../shared/day.ts';
import { refusedError, type ShingleError, storeError } from '../../shared/errors.ts';
import { probe } from '../../shared/probe.ts';
import { databaseIn, describeMove, prepareMoveMarker } from '../database/data-folder.ts';
import type { Engine, Reader, Transaction, Value } from '../database/engines/engine.ts';
import { openPostgres } from '../database/engines/postgres.ts';
import { describeServer } from '../database/engines/postgres-address.ts';
import { openSqlite } from '../database/engines/sqlite.ts';
import { migrate, migrateTransaction } from '../database/migrations.ts';
import { cancelRestoredMessages, replayUnsubscribes } from '../subscribers/restore.ts';
import { openUnsubscribeLog, UNSUBSCRIBE_LOG } from '../subscribers/unsubscribe-log.ts';
import { upgradeTables } from './backups.ts';
import { type NamedCity, readStoredCity, requireSameCity } from './stored-city.ts';

const WAIT_MS = 10_000; // an ingest or a delivery has this long to end
const SCRUB_MS = 1_000;
/** Tables that stay behind, because the new database has its own migrations and instances. */
const STAYING = ['migration', 'instance'];
const ONE_ROW = ['catalogue', 'outbox'];

export type MoveOrder = {
  folder: string;
  url: string;
  /** Whose data it must be. */
  city: NamedCity;
  now: Instant;
  waitMs?: number;
  progress(at: { doing: 'copied' | 'compared'; table: string; rows: number }): void;
};

/** The number of rows by table. */
type Rows = Record<string, number>;

type StoredTable = { name: string; columns: string[]; key: string[] };

/**
 * Moves the store. Returns its new address, without user and password, and the rows of each table. Commands then refuse the folder. Throws `refused`, or `store` if a lock or the host is unavailable.
 */
export async function moveStore(order: MoveOrder) {
  const { waitMs = WAIT_MS } = order;
  const to = describeServer(order.url);
  const path = databaseIn(order.folder);
  if (!existsSync(path)) throw refusedError(`nothing to move: ${path} does not exist (see SHINGLE_DATA)`);
  await using opened = new AsyncDisposableStack();
  const source = opened.adopt(openSqlite(order.folder), ({ close }) => close());
  await upgradeTables(source, order.folder);
  await migrate(source);
  requireSameCity(await readStoredCity(source), order.city, {
    dataFolder: order.folder,
    databaseUrl: undefined,
  });
  const target = opened.adopt(await openPostgres(order.url), ({ close }) => close());
  let tables: Rows = {};
  const copy = async () => {
    tables = await copyAll(source, target, { ...order, to });
  };
  // the locks stop ingests, deliveries, and processes that would open the incomplete database
  const alone = () => target.exclusively('tables', WAIT_MS, copy);
  const withoutMail = () => source.exclusively('mail', waitMs, alone);
  await source.exclusively('ingest', waitMs, withoutMail).catch((error: unknown) => {
    // the marker exists, so the move is complete despite this error
    if (describeMove(order.folder) === undefined) throw error;
  });
  await source.scrub(SCRUB_MS); // removes data of erased people that SQLite still has
  return { to, tables };
}

/** Applies the unsubscribe log, then copies, in one transaction on each side. Other writes wait, then are refused. */
function copyAll(source: Engine, target: Engine, order: MoveOrder & { to: string }): Promise<Rows> {
  return source.transaction(async (from) => {
    const inside = { ...from, transaction: <T>(work: (same: Transaction) => Promise<T>) => work(from) };
    await replayUnsubscribes(inside, openUnsubscribeLog(join(order.folder, UNSUBSCRIBE_LOG)));
    await cancelRestoredMessages(inside, order.now);
    using marker = prepareMoveMarker(order.folder, order.to, order.now);
    const tables = await readTables(from);
    const copied = await target.transaction(async (to) => {
      await prepareTarget(to, tables, order.to);
      const rows: Rows = {};
      for (const table of tables) rows[table.name] = await copyTable(from, to, table, order.progress);
      probe('move:before-commit');
      return rows;
    });
    probe('move:committed');
    marker.set();
    return copied;
  });
}

/** Lists the tables in the order of the migrations: each table comes after the tables that it refers to. */
export async function readTables({ read }: Reader): Promise<StoredTable[]> {
  const columns = await read<{ table: string; column: string; place: number }>(
    `select t.name as "table", c.name as "column", c.pk as place from sqlite_schema as t, pragma_table_info(t.name) as c
     where t.type = 'table' order by t.rowid, c.cid`,
  );
  const moving = columns.filter(({ table }) => !STAYING.includes(table));
  return Array.from(
    Map.groupBy(moving, ({ table }) => table),
    ([name, all]) => {
      const key = all.filter(({ place }) => place > 0).toSorted((a, b) => a.place - b.place);
      const names = (some: typeof all) => some.map(({ column }) => column);
      return { name, columns: names(all), key: names(key) };
    },
  );
}

/** Creates the tables, and empties those with initial rows. Throws `refused` if the database is not empty. */
async function prepareTarget(tx: Transaction, tables: readonly StoredTable[], to: string): Promise<void> {
  const found = await tx.read<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name`,
  );
  const names = found.map(({ name }) => name);
  const ours = [...tables.map(({ name }) => name), ...STAYING];
  const foreign = names.includes('migration') ? names.filter((name) => !ours.includes(name)) : names;
  if (foreign.length > 0) throw notEmpty(to, `it contains tables of another program (${foreign.join(', ')})`);
  await migrateTransaction(tx);
  const isFilledByStep = (name: string) => names.length === 0 || ONE_ROW.includes(name);
  for (const { name } of tables) {
    if (isFilledByStep(name)) continue;
    const [row] = await tx.read<{ n: number }>(`select count(*) as n from ${name}`);
    if (row!.n > 0) throw notEmpty(to, `its table "${name}" has ${row!.n} rows`);
  }
  for (const { name } of tables.toReversed())
    if (isFilledByStep(name)) await tx.write(`delete from ${name}`, [[]]);
}

function notEmpty(to: string, what: string): ShingleError {
  return refusedError(
    `the database at ${to} is not empty: ${what}. Nothing was changed. The target must be an empty database`,
  );
}

/** Copies a table, then reads and compares the copy. Returns the number of rows. */
async function copyTable(
  from: Reader,
  to: Transaction,
  table: StoredTable,
  progress: MoveOrder['progress'],
): Promise<number> {
  const { name, columns } = table;
  const put = `insert into ${name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
  const here = await sumOf(from, table, async (batch, rows) => {
    if (batch.some((row) => row.some((value) => typeof value === 'string' && value.includes('\0'))))
      throw refusedError(
        `the table "${name}" contains text with a NUL character, which PostgreSQL cannot store. Nothing was moved`,
      );
    await to.write(put, batch);
    probe('move:batch');
    progress({ doing: 'copied', table: name, rows });
  });
  const there = await sumOf(to, table, async (_batch, rows) =>
    progress({ doing: 'compared', table: name, rows }),
  );
  if (there.rows === here.rows && there.digest === here.digest) return here.rows;
  throw storeError(
    `the copy of the table "${name}" differs (${here.rows} rows here, ${there.rows} there). Nothing was moved`,
  );
}

/** Counts and hashes the rows of a table. Orders null values explicitly, because engines differ. */
async function sumOf(
  reader: Reader,
  { name, columns, key }: StoredTable,
  each: (batch: Value[][], rows: number) => Promise<void>,
) {
  const order = key.length > 0 ? key : columns.flatMap((column) => [`${column} is null`, column]);
  const sql = `select ${columns.join(', ')} from ${name} order by ${order.join(', ')}`;
  const hash = createHash('sha256');
  let rows = 0;
  for await (const batch of reader.stream<Value[]>(sql)) {
    for (const row of batch) hash.update(`${JSON.stringify(row)}\n`);
    rows += batch.length;
    await each(batch, rows);
  }
  return { rows, digest: hash.digest('hex') };
}

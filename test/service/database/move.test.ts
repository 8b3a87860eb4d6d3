/** A store moves completely or not at all, including tables and columns of later migrations, and the old copy is no longer served. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { moveStore, readTables } from '../../../src/service/data/move.ts';
import type { Repositories, Store } from '../../../src/service/data/store.ts';
import type { Engine } from '../../../src/service/database/engines/engine.ts';
import { openPostgres } from '../../../src/service/database/engines/postgres.ts';
import { openSqlite } from '../../../src/service/database/engines/sqlite.ts';
import { migrate } from '../../../src/service/database/migrations.ts';
import { installProbe } from '../../../src/shared/probe.ts';
import { aFiling } from '../../a-filing.ts';
import { aFolder } from '../../a-folder.ts';
import { openPostgresStore, openStore } from '../../a-store.ts';
import { aServer, asked } from './a-postgres.ts';
import { kept, keysIn, listingsIn, staged } from './store-cases.ts';

const NOW = '2026-11-21T03:00:00.000Z';
const primary = await aServer();

type Column = { table: string; name: string; keyed: number };
type Reference = { from: string; to: string };

const IN_SQLITE = {
  columns: `select m.name as "table", c.name as name, c.pk as keyed from sqlite_master as m, pragma_table_info(m.name) as c
    where m.type = 'table'`,
  references: `select m.name as "from", f."table" as "to" from sqlite_master as m, pragma_foreign_key_list(m.name) as f
    where m.type = 'table'`,
};
const IN_POSTGRES = {
  columns: `select c.table_name as "table", c.column_name as name, coalesce(k.ordinal_position, 0) as keyed
    from information_schema.columns as c
    left join information_schema.table_constraints as t on t.table_name = c.table_name and t.constraint_type = 'PRIMARY KEY'
    left join information_schema.key_column_usage as k on k.constraint_name = t.constraint_name and k.column_name = c.column_name
    where c.table_schema = current_schema()`,
  references: `select t.table_name as "from", u.table_name as "to" from information_schema.table_constraints as t
    join information_schema.constraint_column_usage as u on u.constraint_name = t.constraint_name
    where t.constraint_type = 'FOREIGN KEY' and t.table_schema = current_schema()`,
};

/** What the tables of a database really are, in the shape of our list. */
async function schemaOf(engine: Engine, asking: typeof IN_SQLITE) {
  const tables = new Map<string, { columns: string[]; key: string[] }>();
  for (const { table, name, keyed } of await engine.read<Column>(asking.columns)) {
    const known = tables.get(table) ?? { columns: [], key: [] };
    tables.set(table, known);
    known.columns.push(name);
    if (keyed > 0) known.key[keyed - 1] = name;
  }
  return { tables, references: await engine.read<Reference>(asking.references) };
}

for (const [engineName, open, asking] of [
  ['SQLite', async () => openSqlite(aFolder()), IN_SQLITE],
  ['PostgreSQL', async () => openPostgres(await primary.fresh()), IN_POSTGRES],
] as const) {
  test(`a move from ${engineName} copies every column of every table`, async () => {
    const engine = await open();
    await migrate(engine);
    const { tables, references } = await schemaOf(engine, asking);
    await engine.close();
    const moved = await tablesToMove();
    const listed = moved.map(({ name, columns, key }) => [name, [...columns].sort(), [...key]]);
    const real = [...tables].map(([name, { columns, key }]) => [name, columns.sort(), key]);
    const moving = real.filter(([name]) => !['migration', 'instance'].includes(name as string));
    assert.deepEqual(listed.sort(byName), moving.sort(byName));
    assert.ok(references.length > 5);
    const at = (table: string): number => moved.findIndex(({ name }) => name === table);
    for (const { from, to } of references)
      assert.ok(at(to) < at(from), `"${from}" refers to "${to}", which must come before it`);
  });
}

async function tablesToMove() {
  const engine = openSqlite(aFolder());
  await migrate(engine);
  return readTables(engine).finally(() => engine.close());
}

const byName = ([a]: unknown[], [b]: unknown[]): number => (String(a) < String(b) ? -1 : 1);

async function aStore(fill: (store: Store) => Promise<void>): Promise<string> {
  const folder = aFolder();
  const store = await openStore(folder);
  await fill(store);
  await store.close();
  return folder;
}

const ann = { address: 'ann@b.example', identity: 'ann@b.example', mailbox: 'ann@b.example' };
const signedUp = { ...ann, type: 'weekly', consent: { version: 'v', words: 'w' }, at: NOW } as const;

const city = { city: { name: 'Rivermouth', region: 'Oregon' }, path: 'city.yaml' };
const silently = { now: NOW, city, progress: () => undefined };
const move = (folder: string, url: string) => moveStore({ ...silently, folder, url });

async function moved<T>(folder: string, look: (store: Repositories) => Promise<T>): Promise<T> {
  const url = await primary.fresh();
  await move(folder, url);
  return lookAt(url, look);
}

async function lookAt<T>(url: string, look: (store: Repositories) => Promise<T>): Promise<T> {
  const store = await openPostgresStore(url);
  try {
    return await look(store);
  } finally {
    await store.close();
  }
}

test('a held run can be accepted after a move, and the next run gets the next number', async () => {
  const folder = await aStore(async (store) => {
    await kept(store, [aFiling({ key: 'A' })]);
    const order = await staged(store, [
      aFiling({ key: 'B' }),
      aFiling({ key: 'B', expiresOn: '2027-01-01' }),
    ]);
    await store.filings.end(order.run, 'held', {
      counts: order.counts,
      endedAt: NOW,
      detail: 'too few rows',
    });
  });
  await moved(folder, async (store) => {
    const [held] = await store.filings.runs({ limit: 1 });
    const counts = { read: 2, openings: 2, updates: 0, skipped: {}, rejected: [] };
    const run = await store.filings.keep({ run: 2, counts, endedAt: NOW });
    assert.deepEqual([held?.state, run.state, run.added, run.folded], ['held', 'kept', 1, 1]);
    assert.equal(await keysIn(store), 'A B');
    assert.equal((await kept(store, [aFiling({ key: 'C' })])).run, 3);
  });
});

test('a move reports each table once it has copied and compared it', async () => {
  const folder = await aStore(async (store) => void (await kept(store, [aFiling({ key: 'A' })])));
  const told = new Set<string>();
  const progress: Parameters<typeof moveStore>[0]['progress'] = ({ doing, table, rows }) =>
    void told.add(`${doing} ${rows} of ${table}`);
  await moveStore({ ...silently, folder, url: await primary.fresh(), progress });
  for (const doing of ['copied', 'compared']) assert.ok(told.has(`${doing} 1 of listing`), [...told].join());
});

test('a move does not change unusual characters', async () => {
  const names = ['Zoë’s 東京 🍕', '\ud800', '\u0001\t\n\r\\', '', "it's ?1 $1", '\uffee', 'é', 'e\u0301'];
  const filings = names.map((name, i) => aFiling({ key: `${name}${i}`, name, neighborhood: name }));
  const folder = await aStore(async (store) => void (await kept(store, filings)));
  const engine = openSqlite(folder);
  const here = await engine.read('select * from listing order by source, key');
  await engine.close();
  const url = await primary.fresh();
  await move(folder, url);
  const there = await openPostgres(url);
  assert.deepEqual(await there.read('select * from listing order by source, key'), here);
  await there.close();
});

test('a move leaves out a person whose unsubscribe is only in departures.log', async () => {
  let subscriber = '';
  const folder = await aStore(async (store) => {
    await store.subscribers.addConfirmed(signedUp);
    await store.subscribers.addConfirmed({
      ...signedUp,
      identity: 'bob@b.example',
      mailbox: 'bob@b.example',
      address: 'bob@b.example',
    });
    subscriber = (await store.subscribers.find('bob@b.example'))!.subscriber;
  });
  writeFileSync(join(folder, 'departures.log'), `${NOW} erased ${subscriber}\n`);
  const there = await moved(folder, (store) => store.subscribers.all());
  assert.deepEqual(
    there.map(({ address }) => address),
    ['ann@b.example'],
  );
});

test('a service that still runs on the old folder writes nothing more and reports that it is unhealthy', async () => {
  const folder = await aStore(async (store) => void (await kept(store, [aFiling()])));
  const running = await openStore(folder);
  const url = await primary.fresh();
  let asking: Promise<unknown> | undefined;
  installProbe((name) => {
    if (name === 'move:before-commit')
      asking = running.subscribers.addConfirmed(signedUp).catch((error: unknown) => error);
  });
  await move(folder, url).finally(() => installProbe(undefined));
  assert.deepEqual(
    [(await asking) instanceof Error, ((await asking) as { code: string }).code],
    [true, 'store'],
    'who asked during the move is told that it did not work',
  );
  assert.match(String(await asking), /moved to PostgreSQL at 127\.0\.0\.1:\d+\/case_\w+ on 2026-11-21T03/);
  assert.match(running.findLoss()!, /moved to PostgreSQL/);
  assert.equal(await keysIn(running), 'K1', 'and what it has it still serves');
  await running.close();
});

const UNFIT: [what: string, setting: string, wanted: RegExp][] = [
  ['other tables', 'create table pets (name text)', /not empty: .*another program \(pets\)/],
  [
    'a table of the same name',
    'create table message (name text)',
    /not empty: .*another program \(message\)/,
  ],
];
for (const [what, setting, wanted] of UNFIT) {
  test(`a move refuses a database with ${what}, and changes nothing in it`, async () => {
    const folder = await aStore(async (store) => void (await kept(store, [aFiling()])));
    const url = await primary.fresh();
    await asked(url, setting);
    await assert.rejects(move(folder, url), wanted);
    const tables = await asked(url, "select 1 from information_schema.tables where table_schema = 'public'");
    assert.equal(tables.length, 1);
    await stillServes(folder);
  });
}

async function stillServes(folder: string): Promise<void> {
  assert.deepEqual(existsSync(join(folder, 'moved.txt')), false);
  const store = await openStore(folder);
  assert.equal((await listingsIn(store)).length, 1);
  await store.close();
}

test('a database counts as empty if it has only the tables that waiting instances make', async () => {
  const folder = await aStore(async (store) => void (await kept(store, [aFiling()])));
  const url = await primary.fresh();
  const waiting = await openPostgresStore(url);
  const before = await waiting.listings.version();
  await move(folder, url);
  assert.notEqual(await waiting.listings.version(), before, 'they notice');
  assert.equal(await keysIn(waiting), 'K1');
  await waiting.close();
});

test('a move does not copy the list of instances', async () => {
  const folder = await aStore(async (store) => {
    await store.alerts.pulse({ instance: 'old', command: 'start', startedAt: NOW }, NOW);
  });
  const url = await primary.fresh();
  await lookAt(url, (store) =>
    store.alerts.pulse({ instance: 'new', command: 'start', startedAt: NOW }, NOW),
  );
  const { tables } = await move(folder, url);
  assert.equal(tables.instance, undefined);
  assert.deepEqual(await asked(url, 'select instance from instance'), [{ instance: 'new' }]);
});

const SPOILT: [what: string, body: string, wanted: RegExp][] = [
  ['a copy that differs', "new.name := 'X'", /of the table "listing" differs \(1 rows here, 1 there\)/],
  ['a copy that lacks a row', 'return null', /of the table "listing" differs \(1 rows here, 0 there\)/],
  [
    'a connection that is lost',
    'perform pg_terminate_backend(pg_backend_pid())',
    /is temporarily unavailable/,
  ],
];

/** A database that does this whenever a listing comes. */
async function spoiled(body: string): Promise<string> {
  const url = await primary.fresh();
  await lookAt(url, async () => undefined);
  const text = `begin ${body}; return new; end`;
  await asked(url, `create function spoil() returns trigger language plpgsql as $$ ${text} $$`);
  await asked(url, 'create trigger spoil before insert on listing for each row execute function spoil()');
  return url;
}

for (const [what, body, wanted] of SPOILT) {
  test(`${what} leaves nothing in the new database, and everything in the old one`, async () => {
    const folder = await aStore(async (store) => void (await kept(store, [aFiling()])));
    const url = await spoiled(body);
    await assert.rejects(move(folder, url), { code: 'store', message: wanted });
    assert.deepEqual(await asked(url, 'select run from run union all select run from listing'), []);
    await stillServes(folder);
  });
}

test('a move that was committed and marked is complete, even if the lock was lost', async () => {
  const folder = await aStore(async (store) => void (await kept(store, [aFiling()])));
  const url = await spoiled(
    `perform pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
       and database = (select oid from pg_database where datname = current_database())`,
  );
  const { tables } = await move(folder, url);
  assert.deepEqual([tables.listing, tables.run], [1, 1]);
  await assert.rejects(openStore(folder), { code: 'refused' });
  assert.equal(await lookAt(url, keysIn), 'K1');
});

test('the error about text that PostgreSQL cannot store names the text', async () => {
  const folder = await aStore(async (store) => void (await kept(store, [aFiling({ name: 'A\0B' })])));
  await assert.rejects(move(folder, await primary.fresh()), { code: 'refused', message: /"listing".*NUL/ });
  await stillServes(folder);
});

test('move refuses a folder without a database, and creates none', async () => {
  const folder = aFolder();
  await assert.rejects(move(folder, await primary.fresh()), { code: 'refused', message: /nothing to move/ });
  assert.deepEqual(readdirSync(folder), []);
});

test('a move does not begin while an import or a delivery runs', async () => {
  for (const busy of ['ingest', 'mail']) {
    const folder = await aStore(async (store) => void (await kept(store, [aFiling()])));
    const store = await openStore(folder);
    await store.alone(busy, 0, async () => {
      await assert.rejects(moveStore({ ...silently, folder, url: await primary.fresh(), waitMs: 100 }), {
        code: 'store',
        message: /another process has locked/,
      });
    });
    await store.close();
    await stillServes(folder);
  }
});

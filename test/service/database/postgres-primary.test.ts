/** Which server the PostgreSQL engine accepts: the current primary, if it keeps committed data. And what it says of errors. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { Engine } from '../../../src/service/database/engines/engine.ts';
import { openPostgres } from '../../../src/service/database/engines/postgres.ts';
import { findLoginProblem, toPostgresError } from '../../../src/service/database/engines/postgres-errors.ts';
import { openPostgresStore } from '../../a-store.ts';
import { until } from '../../until.ts';
import { aCluster, asked, type Server } from './a-postgres.ts';

const { primary, standby, end: stop } = await aCluster();
before(() => standby.start());
after(stop);

const hosts = (ports: readonly number[], url: string): string =>
  url.replace(/@[^/]*/, `@${ports.map((port) => `127.0.0.1:${port}`).join(',')}`);
const TABLE = 'create table note (name text primary key)';
const NOTE = 'insert into note (name) values (?)';

const untilItIs = (isSo: () => Promise<boolean>): Promise<true> =>
  until(async () => (await isSo()) || undefined, 'the server to be as it should');

/** Every session of this server asks for transactions that only read, or no more so: what a failover manager does first. */
async function demote({ url }: Server, isDemoted: boolean): Promise<void> {
  const at = url('postgres');
  const change = isDemoted ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only';
  await asked(at, `alter system ${change}`);
  await asked(at, 'select pg_reload_conf()');
  const show = 'show default_transaction_read_only';
  await untilItIs(
    async () => ((await asked(at, show))[0]!.default_transaction_read_only === 'on') === isDemoted,
  );
}

const isStored = { code: 'store' };
const noting = (engine: Engine, name: string): Promise<number> =>
  engine.transaction((tx) => tx.write(NOTE, [[name]]));
/** Tries until it is noted; how often. */
async function notedAgain(engine: Engine, name: string): Promise<number> {
  let tries = 0;
  await untilItIs(() =>
    noting(engine, name).then(
      () => ++tries > 0,
      () => ++tries < 0,
    ),
  );
  return tries;
}

async function refusedAt(url: string, message: RegExp, code = 'refused'): Promise<void> {
  await assert.rejects(openPostgres(url), (error: Error & { code: string }) => {
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /secret/);
    return error.code === code;
  });
}

for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
  test(`Shingle refuses a PostgreSQL server with ${setting} turned off`, async () => {
    const url = await primary.fresh();
    const isNow = async (value: string) => (await asked(url, `show ${setting}`))[0]?.[setting] === value;
    const reload = () => asked(url, 'select pg_reload_conf()');
    await asked(url, `alter system set ${setting} = off`).then(reload);
    await untilItIs(() => isNow('off'));
    await refusedAt(url, new RegExp(`can lose committed data: ${setting} is off`));
    await asked(url, `alter system reset ${setting}`).then(reload);
    await untilItIs(() => isNow('on'));
    await (await openPostgres(url)).close();
    await primary.drop(url);
  });
}

test('a server that cannot be written to is refused, and the error does not contain the password', async () => {
  const url = await primary.fresh();
  await refusedAt(standby.url('postgres'), /is read-only: none of 127.0.0.1:\d+ is the primary/);
  await refusedAt('mysql://shingle:secret@127.0.0.1/db', /DATABASE_URL must be postgres:/);
  await refusedAt('postgres://shingle:secret@', /DATABASE_URL must be postgres:/);
  await refusedAt(
    primary.url('nowhere'),
    /no database "nowhere" at 127\S+ To make it, .*: createdb --owner="shingle" .* "nowhere"/,
  );
  await refusedAt(hosts([1], url), /ECONNREFUSED/, 'store');
  await asked(
    url,
    "create database ascii encoding 'SQL_ASCII' locale 'C' locale_provider libc template template0",
  );
  await refusedAt(primary.url('ascii'), /encoding is not UTF8/);
  await primary.drop(primary.url('ascii'));
  await primary.drop(url);
});

test('the error about a failed login or missing rights names the command that helps', async () => {
  const url = await primary.fresh();
  await (await openPostgresStore(url)).close();
  const as = (user: string, at = url) => at.replace('shingle:secret', user);
  const refused = (address: string, message: RegExp) =>
    assert.rejects(openPostgresStore(address), { code: 'refused', message });
  await refused(
    as('nobody'),
    /does not let "nobody" in: the role does not exist, .*: createuser --pwprompt "nobody" \(28000\)$/,
  );
  await asked(url, 'create role plain login');
  await refused(
    as('plain'),
    /"plain" may not make tables in the database ".*", or .* alter schema public owner to "plain"; .*reassign owned/,
  );
  await refused(as('plain', await primary.fresh()), /may not make tables in the database/);
  await asked(url, `revoke connect on database ${new URL(url).pathname.slice(1)} from public`);
  await refused(as('plain'), /"plain" may not connect to the database ".*\. As its owner: grant connect/);
});

test('the primary is found at any place in a list of hosts', async () => {
  const url = await primary.fresh();
  for (const ports of [
    [1, standby.port, primary.port],
    [primary.port, standby.port],
  ]) {
    const engine = await openPostgres(hosts(ports, url));
    await engine.transaction((tx) => tx.write(`${TABLE.replace('table', 'table if not exists')}`, [[]]));
    assert.equal(
      await engine.exclusively('work', 0, () => engine.transaction((tx) => tx.write(NOTE, [[`${ports}`]]))),
      1,
    );
    await engine.close();
  }
  await primary.drop(url);
});

test('a demoted server gets no write and no new connection until it is promoted again', async () => {
  const url = await primary.fresh();
  const [one, other, third] = [await openPostgres(url), await openPostgres(url), await openPostgres(url)];
  try {
    await one.transaction((tx) => tx.write(TABLE, [[]]));
    await noting(other, 'before');
    await one.transaction(async (tx) => {
      await demote(primary, true);
      // its connection is in use: this needs another one
      await assert.rejects(one.read('select name from note'), isStored);
      await tx.write(NOTE, [['begun before']]);
    });
    await assert.rejects(
      third.exclusively('work', 0, async () => 'worked'),
      isStored,
    );
    await assert.rejects(noting(other, 'over a connection from before'), /it is read-only \(25006\)/);
    for (const engine of [one, other])
      for (let i = 0; i < 3; i++) await assert.rejects(noting(engine, `lost ${i}`), isStored);
    await demote(primary, false);
    await Promise.all([notedAgain(one, 'one'), notedAgain(other, 'other')]);
    assert.deepEqual(
      (await asked<{ name: string }>(url, 'select name from note')).map(({ name }) => name).toSorted(),
      ['before', 'begun before', 'one', 'other'],
    );
  } finally {
    await demote(primary, false);
    await Promise.all([one, other, third].map((engine) => engine.close()));
    await primary.drop(url);
  }
});

test('Shingle warns about a primary that does not wait for a standby', async () => {
  const url = await primary.fresh();
  const doubts = async (): Promise<string> => {
    const store = await openPostgresStore(url);
    return store.close().then(() => store.startupWarnings.join());
  };
  const set = async (name: string, change: string, value: string) => {
    await asked(url, `alter system ${change}`);
    await asked(url, 'select pg_reload_conf()');
    await untilItIs(async () => (await asked(url, `show ${name}`))[0]![name] === value);
  };
  assert.match(
    await doubts(),
    /^the database does not wait for a standby \(synchronous_standby_names is empty\)/,
  );
  try {
    await set('synchronous_standby_names', "set synchronous_standby_names = '*'", '*');
    assert.equal(await doubts(), '');
    await set('synchronous_commit', 'set synchronous_commit = local', 'local');
    assert.match(await doubts(), /synchronous_commit is local/);
  } finally {
    await set('synchronous_standby_names', 'reset synchronous_standby_names', '');
    await set('synchronous_commit', 'reset synchronous_commit', 'on');
    await primary.drop(url);
  }
});

/** A way to a server that can fall silent: nothing is refused, nothing is answered. */
async function aWayTo(port: number) {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const keep = (socket: Socket): Socket => sockets.add(socket) && socket.on('error', () => socket.destroy());
  const server = createServer((near) => {
    keep(near);
    if (isSilent) return;
    const far = keep(dial(port, '127.0.0.1'));
    near.on('data', (bytes) => isSilent || far.write(bytes));
    far.on('data', (bytes) => isSilent || near.write(bytes));
    far.on('close', () => isSilent || near.destroy());
    near.on('close', () => far.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    silence() {
      isSilent = true;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('when the primary refuses connections or is silent, the promoted standby takes over', async (t) => {
  const url = await primary.fresh();
  const way = await aWayTo(primary.port);
  const gone = await openPostgres(hosts([primary.port, standby.port], url));
  const silent = await openPostgres(hosts([way.port, standby.port], url));
  try {
    await gone.transaction((tx) => tx.write(TABLE, [[]]));
    await silent.transaction((tx) => tx.write(NOTE, [['before']]));
    const isThere = `select 1 from pg_stat_replication where replay_lsn = pg_current_wal_lsn()`;
    await untilItIs(async () => (await asked(url, isThere)).length > 0);
    way.silence();
    await primary.crash();
    const { mock } = t.mock.method(globalThis, 'setTimeout');
    for (const engine of [gone, silent]) await assert.rejects(noting(engine, 'lost'), isStored);
    const waits = mock.calls.map((call) => Number(call.arguments[1]));
    mock.restore();
    t.diagnostic(`what is waited for a dead server, in ms: ${waits.join(', ')}`);
    assert.ok(waits.length <= 12 && waits.includes(5_000) && Math.max(...waits) === 5_000);
    await asked(standby.url('postgres'), 'select pg_promote()');
    const tries = await Promise.all([notedAgain(gone, 'gone'), notedAgain(silent, 'silent')]);
    assert.ok(Math.max(...tries) <= 3, `both write again, at the first try or soon after: ${tries}`);
    assert.deepEqual(await gone.read('select name from note order by name'), [
      { name: 'before' },
      { name: 'gone' },
      { name: 'silent' },
    ]);
    await primary.start(); // and now the promoted one is demoted in its turn, its connections left open
    await demote(standby, true);
    await notedAgain(gone, 'back');
    assert.equal((await asked(url, "select 1 from note where name = 'back'")).length, 1);
  } finally {
    way.close();
    await Promise.all([gone.close(), silent.close()]);
  }
});

const severity = 'ERROR';
const RESTORE =
  'Restore a dump of all tables (docs/instances.md, "Backups"), or name an empty database in DATABASE_URL';

const ERRORS: Record<string, string> = {
  53300:
    'the database at db.example is temporarily unavailable: it has too many connections: allow 16 for each instance',
  42501: 'the user of DATABASE_URL may not use "run" in the database. Make that user the owner of the tables',
  42703: `the tables of the database are not those of this version: the column "run" is missing. ${RESTORE}`,
  '42P01': `the database does not have the table "run". ${RESTORE}`,
  '42P07': `the database has a table "run", but not the table "migration" of Shingle. ${RESTORE}`,
};

test('an error of the database names the table or column, the host, the user and the database', () => {
  for (const [code, said] of Object.entries(ERRORS)) {
    const error = { code, message: 'relation "run" does not exist', severity };
    assert.equal(toPostgresError(error, 'db.example').message, `${said} (${code})`);
  }
  const error = { code: '28P01', message: 'user "a b": s3cret', severity };
  assert.equal(
    findLoginProblem(error, 'postgres://a%20b:s3cret@db.example:5433/town')?.message,
    'the database at db.example:5433 refuses the password of "a b". Correct DATABASE_URL, where characters such as / and @ are percent-encoded (28P01)',
  );
});

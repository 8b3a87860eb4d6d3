/** What the PostgreSQL engine promises beyond the conformance suite: order, timeouts, locks, and errors without private data. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { inspect } from 'node:util';
import pg from 'pg';
import type { Engine } from '../../../src/service/database/engines/engine.ts';
import { openPostgres } from '../../../src/service/database/engines/postgres.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { until } from '../../until.ts';
import { aServer, asked } from './a-postgres.ts';

const primary = await aServer();

type Opened = { engine: Engine; url: string; again: () => Promise<Engine> };

/** A test with an engine on a database of its own; whatever it opens once more is closed for it. */
function engineTest(sentence: string, work: (opened: Opened) => Promise<void>): void {
  test(sentence, async () => {
    const url = await primary.fresh();
    const open: Engine[] = [];
    const again = async () => open[open.push(await openPostgres(url)) - 1]!;
    try {
      const engine = await again();
      await engine.transaction((tx) =>
        tx.write('create table note (name text primary key, n integer)', [[]]),
      );
      await work({ engine, url, again });
    } finally {
      await Promise.all(open.map((engine) => engine.close()));
      await primary.drop(url);
    }
  });
}

const add = (engine: Engine, rows: (string | number | null)[][]): Promise<number> =>
  engine.transaction((tx) => tx.write('insert into note (name, n) values (?, ?)', rows));
const names = async (engine: Engine): Promise<string[]> =>
  (await engine.read<{ name: string }>('select name from note order by name')).map(({ name }) => name);
const endSessions = (url: string, which = "application_name = 'shingle'") =>
  asked(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and ${which}`,
  );

/** Resolves when some session of the database is waiting for a lock. */
async function someoneWaits(url: string): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
  await until(async () => (await asked(url, waiting))[0], 'a session that waits');
}

engineTest(
  'text is sorted by code units, even if the collation of the database differs',
  async ({ engine }) => {
    const all = ['b', 'A', 'a', 'É', 'B', '\uffee', '𝒵', ' x'];
    await add(
      engine,
      all.map((name) => [name, null]),
    );
    const byPeople = await engine.read<{ is: number }>(`select 'a' < 'B' as is`);
    assert.deepEqual(byPeople, [{ is: 1 }], 'the database to try must sort as people do');
    assert.deepEqual(await names(engine), [' x', 'A', 'B', 'a', 'b', 'É', '\uffee', '𝒵']);
    assert.deepEqual(await engine.read('select max(name) as last from note where name < ?', ['a']), [
      { last: 'B' },
    ]);
  },
);

engineTest('numbers come back as numbers, and quoted text is not changed', async ({ engine }) => {
  await add(engine, [
    ['why?', 3],
    ["it's", 4],
  ]);
  const sql = `select count(*) as n, sum(n) as sum, max(n) as most, '?''?' as what from note where name in ('why?', ?) and n < ?`;
  assert.deepEqual(await engine.read(sql, ["it's", 9]), [{ n: 2, sum: 7, most: 4, what: "?'?" }]);
});

engineTest(
  'many rows are written in few statements, each as if it were written alone',
  async ({ engine }) => {
    const rows = Array.from({ length: 5_001 }, (_, i) => [`${i % 2_500}`, i]);
    const upsert = `insert into note (name, n) values (?, ?) on conflict (name) do update set n = excluded.n + note.n`;
    assert.equal(await engine.transaction((tx) => tx.write(upsert, rows)), 5_001);
    assert.deepEqual(await engine.read('select n from note where name = ?', ['0']), [{ n: 7_500 }]);
    assert.deepEqual(await engine.read('select n from note where name = ?', ['7']), [{ n: 2_514 }]);
    const update = 'update note set n = ? where name = ?';
    assert.equal(
      await engine.transaction((tx) =>
        tx.write(
          update,
          rows.map(([name, n]) => [n!, `${name}!`]),
        ),
      ),
      0,
    );
    assert.equal(
      await engine.transaction((tx) =>
        tx.write(
          update,
          rows.map(([name, n]) => [n!, name!]),
        ),
      ),
      5_001,
    );
    assert.deepEqual(await engine.read('select n from note where name = ?', ['7']), [{ n: 2_507 }]);
  },
);

engineTest('a stream reads one snapshot, in arrays, and can be left at any time', async ({ engine }) => {
  await add(
    engine,
    Array.from({ length: 4_500 }, (_, i) => [`${i}`, i]),
  );
  for (let i = 0; i < 25; i++)
    for await (const batch of engine.stream('select n from note')) if (batch.length > 0) break;
  const sizes: number[] = [];
  for await (const batch of engine.stream<[string, number]>(
    'select name, n from note where n >= ? order by n',
    [0],
  )) {
    if (sizes.length === 0) {
      assert.deepEqual(batch[1], ['1', 1]);
      await engine.transaction((tx) => tx.write('delete from note', [[]]));
    }
    sizes.push(batch.length);
  }
  assert.deepEqual([sizes, await names(engine)], [[2_000, 2_000, 500], []]);
});

engineTest('two writers queue, and see no unfinished work of each other', async ({ engine, url, again }) => {
  const other = await again();
  await add(engine, [['sum', 0]]);
  const addOne = (one: Engine) =>
    one.transaction(async (tx) => {
      const [row] = await tx.read<{ n: number }>('select n from note');
      await tx.write('update note set n = ?', [[row!.n + 1]]);
    });
  const order: string[] = [];
  let second: Promise<void> | undefined;
  await engine.transaction(async (tx) => {
    second = other.transaction(async () => void order.push('second'));
    await someoneWaits(url);
    await tx.write('update note set n = 1', [[]]);
    order.push('first');
  });
  await second;
  assert.deepEqual(order, ['first', 'second']);
  await Promise.all(Array.from({ length: 50 }, (_, i) => addOne(i % 2 === 0 ? engine : other)));
  assert.deepEqual(await other.read('select n from note'), [{ n: 51 }]);
});

engineTest(
  'a failing transaction leaves nothing, even if the caller hides its failure',
  async ({ engine }) => {
    await assert.rejects(
      engine.transaction(async (tx) => {
        await tx.write('insert into note (name) values (?)', [['lost']]);
        throw new Error('changed its mind');
      }),
      /changed its mind/,
    );
    await assert.rejects(
      engine.transaction(async (tx) => {
        await tx.write('insert into note (name) values (?)', [['lost']]);
        await tx.write('insert into note (name) values (?)', [['lost']]).catch(() => 'never mind');
      }),
      { code: 'store' },
    );
    assert.deepEqual(await names(engine), []);
  },
);

/** Lets a statement of every connection fail before it is sent, as PostgreSQL ends one that takes too long: the connection stays. */
function failing(statement: string): Disposable & { times: number } {
  const { query } = pg.Client.prototype;
  const failing = {
    times: 0,
    [Symbol.dispose]() {
      pg.Client.prototype.query = query;
    },
  };
  pg.Client.prototype.query = function (this: pg.Client, ...asked: [pg.QueryConfig]) {
    if (asked[0].text !== statement) return query.apply(this, asked as never);
    failing.times++;
    return Promise.reject(Object.assign(new Error('canceled'), { code: '57014', severity: 'ERROR' }));
  } as typeof query;
  return failing;
}

engineTest('the pool lends no connection on which a transaction may be open', async ({ engine, url }) => {
  const backend = 'select pg_backend_pid() as pid';
  for (const [statement, sql] of [
    ['rollback', 'insert into nothing (n) values (1)'],
    ['rollback', 'select pg_sleep(100)'], // ended by the limit for a statement
    ['commit', 'insert into note (name, n) values (null, 1) on conflict do nothing'],
  ] as const) {
    const used: number[] = [];
    using failed = failing(statement);
    await assert.rejects(
      engine.transaction(async (tx) => {
        used.push(...(await tx.read<{ pid: number }>(backend)).map(({ pid }) => pid));
        await tx.write("insert into note (name, n) values ('half done', 1)", [[]]);
        await tx.write(sql, [[]]).catch((error) => {
          if (statement === 'rollback') throw error;
        });
      }),
    );
    assert.equal(failed.times, 1, statement);
    // as many at once as the pool has, and more
    const reads = Array.from({ length: 15 }, () =>
      engine.read<{ pid: number }>(`${backend} from pg_sleep(0.05)`),
    );
    const lent = (await Promise.all(reads)).flat();
    if (statement === 'rollback') assert.ok(!lent.some(({ pid }) => used.includes(pid)), sql);
    assert.deepEqual(await names(engine), [], statement);
  }
  await add(engine, [['whole', 1]]);
  assert.deepEqual(await asked(url, 'select name from note'), [{ name: 'whole' }]);
});

engineTest('a commit counts as failed if the wait for the standby was canceled', async ({ engine }) => {
  const { query } = pg.Client.prototype;
  const listening: number[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...asked: [pg.QueryConfig]) {
    if (asked[0].text === 'commit') {
      listening.push(this.listenerCount('notice'));
      this.emit('notice', { severity: 'WARNING' }); // and then success, as PostgreSQL does
    }
    return query.apply(this, asked as never);
  } as typeof query;
  try {
    const unconfirmed = { code: 'store', message: 'the database has not confirmed the transaction' };
    for (let i = 0; i < 15; i++) await assert.rejects(add(engine, [[`canceled ${i}`, 1]]), unconfirmed);
    assert.deepEqual(new Set(listening).size, 1, 'each commit takes its listener away');
  } finally {
    pg.Client.prototype.query = query;
  }
  assert.equal(await add(engine, [['confirmed', 1]]), 1);
});

engineTest('no error contains a value or a statement', async ({ engine }) => {
  const secret = 'ann@b.example';
  await add(engine, [[secret, 1]]);
  const wrong: (() => Promise<unknown>)[] = [
    () => add(engine, [[secret, 1]]),
    () => add(engine, [['x', secret]]),
    () => engine.read(`select '${secret}' frm note`),
    () => engine.read('select cast(name as integer) as n from note'),
    () =>
      engine.transaction((tx) =>
        tx.write('update note set n = ? where name = ?', [
          [secret, 'a'],
          [1, 'b'],
        ]),
      ),
  ];
  for (const attempt of wrong) {
    const error = await attempt().then(
      () => assert.fail('it was done'),
      (reason: unknown) => reason,
    );
    assert.match(
      inspect(error, { depth: 9, showHidden: true }),
      /ShingleError.*the database is temporarily unavailable/,
    );
    assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /ann@|select|insert|update/);
  }
});

engineTest(
  'a statement that a visitor waits for ends after two seconds, one under a lock may take longer',
  async ({ engine }) => {
    const slow = (seconds: number) => `select 1 as n from pg_sleep(${seconds})`;
    const [read, written, patient] = await Promise.allSettled([
      engine.read(slow(20)),
      engine.transaction((tx) => tx.read(slow(20))),
      engine.exclusively('work', 0, async () => [
        await engine.read(slow(2.3)),
        await engine.transaction((tx) => tx.read(slow(2.3))),
      ]),
    ]);
    assert.deepEqual([read.status, written.status, patient.status], ['rejected', 'rejected', 'fulfilled']);
    for (const one of [read, written])
      assert.match(one.status === 'rejected' ? one.reason.message : '', /it took too long \(57014\)/);
    assert.deepEqual(await engine.read(slow(0)), [{ n: 1 }]);
  },
);

const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

engineTest('every session has time limits for statements, locks and idling', async ({ engine }) => {
  const shown = async ({ read }: Pick<Engine, 'read'>): Promise<(string | undefined)[]> => {
    const limits: (string | undefined)[] = [];
    for (const name of LIMITS) limits.push((await read<Record<string, string>>(`show ${name}`))[0]?.[name]);
    return limits;
  };
  assert.deepEqual(await shown(engine), ['2s', '2s', '10s']);
  assert.deepEqual(await engine.transaction(shown), ['2s', '2s', '10s']);
  await engine.exclusively('work', 0, async () => {
    assert.deepEqual(await shown(engine), ['2min', '2s', '10s']);
    assert.deepEqual(await engine.transaction(shown), ['2min', '2s', '10s']);
  });
  assert.deepEqual(await shown(engine), ['2s', '2s', '10s'], 'what a lock allowed is over with it');
});

engineTest(
  'an idle connection that is lost is replaced, one in use fails and the next one works',
  async ({ engine, url }) => {
    await Promise.all(Array.from({ length: 5 }, () => names(engine)));
    await endSessions(url);
    await names(engine).catch(({ code }: { code: string }) => assert.equal(code, 'store')); // it may not know yet
    assert.deepEqual(await Promise.all([names(engine), names(engine)]), [[], []]);
    const cut = engine.transaction(async (tx) => {
      await tx.write('insert into note (name) values (?)', [['lost']]);
      await endSessions(url);
      await tx.write('insert into note (name) values (?)', [['lost too']]);
    });
    await assert.rejects(cut, { code: 'store' });
    assert.equal(await add(engine, [['kept', 1]]), 1);
    assert.deepEqual(await names(engine), ['kept']);
  },
);

engineTest(
  'a lock that is not obtained, and failing work under a lock, leave no session open',
  async ({ engine, url, again }) => {
    const other = await again();
    const countSessions = async () => {
      const sql = 'select count(*)::int as n from pg_stat_activity where datname = current_database()';
      return (await asked<{ n: number }>(url, sql))[0]!.n;
    };
    const fails = () => Promise.reject(new Error('the work failed'));
    const tryBoth = () =>
      engine.exclusively('ingest', 0, async () => {
        await assert.rejects(other.exclusively('ingest', 1, fails), /another process has held the lock/);
        await fails();
      });
    await assert.rejects(tryBoth, /the work failed/);
    const before = await countSessions();
    await assert.rejects(tryBoth, /the work failed/);
    await until(async () => (await countSessions()) <= before || undefined, 'the end of the sessions');
  },
);

engineTest(
  'a process that lost its lock gets an error and writes nothing more',
  async ({ engine, url, again }) => {
    const other = await again();
    const attempt = engine.exclusively('ingest', 0, async () => {
      await add(engine, [['held', 1]]);
      await assert.rejects(
        other.exclusively('ingest', 50, async () => assert.fail('two at once')),
        { code: 'store', message: /another process/ },
      );
      await endSessions(url, `pid in (select pid from pg_locks where locktype = 'advisory')`);
      await other.exclusively('ingest', PATIENCE_MS, () => add(other, [['taken over', 1]]));
      await assert.rejects(add(engine, [['too late', 1]]), { code: 'store', message: /the lock was lost/ });
    });
    await assert.rejects(attempt, { code: 'store' });
    assert.deepEqual(await names(engine), ['held', 'taken over']);
    assert.equal(await engine.exclusively('ingest', 0, async () => 'free'), 'free');
  },
);

engineTest('locks and transactions of a killed process end with it', async ({ engine, url }) => {
  const code = `
    import { openPostgres } from ${JSON.stringify(new URL('../../../src/service/database/engines/postgres.ts', import.meta.url).href)};
    const engine = await openPostgres(${JSON.stringify(url)});
    await engine.exclusively('ingest', 0, () => engine.transaction(async (tx) => {
      await tx.write("insert into note (name) values ('lost')", [[]]);
      console.log('begun');
      await new Promise(() => setInterval(() => {}, 1000));
    }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  try {
    await Promise.race([once(child.stdout, 'data'), exit]);
    const taken = engine.exclusively('ingest', PATIENCE_MS, () => add(engine, [['next', 1]]));
    await someoneWaits(url);
    child.kill('SIGKILL');
    assert.equal(await taken, 1);
    assert.deepEqual(await names(engine), ['next']);
  } finally {
    child.kill('SIGKILL');
    await exit;
  }
});

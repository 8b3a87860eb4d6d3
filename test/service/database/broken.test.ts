/** Checks that the conformance suite, which sound stores pass, can fail: stores are broken on purpose, each in one way. */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openRepositories, type Repositories } from '../../../src/service/data/store.ts';
import type { Engine, Transaction } from '../../../src/service/database/engines/engine.ts';
import { openPostgres } from '../../../src/service/database/engines/postgres.ts';
import { openSqlite } from '../../../src/service/database/engines/sqlite.ts';
import { everyFourth } from '../../depth.ts';
import { aFolder } from './a-folder.ts';
import { aServer } from './a-postgres.ts';
import { CASES, tryCase } from './conformance.ts';
import type { OpenStore } from './store-cases.ts';

type Flaw = (engine: Engine) => Engine;

const FLAWS: Record<string, { flaw: Flaw; caughtBy: string }> = {
  'keeps what a failing run had done so far': {
    flaw: (engine) => ({
      ...engine,
      async transaction<T>(work: (tx: Transaction) => Promise<T>) {
        const outcome = await engine.transaction((tx) =>
          work(tx).then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          ),
        );
        if ('error' in outcome) throw outcome.error;
        return outcome.value;
      },
    }),
    caughtBy: 'a run that fails while it is kept leaves no trace, and can be kept after all',
  },
  'forgets when a listing arrived': {
    flaw: saying('absent_since = null', 'absent_since = null, run = excluded.run'),
    caughtBy: 'a listing seen twice keeps its first day and the moment it arrived',
  },
  'mixes up the filings of runs': {
    flaw: saying(
      'from staged where run = ?',
      'from staged where run = (select min(run) from staged where run <= ?)',
    ),
    caughtBy: 'filings of one run never reach another',
  },
  'tells nobody that something changed': {
    flaw: saying('set version = ?', "set version = version where ? <> ''"),
    caughtBy: 'the version changes when what is served changes, and only then',
  },
  'sends to who has left': {
    flaw: saying("set state = 'left', left_at", "set state = 'confirmed', left_at"),
    caughtBy: 'an unsubscribed person gets nothing more, and returns only with a new confirmation',
  },
  'takes a link for any purpose': {
    flaw: saying('where hash = ? and purpose = ?', "where hash = ? and ? <> ''"),
    caughtBy: 'a link confirms once; one of another purpose, unknown or too old, nothing',
  },
  'keeps the links of who has left': {
    flaw: saying("and type = ? and purpose = 'confirm'", "and type = ? and purpose = 'nothing'"),
    caughtBy:
      'the link of an earlier signup confirms nothing after an unsubscribe, also after another signup',
  },
  'tells the same news every week': {
    flaw: saying(
      'insert into edition_run (run, edition) values (?, ?)',
      'update edition set reason = reason where ? = edition and cast(? as text) is null',
    ),
    caughtBy: 'each run is news in one edition, its baseline in none, and one accepted late in the next',
  },
  'forgets what a dead process had claimed': {
    flaw: saying(
      "doubts = doubts + 1 where state = 'sending'",
      "doubts = doubts + 1 where state = 'nothing'",
    ),
    caughtBy:
      'what a dead process had claimed is given back, what is too old expires, and then the edition closes',
  },
  'does not wait between two confirmations': {
    flaw: saying('where mailbox = ? and made_at > ?', 'where mailbox = ? and made_at > ? and 1 = 0'),
    caughtBy: 'two signups make one person and one message; another after 15 minutes, at most three a day',
  },
  'sends confirmations in the order they were asked for': {
    flaw: saying('order by m.turn, m.made_at', 'order by m.made_at'),
    caughtBy: 'clients take turns: who asks once goes before what another client has waiting',
  },
  'keeps nothing of an hour for other clients': {
    flaw: saying('m.turn <= ? and m.next_at', '(m.turn >= 0 or m.turn = ?) and m.next_at'),
    caughtBy: 'a quarter of each hour is kept for clients that have had no confirmation in it',
  },
  'refuses a client for what another has waiting': {
    flaw: saying('where client = ? and', 'where (client = ? or 1 = 1) and'),
    caughtBy: 'what waits of one client is not before another, and nothing is that its domain holds up',
  },
  'floods a domain': {
    flaw: saying('having count(*) >= ? or', 'having count(*) >= 1000 + ? or'),
    caughtBy:
      'one domain is sent ten confirmations an hour and thirty a day, others go on, and the rest expires',
  },
  'lets any number wait for a domain': {
    flaw: saying('limit 100 offset ?', 'limit 0 offset ?'),
    caughtBy: 'at most ninety wait for one domain, and those of the busiest client give way',
  },
  'counts what waited from when it was asked for': {
    flaw: saying('made_at as "madeAt", tried_at as tried', 'made_at as "madeAt", null as tried'),
    caughtBy: 'a confirmation that waited for its domain counts against its mailbox from when it was sent',
  },
  'works every second at what is held up': {
    flaw: saying('m.domain not in (', "'' not in ("),
    caughtBy:
      'nothing is due while all that waits is held up, and something is once it may go out or is too old',
  },
  'forgets the editions that arrived between two failures': {
    flaw: saying("m.state in ('sent', 'uncertain')", "m.state in ('lost')"),
    caughtBy: 'an edition that no report came for begins the row again, however long ago',
  },
  'believes reports that are older than the confirmation': {
    flaw: saying('(select max(confirmed_at) from', '(select min(left_at) from'),
    caughtBy: 'a permanent failure stops the address, and a new confirmation starts it again',
  },
  'counts failures of confirmations': {
    flaw: saying(
      'select m.subscriber, m.kind, m.made_at',
      "select m.subscriber, 'edition' as kind, m.made_at",
    ),
    caughtBy: 'the same temporary failure is counted once, and a confirmation not at all',
  },
  'announces to nobody who confirms later': {
    flaw: saying('from announced as a where a.subscriber = p.subscriber', 'from announced as a where 1 = 1'),
    caughtBy: 'the same announcement again reaches those who confirmed since, also when records are gone',
  },
  'forgets when an alert was sent': {
    flaw: saying('set state = ?, ended_at = ?, outcome', 'set state = ?, next_at = ?, outcome'),
    caughtBy: 'an alert is claimed once a day, and an interrupted one again under its name, twice at most',
  },
  'forgets when a concern began': {
    flaw: saying('select concern, since from', "select concern, '' as since from"),
    caughtBy: 'a concern lasts from when it began until it is over, whatever its sentence is',
  },
  'closes its eyes to what vanished': {
    flaw: saying('set absent_since = ?', 'set absent_since = case when ? < 0 then 0 end'),
    caughtBy: 'a changed profile withdraws what it no longer opens, but not what had vanished before',
  },
};

const { primary, end: stop } = await aServer();
after(stop);

/** Opens a store over an engine with a flaw. */
const ENGINES: Record<string, (flaw: Flaw) => OpenStore> = {
  SQLite: (flaw) => async () => {
    const folder = aFolder();
    const again = () => openRepositories(flaw(openSqlite(folder.path)));
    return opened(again, async () => folder.remove());
  },
  PostgreSQL: (flaw) => async () => {
    const url = await primary.migrated();
    const again = async () => openRepositories(flaw(await openPostgres(url)));
    return opened(again, () => primary.drop(url));
  },
};

async function opened(again: () => Promise<Repositories>, remove: () => Promise<void>) {
  const store = await again();
  return { store, again, end: () => store.close().finally(remove) };
}

for (const [name, openingWith] of Object.entries(ENGINES)) {
  const flaws = Object.entries(FLAWS);
  for (const [what, { flaw, caughtBy }] of name === 'SQLite' ? flaws : everyFourth(flaws)) {
    test(`${name}: a store that ${what} is caught`, async () => {
      const promise = CASES[caughtBy];
      assert.ok(promise, `no promise "${caughtBy}"`);
      await assert.rejects(tryCase(promise, openingWith(flaw)), { code: 'ERR_ASSERTION' });
    });
  }
}

/** An engine that says something else than it is told wherever a statement has these words. */
function saying(words: string, others: string): Flaw {
  const told = (sql: string) => sql.replaceAll(words, others);
  return (engine) => ({
    ...engine,
    read: (sql, params) => engine.read(told(sql), params),
    transaction: (work) =>
      engine.transaction((tx) =>
        work({
          ...tx,
          read: (sql, params) => tx.read(told(sql), params),
          write: (sql, rows) => tx.write(told(sql), rows),
          stream: (sql, params) => tx.stream(told(sql), params),
        }),
      ),
  });
}

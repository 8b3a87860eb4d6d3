/** A signup does the same work for every address, and as little in a table full of what an attack left: statements, rows and plans are compared, not times. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRepositories, type Repositories } from '../../../src/service/data/store.ts';
import type { Engine, Reader, Transaction, Value } from '../../../src/service/database/engines/engine.ts';
import { openPostgres } from '../../../src/service/database/engines/postgres.ts';
import { openSqlite } from '../../../src/service/database/engines/sqlite.ts';
import { migrate } from '../../../src/service/database/migrations.ts';
import type { Outcome } from '../../../src/service/mail/failures.ts';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { hashToken } from '../../../src/service/subscribers/tokens.ts';
import { aFolder } from '../../a-folder.ts';
import { aServer } from './a-postgres.ts';

const NOW = Date.parse('2026-11-23T17:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (ms = 0) => new Date(NOW + ms).toISOString();
const CROWD = 5_000;
const CONSENT = { version: 'v', words: 'w' };
const LIMITS = { confirmationsAnHour: 200, recipientDomain: { hour: 10, day: 30 } };

const primary = await aServer();

const onSqlite = async () => openSqlite(aFolder());
/** Each plans a statement in its own way; what the statements do is the same on both. */
const ENGINES: Record<string, () => Promise<Engine>> = {
  SQLite: onSqlite,
  PostgreSQL: async () => openPostgres(await primary.fresh()),
};

/** What an attack left of one mailbox: a person asked for over and over, as many spellings, and messages that went out. */
async function fillCrowd(engine: Engine): Promise<void> {
  await migrate(engine);
  const spellings = Array.from({ length: CROWD }, (_, i) => `v.ictim+${i}@b.example`);
  const people = ['victim@b.example', ...spellings, 'sent@b.example'];
  await engine.transaction(async (tx) => {
    await tx.write(
      'insert into subscriber (subscriber, identity, address, asked_at) values (?, ?, ?, ?)',
      people.map((who) => [who, who, who, at(-2 * HOUR)]),
    );
    await tx.write(
      `insert into subscription (subscriber, type, state, source, consent, asked_at) values (?, 'weekly', 'pending', 'api', 'v', ?)`,
      people.map((who) => [who, at(-2 * HOUR)]),
    );
    const rows = [
      ...spellings.map((_, i) => ['victim@b.example', i]),
      ...spellings.map((who, i) => [who, i]),
    ];
    await tx.write(
      `insert into message (message, subscriber, kind, type, state, made_at, next_at, expires_at, attempts, doubts)
       values (?, ?, 'confirmation', 'weekly', 'canceled', ?, ?, ?, 0, 0)`,
      rows.map(([who, i], at_) => [`m${at_}`, who!, ...madeAt(-2 * HOUR - Number(i))]),
    );
    await tx.write(
      `insert into message (message, subscriber, kind, type, state, tried_at, ended_at, made_at, next_at, expires_at, attempts, doubts, mailbox)
       values (?, ?, 'confirmation', 'weekly', 'sent', ?, ?, ?, ?, ?, 1, 0, 'sent@b.example')`,
      [1, 2, 3].map((hours) => [
        ...[`s${hours}`, 'sent@b.example', at(-hours * HOUR), at(-hours * HOUR)],
        ...madeAt(-hours * HOUR),
      ]),
    );
  });
}

const madeAt = (ms: number): Value[] => [at(ms), at(ms), at(ms + DAY)];

function ask({ subscribers }: Repositories, who: string, ms = 0): Promise<void> {
  const address = parseAddress(who)!;
  return subscribers.requestSignup({
    ...{ ...address, type: 'weekly', source: 'api', consent: CONSENT, at: at(ms), client: 7 },
    recipientDomain: who.endsWith('@b.example') ? 'b.example' : undefined,
  });
}

async function countRows(engine: Engine, condition = '1 = 1', table = 'message'): Promise<number> {
  const [row] = await engine.read<{ n: number }>(`select count(*) as n from ${table} where ${condition}`);
  return row!.n;
}

/** On a database of its own. */
function engineTest(
  sentence: string,
  open: () => Promise<Engine>,
  work: (engine: Engine) => Promise<void>,
): void {
  test(sentence, async () => {
    const engine = await open();
    await work(engine).finally(() => engine.close());
  });
}

for (const [name, open] of Object.entries(ENGINES))
  engineTest(
    `${name}: a signup reads a few rows by index, however many messages its mailbox and the table have`,
    open,
    async (engine) => {
      await fillCrowd(engine);
      const { recorded, statements } = recording(engine);
      const store = await openRepositories(recorded);
      await engine.transaction((tx) => tx.write('analyze', [[]]));
      for (const who of ['victim@b.example', 'v.ictim+new@b.example', 'new@b.example', 'sent@b.example']) {
        statements.length = 0;
        const check = { ...LIMITS, now: at(), client: 7, most: 400 };
        await store.subscribers.countAhead(check);
        await ask(store, who);
        assert.ok(statements.some(({ sql }) => sql.startsWith('insert into message')));
        for (const { sql, params, rows } of statements) {
          assert.ok(rows <= 6, `${rows} rows for ${who}: ${sql}`);
          await assertByIndex(engine, sql, params);
        }
      }
    },
  );

const PEOPLE = ['unknown', 'pending', 'confirmed', 'departed', 'refused'];
const addressOf = (who: string) => `${who}@b.example`;

engineTest('a signup runs the same statements for every address', onSqlite, async (engine) => {
  const { recorded, statements } = recording(engine);
  const store = await openRepositories(recorded);
  await settleStates(store);
  const seen: [who: string, statements: string[]][] = [];
  for (const ms of [DAY, DAY + HOUR]) {
    for (const who of PEOPLE) {
      statements.length = 0;
      await ask(store, addressOf(who), ms);
      seen.push([who, statements.map(({ sql, rows, isWrite }) => (isWrite ? `${sql}: ${rows} rows` : sql))]);
    }
  }
  const [[, first]] = seen as [(typeof seen)[number]];
  const written = first.flatMap((one) => /^insert into (\w+) .*: 1 rows$/s.exec(one)?.[1] ?? []);
  assert.deepEqual(written, ['subscriber', 'subscription', 'message']);
  for (const [who, all] of seen) assert.deepEqual(all, first, who);
});

engineTest('a crowded database keeps its limits, and is cleaned in batches', onSqlite, async (engine) => {
  await fillCrowd(engine);
  const store = await openRepositories(engine);
  await ask(store, 'sent@b.example');
  assert.equal(await countRows(engine, "state = 'pending'"), 0, 'three went to this mailbox already');
  await ask(store, 'victim@b.example');
  assert.equal(await countRows(engine, "state = 'pending'"), 1, 'none went to this one');
  let left = await countRows(engine);
  for (let isDone = false, calls = 0; !isDone; calls++) {
    assert.ok(calls <= (2 * CROWD) / 500 + 1, `${left} rows are left after ${calls} calls`);
    isDone = await store.outbox.sweep(at());
    const now = await countRows(engine);
    assert.ok(left - now <= 500, `${left - now} rows in one transaction`);
    left = now;
  }
  assert.equal(await countRows(engine, "state = 'sent'"), 3);
  assert.equal(left, 5, 'three that were sent, one that waits, one that is as old as this moment');
});

engineTest(
  'which client asked is forgotten within two hours of the email, of a day to a domain with limits, and with what is not sent',
  onSqlite,
  async (engine) => {
    const store = await openRepositories(engine);
    for (const who of ['sent@b.example', 'sent@provider.example']) {
      await ask(store, who);
      await ask(store, who, 1);
      const claim = { ...LIMITS, now: at(), done: undefined };
      const { message } = (await store.outbox.claim(claim))!;
      await store.outbox.finish({ message, at: at(), code: '250', state: 'sent' });
    }
    const countKnown = async (ms: number) => {
      await ask(store, 'waits@b.example', ms);
      await store.outbox.sweep(at(ms));
      const sent = await countRows(engine, "client is not null and state <> 'pending'");
      return [sent, (await countRows(engine, 'client is not null')) - sent];
    };
    assert.deepEqual(await countKnown(HOUR - 1), [2, 1]);
    assert.deepEqual(await countKnown(HOUR), [1, 1], 'one whose domain has limits, and one that waits');
    assert.deepEqual(await countKnown(DAY - 1), [1, 1]);
    assert.deepEqual(await countKnown(DAY), [0, 1]);
  },
);

engineTest(
  'a link is deleted when it expires, and the record of a failure after 60 days',
  onSqlite,
  async (engine) => {
    const store = await openRepositories(engine);
    const stays = { type: 'pro-waitlist', consent: CONSENT, at: at() } as const;
    await store.subscribers.addConfirmed({ ...parseAddress('ann@b.example')!, ...stays });
    await ask(store, 'ann@b.example');
    const { message } = (await store.outbox.claim({ ...LIMITS, now: at(), done: undefined }))!;
    await store.bounces.recordFailure({ message, is: 'permanent', status: '5.1.1', at: at() });
    const left: [tokens: number, failures: number][] = [];
    for (const ms of [7 * DAY - 1, 7 * DAY, 60 * DAY - 1, 60 * DAY]) {
      await store.outbox.sweep(at(ms));
      left.push([await countRows(engine, '1 = 1', 'token'), await countRows(engine, '1 = 1', 'bounce')]);
    }
    assert.deepEqual(left, [
      [2, 1],
      [1, 1], // the link to manage a signup does not expire
      [1, 1],
      [1, 0],
    ]);
  },
);

engineTest(
  'a thousand signups of one mailbox leave a few rows, and after a day none that was not sent',
  onSqlite,
  async (engine) => {
    const store = await openRepositories(engine);
    for (let i = 0; i < 1_000; i++) await ask(store, ['victim@b.example', 'v.ictim@b.example'][i % 2]!, i);
    assert.equal(
      await countRows(engine),
      3,
      'one that waits, and one for each spelling that will not be sent',
    );
    const tidied = at(25 * HOUR);
    await store.alone('mail', 0, () => store.outbox.tidy(tidied));
    assert.equal(await store.outbox.sweep(tidied), true);
    assert.equal(await countRows(engine), 0);
  },
);

/** Brings everybody but the unknown to the state they are called after. */
async function settleStates(store: Repositories): Promise<void> {
  const { subscribers, editions, outbox } = store;
  await ask(store, addressOf('pending'));
  for (const who of ['confirmed', 'departed', 'refused'])
    await subscribers.addConfirmed({
      ...parseAddress(addressOf(who))!,
      ...{ type: 'weekly', consent: CONSENT, at: at() },
    });
  const edition = { edition: '2026-11-23', reason: null, content: '{}' } as const;
  await editions.decide({ ...edition, decidedAt: at(), expiresAt: at(DAY) }, []);
  let done: Outcome | undefined;
  for (;;) {
    const claimed = await outbox.claim({ ...LIMITS, now: at(), done });
    if (claimed === undefined) break;
    const { message, address } = claimed;
    const hash = hashToken(claimed.tokens.manage!)!;
    if (address.startsWith('departed'))
      await subscribers.leave({ hash, purpose: 'manage', at: at() }, 'weekly');
    const ended = address.startsWith('refused') ? { state: 'failed', isRefused: true } : { state: 'sent' };
    done = { message, at: at(), code: null, ...ended } as Outcome;
  }
  const states = (await subscribers.all()).map(
    ({ address, refusedAt, subscriptions }) =>
      `${address.split('@', 1)} ${refusedAt === null ? subscriptions[0]!.state : 'refused'}`,
  );
  assert.deepEqual(states.toSorted(), [
    ...['confirmed confirmed', 'departed left', 'pending pending', 'refused refused'],
  ]);
}

type Statement = { sql: string; params: readonly Value[]; rows: number; isWrite: boolean };

/** An engine that notes each statement, and how many rows it read or changed. */
function recording(engine: Engine): { recorded: Engine; statements: Statement[] } {
  const statements: Statement[] = [];
  const readOn = (reading: Reader): Reader['read'] => {
    return async (sql, params = []) => {
      const rows = await reading.read(sql, params);
      statements.push({ sql, params, rows: rows.length, isWrite: false });
      return rows as never;
    };
  };
  const writeOn = (tx: Transaction): Transaction['write'] => {
    return async (sql, values) => {
      const rows = await tx.write(sql, values);
      statements.push({ sql, params: values[0] ?? [], rows, isWrite: true });
      return rows;
    };
  };
  const transaction: Engine['transaction'] = (work) =>
    engine.transaction((tx) => work({ ...tx, read: readOn(tx), write: writeOn(tx) }));
  return { recorded: { ...engine, read: readOn(engine), transaction }, statements };
}

/** Neither engine may look through a table that grows with people or messages. */
async function assertByIndex(engine: Engine, sql: string, params: readonly Value[]): Promise<void> {
  const isSqlite = 'compact' in engine;
  const plan = await engine.read<Record<string, string>>(
    `${isSqlite ? 'explain query plan' : 'explain'} ${sql}`,
    params,
  );
  const lines = plan.map((row) => row.detail ?? row['QUERY PLAN'] ?? '');
  const scans = lines.filter((line) =>
    /^SCAN (?:message|subscriber|subscription|[mps])\b|Seq Scan on (?:message|subscriber)/.test(line),
  );
  assert.ok(lines.length > 0 || !sql.includes('select'), 'plain values need no plan');
  assert.deepEqual(scans, [], `${sql}\n${lines.join('\n')}`);
}

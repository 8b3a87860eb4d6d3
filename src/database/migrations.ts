/** The tables, step by step, forward only. Data that no listing needs (addresses, owners, telephone numbers) has no column. */

import { messageOf, ShingleError } from '../errors.ts';
import { probe } from '../listings/probe.ts';
import type { Engine, Reading, Transaction } from './engines/engine.ts';

/** Never edit a released step: add a new one at the end. */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `create table run (
       run integer primary key,
       source text not null,
       state text not null check (state in ('running', 'kept', 'unchanged', 'held', 'failed')),
       baseline integer not null check (baseline in (0, 1)),
       snapshot integer not null check (snapshot in (0, 1)),
       command text not null,
       place text not null,
       content text not null,
       profile text not null,
       started_at text not null,
       ended_at text,
       detail text,
       read integer not null,
       openings integer not null,
       updates integer not null,
       skipped text not null,
       rejected text not null,
       added integer not null,
       changed integer not null,
       unchanged integer not null,
       folded integer not null,
       withdrawn integer not null,
       updated integer not null
     )`,
    'create index run_of_source on run (source, run)',
    `create table staged (
       run integer not null references run (run),
       key text not null,
       kind text not null check (kind in ('opening', 'update')),
       name text,
       category text,
       neighborhood text,
       status text,
       filed_on text,
       term_on text not null,
       expires_on text
     )`,
    `create table listing (
       source text not null,
       key text not null,
       name text not null,
       category text not null,
       neighborhood text not null,
       status text not null check (status in ('open', 'closed', 'expired', 'abandoned', 'unknown')),
       filed_on text not null,
       expires_on text,
       run integer not null references run (run),
       absent_since integer references run (run),
       primary key (source, key)
     )`,
    'create table suppression (value text primary key, reason text not null, added_at text not null)',
    'create table catalogue (one integer primary key check (one = 1), version text not null)',
    "insert into catalogue (one, version) values (1, '0')",
  ],
  [
    `create table subscriber (
       subscriber text primary key,
       identity text not null unique,
       address text not null,
       throttle text not null,
       asked_at text not null,
       refused_at text,
       refusal text
     )`,
    'create index subscriber_throttle on subscriber (throttle)',
    `create table subscription (
       subscriber text not null references subscriber (subscriber),
       type text not null check (type in ('weekly', 'pro-waitlist')),
       state text not null check (state in ('pending', 'confirmed', 'left')),
       source text not null check (source in ('api', 'form', 'operator')),
       consent text not null,
       asked_at text not null,
       confirmed_at text,
       left_at text,
       primary key (subscriber, type)
     )`,
    'create index subscription_of_type on subscription (type, state)',
    'create table consent (version text primary key, words text not null, first_used_at text not null)',
    `create table token (
       hash text primary key,
       subscriber text not null references subscriber (subscriber),
       purpose text not null check (purpose in ('confirm', 'unsubscribe', 'manage')),
       type text not null check (type in ('weekly', 'pro-waitlist')),
       made_at text not null,
       expires_at text
     )`,
    'create index token_of_subscriber on token (subscriber)',
    `create table edition (
       edition text primary key,
       state text not null check (state in ('open', 'finished', 'skipped')),
       reason text check (reason in ('empty', 'late')),
       decided_at text not null,
       content text,
       finished_at text
     )`,
    // the openings of a run are news in exactly one edition, even if clocks change
    `create table edition_run (
       run integer primary key references run (run),
       edition text not null references edition (edition)
     )`,
    `create table message (
       message text primary key,
       subscriber text not null references subscriber (subscriber),
       kind text not null check (kind in ('confirmation', 'edition')),
       urgency integer not null,
       type text not null check (type in ('weekly', 'pro-waitlist')),
       edition text references edition (edition),
       state text not null check (state in ('pending', 'sending', 'sent', 'failed', 'uncertain', 'expired', 'withdrawn')),
       made_at text not null,
       next_at text not null,
       expires_at text not null,
       attempts integer not null,
       doubts integer not null,
       tried_at text,
       ended_at text,
       outcome text,
       unique (edition, subscriber)
     )`,
    'create index message_due on message (state, urgency, next_at, message)',
    'create index message_of_subscriber on message (subscriber, type)',
    'create index message_tried on message (kind, tried_at)',
    `create table outbox (
       one integer primary key check (one = 1),
       paused_until text,
       trouble text,
       failures integer not null,
       copied integer not null,
       restored_at text
     )`,
    'insert into outbox (one, failures, copied) values (1, 0, 0)',
  ],
  ['alter table run add column mark text', 'alter table run add column shape text'],
  ['create table outline (one integer primary key check (one = 1), drawing text not null)'],
  // only instances of the previous version use `budget` and `budget_seed`, during a rolling upgrade: nothing here reads or
  // writes them, and the next release drops them (docs/decisions/0019-one-client-one-instance.md)
  [
    `create table budget (
       client text not null,
       kind text not null check (kind in ('burst', 'rows', 'signup')),
       slice bigint not null,
       taken bigint not null,
       primary key (client, kind, slice)
     )`,
    'create index budget_slice on budget (kind, slice)',
    'create table budget_seed (one integer primary key check (one = 1), a bigint not null, b bigint not null)',
  ],
  [
    'delete from budget', // their names were made with seeds that did not change
    'drop table budget_seed',
    'create table budget_seed (day bigint primary key, a bigint not null, b bigint not null)',
  ],
  // each index holds a few rows of a table that may have millions
  [
    'alter table message add column mailbox text',
    'alter table message add column domain text',
    'alter table message add column client integer',
    'alter table message add column turn integer not null default 0',
    `update message set mailbox = (select throttle from subscriber where subscriber.subscriber = message.subscriber)
     where kind = 'confirmation' and tried_at > ''`,
    `update message set mailbox = (select throttle from subscriber where subscriber.subscriber = message.subscriber)
     where state = 'pending' and urgency = 1`,
    'create index message_of_mailbox on message (mailbox, made_at) where mailbox is not null',
    'create index message_of_client on message (client) where client is not null',
    "create index message_waiting on message (turn, made_at, next_at, message) where state = 'pending' and urgency = 1",
    "create index message_of_domain on message (domain, turn, made_at) where state = 'pending' and urgency = 1 and domain is not null",
    'drop index subscriber_throttle',
  ],
  ['alter table run add column findings text'],
  // what a person wants of an edition (null: everything); of a message, what its person wanted when it was made
  [
    'alter table subscription add column preferences text',
    'alter table message add column preferences text',
    'alter table token add column preferences text',
  ],
  // an older version that deletes a person knows nothing of these tables, so the database deletes what they say about that person
  [
    'create table return_path_key (one integer primary key check (one = 1), key text not null)',
    `create table bounce (
       message text primary key,
       subscriber text not null references subscriber (subscriber) on delete cascade,
       made_at text not null,
       reported_at text not null,
       status text not null,
       in_a_row integer not null
     )`,
    'create index bounce_of_subscriber on bounce (subscriber, made_at)',
    'create table report_tally (verdict text primary key, reports integer not null)',
    `create table announcement (
       type text primary key,
       subject text not null,
       words text not null,
       decided_at text not null
     )`,
    `create table announced (
       type text not null references announcement (type),
       subscriber text not null references subscriber (subscriber) on delete cascade,
       announced_at text not null,
       primary key (type, subscriber)
     )`,
    'create index announced_to on announced (subscriber)',
    'alter table message add column announcement text',
    'create index message_of_announcement on message (announcement) where announcement is not null',
  ],
  // what needs a person, what the operator was told of it, and which instances run
  [
    `create table concern (
       concern text primary key,
       kind text not null,
       sentence text not null,
       since text not null,
       told_at text,
       resolved_at text
     )`,
    `create table alert (
       one integer primary key check (one = 1),
       message text not null,
       state text not null,
       made_at text not null,
       attempts integer not null,
       doubts integer not null,
       ended_at text,
       next_at text not null,
       outcome text
     )`,
    `create table instance (
       instance text primary key,
       command text not null,
       started_at text not null,
       seen_at text not null
     )`,
    'create index listing_filed on listing (source, filed_on)',
  ],
];

/** Migrates the tables to this version, completely or not at all. Throws `refused` if they are newer. */
export async function migrate(engine: Engine, steps = MIGRATIONS): Promise<void> {
  if ((await countSteps(engine)) === steps.length) return;
  await engine.transaction((tx) => migrateTransaction(tx, steps));
  probe('migrate:committed');
}

/** The same, within a larger transaction. */
export async function migrateTransaction(tx: Transaction, steps = MIGRATIONS): Promise<void> {
  await tx.write('create table if not exists migration (number integer primary key)', [[]]);
  const done = await countSteps(tx);
  if (done > steps.length) {
    throw new ShingleError(
      'refused',
      `the database was created by a newer version of Shingle (step ${done}; this version knows ${steps.length}). Run the newer version, or restore an older backup`,
    );
  }
  for (let number = done + 1; number <= steps.length; number++) {
    for (const sql of steps[number - 1]!) await tx.write(sql, [[]]);
    await tx.write('insert into migration (number) values (?)', [[number]]);
    probe('migrate:step');
  }
}

/** How many steps were done; 0 in a database without our tables. */
export async function countSteps(reading: Reading): Promise<number> {
  const [row] = await reading
    .read<{ done: number | null }>('select max(number) as done from migration')
    .catch((error: unknown) => {
      if (/no such table|42P01/.test(messageOf(error))) return [];
      throw error;
    });
  return row?.done ?? 0;
}

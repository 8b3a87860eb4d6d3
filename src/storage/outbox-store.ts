/** The outbox: one row for each message to one person. Messages are claimed, sent and marked. Knows no SMTP. */

import { addMs, DAY_MS, HOUR_MS, type Instant } from '../listings/day.ts';
import { probe } from '../listings/probe.ts';
import type { Claim, Claimed, MailStanding, OutboxStore, Outcome } from '../subscriptions/ports.ts';
import type { Engine, Reading, Transaction, Value } from './engines/engine.ts';
import { eraseSubscribers } from './subscriber-store.ts';

const UNCONFIRMED_DAYS = 7;
const DEPARTED_DAYS = 30;
const RECORD_DAYS = 30;

const SELECT_NEXT_MESSAGE = `select m.message, m.subscriber, p.address, m.kind, m.type, m.edition, m.attempts, m.doubts,
    m.made_at as "madeAt"
  from message as m join subscriber as p on p.subscriber = m.subscriber
  where m.state = 'pending' and m.urgency >= ? and m.next_at <= ?
  order by m.urgency, m.next_at, m.message limit 1`;

/** Whether all messages of an edition are finished. */
const IS_SENT = `not exists (select message from message
  where message.edition = edition.edition and message.state in ('pending', 'sending'))`;

/** A confirmation is for a pending person, or one whose mailbox did not exist; an edition is for a confirmed person whose mailbox exists as far as we know. */
const WANTED = `select m.message from message as m
  join subscription as s on s.subscriber = m.subscriber and s.type = m.type
  join subscriber as p on p.subscriber = m.subscriber
  where m.message = ? and m.state in ('pending', 'sending') and ((m.kind = 'confirmation' and (s.state = 'pending' or (s.state = 'confirmed' and p.refused_at is not null)))
    or (m.kind = 'edition' and s.state = 'confirmed' and p.refused_at is null))`;

export function openOutboxStore(engine: Engine): OutboxStore {
  return {
    alone: (waitMs, work) => engine.exclusively('mail', waitMs, work),
    tidy: (now) => engine.transaction((tx) => recoverMessages(tx, now)),
    async claim(claim) {
      const claimed = await engine.transaction((tx) => claimNext(tx, claim));
      if (claim.done !== undefined) probe('message:marked');
      if (claimed !== undefined) probe('message:claimed');
      return claimed;
    },
    async finish(outcome) {
      await engine.transaction((tx) => writeOutcome(tx, outcome));
      probe('message:marked');
    },
    isWanted: async (message) => (await engine.read(WANTED, [message])).length > 0,
    async isDue(now) {
      const due = await engine.read(
        `select message from message where state = 'sending'
         union all select message from (select message from message where state = 'pending' and next_at <= ? limit 1) as next
         union all select edition from edition where state = 'open' and ${IS_SENT}`,
        [now],
      );
      return due.length > 0;
    },
    pause: (until, trouble, failures) => setPause(engine, [until, trouble, failures]),
    resume: () => setPause(engine, [null, null, 0]),
    standing: (now) => standing(engine, now),
    sweep: (now) => engine.transaction((tx) => sweep(tx, now)),
    countMessages: () =>
      engine.read(
        'select kind, state, count(*) as count from message group by kind, state order by kind, state',
      ),
  };
}

/** The caller holds the lock, so rows in state "sending" are orphaned. It is not known whether those messages arrived. */
async function recoverMessages(tx: Transaction, now: Instant): Promise<void> {
  await tx.write(
    "update message set state = 'pending', next_at = ?, doubts = doubts + 1 where state = 'sending'",
    [[now]],
  );
  await tx.write(
    "update message set state = 'expired', ended_at = ?, outcome = coalesce(outcome, 'too old') where state = 'pending' and expires_at <= ?",
    [[now, now]],
  );
  probe('edition:before-close');
  await tx.write(
    `update edition set state = 'finished', finished_at = ? where state = 'open' and ${IS_SENT}`,
    [[now]],
  );
}

async function claimNext(tx: Transaction, claim: Claim): Promise<Claimed | undefined> {
  if (claim.done !== undefined) await writeOutcome(tx, claim.done);
  const urgency = (await confirmationsLeft(tx, claim)) > 0 ? 1 : 2;
  for (;;) {
    const [next] = await tx.read<Claimed>(SELECT_NEXT_MESSAGE, [urgency, claim.now]);
    if (next === undefined) return undefined;
    if ((await tx.read(WANTED, [next.message])).length === 0) {
      await tx.write("update message set state = 'withdrawn', ended_at = ? where message = ?", [
        [claim.now, next.message],
      ]);
      continue;
    }
    const claimed = { ...next, attempts: next.attempts + 1 };
    await tx.write(
      `insert into token (hash, subscriber, purpose, type, made_at, expires_at) values (?, ?, ?, ?, ?, ?)`,
      claim
        .tokens(claimed)
        .map(({ hash, purpose, expiresAt }): Value[] => [
          ...[hash, next.subscriber, purpose, next.type, claim.now, expiresAt],
        ]),
    );
    await tx.write(
      "update message set state = 'sending', attempts = attempts + 1, tried_at = ? where message = ?",
      [[claim.now, next.message]],
    );
    return claimed;
  }
}

async function setPause(engine: Engine, pause: Value[]): Promise<void> {
  const sql = 'update outbox set paused_until = ?, trouble = ?, failures = ?';
  await engine.transaction((tx) => tx.write(sql, [pause]));
}

async function confirmationsLeft(reading: Reading, { now, confirmationsAnHour }: Claim): Promise<number> {
  const [row] = await reading.read<{ n: number }>(
    "select count(*) as n from message where kind = 'confirmation' and tried_at > ?",
    [addMs(now, -HOUR_MS)],
  );
  return confirmationsAnHour - row!.n;
}

async function writeOutcome(tx: Transaction, outcome: Outcome): Promise<void> {
  const { message, at, code } = outcome;
  if (outcome.end === 'unsent') {
    await tx.write(
      "update message set state = 'pending', attempts = attempts - 1 where message = ? and state = 'sending'",
      [[message]],
    );
    return;
  }
  if (outcome.end === 'retry') {
    await tx.write(
      "update message set state = 'pending', next_at = ?, outcome = ?, doubts = doubts + ? where message = ? and state = 'sending'",
      [[outcome.nextAt, code, outcome.isDoubtful ? 1 : 0, message]],
    );
    return;
  }
  const state = outcome.end === 'refused' ? 'failed' : outcome.end;
  await tx.write(
    "update message set state = ?, ended_at = ?, outcome = ? where message = ? and state = 'sending'",
    [[state, at, code, message]],
  );
  if (outcome.end === 'refused')
    await tx.write(
      'update subscriber set refused_at = ?, refusal = ? where subscriber = (select subscriber from message where message = ?)',
      [[at, code, message]],
    );
}

async function standing(engine: Engine, now: Instant): Promise<MailStanding> {
  const [row] = await engine.read<Omit<MailStanding, 'waiting'>>(
    'select paused_until as "pausedUntil", trouble, failures from outbox',
  );
  const [held] = await engine.read<{ n: number }>(
    "select count(*) as n from message where state = 'pending' and urgency = 1 and next_at <= ?",
    [now],
  );
  return { ...row!, waiting: held!.n };
}

async function sweep(tx: Transaction, now: Instant): Promise<void> {
  const daysAgo = (days: number): Instant => addMs(now, -days * DAY_MS);
  await tx.write("delete from subscription where state = 'pending' and asked_at <= ?", [
    [daysAgo(UNCONFIRMED_DAYS)],
  ]);
  await tx.write("delete from subscription where state = 'left' and left_at <= ?", [
    [daysAgo(DEPARTED_DAYS)],
  ]);
  const nobodies = await tx.read<{ subscriber: string }>(
    'select subscriber from subscriber where not exists (select type from subscription where subscription.subscriber = subscriber.subscriber)',
  );
  await eraseSubscribers(
    tx,
    nobodies.map(({ subscriber }) => subscriber),
  );
  await tx.write("delete from message where state not in ('pending', 'sending') and made_at <= ?", [
    [daysAgo(RECORD_DAYS)],
  ]);
  await tx.write('delete from token where expires_at is not null and expires_at <= ?', [[now]]);
}

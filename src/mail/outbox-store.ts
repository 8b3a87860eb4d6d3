/** The outbox: one row for each message to one person. Messages are claimed, sent and marked. Knows no SMTP. */

import type { Engine, Reading, Transaction, Value } from '../database/engines/engine.ts';
import { addMs, HOUR_MS, type Instant } from '../listings/day.ts';
import { probe } from '../listings/probe.ts';
import { countWaiting, findNextConfirmation } from '../subscribers/confirmation-queue.ts';
import type {
  Claim,
  Claimed,
  ConfirmationLimits,
  MailStanding,
  OutboxStore,
  Outcome,
} from '../subscribers/ports.ts';
import { CONFIRMATION_HOURS } from '../subscribers/subscriber-store.ts';
import { sweepOutbox } from '../subscribers/sweep.ts';

const MOST_NAMES = 500; // in one statement

const SELECT_MESSAGE = `select m.message, m.subscriber, p.address,
    case m.urgency when 3 then 'announcement' else m.kind end as kind, m.type, m.edition, m.preferences, m.attempts, m.doubts,
    m.made_at as "madeAt"
  from message as m join subscriber as p on p.subscriber = m.subscriber`;

/** Of editions, and then of announcements, which have urgency 3. */
const SELECT_NEXT = `select message from message
  where state = 'pending' and urgency = ? and next_at <= ? order by next_at, message limit 1`;

/** Whether all messages of an edition are finished. */
const IS_SENT = `not exists (select message from message
  where message.edition = edition.edition and message.state in ('pending', 'sending'))`;

/** A confirmation is for a pending person, or one whose mailbox did not exist; an edition is for a confirmed person whose mailbox exists as far as we know. */
const WANTED = `select m.message from message as m
  join subscription as s on s.subscriber = m.subscriber and s.type = m.type
  join subscriber as p on p.subscriber = m.subscriber
  where m.message = ? and m.state in ('pending', 'sending') and ((m.kind = 'confirmation' and (s.state = 'pending' or (s.state = 'confirmed' and p.refused_at is not null)))
    or (m.kind = 'edition' and s.state = 'confirmed' and p.refused_at is null))`;

/** A message that is not wanted counts as tried: as long as the same message to somebody else would. */
const COUNT_UNSENT = `update message set state = 'withdrawn', ended_at = ?, tried_at = ?, attempts = attempts + 1 where message = ?`;

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
    async isDue(now, limits) {
      const due = await engine.read(
        `select message from message where state = 'sending'
         union all select message from (select message from message where state = 'pending' and urgency = 1 and made_at <= ? limit 1) as old
         union all select edition from edition where state = 'open' and ${IS_SENT}`,
        [addMs(now, -CONFIRMATION_HOURS * HOUR_MS)],
      );
      return due.length > 0 || (await findNextMessage(engine, now, limits)) !== undefined;
    },
    pause: (until, trouble, failures) => setPause(engine, [until, trouble, failures]),
    resume: () => setPause(engine, [null, null, 0]),
    standing: (now, limits) => standing(engine, now, limits),
    sweep: (now) => engine.transaction((tx) => sweepOutbox(tx, now)),
    findRecords: (messages) => findRecords(engine, messages),
    countMessages: () =>
      engine.read(
        // urgency stands for the kind in the index of what is due, which is read instead of the table
        `select case urgency when 1 then 'confirmation' when 2 then 'edition' else 'announcement' end as kind, state, count(*) as count
         from message group by state, urgency order by kind, state`,
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
  for (;;) {
    const name = await findNextMessage(tx, claim.now, claim);
    if (name === undefined) return undefined;
    if ((await tx.read(WANTED, [name])).length === 0) {
      await tx.write(COUNT_UNSENT, [[claim.now, claim.now, name]]);
      continue;
    }
    const next = (await tx.read<Claimed>(`${SELECT_MESSAGE} where m.message = ?`, [name]))[0]!;
    const claimed = { ...next, attempts: next.attempts + 1 };
    await tx.write(
      `insert into token (hash, subscriber, purpose, type, made_at, expires_at, preferences) values (?, ?, ?, ?, ?, ?, ?)`,
      claim
        .tokens(claimed)
        .map(({ hash, purpose, expiresAt }): Value[] => [
          ...[hash, next.subscriber, purpose, next.type, claim.now, expiresAt],
          purpose === 'confirm' ? next.preferences : null,
        ]),
    );
    await tx.write(
      "update message set state = 'sending', attempts = attempts + 1, tried_at = ? where message = ?",
      [[claim.now, next.message]],
    );
    probe('claim:before-commit');
    return claimed;
  }
}

async function setPause(engine: Engine, pause: Value[]): Promise<void> {
  const sql = 'update outbox set paused_until = ?, trouble = ?, failures = ?';
  await engine.transaction((tx) => tx.write(sql, [pause]));
}

/** Confirmations go before editions, and these before announcements. */
async function findNextMessage(
  reading: Reading,
  now: Instant,
  limits: ConfirmationLimits,
): Promise<string | undefined> {
  const confirmation = await findNextConfirmation(reading, now, limits);
  if (confirmation !== undefined) return confirmation;
  for (const urgency of [2, 3]) {
    const [next] = await reading.read<{ message: string }>(SELECT_NEXT, [urgency, now]);
    if (next !== undefined) return next.message;
  }
  return undefined;
}

async function findRecords(reading: Reading, messages: readonly string[]): Promise<Set<string>> {
  const recorded = new Set<string>();
  for (let at = 0; at < messages.length; at += MOST_NAMES) {
    const names = messages.slice(at, at + MOST_NAMES);
    const sql = `select message from message where message in (${names.map(() => '?').join(', ')})`;
    for (const { message } of await reading.read<{ message: string }>(sql, names)) recorded.add(message);
  }
  return recorded;
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

async function standing(
  engine: Engine,
  now: Instant,
  limits: ConfirmationLimits | undefined,
): Promise<MailStanding> {
  const [row] = await engine.read<Omit<MailStanding, 'waiting' | 'waitingSince'>>(
    'select paused_until as "pausedUntil", trouble, failures from outbox',
  );
  return { ...row!, ...(await countWaiting(engine, now, limits)) };
}

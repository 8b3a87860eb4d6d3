/**
 * Stores the outbox: a row for each message to a subscriber (`subscribers/message-states.ts`). A message is claimed, sent and
 * marked. Each method is one transaction.
 */

import { addMs, DAY_MS, HOUR_MS, type Instant } from '../../shared/day.ts';
import { probe } from '../../shared/probe.ts';
import type { SignupType } from '../../shared/signup/signups.ts';
import {
  commitAt,
  type Engine,
  type Reader,
  type Transaction,
  type Value,
} from '../database/engines/engine.ts';
import {
  type ConfirmationLimits,
  countWaiting,
  findNextConfirmation,
  type WaitingConfirmations,
} from '../subscribers/confirmations.ts';
import { CONFIRM_LINK_DAYS, CONFIRMATION_HOURS, MANAGE_LINK_DAYS } from '../subscribers/lifetimes.ts';
import { takeStep } from '../subscribers/message-states.ts';
import { sweepOutbox } from '../subscribers/sweep.ts';
import { makeToken, type Purpose } from '../subscribers/tokens.ts';
import { LONGEST_WAIT_MS, MOST_DOUBTS, type Outcome } from './failures.ts';

/** A message that one process has claimed and is sending. */
export type Claimed = {
  message: string;
  subscriber: string;
  address: string;
  kind: 'confirmation' | 'edition' | 'announcement';
  type: SignupType;
  edition: string | null;
  /** The person's preferences when the edition was decided. For a confirmation, those of the signup. */
  preferences: string | null;
  attempts: number;
  /** How many attempts ended without a reply. After each, the message may have arrived. */
  doubts: number;
  madeAt: Instant;
  /** Tokens for the links in the message. The claim creates them, and the database stores only their hashes. */
  tokens: Partial<Record<Purpose, string>>;
};

export type Claim = ConfirmationLimits & {
  now: Instant;
  /** The outcome of the previous message, stored in the same transaction. */
  done: Outcome | undefined;
};

/** Whether mail is paused, and how many confirmations are waiting. */
export type MailStanding = WaitingConfirmations & {
  pausedUntil: Instant | null;
  /** The reason for the pause, as a sentence for the operator. */
  problem: string | null;
  failures: number;
};

/** Messages that wait for another attempt: how many, when the next one is due, and what became of the last attempt. */
export type Deferred = { count: number; nextAt: Instant; code: string; doubts: number };

/** The states in which the messages of an edition are counted. Those that are pending or being sent are `waiting`. */
export const PROGRESS_STATES = ['sent', 'waiting', 'failed', 'uncertain', 'expired', 'canceled'] as const;
export type EditionProgress = Record<(typeof PROGRESS_STATES)[number], number>;

type NewMessages = {
  kind: 'edition' | 'announcement';
  type: SignupType;
  of: string; // the name of the edition or the announcement
  madeAt: Instant;
  expiresAt: Instant;
  messages: readonly { message: string; subscriber: string; preferences: string | null }[];
};

const SELECT_NEXT = `select message from message
  where state = 'pending' and kind = ? and next_at <= ? order by next_at, message limit 1`;

/** Matches wanted mail: confirmations to pending people or refused mailboxes, other mail to confirmed people. */
const IF_WANTED = `from message as m
  join subscription as s on s.subscriber = m.subscriber and s.type = m.type
  join subscriber as p on p.subscriber = m.subscriber
  where m.message = ? and m.state in ('pending', 'sending') and ((m.kind = 'confirmation' and (s.state = 'pending' or (s.state = 'confirmed' and p.refused_at is not null)))
    or (m.kind <> 'confirmation' and s.state = 'confirmed' and p.refused_at is null))`;

const SET_PAUSE = 'update outbox set paused_until = ?, problem = ?, failures = ?';

const SELECT_CLAIMED = `select m.message, m.subscriber, p.address, m.kind, m.type, m.edition, m.preferences,
    m.attempts, m.doubts, m.made_at as "madeAt" ${IF_WANTED}`;

export type OutboxStore = ReturnType<typeof openOutboxStore>;

export function openOutboxStore(engine: Engine) {
  const has = async (sql: string, ...params: readonly Value[]): Promise<boolean> =>
    (await engine.read(sql, params)).length > 0;
  return {
    /**
     * Releases interrupted messages and expires old ones. Returns how many are not sent again, because
     * their process has ended each time. The caller must hold the lock `mail`.
     */
    tidy: (now: Instant) => engine.transaction((tx) => recoverMessages(tx, now)),
    /** Claims the next message that is due and wanted, or returns `undefined`. */
    async claim(claim: Claim): Promise<Claimed | undefined> {
      const claimed = await engine.transaction((tx) => claimNext(tx, claim));
      if (claim.done !== undefined) probe('message:marked');
      if (claimed !== undefined) probe('message:claimed');
      return claimed;
    },
    finish: commitAt('message:marked', engine, writeOutcome),
    /** Returns whether to send a claimed message: `false` once its person has unsubscribed. */
    isWanted: (message: string) => has(`select m.message ${IF_WANTED}`, message),
    /** Returns whether any mail is due. Must stay cheap: it is called every second. */
    async isDue(now: Instant, limits: ConfirmationLimits): Promise<boolean> {
      const isDue = await has(
        `select message from message where state = 'sending'
         union all select message from (select message from message where state = 'pending' and kind = 'confirmation' and made_at <= ? limit 1) as old`,
        addMs(now, -CONFIRMATION_HOURS * HOUR_MS),
      );
      return isDue || (await findNextMessage(engine, now, limits)) !== undefined;
    },
    pause: (until: Instant, problem: string, failures: number) =>
      engine.transaction((tx) => tx.write(SET_PAUSE, [[until, problem, failures]])),
    resume: () => engine.transaction((tx) => tx.write(SET_PAUSE, [[null, null, 0]])),
    /**
     * Returns the state of mail. With `limits`, omits confirmations that wait only for their domain's limit, because
     * one person can cause such delays, unless at least three clients wait for that domain.
     */
    async standing(now: Instant, limits?: ConfirmationLimits): Promise<MailStanding> {
      const sql = 'select paused_until as "pausedUntil", problem, failures from outbox';
      const [row] = await engine.read<Omit<MailStanding, keyof WaitingConfirmations>>(sql);
      const isMisdated = row!.pausedUntil !== null && row!.pausedUntil > addMs(now, LONGEST_WAIT_MS);
      const pause = isMisdated ? { pausedUntil: null, problem: null, failures: 0 } : row!;
      return { ...pause, ...(await countWaiting(engine, now, limits)) };
    },
    /**
     * Deletes a batch of old rows of each kind (`service/subscribers/sweep.ts`). Returns `false` if there are more. Messages
     * that wait for longer than any retry were dated by a wrong clock, and are due.
     */
    sweep: (now: Instant) =>
      engine.transaction(async (tx) => {
        const due = "update message set next_at = ? where state = 'pending' and next_at > ?";
        await tx.write(due, [[now, addMs(now, LONGEST_WAIT_MS)]]);
        return sweepOutbox(tx, now);
      }),
    /** Reads how many messages wait for another attempt, when the next one is, and the newest code of the server. */
    async deferred(): Promise<Deferred | undefined> {
      const deferred = "message where state = 'pending' and outcome is not null";
      const [row] = await engine.read<Deferred>(
        `select outcome as code, doubts, (select count(*) from ${deferred}) as count,
           (select min(next_at) from ${deferred}) as "nextAt" from ${deferred} order by tried_at desc limit 1`,
      );
      return row;
    },
    /** Returns when the next waiting message is due, or `null` if none waits. */
    async nextAt(): Promise<Instant | null> {
      const sql = "select min(next_at) as at from message where state = 'pending'";
      return (await engine.read<{ at: Instant | null }>(sql))[0]!.at;
    },
    /** Returns whether a mail server took a message that still has its record. Messages that became files have no code. */
    wasServed: () => has("select message from message where state = 'sent' and outcome is not null limit 1"),
    hasRecord: (message: string) => has('select message from message where message = ?', message),
    countMessages: () =>
      engine.read<{ kind: string; state: string; count: number }>(
        'select kind, state, count(*) as count from message group by state, kind order by kind, state',
      ),
  };
}

/** Adds messages that are due immediately. They are sent in the order of their names. */
export async function addMessages(tx: Transaction, added: NewMessages): Promise<void> {
  const { kind, type, of, madeAt, expiresAt, messages } = added;
  await tx.write(
    `insert into message (message, subscriber, kind, type, ${kind}, state, made_at, next_at, expires_at,
       attempts, doubts, preferences)
     values (?, ?, ?, ?, ?, 'pending', ?, ?, ?, 0, 0, ?)`,
    messages.map(({ message, subscriber, preferences }) => {
      return [message, subscriber, kind, type, of, madeAt, madeAt, expiresAt, preferences];
    }),
  );
}

export async function countProgress(
  reader: Reader,
  of: 'edition' | 'announcement',
  name: string,
): Promise<EditionProgress> {
  const progress = { waiting: 0, sent: 0, failed: 0, uncertain: 0, expired: 0, canceled: 0 };
  const rows = await reader.read<{ state: 'pending' | 'sending' | keyof EditionProgress; n: number }>(
    `select state, count(*) as n from message where ${of} = ? group by state`,
    [name],
  );
  for (const { state, n } of rows)
    progress[state === 'pending' || state === 'sending' ? 'waiting' : state] += n;
  return progress;
}

/** Releases messages in state "sending". As the caller holds the lock, these were interrupted and may have arrived. */
async function recoverMessages(tx: Transaction, now: Instant): Promise<number> {
  const abandoned = await tx.write(takeStep('abandon', 'doubts + 1 >= ?'), [
    [now, now, 'interrupted', MOST_DOUBTS],
  ]);
  await tx.write(takeStep('recover'), [[now]]);
  await tx.write(takeStep('expire', 'expires_at <= ?'), [[now, now]]);
  probe('tidy:before-commit');
  return abandoned;
}

async function claimNext(tx: Transaction, claim: Claim): Promise<Claimed | undefined> {
  if (claim.done !== undefined) await writeOutcome(tx, claim.done);
  for (;;) {
    const name = await findNextMessage(tx, claim.now, claim);
    if (name === undefined) return undefined;
    const [next] = await tx.read<Omit<Claimed, 'tokens'>>(SELECT_CLAIMED, [name]);
    if (next === undefined) {
      await tx.write(takeStep('pass', 'message = ?'), [[claim.now, claim.now, name]]);
      continue;
    }
    const tokens = await writeTokens(tx, next, claim.now);
    await tx.write(takeStep('claim', 'message = ?'), [[claim.now, next.message]]);
    probe('claim:before-commit');
    return { ...next, attempts: next.attempts + 1, tokens };
  }
}

/** Creates and stores the tokens of a message. Links to unsubscribe never expire. */
async function writeTokens(tx: Transaction, message: Omit<Claimed, 'tokens'>, now: Instant) {
  const { kind, subscriber, type, madeAt, preferences } = message;
  const made =
    kind === 'confirmation'
      ? { confirm: addMs(madeAt, CONFIRM_LINK_DAYS * DAY_MS), manage: null }
      : { unsubscribe: null, manage: addMs(now, MANAGE_LINK_DAYS * DAY_MS) };
  const tokens = Object.entries(made).map(([purpose, expiresAt]) => ({ purpose, expiresAt, ...makeToken() }));
  await tx.write(
    'insert into token (hash, subscriber, purpose, type, made_at, expires_at, preferences) values (?, ?, ?, ?, ?, ?, ?)',
    tokens.map(({ hash, purpose, expiresAt }) => {
      const confirms = purpose === 'confirm' ? preferences : null;
      return [hash, subscriber, purpose, type, now, expiresAt, confirms];
    }),
  );
  return Object.fromEntries(tokens.map(({ purpose, token }) => [purpose, token]));
}

/** Finds the next message: confirmations first, then editions, then announcements. */
async function findNextMessage(
  reader: Reader,
  now: Instant,
  limits: ConfirmationLimits,
): Promise<string | undefined> {
  const confirmation = await findNextConfirmation(reader, now, limits);
  if (confirmation !== undefined) return confirmation;
  for (const kind of ['edition', 'announcement']) {
    const [next] = await reader.read<{ message: string }>(SELECT_NEXT, [kind, now]);
    if (next !== undefined) return next.message;
  }
  return undefined;
}

async function writeOutcome(tx: Transaction, outcome: Outcome): Promise<void> {
  const { message, at, code, state } = outcome;
  const take = (step: Parameters<typeof takeStep>[0], ...values: readonly Value[]) =>
    tx.write(takeStep(step, 'message = ?'), [[...values, message]]);
  if (state !== 'pending') await take(state, at, code);
  else if (outcome.nextAt === undefined) await take('release');
  else await take('retry', outcome.nextAt, code, outcome.isDoubtful ? 1 : 0);
  if (state === 'failed' && outcome.isRefused)
    await tx.write(
      'update subscriber set refused_at = ?, refusal = ? where subscriber = (select subscriber from message where message = ?)',
      [[at, code, message]],
    );
}

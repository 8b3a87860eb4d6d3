/** Stores observed concerns, the newest alert, and the running instances. Each method is one transaction. */

import { isDeepStrictEqual } from 'node:util';
import { addMs, DAY_MS, type Instant } from '../../../shared/day.ts';
import { probe } from '../../../shared/probe.ts';
import { commitAt, type Engine, type Reader, type Transaction } from '../../database/engines/engine.ts';
import { makeRandomName } from '../../subscribers/tokens.ts';
import { MOST_DOUBTS, type Outcome } from '../failures.ts';
import { type Concern, type LastingConcern, nameConcern } from './concern.ts';

/** The newest alert, in the states of a message (`outbox-store.ts`). */
export type Alert = {
  message: string;
  state: Outcome['state'] | 'sending';
  madeAt: Instant;
  attempts: number;
  /** When it was sent, may have been sent, or was refused. */
  endedAt: Instant | null;
  /** When the next attempt is due: of a deferred alert, or of a new one a day after this one. While it is sent, when that began. */
  nextAt: Instant;
  outcome: string | null;
};

export type Instance = { instance: string; command: 'start' | 'serve'; startedAt: Instant; seenAt: Instant };

const SELECT_CONCERNS = 'select concern, since from concern order by since, concern';

const SELECT_ALERT = `select message, state, made_at as "madeAt", attempts, ended_at as "endedAt", next_at as "nextAt", outcome
  from alert`;

const SELECT_INSTANCES = `select instance, command, started_at as "startedAt", seen_at as "seenAt"
  from instance order by seen_at desc, instance`;

export type AlertStore = ReturnType<typeof openAlertStore>;

export function openAlertStore(engine: Engine) {
  return {
    /** Stores the current concerns, and returns them with the times when they began. */
    observe: (concerns: readonly Concern[], now: Instant) =>
      engine.transaction((tx) => observeConcerns(tx, concerns, now)),
    /** Returns the names of the stored concerns, and when they began. */
    observed: () => engine.read<StoredConcern>(SELECT_CONCERNS),
    newest: async (): Promise<Alert | undefined> => readAlert(engine),
    /**
     * Claims the due alert: an interrupted or deferred one with its Message-ID, or a new one a day after the previous.
     * The caller must hold the lock `alerts`, so an alert in state "sending" was interrupted.
     */
    async claim(now: Instant): Promise<Alert | undefined> {
      const claimed = await engine.transaction((tx) => claimAlert(tx, now));
      if (claimed !== undefined) probe('alert:claimed');
      return claimed;
    },
    finish: commitAt('alert:marked', engine, finishAlert),
    /** Drops a deferred alert that has nothing left to report. An interrupted one counts as sent. */
    drop: () => engine.transaction(dropAlert),
    /** Counts messages that were finished since `since`, and how many of them were not delivered. */
    countUndelivered: (since: Instant) => countUndelivered(engine, since),
    /** Records that an instance runs, or has stopped (`at` is `undefined`). Deletes those not seen for a day. */
    pulse: (instance: Omit<Instance, 'seenAt'>, at: Instant | undefined) =>
      engine.transaction((tx) => writePulse(tx, instance, at)),
    forgetInstances: () => engine.transaction((tx) => tx.write('delete from instance', [[]])),
    instances: () => engine.read<Instance>(SELECT_INSTANCES),
  };
}

type StoredConcern = { concern: string; since: Instant };

async function observeConcerns(
  tx: Transaction,
  concerns: readonly Concern[],
  now: Instant,
): Promise<LastingConcern[]> {
  const stored = await tx.read<StoredConcern>(SELECT_CONCERNS);
  const before = new Map(stored.map(({ concern, since }) => [concern, since]));
  const lasting = concerns.map((one) => ({
    ...one,
    since: before.get(nameConcern(one)) ?? one.since ?? now,
  }));
  const rows = lasting.map((one) => [nameConcern(one), one.since] as const);
  if (!isDeepStrictEqual(new Map(rows), before)) {
    await tx.write('delete from concern', [[]]);
    await tx.write('insert into concern (concern, since) values (?, ?)', rows);
  }
  return lasting;
}

async function readAlert(reader: Reader): Promise<Alert | undefined> {
  return (await reader.read<Alert>(SELECT_ALERT))[0];
}

async function claimAlert(tx: Transaction, now: Instant): Promise<Alert | undefined> {
  const stored = await readAlert(tx);
  // a time over a day ahead comes from a wrong clock
  const last = stored !== undefined && stored.nextAt <= addMs(now, DAY_MS) ? stored : undefined;
  if (last !== undefined && last.nextAt > now) return undefined;
  const isFresh = last !== undefined && last.madeAt > addMs(now, -DAY_MS);
  if (last?.state === 'sending' && !(isFresh && last.attempts < MOST_DOUBTS)) {
    await settleInterrupted(tx, last);
    return undefined;
  }
  const isOpen = last?.state === 'pending' || last?.state === 'sending';
  const { message, madeAt, attempts } =
    isOpen && isFresh ? last : { message: makeRandomName(), madeAt: now, attempts: 0 };
  await tx.write('delete from alert', [[]]);
  await tx.write(
    "insert into alert (one, message, state, made_at, attempts, next_at) values (1, ?, 'sending', ?, ?, ?)",
    [[message, madeAt, attempts + 1, now]],
  );
  return readAlert(tx);
}

/** Counts an interrupted alert, which may have arrived, as sent at its last attempt. */
async function settleInterrupted(tx: Transaction, { nextAt }: Alert): Promise<void> {
  await tx.write("update alert set state = 'uncertain', ended_at = next_at, next_at = ?", [
    [addMs(nextAt, DAY_MS)],
  ]);
}

async function finishAlert(tx: Transaction, outcome: Outcome): Promise<void> {
  const { message, at, code, state } = outcome;
  const isPutOff = state === 'pending' && !outcome.isDoubtful;
  const ended = state === 'pending' && !isPutOff ? 'uncertain' : state;
  await tx.write('update alert set state = ?, ended_at = ?, next_at = ?, outcome = ? where message = ?', [
    [ended, isPutOff ? null : at, (isPutOff && outcome.nextAt) || addMs(at, DAY_MS), code, message],
  ]);
}

async function dropAlert(tx: Transaction): Promise<void> {
  const last = await readAlert(tx);
  if (last?.state === 'pending') await tx.write('delete from alert', [[]]);
  if (last?.state === 'sending') await settleInterrupted(tx, last);
}

async function writePulse(
  tx: Transaction,
  { instance, command, startedAt }: Omit<Instance, 'seenAt'>,
  at: Instant | undefined,
): Promise<void> {
  await tx.write('delete from instance where instance = ?', [[instance]]);
  if (at === undefined) return;
  const lost = [addMs(at, -DAY_MS), addMs(at, DAY_MS)]; // times in the future come from a wrong clock
  await tx.write('delete from instance where seen_at < ? or seen_at > ?', [lost]);
  await tx.write('insert into instance (instance, command, started_at, seen_at) values (?, ?, ?, ?)', [
    [instance, command, startedAt, at],
  ]);
}

/** Counts finished messages with an indexed query. A message with a failure report counts as undelivered. */
async function countUndelivered(
  reader: Reader,
  since: Instant,
): Promise<{ finished: number; undelivered: number }> {
  const states = await reader.read<{ state: string; count: number }>(
    `select state, count(*) as count from message
     where state in ('sent', 'failed', 'uncertain', 'expired') and kind in ('confirmation', 'edition', 'announcement') and next_at >= ? group by state`,
    [since],
  );
  const sql = 'select count(*) as count from bounce where reported_at >= ?';
  const [bounced] = await reader.read<{ count: number }>(sql, [since]);
  const total = (of: typeof states) => of.reduce((sum, { count }) => sum + count, 0);
  const lost = total(states.filter(({ state }) => state !== 'sent')) + bounced!.count;
  return { finished: total(states), undelivered: lost };
}

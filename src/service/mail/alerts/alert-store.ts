/** Stores observed concerns, the newest alert, and the running instances. Each method is one transaction. */

import { isDeepStrictEqual } from 'node:util';
import { addMs, DAY_MS, type Instant } from '../../../shared/day.ts';
import { probe } from '../../../shared/probe.ts';
import { commitAt, type Engine, type Reading, type Transaction } from '../../database/engines/engine.ts';
import { makeRandomName } from '../../subscribers/tokens.ts';
import { MOST_DOUBTS, type Outcome } from '../faults.ts';
import { type Concern, type LastingConcern, nameConcern } from './concern.ts';

/** The newest alert. State `waiting`: a mail server deferred it. State `uncertain`: it may have arrived. */
export type Alert = {
  message: string;
  state: 'sending' | 'waiting' | 'sent' | 'uncertain' | 'refused' | 'dropped';
  madeAt: Instant;
  attempts: number;
  /** When an alert was last sent, may have been sent, or was refused. The next alert is due a day later. */
  endedAt: Instant | null;
  nextAt: Instant;
  outcome: string | null;
};

export type Instance = { instance: string; command: 'start' | 'serve'; startedAt: Instant; seenAt: Instant };

const SELECT_CONCERNS = 'select concern, since from concern order by since, concern';

const SELECT_ALERT = `select message, state, made_at as "madeAt", attempts, doubts, ended_at as "endedAt", next_at as "nextAt", outcome
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
    /** Drops a deferred alert that has nothing left to report. An alert that may have arrived counts as sent. */
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

type AlertRow = Alert & { doubts: number };

async function readAlert(reading: Reading): Promise<AlertRow | undefined> {
  return (await reading.read<AlertRow>(SELECT_ALERT))[0];
}

async function claimAlert(tx: Transaction, now: Instant): Promise<Alert | undefined> {
  await recoverAlert(tx);
  const newest = await readAlert(tx);
  const dayAgo = addMs(now, -DAY_MS);
  if (newest?.state === 'waiting' && isDated(newest.madeAt, now)) {
    if (newest.doubts >= MOST_DOUBTS) {
      await tx.write("update alert set state = 'uncertain', ended_at = ?", [[now]]);
      return undefined;
    }
    if (newest.madeAt > dayAgo) {
      if (newest.nextAt > now && isDated(newest.nextAt, now)) return undefined;
      const sql = "update alert set state = 'sending', attempts = attempts + 1, next_at = ?";
      await tx.write(sql, [[now]]);
      return { ...newest, state: 'sending', attempts: newest.attempts + 1 };
    }
  }
  const endedAt = newest?.endedAt && isDated(newest.endedAt, now) ? newest.endedAt : null;
  if (endedAt !== null && endedAt > dayAgo) return undefined;
  await tx.write('delete from alert', [[]]);
  await tx.write(
    `insert into alert (one, message, state, made_at, attempts, doubts, ended_at, next_at, outcome)
     values (1, ?, 'sending', ?, 1, 0, ?, ?, null)`,
    [[makeRandomName(), now, endedAt, now]],
  );
  return readAlert(tx);
}

/** Puts off an interrupted alert. It may have arrived, so it counts as sent at its last attempt. */
async function recoverAlert(tx: Transaction): Promise<void> {
  await tx.write(
    "update alert set state = 'waiting', doubts = doubts + 1, ended_at = next_at where state = 'sending'",
    [[]],
  );
}

/** Returns whether a stored time is credible. One that is over a day ahead comes from a wrong clock. */
function isDated(at: Instant, now: Instant): boolean {
  return at <= addMs(now, DAY_MS);
}

async function finishAlert(tx: Transaction, outcome: Outcome): Promise<void> {
  const { message, at, code, end } = outcome;
  if (end === 'retry') {
    const sql = "update alert set state = 'waiting', next_at = ?, outcome = ? where message = ?";
    await tx.write(sql, [[outcome.nextAt, code, message]]);
    if (outcome.isDoubtful)
      await tx.write('update alert set doubts = doubts + 1, ended_at = ? where message = ?', [[at, message]]);
    return;
  }
  const state = end === 'sent' ? 'sent' : 'refused';
  await tx.write('update alert set state = ?, ended_at = ?, outcome = ? where message = ?', [
    [state, at, code, message],
  ]);
}

async function dropAlert(tx: Transaction): Promise<void> {
  await recoverAlert(tx);
  await tx.write(
    "update alert set state = case when doubts > 0 then 'uncertain' else 'dropped' end where state = 'waiting'",
    [[]],
  );
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
  reading: Reading,
  since: Instant,
): Promise<{ finished: number; undelivered: number }> {
  const states = await reading.read<{ state: string; count: number }>(
    `select state, count(*) as count from message
     where state in ('sent', 'failed', 'uncertain', 'expired') and kind in ('confirmation', 'edition', 'announcement') and next_at >= ? group by state`,
    [since],
  );
  const sql = 'select count(*) as count from bounce where reported_at >= ?';
  const [bounced] = await reading.read<{ count: number }>(sql, [since]);
  const total = (of: typeof states) => of.reduce((sum, { count }) => sum + count, 0);
  const lost = total(states.filter(({ state }) => state !== 'sent')) + bounced!.count;
  return { finished: total(states), undelivered: lost };
}

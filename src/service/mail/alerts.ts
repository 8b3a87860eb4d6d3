/**
 * Stores concerns, which are problems for an operator to resolve, the alert about them, and the running instances. Health, log,
 * `status` and alerts share the texts of concerns.
 */

import { isDeepStrictEqual } from 'node:util';
import CONCERNS from '../../data/concerns.json' with { type: 'json' };
import { addMs, DAY_MS, type Instant } from '../../shared/day.ts';
import { probe } from '../../shared/probe.ts';
import { fillIn } from '../../shared/text/fill-in.ts';
import { commitAt, type Engine, type Reader, type Transaction } from '../database/engines/engine.ts';
import { makeRandomName } from '../subscribers/tokens.ts';
import { MOST_DOUBTS, type Outcome } from './failures.ts';

/** The kinds of concerns, with their texts. */
export type ConcernKind = keyof typeof CONCERNS;
export const CONCERN_KINDS = Object.keys(CONCERNS) as ConcernKind[];

export type Concern = {
  kind: ConcernKind;
  source?: string;
  /** A sentence for the public, without paths, addresses or messages of other programs. */
  summary: string;
  /** A longer sentence for the operator, if there is more to say, without subscribers' addresses. */
  detail?: string;
  since?: Instant;
  /** The earliest time for an alert. Before that, the concern may resolve itself. */
  tellFrom?: Instant;
  /** Sentences with the commands to run, most useful first. */
  steps: readonly string[];
};

type Texts = Pick<Concern, 'summary' | 'detail' | 'steps'>;

/** Makes a concern from its texts. Replaces their placeholders, such as `{run}`, with `values`. */
export function makeConcern(
  kind: ConcernKind,
  values: Readonly<Record<string, string | number | null>> = {},
  more: Partial<Concern> = {},
): Concern {
  const { summary, detail, steps }: Texts = CONCERNS[kind];
  const fill = (text: string) => fillIn(text, values);
  const texts = { summary: fill(summary), ...(detail && { detail: fill(detail) }), steps: steps.map(fill) };
  return { kind, ...texts, ...more };
}

/** A concern with the time since when it lasts. */
export type LastingConcern = Concern & { since: Instant };

/** Names a concern. The name stays the same while the concern lasts. */
export function nameConcern({ kind, source }: { kind: ConcernKind; source?: string | undefined }): string {
  return source === undefined ? kind : `${kind} ${source}`;
}

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
    observe: (concerns: readonly Concern[], now: Instant): Promise<LastingConcern[]> =>
      engine.transaction(async (tx) => {
        const stored = await tx.read<StoredConcern>(SELECT_CONCERNS);
        const before = new Map(stored.map(({ concern, since }) => [concern, since]));
        const lasting = concerns.map((one) => {
          return { ...one, since: before.get(nameConcern(one)) ?? one.since ?? now };
        });
        const rows = lasting.map((one) => [nameConcern(one), one.since] as const);
        if (!isDeepStrictEqual(new Map(rows), before)) {
          await tx.write('delete from concern', [[]]);
          await tx.write('insert into concern (concern, since) values (?, ?)', rows);
        }
        return lasting;
      }),
    /** Returns the names of the stored concerns, and when they began. */
    observed: () => engine.read<StoredConcern>(SELECT_CONCERNS),
    newest: () => readAlert(engine),
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
    drop: () =>
      engine.transaction(async (tx) => {
        const last = await readAlert(tx);
        if (last?.state === 'pending') await tx.write('delete from alert', [[]]);
        if (last?.state === 'sending') await settleInterrupted(tx, last);
      }),
    /** Counts messages finished since then, and those not delivered or with a failure report, with an indexed query. */
    async countUndelivered(since: Instant): Promise<{ finished: number; undelivered: number }> {
      const [row] = await engine.read<{ finished: number; undelivered: number }>(
        `select count(*) as finished, count(case when state <> 'sent' then 1 end)
           + (select count(*) from bounce where reported_at >= ?) as undelivered from message
         where state in ('sent', 'failed', 'uncertain', 'expired') and kind in ('confirmation', 'edition', 'announcement') and next_at >= ?`,
        [since, since],
      );
      return row!;
    },
    /** Records that an instance runs, or has stopped (`at` is `undefined`). Deletes those not seen for a day. */
    pulse: ({ instance, command, startedAt }: Omit<Instance, 'seenAt'>, at: Instant | undefined) =>
      engine.transaction(async (tx) => {
        await tx.write('delete from instance where instance = ?', [[instance]]);
        if (at === undefined) return;
        const lost = [addMs(at, -DAY_MS), addMs(at, DAY_MS)]; // times in the future come from a wrong clock
        await tx.write('delete from instance where seen_at < ? or seen_at > ?', [lost]);
        const row = [instance, command, startedAt, at];
        await tx.write('insert into instance (instance, command, started_at, seen_at) values (?, ?, ?, ?)', [
          row,
        ]);
      }),
    forgetInstances: () => engine.transaction((tx) => tx.write('delete from instance', [[]])),
    instances: () => engine.read<Instance>(SELECT_INSTANCES),
  };
}

type StoredConcern = { concern: string; since: Instant };

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

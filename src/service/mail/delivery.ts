/**
 * Delivers mail. Checks every second for due mail, and sends it over two connections, one message at a time on each.
 * Stores the outcome of each message before sending the next one. After a crash nobody is skipped, but a message that
 * was being sent may arrive twice, with the same Message-ID.
 */

import { addMs, formatMoment, HOUR_MS, type Instant } from '../../shared/day.ts';
import { messageOf } from '../../shared/errors.ts';
import { keepLooking, runIfAlone } from '../../shared/polling.ts';
import { isFullDisk } from '../database/disk-room.ts';
import { makeReturnPath } from './bounces/return-path.ts';
import {
  type Attempt,
  type DeliveryFailure,
  describeDeferral,
  describeFailures,
  findRetryWait,
  judgeAttempt,
  type Outcome,
} from './failures.ts';
import type { EmailWriter, MailContext } from './mail-context.ts';
import type { Claimed, Deferred, MailStanding } from './outbox-store.ts';

const SWEEP_MS = HOUR_MS;
const CONNECTIONS = [0, 1];
// after this many consecutive failures of any kind, the cause must be ours, not the recipients'
const MOST_FAILURES = 20;
const FEW_FAILURES = 3; // up to this many failures at the start of a round may still be the recipients'
const MOST_REFUSALS = 5; // attempts for a message that is refused while no other message is accepted

export type Delivery = ReturnType<typeof openDelivery>;

/** `openWriter` makes the writer of a round, which renders equal messages once. */
export function openDelivery(context: MailContext, openWriter: (context: MailContext) => EmailWriter) {
  const { store, now, bounces } = context;
  const { outbox } = store;
  let isStopped = false;
  return {
    /**
     * Sends all due mail. The caller must hold the lock `mail`. Stops at a failure that affects all mail. Returns how many messages are
     * not sent any more, because the service ended each time while it sent them.
     */
    async round(): Promise<number> {
      const parked = await outbox.tidy(now());
      const { pausedUntil, failures } = await outbox.standing(now());
      if (pausedUntil !== null && pausedUntil > now()) return parked;
      const key = bounces && (await store.bounces.key());
      const round: Round = {
        isOver: () => isStopped || round.failure !== undefined,
        failuresInARow: 0,
        hadFailed: failures > 0,
        hasSent: false,
        writeEmail: openWriter(context),
        returnPathOf: (claimed) => key && bounces && makeReturnPath(bounces, key, claimed),
      };
      const sending = CONNECTIONS.map((connection) => sendAll(context, round, connection));
      await Promise.allSettled(sending);
      if (round.failure !== undefined) {
        // a server that asks us to retry later is working, so the wait stays short
        const waitMs = findRetryWait(round.failure.of === 'later' ? 1 : failures + 1);
        await outbox.pause(addMs(now(), waitMs), describeFailures(round.failure), failures + 1);
      } else if (failures > 0 && round.hasSent) await outbox.resume();
      await outbox.tidy(now());
      await Promise.all(sending); // throws if the database failed
      return parked;
    },
    stop(): void {
      isStopped = true;
    },
  };
}

type Round = {
  isOver(): boolean;
  /** The failure that ended the round, because it affects all mail. */
  failure?: DeliveryFailure;
  failuresInARow: number;
  hadFailed: boolean;
  hasSent: boolean;
  writeEmail: EmailWriter;
  returnPathOf: (claimed: Claimed) => string | undefined;
};

async function sendAll(context: MailContext, round: Round, connection: number): Promise<void> {
  const { store, now, confirmationsAnHour, recipientDomain } = context;
  const { outbox } = store;
  let done: Outcome | undefined;
  while (!round.isOver()) {
    const claimed = await outbox
      .claim({ now: now(), done, confirmationsAnHour, recipientDomain })
      .catch(async (error: unknown) => {
        // the next message could not be claimed in time, but this one was sent
        if (done !== undefined) await outbox.finish(done);
        throw error;
      });
    done = undefined;
    if (claimed === undefined) return;
    done = finishInRound(round, claimed, await sendOne(context, round, claimed, connection), now());
  }
  if (done !== undefined) await outbox.finish(done);
}

async function sendOne(
  { from, transport, store }: MailContext,
  { writeEmail, returnPathOf }: Round,
  claimed: Claimed,
  connection: number,
): Promise<Attempt> {
  const email = await writeEmail(claimed);
  if (email === undefined) return { end: 'canceled' };
  const { message, madeAt, address, edition, kind } = claimed;
  const what = edition === null ? kind : `weekly-${edition}`;
  const outgoing = { message, from, returnPath: returnPathOf(claimed), to: address, madeAt, what, ...email };
  return transport.send(connection, outgoing, () => store.outbox.isWanted(message));
}

/** Judges an attempt and notes it in its round. A failure that affects all mail ends the round, and does not count as an attempt. */
function finishInRound(round: Round, claimed: Claimed, attempt: Attempt, at: Instant): Outcome {
  if (attempt.end === 'sent') {
    round.failuresInARow = 0;
    round.hasSent = true;
  }
  if (attempt.end !== 'failure') return judgeAttempt(claimed, attempt, at);
  round.failuresInARow++;
  const { of, code } = attempt;
  if (of === 'everybody' || round.failuresInARow >= MOST_FAILURES) round.failure = attempt;
  if (of === 'everybody') return { message: claimed.message, at, state: 'pending', code };
  // a refusal concerns only its message, unless no other message is accepted: then it may concern our service
  const isTheirs = round.hasSent || (!round.hadFailed && round.failuresInARow <= FEW_FAILURES);
  const mayBeOurs = of === 'message' && !isTheirs && claimed.attempts < MOST_REFUSALS;
  return judgeAttempt(claimed, mayBeOurs ? { ...attempt, of: 'later' } : attempt, at);
}

type MailerContext = MailContext & {
  delivery: Delivery;
  warn(sentence: string): void;
  pruneFiles(): Promise<void>;
};

/** Opens the mailer, which delivers due mail and deletes old data. `look` checks once, `start` every second. */
export function openMailer(context: MailerContext) {
  const { delivery, now, warn } = context;
  const { outbox } = context.store;
  let standing: MailStanding | undefined;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let warned: string | null = null;
  let warnedOf: string | undefined;
  let stopLooking: (() => Promise<void>) | undefined;

  async function look(): Promise<void> {
    const isPaused = standing?.pausedUntil != null && standing.pausedUntil > now();
    if (!isPaused && (await outbox.isDue(now(), context))) {
      await runIfAlone(context.store, 'mail', async () => {
        const parked = await delivery.round();
        if (parked > 0)
          warn(
            `${parked} of the emails are not sent again: the service ended each time while it sent them, so they may have arrived`,
          );
      });
      warnOfDeferral(await outbox.deferred());
    }
    if (Date.parse(now()) - sweptAt >= SWEEP_MS) {
      sweptAt = Date.parse(now());
      await runIfAlone(context.store, 'mail', async () => {
        // there is more to delete, so the next check continues
        if (!(await outbox.sweep(now()))) sweptAt = Number.NEGATIVE_INFINITY;
      });
      await context.pruneFiles();
    }
    standing = await outbox.standing(now(), context);
    if (standing.problem !== warned && standing.problem !== null)
      warn(`mail is paused until ${formatMoment(standing.pausedUntil!)}: ${standing.problem}`);
    warned = standing.problem;
  }

  /** Says once why messages are tried again, until the reason is another one. */
  function warnOfDeferral(deferred: Deferred | undefined): void {
    const reason = deferred && describeDeferral(deferred);
    if (deferred !== undefined && reason !== warnedOf)
      warn(`${deferred.count} of the emails are tried again, at ${formatMoment(deferred.nextAt)}: ${reason}`);
    warnedOf = reason;
  }

  return {
    look,
    /** Returns the state of mail at the latest check, or `undefined` before the first check. */
    standing: () => standing,
    /** Ends a pause first, because a restart usually follows a fix. */
    start(): void {
      const resumed = outbox.resume().catch(() => undefined);
      const fail = (error: unknown) => {
        if (!isFullDisk(error)) warn(`emails cannot be sent: ${messageOf(error)}`);
      };
      stopLooking = keepLooking(() => resumed.then(look), fail);
    },
    async close(): Promise<void> {
      delivery.stop();
      await stopLooking?.();
      context.transport.close(); // ends an attempt that still waits for the server, so its outcome is stored
      await stopLooking?.();
    },
  };
}

/** Checks every second whether mail is due, and delivers it. A failure never ends the service. */

import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, ShingleError } from '../errors.ts';
import type { Instant } from '../listings/day.ts';
import type { ConfirmationLimits } from '../subscribers/confirmations.ts';
import type { Delivery } from './delivery.ts';
import type { MailStanding, OutboxStore } from './outbox-store.ts';

const OUTBOX_POLL_MS = 1_000; // the wait also separates the response to a signup from the work on its email
const SWEEP_MS = 3_600_000;
const MAILER_CLOSE_MS = 8_000;

export type Mailer = ReturnType<typeof startMailer>;

export type MailerContext = ConfirmationLimits & {
  outbox: OutboxStore;
  delivery: Delivery;
  now(): Instant;
  warn(sentence: string): void;
  /** Deletes emails that were written as files and whose records are gone. */
  pruneFiles(): Promise<void>;
};

/** Starts by ending a pause: an operator who restarts the service has probably fixed the problem. */
export function startMailer(context: MailerContext) {
  const { outbox, delivery, now, warn } = context;
  let standing: MailStanding | undefined;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let warned: string | null = null;

  async function look(): Promise<void> {
    const isPaused = standing?.pausedUntil != null && standing.pausedUntil > now();
    if (!isPaused && (await outbox.isDue(now(), context))) await ifAlone(outbox, delivery.round);
    if (Date.parse(now()) - sweptAt >= SWEEP_MS) {
      sweptAt = Date.parse(now());
      await ifAlone(outbox, async () => {
        if (!(await outbox.sweep(now()))) sweptAt = Number.NEGATIVE_INFINITY; // the rest is deleted in a second
      });
      await context.pruneFiles();
    }
    standing = await outbox.standing(now(), context);
    if (standing.trouble !== warned && standing.trouble !== null)
      warn(`mail is paused until ${standing.pausedUntil}: ${standing.trouble}`);
    warned = standing.trouble;
  }

  async function tick(): Promise<void> {
    await look().catch((error: unknown) => warn(`mail delivery failed: ${messageOf(error)}`));
    const again = (): void => {
      running = tick();
    };
    if (!isClosed) timer = setTimeout(again, OUTBOX_POLL_MS);
  }
  let running: Promise<void> = outbox.resume().then(tick, tick);

  return {
    /** How mail stood at the last look. */
    standing: () => standing,
    /** Finishes the messages that are being sent, and begins no more. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      delivery.stop();
      const enough = new AbortController();
      await Promise.race([running, sleep(MAILER_CLOSE_MS, undefined, enough)]).finally(() => enough.abort());
    },
  };
}

/** Does nothing if another process already delivers. */
async function ifAlone(outbox: OutboxStore, work: () => Promise<void>): Promise<void> {
  let isAlone = false;
  await outbox
    .alone(0, () => {
      isAlone = true;
      return work();
    })
    .catch((error: unknown) => {
      if (isAlone || !(error instanceof ShingleError)) throw error;
    });
}
